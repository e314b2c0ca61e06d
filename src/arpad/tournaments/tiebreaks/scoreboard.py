"""An event ready for tie-breaks: rounds and points of players or teams in whole units, and what opponents count for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from itertools import zip_longest
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import DRAW, WIN
from arpad.core.numbers import half_up_of
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    BYES,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    SHORT,
    USUAL,
    ZERO_BYE,
)
from arpad.tournaments.points import bonus_of, points_by_round, points_of

if TYPE_CHECKING:
    from arpad.calculation.step import Step
    from arpad.core.tournaments import Entrant, Round, Team, Tournament
    from arpad.tournaments.tiebreaks.criteria import Criterion, TieRules
    from arpad.tournaments.tiebreaks.values import RatedGames


GAMES = (PLAYED, SHORT, FORFEIT)
MP, GP = "MP", "GP"
# Byes as record 240 writes them, and a match won by forfeit in record 330.
BYE_KINDS = {"F": FULL_BYE, "H": HALF_BYE, "Z": ZERO_BYE}
MATCH_POINTS = {"win": Decimal(2), "draw": Decimal(1), "loss": Decimal(0)}
WON_BY_FORFEIT = "+"
REQUESTED = (HALF_BYE, ZERO_BYE, ABSENT)  # a round after a withdrawal is a zero-point bye
LIMITED = "own points, limited"  # how the points of a dummy are limited
Key = int | Fraction | tuple[Decimal, ...]
Shown = int | Decimal | str | None


class TieTable:
    """An event ready for any criterion."""

    def __init__(
        self,
        rules: TieRules,
        fields: Mapping[str, Scoreboard],
        primary: str = "",
        *,
        ratings: RatedGames | None = None,
        boards: Boards | None = None,
    ) -> None:
        self.rules = rules
        self.fields = fields  # by score: MP and GP for teams, "" for players
        self.primary = primary
        self.ratings = ratings
        self.boards = boards
        self._projected: dict[str, Scoreboard] = {}
        self._oppositions: dict[tuple[str, bool, bool], Opposition] = {}

    @property
    def secondary(self) -> str:
        """The other score of teams."""
        return next(score for score in self.fields if score != self.primary)

    def field(self, criterion: Criterion) -> Scoreboard:
        """The event under the score of a criterion."""
        return self.fields[criterion.score or self.primary]

    def opposition(self, criterion: Criterion, score: str | None = None, *, projected: bool = False) -> Opposition:
        """All opponents under the score and the modifiers of a criterion."""
        chosen = criterion.score or self.primary if score is None else score
        key = chosen, criterion.forfeits_played, projected or criterion.projected
        if key not in self._oppositions:
            field = self.fields[chosen]
            if key[2]:
                field = self._projected.setdefault(chosen, field.projected())
            self._oppositions[key] = Opposition(field, self.rules, forfeits_played=key[1])
        return self._oppositions[key]


class Worth(NamedTuple):
    """The value of a criterion: what is compared, what is shown, and where it came from."""

    key: Key | None  # None comes last
    shown: Shown
    meetings: Sequence[Contribution] = ()
    cut: Sequence[Contribution] = ()
    rounds: Sequence[int] = ()  # the rounds counted
    worked: Step | None = None  # the whole working, if it is not such a sum


NOBODY = Worth(None, None)


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All rounds and points under one score. Points are whole numbers of units, usually half points."""

    slots: Mapping[int, Sequence[TieRound]]
    totals: Mapping[int, int]
    unit: int  # how many units make a point
    win: int
    draw: int
    rounds: int  # planned
    held: int  # rounds counted
    fixed: bool  # whether the pairings were fixed beforehand
    unknown: frozenset[int] = frozenset()  # players with neither points nor rounds
    final: Mapping[int, TieRound] = field(default_factory=dict)  # the final round, if it is paired but not yet held

    def points(self, units: int) -> Decimal:
        """Units as points."""
        return Decimal(units) / self.unit

    def projected(self) -> Scoreboard:
        """The same event as if every paired game of its final round had been drawn (8.3).

        The final round is the tournament's, not the last one held: until it is paired, nothing changes.
        """
        if self.held < self.rounds and not self.final:
            return self
        slots, totals = {}, {}
        for no, own in self.slots.items():
            rounds, total = [*own], self.totals[no]
            if self.final:
                rounds.append(self.final[no])
                total += self.final[no].points
            last = rounds[-1] if rounds else None
            if last is not None and last.opponent is not None and last.kind in (*GAMES, PENDING):
                rounds[-1] = TieRound(PLAYED, last.opponent, self.draw, "draw", last.colour)
                total += self.draw - last.points
            slots[no], totals[no] = rounds, total
        return replace(self, slots=slots, totals=totals, held=self.rounds, final={})


