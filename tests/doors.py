"""The ways into Arpad that every case goes through: the library, the command line and HTTP."""

import contextlib
import io
import json
from decimal import Decimal
from functools import cache
from urllib.parse import urlencode

import arpad
from arpad.cli import main
from arpad.notation import parse_date, parse_game, parse_opponent, parse_pace, parse_rating

PLAYER = {"k": "k", "born": "birth_year", "games_before": "games", "peak": "peak", "standard": "standard"}


def library(system, case):
    """The value a Python caller gets."""
    return calculation(system, case).value()


def calculation(system, case):
    """The calculation a Python caller gets."""
    ask, on = case["ask"], case.get("on")
    readings = {"readings": case["readings"]} if "readings" in case else {}
    if case["do"] == "performance":
        games = [parse_game(game) for game in ask["games"]]
        return arpad.performance(games, on=on, method=ask.get("method", "fide"), **readings)
    book = arpad.system(system, **readings)
    pace = parse_pace(ask["time"]) if "time" in ask else None
    if case["do"] == "conversion":
        return book.conversion(ask["rating"], on=on, standard=ask.get("standard"))
    if case["do"] == "first":
        loose = [parse_game(game) for game in ask.get("games", [])]
        return book.first_rating([*loose, *_events(ask)], on=on, pace=pace)
    if case["do"] == "need" and "expected" in ask:
        opponents = [parse_opponent(str(one)) for one in ask["against"]]
        return arpad.rating_needed(book, opponents, expected=ask["expected"], on=on)
    player = arpad.Player(
        parse_rating(str(ask["rating"])), **{PLAYER[name]: ask[name] for name in PLAYER if name in ask}
    )
    if case["do"] == "expect":
        return book.expect(player, parse_opponent(str(ask["opponent"])), on=on, pace=pace)
    if case["do"] == "need":
        opponents = [parse_opponent(str(one)) for one in ask["against"]]
        return arpad.score_needed(book, player, opponents, reach=ask["reach"], on=on)
    events = _events(ask)
    if "games" in ask:
        events.insert(0, arpad.Event(tuple(parse_game(game) for game in ask["games"]), pace=pace))
    return book.rate_period(player, arpad.Period(tuple(events), ask.get("base")), on=on)


def _events(ask):
    return [
        arpad.Event(
            tuple(parse_game(game) for game in event["games"]),
            event.get("rating"),
            parse_date(str(event["on"])) if "on" in event else None,
            event.get("name"),
        )
        for event in ask.get("events", [])
    ]


def command(system, case):
    """The value another program gets from `arpad … --json`."""
    return asked(words(system, case))["value"]


def words(system, case):
    """What a user would type for a case."""
    ask = case["ask"]
    line = [case["do"]]
    if "rating" in ask:
        line.append(str(ask["rating"]))
    line += [str(ask["opponent"])] if "opponent" in ask else []
    line += ask.get("games", [])
    options = {"k": "--k", "born": "--born", "games_before": "--games", "peak": "--peak", "standard": "--standard"}
    options |= {"base": "--base", "time": "--time", "method": "--method", "reach": "--reach", "expected": "--expected"}
    for name, option in options.items():
        line += [option, str(ask[name])] if name in ask else []
    line += ["--against", *map(str, ask["against"])] if "against" in ask else []
    line += [] if case["do"] == "performance" else ["--system", system]
    line += ["--on", str(case["on"])] if "on" in case else []
    for rule, reading in case.get("readings", {}).items():
        line += ["--reading", f"{rule}={reading}"]
    for event in ask.get("events", []):
        line += ["--event", *event["games"]]
        for name in ("rating", "on", "name"):
            line += [f"--{name}", str(event[name])] if name in event else []
    return [*line, "--json"]


def http(system, case):
    """The value a program gets over HTTP: what it would type, as a query."""
    name, *line = words(system, case)[:-1]
    pairs, option, plain = [], None, list(POSITIONS[name])
    for word in line:
        if word.startswith("--"):
            option = word.removeprefix("--")
            pairs += [("event", "")] if option == "event" else []
        elif option in (None, "event"):
            pairs.append(("game" if option == "event" else plain.pop(0) if len(plain) > 1 else plain[0], word))
        else:
            pairs.append((option, word))
            option = option if option == "against" else "event" if ("event", "") in pairs else None
    pairs = [pair for pair in pairs if pair[0] != "system"]
    under = "fide-standard" if name == "performance" else system
    reply = _client().get(f"/api/v1/{under}/{name}?{urlencode(pairs)}")
    assert reply.status_code == 200, reply.text
    return reply.json()["value"]


POSITIONS = {
    "rate": ("rating", "game"), "expect": ("rating", "opponent"), "need": ("rating",), "first": ("game",),
    "performance": ("game",), "conversion": ("rating",),
}  # fmt: skip


@cache
def _client():
    from fastapi.testclient import TestClient

    from arpad.web.app import create_app

    return TestClient(create_app())


def asked(line):
    """The JSON object that a command line prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main(line)
    return json.loads(out.getvalue())


def figures(value):
    """A value in which 0.24, "0.24" and "0.240" are the same figure; texts stay texts."""
    if isinstance(value, dict):
        return {name: figures(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [figures(one) for one in value]
    try:
        return value if isinstance(value, bool) or value is None else Decimal(str(value)).normalize()
    except ArithmeticError:
        return str(value)


DOORS = {"library": library, "command": command, "http": http}
