"""A whole section, all players at once: five steps, two passes (1)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, known, ruled
from arpad.core.numbers import ROUNDINGS, decimal
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.systems.uschess.entrant import Entrant, problem
from arpad.systems.uschess.floors import absolute_floor, highest, peak_floor
from arpad.systems.uschess.match import check_match, within_limits
from arpad.systems.uschess.pace import is_dual
from arpad.systems.uschess.rating import Before, before, first_look, one_pass
from arpad.systems.uschess.rules import OVER_THE_BOARD, REGULAR, rulebook, rules_of
from arpad.systems.uschess.section_answer import Passes, PlayerRating, SectionRating
from arpad.systems.uschess.standard import Meeting
from arpad.systems.uschess.start import Initial, start_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from arpad.core import Pace, Rating
    from arpad.systems.uschess.rules import UsChessRules


def rate_section(
    entrants: Iterable[Entrant],
    *,
    on: date,
    system: str = "uschess-regular",
    pace: Pace | None = None,
    match: bool = False,
    readings: Mapping[str, str] | None = None,
) -> SectionRating:
    """Every player's new rating by the five steps; `on` is the last day of the event."""
    rules = rules_of(system, on, readings)
    rated = passes_of(tuple(entrants), rules, on=on, system=system, pace=pace, match=match)
    return SectionRating(
        system=system,
        on=on,
        trail=tuple(passes.new for passes in rated),
        remarks=partial(section_notes, rated, rules, system, on, pace),
        players=tuple(PlayerRating.of(system, on, passes) for passes in rated),
    )


def passes_of(
    field: tuple[Entrant, ...], rules: UsChessRules, *, on: date, system: str, pace: Pace | None, match: bool = False
) -> tuple[Passes, ...]:
    """The results of the five steps for each player."""
    wrong = problem(field)
    if wrong is not None:
        at = f"player {field[wrong.place].id}, {wrong.field}" if field else "players"
        raise BadInput(wrong.says, at=at)
    dual = is_dual(pace, system, rules)
    if match:
        check_match(field, rules)
    # Steps 1 and 2: everybody's rating before the event, and the effective games behind it.
    starts = {entrant.id: _before(entrant, rules, on, dual=dual) for entrant in field}
    # Step 3: newcomers get a first rating, which their opponents are rated against.
    at_start = {name: known("opponent", player.rating.value) for name, player in starts.items()}
    looks = {
        entrant.id: first_look(starts[entrant.id], _meetings(entrant, at_start), rules)
        for entrant in field
        if starts[entrant.id].games == 0 and entrant.rating is None and entrant.played
    }
    seen = {
        name: ruled("opponent.first_look", rules.first_look, looks[name].value, words={"who": name})
        if name in looks
        else at_start[name]
        for name in starts
    }
    # Step 4; then step 5, the same again against the opponents' ratings after step 4.
    first = _pass(field, starts, seen, rules, no=1, match=match)
    after = {
        name: ruled("opponent.intermediate", rules.second_pass, step.value, words={"who": name})
        for name, step in first.items()
    }
    second = _pass(field, starts, after, rules, no=2, match=match)
    return tuple(
        _passes(
            Course(entrant, starts[entrant.id], looks.get(entrant.id), first.get(entrant.id), second.get(entrant.id)),
            rules,
            system=system,
            match=match,
        )
        for entrant in field
    )


def _before(entrant: Entrant, rules: UsChessRules, on: date, *, dual: bool) -> Before:
    """Steps 1 and 2: the rating before the event, and the effective games."""
    games = entrant.games
    if entrant.rating is not None:
        rating = known("rating", number_of(entrant.rating))
    elif entrant.start is not None:
        rating, games = known("start.given", number_of(entrant.start)), games or 0
    else:
        start = _start_of(entrant, rules, on)
        rating, games = start.rating, start.games if games is None else games
    return before(rating, games, len(entrant.played), rules, previous=entrant.previous, dual=dual)


def _start_of(entrant: Entrant, rules: UsChessRules, on: date) -> Initial:
    """A newcomer's starting rating; an error names the player."""
    try:
        return start_of(rules, on, age=entrant.age, born=entrant.born, fide=entrant.fide, adult=entrant.adult)
    except BadInput as error:
        raise BadInput(error.said, at=f"player {entrant.id}, {error.at}") from None


def number_of(rating: Rating) -> float:
    """A rating as a number for the formulas."""
    return rating if isinstance(rating, int) else float(rating)


