"""Crosstables from other programs, and invented ones, as tournaments."""

import csv
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

from arpad import Entrant, Player, Round, Tournament
from arpad.core import TITLES
from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FORFEIT, FULL_BYE, HALF_BYE, PENDING, PLAYED, SHORT, ZERO_BYE
from arpad.formats import read_bytes
from arpad.formats.trf.writer import trf_report
from arpad.reading import parse_pace

CELL = re.compile(r"(\d+)([wb])([10½+-]?)")
COLOURS = {"w": "white", "b": "black"}
SCORES = {"1": Decimal(1), "½": Decimal("0.5"), "=": Decimal("0.5"), "0": Decimal(0), "+": Decimal(1), "-": Decimal(0)}


def chess_results(path, *, rating, rounds, **facts):
    """A crosstable from chess-results: `54b1` is a win with Black against 54, `13b` paired, `-0` absent, `-1` a bye."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    entrants = [
        Entrant(
            int(row["no"]),
            Player(
                int(row[rating] or 0) or None,
                title=row["title"] if row["title"] in TITLES else None,  # "I" is a national title
                federation=row["fed"],
                sex=row["sex"] or None,
            ),
            tuple(_cell(row.get(f"r{n}") or row.get(f"r{n}_pairing") or "") for n in range(1, rounds + 1)),
            Decimal(row["points"]),
        )
        for row in rows
    ]
    return Tournament(tuple(entrants), rounds=rounds, **facts), rows


def _cell(text):
    matched = CELL.fullmatch(text)
    if matched is None:
        return Round({"-1": ALLOCATED_BYE, "-½": HALF_BYE}.get(text, ABSENT))
    opponent, colour, result = matched.groups()
    kind = PENDING if not result else FORFEIT if result in "+-" else PLAYED
    return Round(kind, int(opponent), COLOURS[colour], SCORES.get(result))


KINDS = {"W": SHORT, "D": SHORT, "L": SHORT, "+": FORFEIT, "-": FORFEIT, "?": PENDING}
BYES = {"U": ALLOCATED_BYE, "F": FULL_BYE, "H": HALF_BYE, "Z": ZERO_BYE}
LETTERS = {"W": Decimal(1), "D": Decimal("0.5"), "L": Decimal(0)}


def invented(ask):
    """The tournament of a case: the player is no. 1, and the opponents are numbered in the order of the rounds.

    A game is `2450 GM ENG:1`, with `unrated` for a rating and `-` for no title; the results are those of a report (`?`
    is paired but not played yet). A round without an opponent is only its letter. `field` adds so many other players,
    who play each other in every round: rated 2300, with the federations and titles named, in turn. A case can give a
    whole `report` instead.
    """
    if "report" in ask:
        return replace(read_bytes(ask["report"].encode(), "a case"), start=ask["start"], source=None)
    mine, others = [], {}
    for number, game in enumerate(ask["games"], start=1):
        if game in BYES:
            mine.append(Round(BYES[game]))
            continue
        who, _, result = game.rpartition(":")
        opponent = others.setdefault(who if ask.get("event_kind", "").startswith("double") else (who, number), [])
        if not opponent:
            opponent += [len(others) + 1, _player(who), {}]
        score = LETTERS.get(result, SCORES.get(result))
        kind = KINDS.get(result, PLAYED)
        mine.append(Round(kind, opponent[0], "white", score))
        opponent[2][number] = Round(kind, 1, "black", None if score is None else 1 - score)
    length = max(ask.get("rounds", 0), len(mine))
    entrants = [Entrant(1, _player(ask["player"], sex=ask.get("sex", "m")), tuple(mine))]
    entrants += [
        Entrant(no, player, tuple(rounds.get(n, Round(ABSENT)) for n in range(1, len(mine) + 1)))
        for no, player, rounds in others.values()
    ]
    entrants += _field(ask.get("field", {}), len(entrants) + 1, len(mine))
    days = tuple(date.fromisoformat(day) for day in ask.get("round_days", ()))
    end = date.fromisoformat(ask["end"]) if "end" in ask else None
    return Tournament(
        tuple(entrants),
        start=date.fromisoformat(str(ask["start"])) if "start" in ask else None,
        end=end,
        rounds=length,
        round_days=days,
        kind=ask.get("kind", "Individual: Swiss-System"),
        federation=ask.get("federation"),
        time_control=ask.get("pace"),
        pace=parse_pace(ask["pace"]) if "pace" in ask else None,
    )


def played(results, ratings=None, **facts):
    """An event from results such as `1W2`, with ratings by number.

    Each game is in the first round in which both players are free.
    """
    games = [(int(result[0]), LETTERS[result[1]], int(result[2])) for result in results.split()]
    rounds = {no: {} for no in sorted({no for first, _, second in games for no in (first, second)})}
    for first, score, second in games:
        number = next(n for n in range(1, len(games) + 1) if n not in rounds[first] and n not in rounds[second])
        rounds[first][number] = Round(PLAYED, second, None, score)
        rounds[second][number] = Round(PLAYED, first, None, 1 - score)
    last = max(number for own in rounds.values() for number in own)
    entrants = tuple(
        Entrant(
            no,
            Player((ratings or {}).get(no), name=f"Player {no}"),
            tuple(own.get(number, Round(ABSENT)) for number in range(1, last + 1)),
        )
        for no, own in rounds.items()
    )
    return Tournament(entrants, **{"start": date(2009, 9, 1), "rounds": last, **facts})


def _player(text, **known):
    rating, title, federation = text.split()
    return Player(
        None if rating == "unrated" else int(rating),
        title=None if title == "-" else title,
        federation=None if federation == "-" else federation,
        **known,
    )


def _field(field, first, rounds):
    numbers = range(first, first + 2 * (field.get("players", 0) // 2), 2)
    for place, no in enumerate(number for pair in numbers for number in (pair, pair + 1)):
        white = no in numbers
        game = Round(PLAYED, no + 1 if white else no - 1, "white" if white else "black", Decimal("0.5"))
        titles, federations = field["titles"], field["federations"]
        player = Player(
            2300, title=titles[place % len(titles)] or None, federation=federations[place % len(federations)]
        )
        yield Entrant(no, player, (game,) * rounds)


CODES = {PLAYED: {1: "1", 0.5: "=", 0: "0"}, SHORT: {1: "W", 0.5: "D", 0: "L"}, FORFEIT: {1: "+", 0: "-"}}
BYE_CODES = {kind: letter for letter, kind in BYES.items()} | {ABSENT: "Z"}


def report(tournament):
    """The tournament as a TRF16 file, which is what a user of the command line has; with teams, as TRF26."""
    if tournament.teams:
        return trf_report(tournament, "trf26")[0].decode()
    facts = {"012": "Invented Open", "032": tournament.federation, "042": tournament.start, "052": tournament.end}
    facts |= {"092": tournament.kind, "122": tournament.time_control, "142": tournament.rounds}
    lines = [
        f"{code} {str(fact).replace('-', '/') if code in ('042', '052') else fact}"
        for code, fact in facts.items()
        if fact
    ]
    if any(tournament.round_days):
        days = "  ".join(day.strftime("%y/%m/%d") for day in tournament.round_days)
        lines.append(f"{'132':<91}{days}")
    return "\r\n".join([*lines, *map(_line, tournament.entrants)]) + "\r\n"


def _line(entrant):
    player = entrant.player
    head = f"001 {entrant.no:>4} {player.sex or 'm'}{player.title or '':>3} {f'Player {entrant.no}, A':<33}"
    head += f" {player.rating or '':>4} {player.federation or '':<3} {'':>22} {_points(entrant):>4} {entrant.no:>4}"
    return head + "".join(f"  {_round(played)}" for played in entrant.rounds)


def _points(entrant):
    worth = {FULL_BYE: 1, ALLOCATED_BYE: 1, HALF_BYE: Decimal("0.5")}
    return f"{sum((round.score or worth.get(round.kind, 0)) for round in entrant.rounds):.1f}"


def _round(round):
    colour = (round.colour or "-")[0]
    if round.opponent is None:
        return f"0000 - {BYE_CODES[round.kind]}"
    code = " " if round.score is None else CODES[round.kind][float(round.score)]
    return f"{round.opponent:>4} {colour} {code}"