class TieRound(NamedTuple):
    """One round of a player or a team: its kind, the scheduled opponent, and its points in units."""

    kind: str
    opponent: int | None
    points: int
    result: str | None = None  # win, draw or loss of a game or match
    colour: str | None = None


def players_field(tournament: Tournament, *, fixed: bool, until: int | None = None) -> Scoreboard:
    """The scoreboard of the players, after a round or at the end."""
    held = rounds_held(tournament) if until is None else until
    paired = until is None and final_is_paired(tournament)
    made: dict[int, tuple[Entrant, list[Decimal]]] = {}
    bonuses = {}
    for entrant in tournament.entrants:
        made.setdefault(entrant.no, (entrant, points_by_round(entrant, tournament)))
        bonuses[entrant.no] = bonus_of(entrant, tournament, until)
    scoring = {**USUAL, **(tournament.scoring or {})}
    amounts = {points for _, worth in made.values() for points in worth} | {*scoring.values(), *bonuses.values()}
    amounts |= {entrant.points for entrant in tournament.entrants if entrant.points is not None}
    unit = unit_of(amounts)
    units = {points: int(points * unit) for points in amounts}
    slots, totals, final = {}, {}, {}
    for no, (entrant, worth) in made.items():
        own = [_slot(played, units[points]) for played, points in zip(entrant.rounds, worth, strict=True)]
        own += [TieRound(ABSENT, None, units[scoring[ABSENT]])] * (held + paired - len(own))
        slots[no] = own[:held]
        in_file = points_of(entrant, tournament) if until is None else None
        made_points = sum(slot.points for slot in slots[no]) + units[bonuses[no]]
        totals[no] = made_points if in_file is None else units.get(in_file, made_points)
        if paired:
            last = own[held]
            # A bye of the final round may be among the points of the file already.
            final[no] = last._replace(points=0) if totals[no] == made_points + last.points else last
    return Scoreboard(
        slots=slots,
        totals=totals,
        unit=unit,
        win=units[scoring["white-win"]],
        draw=units[scoring["white-draw"]],
        rounds=max(tournament.rounds, held),
        held=held,
        fixed=fixed,
        unknown=frozenset(no for no, (entrant, _) in made.items() if not entrant.rounds and entrant.points is None),
        final=final,
    )


def _slot(played: Round, points: int) -> TieRound:
    result = None
    if played.kind in GAMES and played.score is not None:
        result = "win" if played.score == WIN else "draw" if played.score == DRAW else "loss"
    kind = played.kind if played.kind not in GAMES or result is not None else PENDING
    return TieRound(kind, played.opponent, points, result, played.colour)


def rounds_held(tournament: Tournament) -> int:
    """The last round with a result; byes may be entered ahead of their round.

    In an event without any game, the byes decide.
    """
    last = {
        played.kind: number
        for number, rounds in enumerate(zip_longest(*(entrant.rounds for entrant in tournament.entrants)), start=1)
        for played in rounds
        if played is not None
    }
    games = (number for kind, number in last.items() if kind in GAMES)
    byes = (number for kind, number in last.items() if kind in BYES)
    return max(games, default=max(byes, default=0))


def final_is_paired(tournament: Tournament) -> bool:
    """Whether the tournament's last round is paired and all rounds before it, but not itself, are held."""
    number = tournament.rounds
    if rounds_held(tournament) != number - 1:
        return False
    return any(
        entrant.rounds[number - 1].kind == PENDING and entrant.rounds[number - 1].opponent is not None
        for entrant in tournament.entrants
        if len(entrant.rounds) >= number
    )


