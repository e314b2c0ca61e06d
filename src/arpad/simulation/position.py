"""A running event as arrays: who has what after the rounds held, and what is already fixed of the rounds to come.

Players are numbered here in the order in which a Swiss pairs them: by starting number, or by rating. Points are whole
units of the event's scoring, as tie-breaks count them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import correlation
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    ASSUMED,
    DOUBLE_ROUND_ROBIN,
    FIXED_PAIRINGS,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    ROUND_ROBIN,
    SHORT,
    SMALLEST_ROUND_ROBIN,
    SWISS,
    USUAL,
    ZERO_BYE,
    Round,
    as_tournament,
    event_kind,
    named_kind,
    no_such_number,
)
from arpad.errors import BadInput, Unsupported
from arpad.messages import Message, say
from arpad.tournaments.points import bonus_of, points_by_round
from arpad.tournaments.tiebreaks.scoreboard import BYE_KINDS, unit_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.core.tournaments import Entrant, EventKind, Tournament

    Ints = NDArray[np.integer]
    Floats = NDArray[np.float64]


NOBODY = -1
WHITE, BLACK = 1, -1
COLOURS = {"white": WHITE, "black": BLACK, None: 0}
# What a round is to the tie-breaks: a game, a forfeit, a round left unplayed by choice, or another without a game.
GAME, BY_FORFEIT, VOLUNTARY, UNPLAYED, OPEN = range(5)
ANNOUNCED, UNPAIRED_NEXT = "240", "XXZ"  # the codes of records with byes that were asked for
OTHER_PAIRINGS = ("dubov", "burstein", "lim", "baku", "accel")
MOST_PLAYERS, MOST_ROUNDS = 1000, 20
FOLLOWS = -0.4  # the correlation of numbers and ratings: −1 in order of rating, 0 in order of names


class FixedGame(NamedTuple):
    """A game that is paired and not yet played; without a colour in a round robin that is not paired."""

    one: int
    other: int
    colour: int  # of the first


class Decided(NamedTuple):
    """What a player's round to come is, if no game is open: what it is to tie-breaks, points, opponent and colour."""

    kind: int
    points: int  # units
    halves: int = 0  # half points of a game
    opponent: int = NOBODY
    colour: int = 0
    gives_bye: bool = False


@dataclass(frozen=True, slots=True)
class RoundAhead:
    """A round to come: its open games if it is paired, and whose round is decided, by a bye, a result or leaving."""

    number: int
    paired: bool
    games: tuple[FixedGame, ...]
    decided: Mapping[int, Decided]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """An event after some rounds, ready to be played on."""

    tournament: Tournament
    entrants: tuple[Entrant, ...]  # in pairing order
    kind: EventKind
    kind_from: str
    held: int
    rounds: int
    unit: int
    pays: Ints  # units for loss, draw and win: with White, with Black
    half: int  # units that a draw is worth in tie-breaks
    bye: int  # units of a pairing-allocated bye
    absent: int  # units of a round missed without a bye
    bonus: Ints
    ratings: Floats  # NaN without one
    opponents: Ints  # by player and round; NOBODY without one
    points: Ints  # units, by player and round
    halves: Ints  # half points won in games, by player and round
    colours: Ints
    kinds: Ints
    had_bye: NDArray[np.bool_]
    ahead: tuple[RoundAhead, ...]
    withdrawn: tuple[int, ...]  # starting numbers of those who are taken to have left
    missing: tuple[int, ...]  # starting numbers of those who missed the last round alone, and may be back
    notes: tuple[Message, ...]

    @property
    def numbers(self) -> list[int]:
        """The starting numbers, in pairing order."""
        return [entrant.no for entrant in self.entrants]

    @property
    def fixed(self) -> bool:
        """Whether everybody meets everybody."""
        return self.kind in FIXED_PAIRINGS


