"""The way to a title: the norms of several events put together, the rating reached, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Answer, Figure, date_notes
from arpad.calculation.step import Step, ruled
from arpad.core import Rating, as_day
from arpad.errors import BadInput, UnknownName
from arpad.messages import say
from arpad.rulebooks import Rule, Rulebook, positive
from arpad.tournaments.norms.conditions import AT_LEAST, AT_MOST
from arpad.tournaments.norms.rules import NORMS, TitleRules, rulebook

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.norms.answer import Norm, NormsReport, PlayerNorms

SYSTEM = "fide-titles"
GAME_SHORT = "game_short"  # the only requirement with an upper limit


class ApplicationRules(NamedTuple):
    """What an application requires of its norms: games covered, and after which day one must be from a strong event."""

    games: Rule[int]
    strong_after: Rule[date]


@cache
def application_rules() -> Rulebook[ApplicationRules]:
    """The rulebook of applications."""
    return Rulebook("fide-applications", ApplicationRules, {"games": positive, "strong_after": as_day})


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
            remark = say(f"tournaments.application.{key}", bound=part.bound, needed=part.needed, article=part.article)
            found = say("tournaments.norms.not_known") if part.found is None else part.found
            shown.append(Figure(f"application.{part.name}", found, remark))
        return shown


class NormEvent(NamedTuple):
    """An event of an application with its norms."""

    tournament: Tournament
    report: NormsReport


def application(
    title: str, fide_id: int, events: Iterable[NormEvent], *, on: date, rating: Rating | None = None
) -> TitleApplication:
    """A player's norms in several events put together, by the regulations on the day of the application."""
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
        system=SYSTEM,
        on=on,
        trail=tuple(_step(requirement, rule) for requirement, rule in checked),
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


def _norm(event: NormEvent, fide_id: int, title: str) -> tuple[PlayerNorms, AppliedNorm]:
    """A player's norm in an event, achieved or not."""
    player = next((each for each in event.report.players if each.entrant.player.fide_id == fide_id), None)
    if player is None:
        name = event.tournament.name or say("questions.the_file")
        raise BadInput(say("tournaments.application.not_there", id=str(fide_id), event=name), at="id")
    norm = player.norm(title)
    return player, AppliedNorm(
        event=event.tournament.name,
        start=event.report.on,
        made=norm.met,
        games=norm.games,
        covers=norm.covers,
        kind=event.report.event_kind,
        exemption=_found(norm, "exemption"),
        one_round_a_day=_met(norm, "one_round_a_day"),
        strong_event=_met(norm, "strong_event"),
        game_short=norm.by == "eight_of_nine",
    )


def _found(norm: Norm, name: str) -> str | None:
    found = next((condition.found for condition in norm.beside if condition.name == name), None)
    return None if found is None else str(found)


def _met(norm: Norm, name: str) -> bool | None:
    return next((condition.met for condition in norm.beside if condition.name == name), None)


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
        found.append(("one_round_a_day", _any_met(days), days.count(True), 1, rules.one_round_a_day))
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


def _any_met(met: Sequence[bool | None]) -> bool | None:
    """Whether at least one is met; None if that is unknown."""
    return True if True in met else None if None in met else False


def _step(requirement: Requirement, rule: Rule[object]) -> Step:
    return ruled(f"application.{requirement.name}", rule, requirement.found)