def unit_of(amounts: Iterable[Decimal]) -> int:
    """How many units make a point, so that all amounts and half points are whole numbers."""
    return lcm(2, *(amount.as_integer_ratio()[1] for amount in amounts))


def team_fields(
    tournament: Tournament, *, fixed: bool, until: int | None = None
) -> tuple[dict[str, Scoreboard], Boards]:
    """The scoreboards of the teams under match points and game points, and their boards."""
    held = rounds_held(tournament) if until is None else until
    paired = until is None and final_is_paired(tournament)
    reading = _Matches(tournament, held + paired)
    matches = {team.no: reading.matches(team) for team in tournament.teams}
    fields = {
        MP: reading.field(matches, MP, held, fixed=fixed, use_file=until is None),
        GP: reading.field(matches, GP, held, fixed=fixed, use_file=until is None),
    }
    byes = (reading.game_win,) * reading.boards
    by_round = {
        no: [(match.opponent, byes if match.kind == ALLOCATED_BYE else match.boards) for match in own[:held]]
        for no, own in matches.items()
    }
    return fields, Boards(by_round, reading.boards)


def primary_score(tournament: Tournament) -> str:
    """The main score of the teams: match points, unless the coded type puts game points first."""
    coded = next((record.text() for record in tournament.records if record.code == "192"), "")
    return GP if coded.upper().endswith("_GP_MP") else MP


class Match(NamedTuple):
    """One round of a team: its kind, the opponent, and the points, in total and by board."""

    kind: str
    opponent: int | None = None
    match_points: Decimal = Decimal(0)
    game_points: Decimal = Decimal(0)
    result: str | None = None
    boards: tuple[Decimal, ...] = ()


@dataclass(frozen=True, slots=True)
class Boards:
    """Each team's points by board, round by round; a pairing-allocated bye counts as a win on every board."""

    by_round: Mapping[int, Sequence[tuple[int | None, tuple[Decimal, ...]]]]  # the opponent and the points by board
    number: int  # boards of a match


