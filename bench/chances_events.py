"""The real events on which the forecasts of whole tournaments are tested.

The first are every finished individual Swiss in the reference data whose players mostly have ratings; none was used to
fit the model of results, but the rules of the pairing were worked out on them. A file that ends before its last round
counts as an event of the rounds it has. Exercises, generated files and second copies are left out.

The others are Swiss events of 2019, made from the games of The Week in Chess. The pairing had not seen them; the model
of results was fitted on their games, so only pairings are compared there.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from fit_chances import FAST, SCORES, late_rows

from arpad import Entrant, Player, Round, Tournament
from arpad.formats import read

DATA = Path(os.environ.get("ARPAD_SHARED", Path(__file__).parents[2] / "shared")) / "data"
FIDE_EVENTS = {  # with the number of rounds that are complete
    "tournaments/aeroflot_open_2026_after_r8.trf": 8,
    "tournaments/arad_open_2026_A_crosstable_tiebreaks.csv": 9,
    "tournaments/british_championship_2026_before_last_round.csv": 8,
    "tournaments/budapest_spring_2026_A_after_r8.trf": 8,
    "tournaments/budapest_spring_2026_B_after_r8.trf": 8,
    "tournaments/chesshouse_spring_2026_after_r8.trf": 8,
    "tournaments/graz_open_2026_A_after_r8.trf": 8,
    "tournaments/karl_mala_2005_fide_example1.trf": 7,
    "tournaments/prague_festival_2026_D_after_r8.trf": 8,
    "tournaments/san_viator_2018_B.trf": 7,
    "tournaments/womens_world_rapid_2024_games.csv": 11,
    "tournaments/more/sanichi__irish_junior_champs_2011.tab": 5,
    "programs/papi/bre-jeunes-2024-blitz.papi": 7,
    "programs/papi/bre-jeunes-2024-u16.papi": 7,
    "programs/tunx/2023_elllobregat_a_753347.TUNX": 9,
    "programs/tunx/aut_1384031.TUNX": 7,
    "programs/tunx/romanian_u1700_1350000.TUNX": 7,
    "programs/xml/Single_SwissSystem.xml": 7,
}
ONLINE_EVENTS = {
    "tournaments/lichess_swiss_cY3wR140.trf": 13,
    "tournaments/lichess_swiss_hId1KZmF.trf": 7,
}


def finished(path: str, rounds: int) -> Tournament:
    """An event with its complete rounds alone; points and ranks in the file, which may be later, are dropped."""
    event = read(str(DATA / path))
    entrants = tuple(replace(one, rounds=one.rounds[:rounds], points=None, rank=None) for one in event.entrants)
    return replace(event, entrants=entrants, rounds=rounds, adjustments=())


TEAMS = re.compile(r"TCh|Team|League|Olympiad|Div |ECC|Club|Match|Final", re.IGNORECASE)
SWISS = ("", "swiss")  # kinds of events, as the games have them
LEAST_ROUNDS, LEAST_PLAYERS = 7, 24
TO_A_ROUND = 2.5  # players, at least: with fewer it may be a round robin
COMPLETE = 0.93  # of all rounds of all players must have a game: the others are byes, or were not published


def events_of_games() -> Iterator[Tournament]:
    """Individual Swiss events of 2019 of which nearly all games are known; the players are numbered by rating."""
    by_event: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in late_rows():
        name = row["event"]
        if row["event_type"] in SWISS and not (FAST.search(name) or TEAMS.search(name)):
            by_event[name].append(row)
    for name, rows in by_event.items():
        numbers = [row["round"].partition(".")[0] for row in rows]
        if not all(number.isdigit() for number in numbers):
            continue
        rounds = max(map(int, numbers))
        players = {row[f"{side}_id"]: int(row[f"{side}_elo"]) for row in rows for side in ("white", "black")}
        whole = rounds * len(players)
        if rounds < LEAST_ROUNDS or len(players) < max(LEAST_PLAYERS, TO_A_ROUND * rounds):
            continue
        event = _of_games(name, rows, players, rounds)
        if event is not None and 2 * len(rows) >= COMPLETE * whole:
            yield event


def _of_games(name: str, rows: list[dict[str, str]], players: dict[str, int], rounds: int) -> Tournament | None:
    """An event made of its games; None if somebody has two in a round, as in a match."""
    number = {who: no for no, who in enumerate(sorted(players, key=lambda who: -players[who]), start=1)}
    played: dict[str, dict[int, Round]] = {who: {} for who in players}
    for row in rows:
        at, score = int(row["round"].partition(".")[0]) - 1, Decimal(str(SCORES[row["result"]]))
        for mine, theirs, colour, points in (
            ("white_id", "black_id", "white", score),
            ("black_id", "white_id", "black", 1 - score),
        ):
            if at in played[row[mine]]:
                return None
            played[row[mine]][at] = Round("played", number[row[theirs]], colour, points)
    entrants = [
        Entrant(number[who], Player(players[who]), tuple(held.get(at, Round("absent")) for at in range(rounds)))
        for who, held in played.items()
    ]
    return Tournament(tuple(sorted(entrants, key=lambda one: one.no)), name=name, rounds=rounds)


def absences(events: Iterable[Tournament]) -> dict[tuple[int, bool], list[int]]:
    """Who had a game and has none in the next round: by fifth of the standings, and whether the next round is the last.

    Each has the players, those who leave, those who come back, and those with a bye that was asked for.
    """
    found: dict[tuple[int, bool], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for event in events:
        for number in range(1, event.rounds):
            here = [one for one in event.entrants if _plays(one, number - 1)]
            here.sort(key=lambda one: -sum(POINTS.get(each.kind, each.score or 0) for each in one.rounds[:number]))
            for place, one in enumerate(here):
                next_ = one.rounds[number] if number < len(one.rounds) else Round("absent")
                if next_.kind == "allocated-bye":
                    continue
                row = found[5 * place // len(here), number == event.rounds - 1]
                row[0] += 1
                if not _plays(one, number):
                    row[3 if next_.kind == "half-bye" else 2 if _plays_later(one, number) else 1] += 1
    return found


POINTS = {"half-bye": Decimal("0.5"), "allocated-bye": Decimal(1), "full-bye": Decimal(1)}


def _plays(one: Entrant, at: int) -> bool:
    return at < len(one.rounds) and one.rounds[at].kind in ("played", "short")


FOLLOWED = 3  # games after a round without one, whose opponents say what it gave


def with_byes(event: Tournament, held: int) -> Tournament:
    """The event with points for the rounds that players missed before others they played, as far as `held` shows them.

    A Swiss pairs equal points, so a bye or a forfeit gave what brings a player nearest to the opponents after it, up to
    the round `held`; without such games, half a point, as most byes that are asked for. Byes of one player too many are
    thereby told from half points only where it shows.
    """
    missed = {
        one.no: [at for at, each in enumerate(one.rounds) if each.opponent is None and _plays_later(one, at)]
        for one in event.entrants
    }
    given: dict[tuple[int, int], Decimal] = {(no, at): Decimal("0.5") for no, rounds in missed.items() for at in rounds}
    entrants = {one.no: one for one in event.entrants}

    def points(no: int, before: int) -> Decimal:
        rounds = enumerate(entrants[no].rounds[:before])
        return sum((each.score or given.get((no, at), Decimal(0)) for at, each in rounds), Decimal(0))

    for _ in range(2):  # opponents may have byes of their own
        for no, at in given:
            after = [later for later in range(at + 1, held) if entrants[no].rounds[later].opponent is not None]
            if not after:
                continue
            apart = []
            for worth in (Decimal("0.5"), Decimal(1), Decimal(0)):
                given[no, at] = worth
                met = [(later, entrants[no].rounds[later].opponent or 0) for later in after[:FOLLOWED]]
                apart.append((sum(abs(points(no, later) - points(other, later)) for later, other in met), worth))
            given[no, at] = min(apart, key=lambda one: one[0])[1]
    kinds = {Decimal(0): "zero-bye", Decimal("0.5"): "half-bye", Decimal(1): "allocated-bye"}
    return replace(
        event,
        entrants=tuple(
            replace(
                one,
                rounds=tuple(
                    Round(kinds[given[one.no, at]]) if (one.no, at) in given else each
                    for at, each in enumerate(one.rounds)
                ),
            )
            for one in event.entrants
        ),
    )


def _plays_later(one: Entrant, at: int) -> bool:
    return any(each.opponent is not None for each in one.rounds[at + 1 :])


def missed(event: Tournament) -> float:
    """The share of rounds without a game among those up to everybody's last game: byes, forfeits, unpublished games."""
    held = [[each.opponent is not None for each in one.rounds] for one in event.entrants]
    spans = [row[: len(row) - row[::-1].index(True)] for row in held if any(row)]
    return sum(row.count(False) for row in spans) / sum(map(len, spans))
