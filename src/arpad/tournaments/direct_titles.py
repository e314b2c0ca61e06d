"""Direct titles: the title for a place in a championship, and the rating it requires (0.6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answer import Answer, Figure, Text, date_notes
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step, known, ruled
from arpad.core import Rating, games_before_of, rating_of, whole_of
from arpad.errors import UnknownName
from arpad.messages import Message, say
from arpad.rulebooks import Rule, Rulebook, one_of, positive, record, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

SYSTEM = "fide-direct-titles"
FAMILIES = (("GM", "IM", "FM", "CM"), ("WGM", "WIM", "WFM", "WCM"))  # each from the highest title down
LARGEST_PLACE = 1000


class Award(NamedTuple):
    """The title for some places in a championship."""

    championship: str
    title: str
    first: int = 1
    last: int = 1


class DirectRules(NamedTuple):
    """The rules of direct titles on a day."""

    direct_ratings: Rule[Mapping[str, int]]
    direct_below: Rule[str]
    direct_titles: Rule[tuple[Award, ...]]
    direct_games: Rule[int] | None = None


READERS: Mapping[str, Callable[[Any], Any]] = {
    "direct_ratings": lambda value: {title: whole(rating) for title, rating in value.items()},
    "direct_below": one_of("conditional"),
    "direct_titles": lambda value: tuple(_award(award) for award in value),
    "direct_games": positive,
}


def _award(value: Mapping[str, Any]) -> Award:
    award = record(Award, {"first": 1, "last": 1, **value})
    return award if award.last >= award.first else award._replace(last=award.first)


@cache
def rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[DirectRules]:
    """The rulebook of direct titles."""
    return Rulebook(SYSTEM, DirectRules, READERS, readings=dict(readings))


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
            Figure("direct.needed", self.needed, _met(self.reached)),
            Figure("direct.games", self.games_needed, _met(self.enough_games)),
            Figure("direct.meanwhile", self.meanwhile),
        )


def _met(met: bool | None) -> Message:
    return say(f"tournaments.direct.{'unknown' if met is None else 'met' if met else 'not_met'}")


def direct_title(
    championship: str, *, on: date, place: int = 1, peak: Rating | None = None, games: int | None = None
) -> DirectTitle:
    """The title for a place in a championship, by the player's highest rating and number of games."""
    book = rulebook()
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
            system=SYSTEM, on=on, trail=(nothing,), remarks=notes, championship=championship, place=place, title=None,
            why=Reason(nothing), needed=None, reached=None, games_needed=None, enough_games=None, awarded=None,
            meanwhile=None,
        )  # fmt: skip
    title = ruled("direct.title", rules.direct_titles, award.title, place=known("place", place))
    needed = rules.direct_ratings.value[award.title]
    least = None if rules.direct_games is None else rules.direct_games.value
    reached = None if peak is None else peak >= needed
    enough = True if least is None else None if games is None else games >= least
    awarded = False if False in (reached, enough) else None if None in (reached, enough) else True
    meanwhile = _lower(award.title, peak, rules) if awarded is False and enough is not False else None
    return DirectTitle(
        system=SYSTEM,
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