class _Matches:
    """The matches of an event, from the players' rounds and the records about teams."""

    def __init__(self, tournament: Tournament, last: int) -> None:
        self.tournament = tournament
        self.last = last  # the last round read
        self.players: dict[int, Entrant] = {}
        self.paid: dict[int, list[Decimal]] = {}
        for entrant in tournament.entrants:
            self.players.setdefault(entrant.no, entrant)
            self.paid.setdefault(entrant.no, points_by_round(entrant, tournament))
        self.team_of = {no: team.no for team in tournament.teams for no in team.members}
        self.pays = {**MATCH_POINTS, **(tournament.match_scoring or {})}
        scoring = {**USUAL, **(tournament.scoring or {})}
        self.game_win, self.game_draw = scoring["white-win"], scoring["white-draw"]
        self.seats = {
            (record.number("round"), record.number("team")): record.numbers("numbers")
            for record in tournament.records
            if record.code == "300"
        }
        self.pairs = {
            team.no: [self._seated(team, number) for number in range(1, last + 1)] for team in tournament.teams
        }
        self.boards = max((len(seats) for rounds in self.pairs.values() for seats in rounds), default=0)
        self.special = self._special()

    def _seated(self, team: Team, number: int) -> list[int]:
        """The players of a team with a game in a round, by board; a forfeit win may have no opponent."""
        seated = []
        for no in self.seats.get((number, team.no)) or team.members:
            played = self._round(no, number)
            if played is None:
                continue
            if played.opponent is not None or (played.kind == FORFEIT and played.score == WIN):
                seated.append(no)
        return seated

    def _round(self, no: int, number: int) -> Round | None:
        """A player's round; None if the file does not have it."""
        entrant = self.players.get(no)
        return None if entrant is None or number > len(entrant.rounds) else entrant.rounds[number - 1]

    def _special(self) -> dict[tuple[int, int], Match]:
        """Byes and forfeited matches from the records about teams, by team and round."""
        found: dict[tuple[int, int], Match] = {}
        full, half = self.boards * self.game_win, self.boards * self.game_draw
        worth = {"F": (self.pays["win"], full), "H": (self.pays["draw"], half), "Z": (Decimal(0), Decimal(0))}
        for record in self.tournament.records:
            kind, number = record.text("kind"), record.number("round")
            if record.code == "240" and kind in BYE_KINDS:
                found |= {(no, number): Match(BYE_KINDS[kind], None, *worth[kind]) for no in record.numbers("numbers")}
            elif record.code == "320":
                bye = Match(ALLOCATED_BYE, None, record.points("match_points"), record.points("game_points"))
                teams = enumerate(record.numbers("teams"), start=1)
                found |= {(no, number): bye for number, no in teams if no}
            elif record.code == "330":
                sides = record.number("white"), record.number("black")
                for no, other, sign in zip(sides, sides[::-1], kind, strict=False):
                    won = sign == WON_BY_FORFEIT
                    paid = (self.pays["win"], full) if won else (Decimal(0), Decimal(0))
                    boards = (self.game_win if won else Decimal(0),) * self.boards
                    found[no, number] = Match(FORFEIT, other, *paid, "win" if won else "loss", boards)
        return found

    def matches(self, team: Team) -> list[Match]:
        """A team's rounds."""
        return [self._match(team, number) for number in range(1, self.last + 1)]

    def _match(self, team: Team, number: int) -> Match:
        if (team.no, number) in self.special:
            return self.special[team.no, number]
        seated = self.pairs[team.no][number - 1]
        played = [self.players[no].rounds[number - 1] for no in seated]
        teams = Counter(self.team_of[each.opponent] for each in played if each.opponent in self.team_of)
        if not teams:
            rounds = (self._round(no, number) for no in team.members)
            if any(each is not None and each.kind == ALLOCATED_BYE for each in rounds):
                return Match(ALLOCATED_BYE, None, self.pays["win"], self.boards * self.game_win)
            return Match(ABSENT)
        opponent = teams.most_common(1)[0][0]
        kinds = {each.kind for each in played}
        if kinds == {PENDING}:
            return Match(PENDING, opponent)
        boards = tuple(self.paid[no][number - 1] for no in seated)
        made = sum(boards, Decimal(0))
        theirs = sum((self.paid[no][number - 1] for no in self.pairs[opponent][number - 1]), Decimal(0))
        result = "win" if made > theirs else "draw" if made == theirs else "loss"
        kind = FORFEIT if kinds == {FORFEIT} else PLAYED
        return Match(kind, opponent, self.pays[result], made, result, boards)

    def field(
        self, matches: Mapping[int, Sequence[Match]], score: str, held: int, *, fixed: bool, use_file: bool
    ) -> Scoreboard:
        """The scoreboard of the teams under one score."""
        win, draw = (self.pays["win"], self.pays["draw"])
        if score == GP:
            win, draw = self.boards * self.game_win, self.boards * self.game_draw
        worth = {
            no: [match.match_points if score == MP else match.game_points for match in own]
            for no, own in matches.items()
        }
        totals = {}
        for team in self.tournament.teams:
            in_file = team.match_points if score == MP else team.game_points
            totals[team.no] = in_file if use_file and in_file is not None else sum(worth[team.no][:held], Decimal(0))
        unit = unit_of([win, draw, *totals.values(), *(points for own in worth.values() for points in own)])
        slots = {
            no: [
                TieRound(match.kind, match.opponent, int(paid * unit), match.result)
                for match, paid in zip(own, worth[no], strict=True)
            ]
            for no, own in matches.items()
        }
        return Scoreboard(
            slots={no: own[:held] for no, own in slots.items()},
            totals={no: int(total * unit) for no, total in totals.items()},
            unit=unit,
            win=int(win * unit),
            draw=int(draw * unit),
            rounds=max(self.tournament.rounds, held),
            held=held,
            fixed=fixed,
            final={no: own[held] for no, own in slots.items()} if self.last > held else {},
        )


