"""What an answer assumes about the player, and what it would be otherwise: the same question, answered a second time.

A note of the answer says what was assumed; `OTHERWISE` says which field would settle it, and a value of that field
with which the answer is another. If the figure stays the same, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.errors import ArpadError
from arpad.forecast.season import Season
from arpad.messages import Message, say
from arpad.systems.ecf import EcfRules
from arpad.systems.fide.k import k_turns
from arpad.systems.fide.rules import FideRules
from arpad.web.hero_parts import Assumption, Hero, long_day

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.questions import Asked

AHEAD = ("outlook", "expect", "need")  # questions about games that could be played later
MOST = 2  # sentences; more is not read
HeroOf = Callable[["Asked", "Answer"], Hero]
OtherHero = Callable[..., Hero | None]


class Assumed(NamedTuple):
    """What was assumed: the values of the note that says it, the rules, and the day."""

    values: Mapping[str, Any]
    rules: Any
    on: date


class Otherwise(NamedTuple):
    """The field that settles an assumption, and a value of it that may change the answer."""

    field: str
    other: Callable[[Assumed], int | None]


def _born_for_k(assumed: Assumed) -> int | None:
    """The first year of birth of a junior, by FIDE's rule for K."""
    ages = k_turns(assumed.rules).age if isinstance(assumed.rules, FideRules) else []
    return assumed.on.year - (max(ages) - 1) if ages else None


def _born_for_ecf(assumed: Assumed) -> int | None:
    """The first year of birth of a junior, by the ECF's rule for K."""
    rules = assumed.rules
    return assumed.on.year - (rules.k.value.junior_under - 1) if isinstance(rules, EcfRules) else None


# By the key of the note that says what was assumed.
OTHERWISE: Mapping[str, Otherwise] = {
    "notes.k.assumed.born.games": Otherwise("born", _born_for_k),
    "notes.k.assumed.born": Otherwise("born", _born_for_k),
    "notes.k.assumed.games": Otherwise("games", lambda _: 0),
    "notes.ecf.age": Otherwise("born", _born_for_ecf),
    "notes.icu.age": Otherwise("born", lambda assumed: assumed.on.year - (assumed.values["under"] - 1)),
    "notes.dwz.age": Otherwise("born", lambda assumed: assumed.on.year - assumed.values["over"]),
    "notes.dwz.index": Otherwise("dwz_index", lambda _: 1),
    "notes.games.assumed": Otherwise("games", lambda assumed: assumed.values["special"]),
    "notes.deviation.assumed": Otherwise("deviation", lambda assumed: round(2 * float(assumed.values["value"]))),
}


def assumptions_of(asked: Asked, answer: Answer, hero: Hero, hero_of: HeroOf) -> tuple[Assumption, ...]:
    """What was assumed, if another case would give another figure; then whether K is about to change."""
    if _is_simulated(answer):
        return ()  # a second run would take as long again, and K does not change what a norm takes

    def otherwise(**changed: object) -> Hero | None:
        """The hero of the same question with other values; None if that is refused, or the figure is the same."""
        try:
            again = replace(asked, question=replace(asked.question, **changed))
            other = hero_of(again, again.answer())
        except ArpadError:
            return None
        return None if other.brief == hero.brief else other

    found = [one for note in answer.notes for one in _if_given(asked, answer, note, otherwise)]
    return (*found, *_soon(asked, answer, hero, otherwise))[:MOST]


def _is_simulated(answer: Answer) -> bool:
    """Whether an answer comes from many simulated events or seasons."""
    seasons = (answer,) if isinstance(answer, Season) else getattr(answer, "plans", ())
    return bool(getattr(answer, "norms", ())) or any(season.seasons is not None for season in seasons)


def _if_given(asked: Asked, answer: Answer, note: Message, otherwise: OtherHero) -> Iterator[Assumption]:
    """What one assumption would be otherwise."""
    case = OTHERWISE.get(note.key)
    if case is None or case.field not in asked.question.spec.fields:
        return
    rules = asked.question.rating_system().rulebook.at(answer.on)  # type: ignore[attr-defined]
    value = case.other(Assumed(note.values, rules, answer.on))
    other = None if value is None else otherwise(**{case.field: value})
    if other is not None:
        # The answer's own K: a note may name only the other one.
        k = getattr(answer, "k_used", None) or getattr(answer, "k", None)
        said = {**note.values, **({} if k is None else {"k": k}), "value": value, "other": other.brief}
        yield Assumption(say(f"hero.otherwise.{note.key.removeprefix('notes.')}", **said), case.field)


def _soon(asked: Asked, answer: Answer, hero: Hero, otherwise: OtherHero) -> Iterator[Assumption]:
    """That K holds for these games only, and what the same games would take a list later."""
    note = next((note for note in answer.notes if note.key == "notes.k.until"), None)
    ahead = getattr(answer, "next_list", None)
    if note is None or ahead is None or asked.question.spec.name not in AHEAD or getattr(asked.question, "event", None):
        return
    until = note.values["until"]
    if not isinstance(until, date) or until > ahead.on:
        return
    other = otherwise(on=until, day=until)
    if other is not None:
        key = "hero.soon" if hero.aside is None else "hero.soon.points"
        k, after = note.values["k"], note.values["after"]
        yield Assumption(say(key, k=k, until=long_day(until), after=after, other=other.brief))