def position_of(
    tournament: Tournament, *, kind: str | None = None, after: int | None = None, withdrawn: Sequence[int] = ()
) -> Position:
    """The event as its file has it, or as it was after a round.

    Raises Unsupported for teams and knock-outs, BadInput for an event that is finished, has no players, or has two with
    one number, and for a round that has not been played.
    """
    event = as_tournament(tournament)
    if event.teams:
        raise Unsupported(say("chances.refused.teams"), at="tournament")
    chosen, kind_from = _kind_of(event, kind)
    if chosen not in (SWISS, *FIXED_PAIRINGS):
        raise Unsupported(say("chances.refused.kind", kind=chosen), at="event_kind")
    _check(event)
    played = _held(event)
    event = _without_those_who_left(_with_announced(event, played), withdrawn, played)
    entrants = _in_order(event.entrants)
    place = {entrant.no: number for number, entrant in enumerate(entrants)}
    for no in withdrawn:
        if no not in place:
            raise no_such_number(no, place, at="withdrawn")
    rounds = max(event.rounds, len(entrants) - 1 if kind_from == ASSUMED and chosen == ROUND_ROBIN else 0)
    held = played if after is None else after
    if not 0 <= held <= played:  # nobody has left because a round is still to come
        raise BadInput(say("chances.refused.round", played=played), at="round")
    if held >= rounds:
        raise BadInput(say("chances.refused.finished", rounds=rounds), at="tournament")
    made = _Past(event, entrants, place, held)
    gone, missing = _away(entrants, held, withdrawn, fixed=chosen in FIXED_PAIRINGS, cut=after is not None)
    ahead = tuple(_ahead(event, entrants, place, range(held, rounds), chosen, gone, made, known=after is None))
    return Position(
        tournament=event,
        entrants=entrants,
        kind=chosen,
        kind_from=kind_from,
        held=held,
        rounds=rounds,
        unit=made.unit,
        pays=made.pays,
        half=made.half,
        bye=made.bye,
        absent=made.scoring[ABSENT],
        bonus=made.bonus,
        ratings=np.array([np.nan if one.player.rating is None else float(one.player.rating) for one in entrants]),
        opponents=made.opponents,
        points=made.points,
        halves=made.halves,
        colours=made.colours,
        kinds=made.kinds,
        had_bye=made.had_bye,
        ahead=ahead,
        withdrawn=tuple(sorted(entrants[who].no for who in gone)),
        missing=tuple(sorted(entrants[who].no for who in missing)),
        notes=tuple(_notes(event, chosen, kind_from)),
    )


def paired_otherwise(event: Tournament) -> bool:
    """Whether the file names another Swiss system than the Dutch, or acceleration."""
    written = (event.kind or "").lower()
    return any(word in written for word in OTHER_PAIRINGS)