def _meetings(entrant: Entrant, ratings: Mapping[str, Step]) -> list[Meeting]:
    return [
        Meeting(result.opponent, ratings[result.opponent], result.score)
        for result in entrant.played
        if result.opponent is not None
    ]


def _pass(
    field: tuple[Entrant, ...],
    starts: Mapping[str, Before],
    ratings: Mapping[str, Step],
    rules: UsChessRules,
    *,
    no: int,
    match: bool,
) -> dict[str, Step]:
    """The ratings of everybody who played, from the rating before the event, against these ratings."""
    return {
        entrant.id: one_pass(starts[entrant.id], _meetings(entrant, ratings), rules, no=no, match=match)
        for entrant in field
        if entrant.played
    }


class Course(NamedTuple):
    """A player before the event, after the first look and after each pass; None for what did not take place."""

    entrant: Entrant
    start: Before
    look: Step | None
    first: Step | None
    second: Step | None


def _passes(played: Course, rules: UsChessRules, *, system: str, match: bool) -> Passes:
    """The final rating with limits and floors, and the official one."""
    entrant, start, look, first, second = played
    if first is None or second is None:
        return _unplayed(entrant, start, rules)
    final = within_limits(second, start.rating, entrant, rules) if match else second
    floor = _floor(entrant, rules, system)
    if final.value < floor.value:
        final = Step("floored", floor.value, {"rating": final, "floor": floor}, floor.rule, words=floor.words)
    looked: dict[str, Any] = {} if look is None else {"first_look": look}
    new = ruled(
        "new_rating.rounded", rules.rounding, official(final, rules), **looked, first=first, exact=final, floor=floor
    )
    return Passes(entrant, start, look, first, second, floor, final, new)


def official(rating: Step, rules: UsChessRules) -> int:
    """The official rating: the nearest whole number."""
    return ROUNDINGS[rules.rounding.value](decimal(rating.value))


def _unplayed(entrant: Entrant, start: Before, rules: UsChessRules) -> Passes:
    """A player without a game keeps the rating, or stays unrated."""
    if entrant.rating is None:
        none = ruled("new_rating.unplayed", rules.unplayed, None)
        return Passes(entrant, start, None, None, None, None, none, none)
    new = ruled("new_rating.rounded", rules.rounding, official(start.rating, rules), exact=start.rating)
    return Passes(entrant, start, None, None, None, None, start.rating, new)


def _floor(entrant: Entrant, rules: UsChessRules, system: str) -> Step:
    """The floor after the event, with its wins, draws and games counted."""
    wins, draws = entrant.tally()
    three = len(entrant.played) >= rules.absolute_floor.value.event_games
    provisional = entrant.games is not None and entrant.games <= rules.established.value
    return highest(
        [
            absolute_floor(
                (entrant.wins or 0) + wins,
                (entrant.draws or 0) + draws,
                (entrant.events or 0) + three,
                rules,
                system=system,
            ),
            None if entrant.peak is None or provisional else peak_floor(entrant.peak, rules, system=system),
            None if entrant.floor is None else known("floor.given", number_of(entrant.floor)),
        ]
    )


def section_notes(
    rated: tuple[Passes, ...], rules: UsChessRules, system: str, on: date, pace: Pace | None
) -> Iterator[Message]:
    """What was assumed, and about which players."""
    yield from date_notes(rulebook(), on)
    above = rules.dual_k.value.above
    masters = [passes.entrant.id for passes in rated if (passes.entrant.rating or 0) > above]
    if masters and pace is None and system == REGULAR:
        yield say("notes.dual.unknown", above=above, players=masters)
    unknown = [passes.entrant.id for passes in rated if passes.before.rating.key == "start.unknown"]
    if unknown:
        yield say("notes.start.unknown", players=unknown, start=rules.start_age.value.unknown)
    low = [passes.entrant.id for passes in rated if _floor_is_partial(passes, rules)]
    if low and system in OVER_THE_BOARD:
        yield say("notes.floor.partial", players=low, most=rules.absolute_floor.value.most)


def _floor_is_partial(passes: Passes, rules: UsChessRules) -> bool:
    """Whether earlier wins, draws and events, which were not given, could raise the rating."""
    counts = (passes.entrant.wins, passes.entrant.draws, passes.entrant.events)
    low = passes.final.value is not None and passes.final.value < rules.absolute_floor.value.most
    return low and None in counts and passes.before.games != 0
