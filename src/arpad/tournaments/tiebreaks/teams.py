"""Teams: their matches out of the players' games, under match points and under game points."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import WIN
from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FORFEIT, FULL_BYE, HALF_BYE, PENDING, PLAYED, USUAL, ZERO_BYE
from arpad.tournaments.points import points_by_round
from arpad.tournaments.tiebreaks.rounds import Scoreboard, TieRound, rounds_held, unit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.core.tournaments import Entrant, Team, Tournament

MP, GP = "MP", "GP"
BYES = {"F": FULL_BYE, "H": HALF_BYE, "Z": ZERO_BYE}
MATCH_POINTS = {"win": Decimal(2), "draw": Decimal(1), "loss": Decimal(0)}
WON = "+"


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


def team_fields(
    tournament: Tournament, *, fixed: bool, until: int | None = None
) -> tuple[dict[str, Scoreboard], Boards]:
    """The scoreboards of the teams under match points and game points, and their boards."""
    reading = _Matches(tournament, rounds_held(tournament) if until is None else until)
    matches = {team.no: reading.matches(team) for team in tournament.teams}
    fields = {
        MP: reading.field(matches, MP, fixed=fixed, use_file=until is None),
        GP: reading.field(matches, GP, fixed=fixed, use_file=until is None),
    }
    byes = (reading.game_win,) * reading.boards
    by_round = {
        no: [(match.opponent, byes if match.kind == ALLOCATED_BYE else match.boards) for match in own]
        for no, own in matches.items()
    }
    return fields, Boards(by_round, reading.boards)


def primary_score(tournament: Tournament) -> str:
    """The main score of the teams: match points, unless the coded type puts game points first."""
    coded = next((record.text() for record in tournament.records if record.code == "192"), "")
    return GP if coded.upper().endswith("_GP_MP") else MP


class _Matches:
    """The matches of an event, from the players' rounds and the records about teams."""

    def __init__(self, tournament: Tournament, held: int) -> None:
        self.tournament = tournament
        self.held = held
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
            team.no: [self._seated(team, number) for number in range(1, held + 1)] for team in tournament.teams
        }
        self.boards = max((len(seats) for rounds in self.pairs.values() for seats in rounds), default=0)
        self.special = self._special()

    def _seated(self, team: Team, number: int) -> list[int]:
        """The players of a team with a game in a round, by board; a forfeit win may have no opponent."""
        listed = self.seats.get((number, team.no)) or team.members
        return [no for no in listed if self._opponent(no, number) is not None or self._won_by_forfeit(no, number)]

    def _won_by_forfeit(self, no: int, number: int) -> bool:
        """Whether a player won a round by forfeit."""
        if not self._has(no, number):
            return False
        played = self.players[no].rounds[number - 1]
        return played.kind == FORFEIT and played.score == WIN

    def _opponent(self, no: int, number: int) -> int | None:
        entrant = self.players.get(no)
        return None if entrant is None or number > len(entrant.rounds) else entrant.rounds[number - 1].opponent

    def _special(self) -> dict[tuple[int, int], Match]:
        """Byes and forfeited matches from the records about teams, by team and round."""
        found: dict[tuple[int, int], Match] = {}
        full, half = self.boards * self.game_win, self.boards * self.game_draw
        worth = {"F": (self.pays["win"], full), "H": (self.pays["draw"], half), "Z": (Decimal(0), Decimal(0))}
        for record in self.tournament.records:
            kind, number = record.text("kind"), record.number("round")
            if record.code == "240" and kind in BYES:
                found |= {(no, number): Match(BYES[kind], None, *worth[kind]) for no in record.numbers("numbers")}
            elif record.code == "320":
                bye = Match(ALLOCATED_BYE, None, record.points("match_points"), record.points("game_points"))
                teams = enumerate(record.numbers("teams"), start=1)
                found |= {(no, number): bye for number, no in teams if no}
            elif record.code == "330":
                sides = record.number("white"), record.number("black")
                for no, other, sign in zip(sides, sides[::-1], kind, strict=False):
                    won = sign == WON
                    paid = (self.pays["win"], full) if won else (Decimal(0), Decimal(0))
                    boards = (self.game_win if won else Decimal(0),) * self.boards
                    found[no, number] = Match(FORFEIT, other, *paid, "win" if won else "loss", boards)
        return found

    def matches(self, team: Team) -> list[Match]:
        """A team's rounds."""
        return [self._match(team, number) for number in range(1, self.held + 1)]

    def _match(self, team: Team, number: int) -> Match:
        if (team.no, number) in self.special:
            return self.special[team.no, number]
        seated = self.pairs[team.no][number - 1]
        teams = Counter(self.team_of.get(self._opponent(no, number) or 0) for no in seated)
        teams.pop(None, None)
        if not teams:
            alone = [self.players[no].rounds[number - 1].kind for no in team.members if self._has(no, number)]
            bye = ALLOCATED_BYE in alone
            return Match(ALLOCATED_BYE, None, self.pays["win"], self.boards * self.game_win) if bye else Match(ABSENT)
        opponent = teams.most_common(1)[0][0]
        kinds = {self.players[no].rounds[number - 1].kind for no in seated}
        if kinds == {PENDING}:
            return Match(PENDING, opponent)
        boards = tuple(self.paid[no][number - 1] for no in seated)
        made, theirs = sum(boards, Decimal(0)), sum(self._points(opponent, number), Decimal(0))
        result = "win" if made > theirs else "draw" if made == theirs else "loss"
        kind = FORFEIT if kinds == {FORFEIT} else PLAYED
        return Match(kind, opponent, self.pays[result], made, result, boards)

    def _has(self, no: int, number: int) -> bool:
        return no in self.players and number <= len(self.players[no].rounds)

    def _points(self, team: int | None, number: int) -> list[Decimal]:
        return [self.paid[no][number - 1] for no in self.pairs.get(team or 0, [[]] * self.held)[number - 1]]

    def field(self, matches: Mapping[int, Sequence[Match]], score: str, *, fixed: bool, use_file: bool) -> Scoreboard:
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
            totals[team.no] = in_file if use_file and in_file is not None else sum(worth[team.no], Decimal(0))
        unit = unit_of([win, draw, *totals.values(), *(points for own in worth.values() for points in own)])
        slots = {
            no: [
                TieRound(match.kind, match.opponent, int(paid * unit), match.result)
                for match, paid in zip(own, worth[no], strict=True)
            ]
            for no, own in matches.items()
        }
        return Scoreboard(
            slots,
            {no: int(total * unit) for no, total in totals.items()},
            unit,
            int(win * unit),
            int(draw * unit),
            max(self.tournament.rounds, self.held),
            self.held,
            fixed,
        )
