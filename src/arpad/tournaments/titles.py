"""Ways to a title: the title for a place in a championship (0.6.2), and norms of several events put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Answer, Figure, Text, date_notes
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step, known, ruled
from arpad.core import Rating, as_day, games_before_of, rating_of, whole_of
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.rulebooks import Rule, Rulebook, one_of, positive, record, whole
from arpad.tournaments.norms.conditions import AT_LEAST, AT_MOST, bound_said
from arpad.tournaments.norms.rules import NORMS, TitleRules, rulebook

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.norms.answer import NormsReport, PlayerNorms


FAMILIES = (("GM", "IM", "FM", "CM"), ("WGM", "WIM", "WFM", "WCM"))  # each from the highest title down
LARGEST_PLACE = 1000
GAME_SHORT = "game_short"  # the only requirement with an upper limit


def direct_title(
    championship: str, *, on: date, place: int = 1, peak: Rating | None = None, games: int | None = None
) -> DirectTitle:
    """The title for a place in a championship, by the player's highest rating and number of games.

    Accepts the championship by its name in the rules, the day `on`, the place, the highest rating and the number of
    rated games. Gives a DirectTitle, with the title and what is missing for it. Raises UnknownName for a
    championship that has no direct titles on that day, BadInput for a bad place, rating or number of games.
    """
    book = direct_title_rulebook()
    rules = book.at(on)
    known_championships = sorted({award.championship for award in rules.direct_titles.value})
    if championship not in known_championships:
        raise UnknownName("championship", championship, known=known_championships, at="championship")
    place = whole_of(place, "place", 1, LARGEST_PLACE, at="place")
    peak = None if peak is None else rating_of(peak, at="peak")
    games = None if games is None else games_before_of(games, at="games")
    award = next(
        (
            award
            for award in rules.direct_titles.value
            if award.championship == championship and award.first <= place <= award.last
        ),
        None,
    )

    def notes() -> Iterator[Message]:
        yield from date_notes(book, on)
        yield say("notes.direct.table")

    if award is None:
        nothing = ruled("direct.none", rules.direct_titles, None, place=known("place", place))
        return DirectTitle(
            system=book.name, on=on, trail=(nothing,), remarks=notes, championship=championship, place=place,
            title=None, why=Reason(nothing), needed=None, reached=None, games_needed=None, enough_games=None,
            awarded=None, meanwhile=None,
        )  # fmt: skip
    title = ruled("direct.title", rules.direct_titles, award.title, place=known("place", place))
    needed = rules.direct_ratings.value[award.title]
    least = None if rules.direct_games is None else rules.direct_games.value
    reached = None if peak is None else peak >= needed
    enough = True if least is None else None if games is None else games >= least
    awarded = False if False in (reached, enough) else None if None in (reached, enough) else True
    meanwhile = _lower(award.title, peak, rules) if awarded is False and enough is not False else None
    return DirectTitle(
        system=book.name,
        on=on,
        trail=tuple(_trail(title, needed, peak, awarded, rules)),
        remarks=notes,
        championship=championship,
        place=place,
        title=award.title,
        why=Reason(title),
        needed=needed,
        reached=reached,
        games_needed=least,
        enough_games=None if least is None else enough,
        awarded=awarded,
        meanwhile=meanwhile,
    )


@dataclass(frozen=True, kw_only=True)
class DirectTitle(Answer):
    """The title for a place in a championship; None for what depends on unknown facts."""

    championship: str
    place: int
    title: str | None  # None if the table has no title for this place
    why: Text | None
    needed: int | None  # the rating required
    reached: bool | None
    games_needed: int | None
    enough_games: bool | None
    awarded: bool | None  # at once; False: the title is conditional
    meanwhile: str | None  # the lower title that the rating allows until then

    def summary(self) -> Sequence[Figure]:
        if self.title is None:
            return (Figure("direct.title", say("answers.none"), self.why),)
        state = {True: "awarded", False: "conditional", None: "unknown"}[self.awarded]
        return (
            Figure("direct.title", self.title, say(f"tournaments.direct.{state}")),
            Figure("direct.needed", self.needed, _in_words(self.reached)),
            Figure("direct.games", self.games_needed, _in_words(self.enough_games)),
            Figure("direct.meanwhile", self.meanwhile),
        )


def _lower(title: str, peak: Rating | None, rules: DirectRules) -> str | None:
    """The highest title of the same kind below this one whose rating was reached."""
    family = next(titles for titles in FAMILIES if title in titles)
    below = family[family.index(title) + 1 :]
    return next((lower for lower in below if peak is not None and peak >= rules.direct_ratings.value[lower]), None)


def _trail(title: Step, needed: int, peak: Rating | None, awarded: bool | None, rules: DirectRules) -> Iterator[Step]:
    """The title, the rating it requires, the games, and the rule if they are not reached."""
    yield title
    required = ruled("direct.needed", rules.direct_ratings, needed)
    yield required if peak is None else required._replace(given={"peak": known("peak", peak)})
    if rules.direct_games is not None:
        yield ruled("direct.games", rules.direct_games, rules.direct_games.value)
    if awarded is False:
        yield ruled("direct.below", rules.direct_below, rules.direct_below.value)


def _in_words(met: bool | None) -> Message:
    return say(f"tournaments.direct.{'unknown' if met is None else 'met' if met else 'not_met'}")


@cache
def direct_title_rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[DirectRules]:
    """The rulebook of direct titles."""
    return Rulebook("fide-direct-titles", DirectRules, DIRECT_READERS, readings=dict(readings))


class DirectRules(NamedTuple):
    """The rules of direct titles on a day."""

    direct_ratings: Rule[Mapping[str, int]]
    direct_below: Rule[str]
    direct_titles: Rule[tuple[Award, ...]]
    direct_games: Rule[int] | None = None


class Award(NamedTuple):
    """The title for some places in a championship."""

    championship: str
    title: str
    first: int = 1
    last: int = 1


DIRECT_READERS: Mapping[str, Callable[..., object]] = {
    "direct_ratings": lambda value: {title: whole(rating) for title, rating in value.items()},
    "direct_below": one_of("conditional"),
    "direct_titles": lambda value: tuple(_award(award) for award in value),
    "direct_games": positive,
}


def _award(value: Mapping[str, object]) -> Award:
    award = record(Award, {"first": 1, "last": 1, **value})
    return award if award.last >= award.first else award._replace(last=award.first)


def application(
    title: str, fide_id: int, events: Iterable[NormEvent], *, on: date, rating: Rating | None = None
) -> TitleApplication:
    """A player's norms in several events put together, by the regulations on the day of the application.

    Raises UnknownName for a title without norms, BadInput without events, for an event given twice, and for an event
    in which the player did not take part.
    """
    if title not in NORMS:
        raise UnknownName("title_with_norms", title, known=NORMS, at="title")
    found = [_norm(event, fide_id, title) for event in events]
    if not found:
        raise BadInput(say("tournaments.application.no_events"), at="path")
    norms = tuple(norm for _, norm in found)
    for place, norm in enumerate(norms):
        if norm in norms[:place]:
            raise BadInput(say("tournaments.application.twice", event=norm.event or norm.start), at="path")
    rules = rulebook().at(on)
    asked = application_rules().at(on)
    checked = _checked(title, norms, rules, asked, rating)
    met = [requirement.met for requirement, _ in checked]
    return TitleApplication(
        system=rulebook().name,
        on=on,
        trail=tuple(ruled(f"application.{part.name}", rule, part.found) for part, rule in checked),
        remarks=partial(date_notes, rulebook(), on),
        title=title,
        name=found[0][0].name,
        fide_id=fide_id,
        ready=False if False in met else None if None in met else True,
        games=sum(norm.covers or 0 for norm in norms),
        games_needed=asked.games.value,
        norms=norms,
        requirements=tuple(requirement for requirement, _ in checked),
    )


class NormEvent(NamedTuple):
    """An event of an application with its norms."""

    tournament: Tournament
    report: NormsReport


@dataclass(frozen=True, kw_only=True)
class TitleApplication(Answer):
    """How far a player is from a title."""

    title: str
    name: str | None
    fide_id: int
    ready: bool | None  # whether nothing is missing; None if unknown
    games: int
    games_needed: int
    norms: tuple[AppliedNorm, ...]
    requirements: tuple[Requirement, ...]

    @property
    def missing(self) -> tuple[Requirement, ...]:
        """The requirements that are not met, or not known to be."""
        return tuple(requirement for requirement in self.requirements if not requirement.met)

    def summary(self) -> Sequence[Figure]:
        verdict = {True: "ready", False: "missing", None: "unknown"}[self.ready]
        shown = [Figure("application", self.title, say(f"tournaments.application.{verdict}"))]
        for part in self.requirements:
            key = {True: "met", False: "not_met", None: "not_known"}[part.met]
            remark = say(
                f"tournaments.application.{key}", bound=bound_said(part.bound), needed=part.needed, article=part.article
            )
            found = say("tournaments.norms.not_known") if part.found is None else part.found
            shown.append(Figure(f"application.{part.name}", found, remark))
        return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedNorm:
    """A norm in an application: the event, the games it covers, and what matters about the event."""

    event: str | None
    start: date
    made: bool | None  # None if unknown
    games: int
    covers: int | None
    kind: str
    exemption: str | None  # of 1.4.3, if the norm needs it
    one_round_a_day: bool | None
    strong_event: bool | None
    game_short: bool  # eight games in nine rounds, allowed once in an application


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A requirement for a title: whether it is met (None if unknown), and the figures."""

    name: str
    met: bool | None
    found: int | None
    needed: int
    bound: str  # at least, or at most
    article: str