def _in_order(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """The players in pairing order: by starting number if the numbers follow the ratings, otherwise by rating."""
    by_number = sorted(entrants, key=lambda one: one.no)
    ratings = [float(one.player.rating) for one in by_number if one.player.rating is not None]
    if len(set(ratings)) < 2 or correlation(range(len(ratings)), ratings) <= FOLLOWS:
        return tuple(by_number)
    return tuple(sorted(by_number, key=lambda one: -float(one.player.rating or 0)))


def _kind_of(event: Tournament, asked: str | None) -> tuple[EventKind, str]:
    """The kind of event; one that has a round for every opponent is a round robin, unless its file says otherwise."""
    kind, kind_from = event_kind(event, asked)
    players = len(event.entrants)
    if kind_from == ASSUMED and players >= SMALLEST_ROUND_ROBIN and event.rounds == players - 1 + players % 2:
        return ROUND_ROBIN, ASSUMED
    return kind, kind_from


def _check(event: Tournament) -> None:
    players = len(event.entrants)
    if not players:
        raise BadInput(say("tournaments.no_players"), at="tournament")
    doubled = sorted(no for no, times in Counter(one.no for one in event.entrants).items() if times > 1)
    if doubled:
        raise BadInput(say("chances.refused.twice", numbers=doubled), at="tournament")
    if players > MOST_PLAYERS or event.rounds > MOST_ROUNDS:
        raise Unsupported(say("chances.refused.size", players=MOST_PLAYERS, rounds=MOST_ROUNDS), at="tournament")


def _held(event: Tournament) -> int:
    """The last round with all its results; a round with games still open is one to come."""
    rounds = max((len(one.rounds) for one in event.entrants), default=0)
    for number in range(rounds):
        played = [one.rounds[number] for one in event.entrants if number < len(one.rounds)]
        games = [each for each in played if each.kind in (PLAYED, SHORT, FORFEIT)]
        if any(_is_open(each) for each in played) or not games:
            return number
    return rounds


def _is_open(played: Round) -> bool:
    return played.kind == PENDING or (played.kind in (PLAYED, SHORT) and played.score is None)


def _with_announced(event: Tournament, held: int) -> Tournament:
    """The event with the byes that its records announce in the rounds to come, where the players' lines have none.

    Record 240 has byes by round; JaVaFo's XXZ has those who are not to be paired in the next round.
    """
    byes: dict[tuple[int, int], str] = {}
    for record in event.records:
        kind, number = BYE_KINDS.get(record.text("kind")), record.number("round") - 1
        if record.code == UNPAIRED_NEXT:
            kind, number = ZERO_BYE, held
        if record.code in (ANNOUNCED, UNPAIRED_NEXT) and kind and held <= number < event.rounds:
            byes |= {(no, number): kind for no in record.numbers("numbers")}
    entrants = {one.no: one for one in event.entrants}
    for (no, number), kind in byes.items():
        if no not in entrants:
            continue
        rounds = list(entrants[no].rounds)
        rounds += [Round(ABSENT)] * (number + 1 - len(rounds))
        if rounds[number].kind == ABSENT:
            rounds[number] = Round(kind)
            entrants[no] = replace(entrants[no], rounds=tuple(rounds))
    return replace(event, entrants=tuple(entrants.values()))


def _without_those_who_left(event: Tournament, withdrawn: Sequence[int], held: int) -> Tournament:
    """The event in which games that are paired with somebody who has left are lost by forfeit."""
    entrants = []
    for entrant in event.entrants:
        rounds = list(entrant.rounds)
        for number, each in enumerate(rounds[held:], start=held):
            left = entrant.no in withdrawn
            if _is_open(each) and each.opponent is not None and (left or each.opponent in withdrawn):
                rounds[number] = replace(each, kind=FORFEIT, score=LOSS if left else WIN)
        entrants.append(replace(entrant, rounds=tuple(rounds)))
    return replace(event, entrants=tuple(entrants))


class _Past:
    """The rounds held, in arrays, and what the event pays."""

    def __init__(self, event: Tournament, entrants: Sequence[Entrant], place: Mapping[int, int], held: int) -> None:
        scoring = {**USUAL, **(event.scoring or {})}
        worth = [points_by_round(one, event) for one in entrants]
        bonuses = [bonus_of(one, event, held or None) for one in entrants]
        self.unit = unit_of({*scoring.values(), *bonuses, *(points for own in worth for points in own)})
        self.scoring = {name: int(points * self.unit) for name, points in scoring.items()}
        self.pays = np.array(
            [[self.scoring[f"{colour}-{how}"] for how in ("loss", "draw", "win")] for colour in ("white", "black")]
        )
        self.half, self.bye = self.scoring["white-draw"], self.scoring[ALLOCATED_BYE]
        self.bonus = np.array([int(points * self.unit) for points in bonuses])
        shape = len(entrants), held
        self.opponents = np.full(shape, NOBODY, dtype=np.int16)
        self.points, self.halves = np.zeros(shape, dtype=np.int16), np.zeros(shape, dtype=np.int8)
        self.colours = np.zeros(shape, dtype=np.int8)
        self.kinds = np.full(shape, VOLUNTARY, dtype=np.int8)
        self.had_bye = np.zeros(len(entrants), dtype=bool)
        for who, entrant in enumerate(entrants):
            for number in range(held):
                played = entrant.rounds[number] if number < len(entrant.rounds) else None
                if played is None:
                    self.points[who, number] = self.scoring[ABSENT]
                    continue
                self.kinds[who, number] = self.kind(played)
                self.points[who, number] = int(worth[who][number] * self.unit)
                self.halves[who, number] = half_points(played)
                self.colours[who, number] = COLOURS[played.colour] if self.kinds[who, number] == GAME else 0
                self.opponents[who, number] = place.get(played.opponent or 0, NOBODY)
                # A point without a game, won by forfeit or given, excludes from another (C.04.1).
                spared = played.kind == FORFEIT and played.score == WIN
                self.had_bye[who] |= spared or played.kind in (ALLOCATED_BYE, FULL_BYE)

    @staticmethod
    def kind(played: Round) -> int:
        """What a round is to tie-breaks."""
        if played.kind in (PLAYED, SHORT):
            return GAME
        if played.kind == FORFEIT and played.score == WIN:
            return BY_FORFEIT
        return UNPLAYED if played.kind in (ALLOCATED_BYE, FULL_BYE) else VOLUNTARY


def half_points(played: Round) -> int:
    """The half points won over the board."""
    return int(2 * (played.score or 0)) if played.kind in (PLAYED, SHORT) else 0


def _away(
    entrants: Sequence[Entrant], held: int, withdrawn: Sequence[int], *, fixed: bool, cut: bool
) -> tuple[set[int], set[int]]:
    """Who has left: those named, and those who missed the last two rounds without a bye and have no other game ahead.

    And those who missed the last round alone. In a Swiss they may be back; in a round robin they have left if they had
    no opponent, unless it was the round that is free for one of an odd number, and are back if they lost by forfeit.
    """

    def last(entrant: Entrant, before: int = 1) -> Round:
        number = held - before
        return entrant.rounds[number] if 0 <= number < len(entrant.rounds) else Round(ABSENT)

    def missed(played: Round) -> bool:
        lost_by_forfeit = played.kind == FORFEIT and played.score is not None and played.score < DRAW
        return played.kind in (ABSENT, ZERO_BYE) or lost_by_forfeit

    def is_free(entrant: Entrant) -> bool:
        games = sum(each.opponent is not None for each in entrant.rounds[:held])
        turns = 1 + (held > len(entrants))  # a second one in a double round robin
        return len(entrants) % 2 > 0 and last(entrant).opponent is None and held - games <= turns

    gone, missing = set(), set()
    for who, entrant in enumerate(entrants):
        listed = not cut and any(each.opponent is not None for each in entrant.rounds[held:])
        away = held > 0 and missed(last(entrant)) and not listed and not (fixed and is_free(entrant))
        twice = held > 1 and missed(last(entrant, 2))
        if entrant.no in withdrawn or (away and (twice or (fixed and last(entrant).opponent is None))):
            gone.add(who)
        elif away and not fixed:
            missing.add(who)
    return gone, missing


def _ahead(
    event: Tournament,
    entrants: Sequence[Entrant],
    place: Mapping[int, int],
    span: range,
    kind: str,
    gone: Iterable[int],
    made: _Past,
    *,
    known: bool,
) -> Iterator[RoundAhead]:
    """The rounds to come; if `known` is off, only half-point byes, which are asked for beforehand, are kept."""
    fixed = kind in FIXED_PAIRINGS
    absent = Decided(OPEN if fixed else VOLUNTARY, made.scoring[ABSENT])
    met: Counter[tuple[int, int]] = Counter()
    for who, row in enumerate(made.opponents):
        met.update((who, int(other)) for other in row if who < other)
    for number in span:
        decided = dict.fromkeys(gone, absent)
        games, paired = [], fixed
        for who, entrant in enumerate(entrants):
            played = entrant.rounds[number] if number < len(entrant.rounds) else Round(ABSENT)
            other = place.get(played.opponent or 0, NOBODY) if known else NOBODY
            paired |= other != NOBODY
            if other != NOBODY and _is_open(played):
                if who < other:
                    games.append(FixedGame(who, other, COLOURS[played.colour]))
            elif played.kind == HALF_BYE or (known and played.kind not in (PENDING, ABSENT)):
                points = int(points_by_round(entrant, event)[number] * made.unit)
                what = made.kind(played)
                colour = COLOURS[played.colour] if what == GAME else 0
                spared = what in (UNPLAYED, BY_FORFEIT)
                decided[who] = Decided(what, points, half_points(played), other, colour, spared)
        met.update((game.one, game.other) for game in games)
        met.update((who, each.opponent) for who, each in decided.items() if who < each.opponent)
        if paired:
            busy = {who for game in games for who in game[:2]}
            decided |= {who: absent for who in range(len(entrants)) if who not in busy and who not in decided}
        yield RoundAhead(number + 1, paired, tuple(games), decided)
    if fixed:
        yield from _not_yet_met(len(entrants), 1 + (kind == DOUBLE_ROUND_ROBIN), met, set(gone), span.stop, absent)


def _not_yet_met(
    players: int, times: int, met: Mapping[tuple[int, int], int], gone: set[int], rounds: int, absent: Decided
) -> Iterator[RoundAhead]:
    """The games of a round robin that are not paired yet, in rounds in which nobody has two; colours are not known."""
    size = players + players % 2
    by_round: dict[int, list[FixedGame]] = {}
    for one, other in combinations(range(players), 2):
        if one in gone or other in gone:
            continue
        # In the circle method everybody turns but the last, who meets the one for whom the sum is twice the number.
        turn = (2 * one if other == size - 1 else one + other) % (size - 1)
        for again in range(times - met.get((one, other), 0)):
            by_round.setdefault(turn + again * size, []).append(FixedGame(one, other, 0))
    for extra, games in enumerate(by_round.values(), start=1):
        busy = {who for game in games for who in game[:2]}
        yield RoundAhead(rounds + extra, True, tuple(games), {who: absent for who in range(players) if who not in busy})


def _notes(event: Tournament, kind: str, kind_from: str) -> Iterator[Message]:
    if kind_from == ASSUMED:
        yield say("notes.norms.kind", kind=named_kind(kind))
    if kind == SWISS and paired_otherwise(event):
        yield say("notes.chances.as_dutch", kind=event.kind)
