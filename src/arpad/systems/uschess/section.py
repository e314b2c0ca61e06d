"""A whole section, all players at once: five steps, two passes (1)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, known, ruled
from arpad.core.roundings import ROUNDINGS, decimal
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
    # Steps 1 and 2: where everybody starts, and what that is worth.
    starts = {one.id: _before(one, rules, on, dual=dual) for one in field}
    # Step 3: newcomers get a first look, so that their opponents have somebody to be rated against.
    at_start = {name: known("opponent", player.rating.value) for name, player in starts.items()}
    looks = {
        one.id: first_look(starts[one.id], _meetings(one, at_start), rules)
        for one in field
        if starts[one.id].games == 0 and one.rating is None and one.played
    }
    seen = {
        name: ruled("opponent.first_look", rules.first_look, looks[name].value, words={"who": name})
        if name in looks
        else at_start[name]
        for name in starts
    }
    # Step 4, and step 5: the same again against what step 4 gave the opponents.
    first = _pass(field, starts, seen, rules, no=1, match=match)
    after = {
        name: ruled("opponent.intermediate", rules.second_pass, step.value, words={"who": name})
        for name, step in first.items()
    }
    second = _pass(field, starts, after, rules, no=2, match=match)
    return tuple(
        _passes(
            Course(one, starts[one.id], looks.get(one.id), first.get(one.id), second.get(one.id)),
            rules,
            system=system,
            match=match,
        )
        for one in field
    )


def _before(one: Entrant, rules: UsChessRules, on: date, *, dual: bool) -> Before:
    """Steps 1 and 2."""
    games = one.games
    if one.rating is not None:
        rating = known("rating", number_of(one.rating))
    elif one.start is not None:
        rating, games = known("start.given", number_of(one.start)), games or 0
    else:
        start = _start_of(one, rules, on)
        rating, games = start.rating, start.games if games is None else games
    return before(rating, games, len(one.played), rules, previous=one.previous, dual=dual)


def _start_of(one: Entrant, rules: UsChessRules, on: date) -> Initial:
    """A newcomer's start, with the player named where it cannot be."""
    try:
        return start_of(rules, on, age=one.age, born=one.born, fide=one.fide, adult=one.adult)
    except BadInput as error:
        raise BadInput(error.said, at=f"player {one.id}, {error.at}") from None


def number_of(rating: Rating) -> float:
    """A rating as the formulas take it."""
    return rating if isinstance(rating, int) else float(rating)


def _meetings(one: Entrant, ratings: Mapping[str, Step]) -> list[Meeting]:
    return [
        Meeting(result.opponent, ratings[result.opponent], result.score)
        for result in one.played
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
    """Everybody who played, from the rating before the event, against these ratings."""
    return {
        one.id: one_pass(starts[one.id], _meetings(one, ratings), rules, no=no, match=match)
        for one in field
        if one.played
    }


class Course(NamedTuple):
    """What an entrant brought, and what the first look and both passes gave; None without a game, or a look."""

    entrant: Entrant
    start: Before
    look: Step | None
    first: Step | None
    second: Step | None


def _passes(played: Course, rules: UsChessRules, *, system: str, match: bool) -> Passes:
    """The final rating with limits and floors, and the official one."""
    one, start, look, first, second = played
    if first is None or second is None:
        return _unplayed(one, start, rules)
    final = within_limits(second, start.rating, one, rules) if match else second
    floor = _floor(one, rules, system)
    if final.value < floor.value:
        final = Step("floored", floor.value, {"rating": final, "floor": floor}, floor.rule, words=floor.words)
    looked: dict[str, Any] = {} if look is None else {"first_look": look}
    new = ruled(
        "new_rating.rounded", rules.rounding, official(final, rules), **looked, first=first, exact=final, floor=floor
    )
    return Passes(one, start, look, first, second, floor, final, new)


def official(rating: Step, rules: UsChessRules) -> int:
    """The official rating: the nearest whole number."""
    return ROUNDINGS[rules.rounding.value](decimal(rating.value))


def _unplayed(one: Entrant, start: Before, rules: UsChessRules) -> Passes:
    """A player without a game keeps the rating, or stays unrated."""
    if one.rating is None:
        none = ruled("new_rating.unplayed", rules.unplayed, None)
        return Passes(one, start, None, None, None, None, none, none)
    new = ruled("new_rating.rounded", rules.rounding, official(start.rating, rules), exact=start.rating)
    return Passes(one, start, None, None, None, None, start.rating, new)


def _floor(one: Entrant, rules: UsChessRules, system: str) -> Step:
    """The floor after the event: its own wins, draws and games count already."""
    wins, draws = one.tally()
    three = len(one.played) >= rules.absolute_floor.value.event_games
    provisional = one.games is not None and one.games <= rules.established.value
    return highest(
        [
            absolute_floor(
                (one.wins or 0) + wins, (one.draws or 0) + draws, (one.events or 0) + three, rules, system=system
            ),
            None if one.peak is None or provisional else peak_floor(one.peak, rules, system=system),
            None if one.floor is None else known("floor.given", number_of(one.floor)),
        ]
    )


def section_notes(
    rated: tuple[Passes, ...], rules: UsChessRules, system: str, on: date, pace: Pace | None
) -> Iterator[Message]:
    """What was assumed, and about which players."""
    yield from date_notes(rulebook(), on)
    above = rules.dual_k.value.above
    masters = [one.entrant.id for one in rated if (one.entrant.rating or 0) > above]
    if masters and pace is None and system == REGULAR:
        yield say("notes.dual.unknown", above=above, players=masters)
    unknown = [one.entrant.id for one in rated if one.before.rating.key == "start.unknown"]
    if unknown:
        yield say("notes.start.unknown", players=unknown, start=rules.start_age.value.unknown)
    low = [one.entrant.id for one in rated if _floor_is_partial(one, rules)]
    if low and system in OVER_THE_BOARD:
        yield say("notes.floor.partial", players=low, most=rules.absolute_floor.value.most)


def _floor_is_partial(one: Passes, rules: UsChessRules) -> bool:
    """Whether earlier wins, draws and events, which were not given, could lift the rating."""
    counts = (one.entrant.wins, one.entrant.draws, one.entrant.events)
    low = one.final.value is not None and one.final.value < rules.absolute_floor.value.most
    return low and None in counts and one.before.games != 0