def _norm(event: NormEvent, fide_id: int, title: str) -> tuple[PlayerNorms, AppliedNorm]:
    """A player's norm in an event, achieved or not."""
    player = next((each for each in event.report.players if each.entrant.player.fide_id == fide_id), None)
    if player is None:
        name = event.tournament.name or say("questions.the_file")
        raise BadInput(say("tournaments.application.not_there", id=str(fide_id), event=name), at="id")
    norm = player.norm(title)
    beside = {condition.name: condition for condition in norm.beside}
    days, strong = beside.get("one_round_a_day"), beside.get("strong_event")
    exempt = beside["exemption"].found
    return player, AppliedNorm(
        event=event.tournament.name,
        start=event.report.on,
        made=norm.met,
        games=norm.games,
        covers=norm.covers,
        kind=event.report.event_kind,
        exemption=None if exempt is None else str(exempt),
        one_round_a_day=None if days is None else days.met,
        strong_event=None if strong is None else strong.met,
        game_short=norm.by == "eight_of_nine",
    )


def _checked(
    title: str, norms: Sequence[AppliedNorm], rules: TitleRules, asked: ApplicationRules, rating: Rating | None
) -> list[tuple[Requirement, Rule[object]]]:
    """The requirements of an application in the order of the article, each with its rule."""
    made = [norm for norm in norms if norm.made]
    needed = next(line.rating for line in rules.title_ratings.value if line.title == title)
    reached = None if rating is None else rating >= needed
    games = sum(norm.covers or 0 for norm in made)
    short = sum(norm.game_short for norm in made)
    normal = sum(norm.exemption is None for norm in made)
    found: list[tuple[str, bool | None, int | None, int, Rule[object]]] = [
        ("games", games >= asked.games.value, games, asked.games.value, asked.games),
        ("rating", reached, None if rating is None else int(rating), needed, rules.title_ratings),
        ("federations", normal >= 1, normal, 1, rules.federations),
        (GAME_SHORT, short <= 1, short, 1, rules.eight_of_nine),
    ]
    if title in rules.one_round_a_day.value.titles:
        days = [norm.one_round_a_day for norm in made]
        met = True if True in days else None if None in days else False
        found.append(("one_round_a_day", met, days.count(True), 1, rules.one_round_a_day))
    if rules.strong_event is not None and any(norm.start > asked.strong_after.value for norm in made):
        strong = sum(norm.strong_event is True for norm in made)
        # The article also allows other events, which no file shows; so without a strong Swiss the answer is unknown.
        found.append(("strong_event", True if strong else None, strong, 1, rules.strong_event))
    return [
        (
            Requirement(
                name=name,
                met=met,
                found=value,
                needed=wanted,
                bound=AT_MOST if name == GAME_SHORT else AT_LEAST,
                article=rule.cite,
            ),
            rule,
        )
        for name, met, value, wanted, rule in found
    ]


@cache
def application_rules() -> Rulebook[ApplicationRules]:
    """The rulebook of applications."""
    return Rulebook("fide-applications", ApplicationRules, {"games": positive, "strong_after": as_day})


class ApplicationRules(NamedTuple):
    """What an application requires of its norms: games covered, and after which day one must be from a strong event."""

    games: Rule[int]
    strong_after: Rule[date]