class Opposition:
    """All opponents and dummies with the points they count for, under one score."""

    def __init__(self, field: Scoreboard, rules: TieRules, *, forfeits_played: bool = False) -> None:
        self.field = field
        self.limited = rules.dummy.value == LIMITED
        self.played = {*rules.played.value, *rules.short_games.value, PLAYED}
        if forfeits_played or field.fixed:
            self.played.add(FORFEIT)
        self.adjusted = {no: self._adjusted(no) for no in field.slots}
        self._meetings: dict[int, list[Contribution]] = {}
        self._sums: dict[int, int] = {}

    def is_game(self, slot: TieRound) -> bool:
        """Whether a round counts as a game against the scheduled opponent."""
        return slot.kind in self.played and slot.opponent in self.field.slots

    def meetings(self, no: int) -> list[Contribution]:
        """What each round of a player or team adds."""
        if no in self._meetings:
            return self._meetings[no]
        found = self._meetings[no] = []
        totals, adjusted = self.field.totals, self.adjusted
        for number, slot in enumerate(self.field.slots[no], start=1):
            opponent = slot.opponent
            if opponent in adjusted and slot.kind in self.played:
                score = adjusted[opponent]
                found.append(Contribution(number, opponent, score, slot.points, False, score != totals[opponent]))
            elif slot.kind != PENDING and not self.field.fixed:  # fixed pairings have no round without a game
                dummy = self._dummy(no, slot)
                found.append(Contribution(number, None, dummy, slot.points, is_voluntary(slot), dummy != totals[no]))
        return found

    def sum(self, no: int) -> int:
        """The points of all opponents and dummies together."""
        if no not in self._sums:
            self._sums[no] = sum([part.score for part in self.meetings(no)])
        return self._sums[no]

    def _adjusted(self, no: int) -> int:
        """A player's points as an opponent: requested byes in the last rounds count as draws (16.3)."""
        total = self.field.totals[no]
        if self.field.fixed:
            return total
        for slot in reversed(self.field.slots[no]):
            if self.is_game(slot) or not is_voluntary(slot):
                break
            if slot.kind in REQUESTED:
                total += self.field.draw - slot.points
        return total

    def _dummy(self, no: int, slot: TieRound) -> int:
        """The points of the dummy in a player's unplayed round (16.4)."""
        own = self.field.totals[no]
        if not self.limited:
            return own
        if slot.kind == FORFEIT and slot.opponent in self.adjusted:
            return min(own, self.adjusted[slot.opponent])
        return min(own, self.field.draw * self.field.held)


class Contribution(NamedTuple):
    """What a round adds: the opponent (None is the dummy), their points, and the player's points in the round."""

    round: int
    opponent: int | None
    score: int
    points: int
    voluntary: bool = False
    changed: bool = False  # whether the score differs from the final points of the opponent, or of the player


def is_voluntary(slot: TieRound) -> bool:
    """Whether a round was deliberately left unplayed: a half- or zero-point bye, or a forfeit loss."""
    return slot.kind in REQUESTED or (slot.kind == FORFEIT and slot.result == "loss")


def without_cut(
    meetings: Sequence[Contribution],
    amount: Callable[[Contribution], int],
    significance: Callable[[Contribution], tuple[int, ...]],
    lowest: int,
    highest: int,
) -> tuple[list[Contribution], list[Contribution]]:
    """What stays and what is cut: the least significant, but first a round deliberately left unplayed (16.5)."""
    stays, cut = list(meetings), []
    for _ in range(min(lowest, len(stays))):
        chosen = min(stays, key=significance)
        voluntary = min((part for part in stays if part.voluntary), key=amount, default=chosen)
        if amount(voluntary) >= amount(chosen):
            chosen = voluntary
        stays.remove(chosen)
        cut.append(chosen)
    for _ in range(min(highest, len(stays))):
        chosen = max(stays, key=amount)
        stays.remove(chosen)
        cut.append(chosen)
    return stays, cut


def hundredths(value: Fraction) -> Decimal:
    """A mean as printed: two decimals, rounded half up."""
    return Decimal(half_up_of(100 * value.numerator, value.denominator)) / 100
