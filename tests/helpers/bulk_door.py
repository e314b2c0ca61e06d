"""A case as a bulk period: the player is number 1 and has White, and each game has a different opponent."""

from datetime import date, timedelta

import pyarrow as pa

import arpad
from arpad import EloStanding, bulk
from arpad.reading import parse_game, parse_rating
from arpad.systems.fide.k import entered

PLAYER = 1
KNOWN = {"k": "k", "born": "born", "games_before": "games", "peak": "peak", "standard": "standard", "base": "base"}
GAMES = {"white": pa.int64(), "black": pa.int64(), "result": pa.string(), "how": pa.string(), "event": pa.int64()}
GAMES |= {"start": pa.date32(), "time": pa.string(), "white_rating": pa.int64(), "approved": pa.bool_()}
GAMES |= {"highest": pa.int64()}
PLAYERS = dict.fromkeys(("id", "rating", *KNOWN.values()), pa.int64())


def rated_in_bulk(system, case):
    """The player's figures in the list and in the detail of its games."""
    ask = case["ask"]
    on = _last_day(system, case)
    events = ([{"games": ask["games"]}] if "games" in ask else []) + ask.get("events", [])
    players = [{"id": PLAYER, "rating": _rating(ask), **{KNOWN[name]: ask[name] for name in KNOWN if name in ask}}]
    games = []
    for number, event in enumerate(events):
        for text in event["games"]:
            game = parse_game(text)
            players.append(
                {
                    "id": len(players) + 1,
                    "rating": game.opponent.rating,
                    "standard": EloStanding.of(game.opponent).standard,
                }
            )
            games.append(
                {
                    "white": PLAYER,
                    "black": len(players),
                    "result": str(game.score),
                    "how": game.how,
                    "event": number,
                    "start": event.get("on", case["on"]),
                    "time": ask.get("time"),
                    "white_rating": event.get("rating"),
                    "approved": ask.get("qc_approved", False) or event.get("qc_approved", False),
                }
            )
    _with_highest(games, players)
    answer = bulk.rate(
        _table(games, GAMES),
        _table(players, PLAYERS),
        period=f"{on:%Y-%m}",
        system=arpad.system(system, readings=case.get("readings", {})),
        since=date.min,
        on=on,
        detail=True,
    )
    assert answer.rejected.num_rows == 0, answer.rejected.to_pylist()
    line = answer.players.to_pylist()[0]
    return _first(line) if case["do"] == "first" else _change(line, answer)


def _with_highest(games, players):
    """Add to each game the highest rating in its event, as far as one player's games show it."""
    for game in games:
        met = [players[other["black"] - 1]["rating"] for other in games if other["event"] == game["event"]]
        own = game["white_rating"] or players[0]["rating"]
        game["highest"] = max([rating for rating in (own, *met) if rating is not None], default=None)


def _last_day(system, case):
    """The day of the case, or the day before the list that an ended event counts for."""
    ended = [
        day
        for day in (case["ask"].get("ended"), *(event.get("ended") for event in case["ask"].get("events", ())))
        if day
    ]
    if not ended:
        return case["on"]
    return entered(max(ended), arpad.rules(system).at(case["on"])).enters - timedelta(days=1)


def _rating(ask):
    return parse_rating(str(ask["rating"])) if "rating" in ask else None


def _table(rows, kinds):
    return pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items())))


def _first(line):
    published = {"games": line["games"]} if line["rating"] is not None else {}
    return {"rating": line["rating"], **published}


def _change(line, answer):
    rated = [game for game in answer.games.to_pylist() if game["rated"]]
    assert sum(game["white_change"] for game in rated) == (line["change"] or 0)
    value = {
        "new_rating": line["rating"],
        "change": line["change"] if rated else 0,
        "games": line["rated"],
        "score": sum(game["white_score"] for game in rated),
        "expected": sum(game["white_expected"] for game in rated),
    }
    if rated:
        value |= {"k_used": line["k_used"], "rating": rated[0]["white_rating"]}
        value |= {} if "k_reduced" in line["flags"] else {"k": line["k_used"]}
    return value
