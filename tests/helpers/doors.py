"""The ways into Arpad that every case goes through: the library, the command line and HTTP."""

import contextlib
import csv
import io
import json
import tempfile
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from crosstables import invented, played, report

import arpad
from arpad.cli import main
from arpad.formats.organiser_tables import players_of
from arpad.formats.section import read_section
from arpad.reading import parse_date, parse_game, parse_opponent, parse_pace, parse_pairing, parse_rating
from arpad.systems import uschess

# The fields of a case about the player, and the standing's names for them.
STANDING = {name: name for name in ("k", "peak", "standard", "deviation", "volatility", "idle")}
STANDING |= {"games_before": "games", "dwz_index": "index"}


def library(system, case):
    """The value a Python caller gets."""
    return library_value(case, calculation(system, case))


def library_value(case, answer):
    """The value of a calculation; of a whole tournament or season, the figures that a case is about."""
    kind = {**TOURNAMENT, **IN_FILES}.get(case["do"])
    return answer.value() if kind is None else kind.figures(answer.value())


def calculation(system, case):
    """The calculation a Python caller gets."""
    ask, on = case["ask"], case.get("on")
    settings = {**case.get("settings", {}), **({"readings": case["readings"]} if "readings" in case else {})}
    if case["do"] in FUNCTIONS:
        return FUNCTIONS[case["do"]](system, ask, on=on, **settings)
    return METHODS[case["do"]](arpad.system(system, **settings), ask, on)


def _performance(_, ask, **rest):
    return arpad.performance([parse_game(game) for game in ask["games"]], method=ask.get("method", "fide"), **rest)


def _match(system, ask, on):  # noqa: ARG001  # a match has no day
    counts = {name: ask[name] for name in ("wins", "losses", "draws", "pairs") if name in ask}
    sprt = arpad.Sprt(**ask["sprt"]) if "sprt" in ask else None
    return arpad.match(**counts, sprt=sprt, program=system.removeprefix("match-"))


def _rate(book, ask, on):
    events = [replace(event, pace=_pace_of(ask)) for event in _events(ask)]
    if "games" in ask:
        games, approved = tuple(parse_game(game) for game in ask["games"]), ask.get("qc_approved", False)
        events.insert(0, arpad.Event(games, pace=_pace_of(ask), ended=ask.get("ended"), qc_approved=approved))
    return book.rate_period(_player(book, ask), arpad.Period(tuple(events), ask.get("base")), on=on)


def _expect(book, ask, on):
    return book.expect(_player(book, ask), parse_opponent(str(ask["opponent"])), on=on, pace=_pace_of(ask))


def _first(book, ask, on):
    loose = [parse_game(game) for game in ask.get("games", [])]
    return book.first_rating([*loose, *_events(ask)], on=on, pace=_pace_of(ask))


def _conversion(book, ask, on):
    return book.conversion(ask["rating"], on=on, standard=ask.get("standard"), index=ask.get("dwz_index"))


def _need(book, ask, on):
    opponents = [parse_opponent(str(opponent)) for opponent in ask["against"]]
    if "expected" in ask:
        return arpad.rating_needed(book, opponents, expected=ask["expected"], on=on)
    return arpad.score_needed(book, _player(book, ask), opponents, reach=ask["reach"], on=on)


def _outlook(book, ask, on):
    pairings = [parse_pairing(str(pairing)) for pairing in (*ask.get("games", ()), *ask.get("against", ()))]
    more = {name: ask[name] for name in ("reach", "lose", "strength") if name in ask}
    return arpad.look_ahead(book, _player(book, ask), pairings, on=on, pace=_pace_of(ask), **more, **_draws(ask))


class Seasons:
    """The events of several lists, or plans side by side; an event without a plan belongs to all of them."""

    @staticmethod
    def plans(ask):
        """The events of each plan by name; without plans, all events under None."""
        names = list(dict.fromkeys(event["plan"] for event in ask["events"] if "plan" in event)) or [None]
        return {name: [event for event in ask["events"] if event.get("plan") in (None, name)] for name in names}

    @staticmethod
    def calculation(book, ask, on):
        """What a Python caller gets."""
        more = {name: ask[name] for name in ("reach", "lose", "strength") if name in ask} | _draws(ask)
        made = {}
        for name, events in Seasons.plans(ask).items():
            planned = [
                arpad.PlannedEvent(tuple(map(parse_pairing, event["games"])), event["on"], event.get("name"))
                for event in events
            ]
            made[name] = arpad.look_ahead_season(book, _player(book, ask), planned, on=on, **more)
        return next(iter(made.values())) if len(made) == 1 else arpad.compare_plans(made)

    @staticmethod
    def command(system, case):
        """The value from the command: a season is typed, plans are files."""
        ask = dict(case["ask"])
        plans = Seasons.plans(ask)
        if len(plans) == 1:
            return asked(words(system, {**case, "do": "outlook"}))["value"]
        del ask["events"]
        with tempfile.TemporaryDirectory() as folder:
            line = words(system, {**case, "do": "outlook", "ask": ask})
            for name, events in plans.items():
                path = Path(folder) / f"{name}.toml"
                path.write_text(
                    "".join(
                        f"[[event]]\non = {event['on']}\ngames = {json.dumps(event['games'])}\n" for event in events
                    ),
                    encoding="utf-8",
                )
                line += ["--plan", str(path)]
            return Seasons.figures(asked(line)["value"])

    @staticmethod
    def http(system, case):
        """Send events as a body and as a query, to both questions that take them; all answers must be the same."""
        ask = {**case["ask"], "on": str(case["on"])}
        given = [{"name": "", **event, "on": str(event["on"])} for event in ask.pop("events")]
        events = [{("game" if name == "games" else name): value for name, value in event.items()} for event in given]
        pairs = list(ask.items())
        for event in events:
            pairs += [
                ("event", event["name"]),
                *((name, text) for name, text in event.items() if name in ("on", "plan")),
            ]
            pairs += [("game", game) for game in event["game"]]
        answers = [_asked_http(system, question, pairs) for question in ("outlook", "season")]
        reply = _client().post(f"/api/v1/{system}/season", json={**ask, "event": events})
        assert reply.status_code == 200, reply.text
        assert answers == [reply.json()["value"]] * 2
        return Seasons.figures(answers[0])

    @staticmethod
    def figures(value):
        """A season unchanged; for plans, the best one and each one's chance of reaching the target."""
        return (
            value
            if "plans" not in value
            else {"best": value["best"]} | {plan["name"]: plan["reach"] for plan in value["plans"]}
        )


def _strength(book, ask, on):
    results = [parse_pairing(game) for game in ask["games"]]
    return arpad.likely_strength(book, ask["rating"], results, on=on, **_draws(ask))


def _player(book, ask):
    known = {STANDING[name]: ask[name] for name in STANDING if name in ask}
    return arpad.Player(book.standing(parse_rating(str(ask["rating"])), **known), birth_year=ask.get("born"))


def _pace_of(ask):
    return parse_pace(ask["time"]) if "time" in ask else None


def _section(system, ask, **rest):
    pace = _pace_of(ask)
    with written(ask["players"]) as path:
        field = read_section(path)
    rated = uschess.rate_section(field, system=system, pace=pace, match=ask.get("match", False), **rest)
    return rated.player(ask["player"]) if "player" in ask else rated


def _pace(_, ask, **rest):
    return uschess.rated_in(parse_pace(ask["pace"]), online=ask.get("online", False), **rest)


def _start(system, ask, **rest):
    return uschess.start_rating(system=system, **ask, **rest)


def _floor(system, ask, **rest):
    return uschess.floor_of(system=system, **ask, **rest)


def _direct(_, ask, **rest):
    return arpad.direct_title(**ask, **rest)


class Norms:
    """Title norms of player 1 in an invented tournament."""

    NAMES = ("title", "event_kind", "host", "exempt")
    FLAG = "qc_approved"

    @staticmethod
    def calculation(_, ask, on, readings=None):
        """What a Python caller gets."""
        event = {"kind": ask.get("event_kind"), "host": ask.get("host"), "exempt": ask.get("exempt")}
        event |= {Norms.FLAG: ask.get(Norms.FLAG, False)}
        found = arpad.find_norms(invented(ask | {"start": on}), titles=(ask["title"],), readings=readings, **event)
        return found.player(1)

    @staticmethod
    def words(ask):
        """What a user would type behind the file."""
        options = [word for name in Norms.NAMES if name in ask for word in (f"--{name.replace('_', '-')}", ask[name])]
        return ["--player", "1", *options, *(["--qc-approved"] if ask.get(Norms.FLAG) else [])]

    @staticmethod
    def figures(value):
        """The only norm: what was found for each condition, by name, and the rest of the verdict."""
        norm, needs = value["norms"][0], value["norms"][0]["needs"] or {}
        judged = [condition for condition in norm["conditions"] if not condition["information"]]
        told = {condition["name"]: condition["met"] for condition in norm["conditions"] if condition["information"]}
        return {
            **{condition["name"]: condition["found"] for condition in norm["conditions"]},
            **{name: norm[name] for name in ("met", "covers", "extra", "dropped", "by")},
            **{name: needs.get(name) for name in ("result", "made", "rounds_left", "scores")},
            "failed": [condition["name"] for condition in judged if not condition["met"]],
            "lifted": [condition["name"] for condition in judged if condition["lifted"]],
            "told": {name: met for name, met in told.items() if name != "exemption"},
            "left_out": [game["round"] for game in value["left_out"]],
            "rating_titles": value["rating_titles"],
        }


class Ties:
    """Tie-breaks of player 1 in an invented tournament."""

    NAMES = ("by", "event_kind", "unrated")

    @staticmethod
    def calculation(_, ask, on, readings=None):
        """What a Python caller gets."""
        event = {"kind": ask.get("event_kind"), "unrated": ask.get("unrated")}
        return arpad.tie_breaks(invented(ask | {"start": on}), ask["by"], readings=readings, **event)

    @staticmethod
    def words(ask):
        """What a user would type behind the file."""
        options = [
            word for name in Ties.NAMES[1:] if name in ask for word in (f"--{name.replace('_', '-')}", str(ask[name]))
        ]
        return ["--by", ",".join(ask["by"]), *options]

    @staticmethod
    def figures(value):
        """The values of player 1, or of team 1, and what was dropped."""
        player = next(line for line in value["teams"] or value["players"] if line["no"] == 1)
        return {**player["values"], "dropped": [criterion["name"] for criterion in value["dropped"]]}


class Events:
    """A whole event by a federation's own system, whose ratings are in a table."""

    @staticmethod
    def tournament(ask, on):
        """The event of a case: its results, and the ratings that its file has."""
        return played(ask["results"], {int(no): rating for no, rating in ask.get("ratings", {}).items()}, start=on)

    @staticmethod
    def calculation(system, ask, on):
        """What a Python caller gets."""
        event, book = Events.tournament(ask, on), arpad.system(system)
        table = players_of(ask["table"], "the table", book.table_standing)
        return arpad.rate_event(event, book, known=table.for_tournament(event))

    @staticmethod
    def command(system, case):
        """The value from the command, given the event as a report and the table as a file."""
        with tempfile.TemporaryDirectory() as folder:
            path, table = Path(folder) / "event.trf", Path(folder) / "players.csv"
            path.write_text(report(Events.tournament(case["ask"], case["on"])), encoding="utf-8", newline="")
            table.write_text(case["ask"]["table"], encoding="utf-8")
            answer = asked(["event", str(path), "--system", system, "--table", str(table), "--json"])
        assert answer["ok"], answer
        return Events.figures(answer["value"])

    @staticmethod
    def http(system, case):
        """The value over HTTP, given both as texts."""
        text = report(Events.tournament(case["ask"], case["on"]))
        reply = _client().post(f"/api/v1/{system}/event", json={"text": text, "table": case["ask"]["table"]})
        assert reply.status_code == 200, reply.text
        return Events.figures(reply.json()["value"])

    @staticmethod
    def figures(value):
        """Every player's new rating by number, who has none, and the guests."""
        ratings = {str(player["no"]): player["new_rating"] for player in value["players"]}
        none = [int(no) for no, rating in ratings.items() if rating is None]
        return {**ratings, "none": none, "guests": list(value["national"]["guests"])}


TOURNAMENT = {"norms": Norms, "ties": Ties}
IN_FILES = {"season": Seasons, "event": Events}  # cases that need files
US_CHESS = {"section": _section, "pace": _pace, "start": _start, "floor": _floor}
FUNCTIONS = {**US_CHESS, "performance": _performance, "match": _match, "direct": _direct}
FUNCTIONS |= {name: kind.calculation for name, kind in {**TOURNAMENT, "event": Events}.items()}
METHODS = {
    "rate": _rate,
    "expect": _expect,
    "first": _first,
    "conversion": _conversion,
    "need": _need,
    "outlook": _outlook,
    "season": Seasons.calculation,
    "strength": _strength,
}


@contextlib.contextmanager
def written(players):
    """The players of a section as a file, as a user would have it."""
    names = list(dict.fromkeys(name for player in players for name in player))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "section.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            lines = csv.DictWriter(file, names)
            lines.writeheader()
            lines.writerows(players)
        yield str(path)


def _draws(ask):
    return {"draws": arpad.draw_model(ask["draws"], draw_rate=ask.get("draw_rate"))} if "draws" in ask else {}


def _events(ask):
    return [
        arpad.Event(
            tuple(parse_game(game) for game in event["games"]),
            event.get("rating"),
            parse_date(str(event["on"])) if "on" in event else None,
            event.get("name"),
            ended=event.get("ended"),
        )
        for event in ask.get("events", [])
    ]


def command(system, case):
    """The value another program gets from `arpad … --json`."""
    if case["do"] in US_CHESS:
        return _us_chess_command(system, case)
    if case["do"] in TOURNAMENT:
        return _tournament_command(case)
    if case["do"] == "direct":
        ask = {**case["ask"], "on": case["on"]}
        options = [word for name, value in ask.items() if name != "championship" for word in (f"--{name}", str(value))]
        return asked(["direct", ask["championship"], *options, "--json"])["value"]
    if case["do"] in IN_FILES:
        return IN_FILES[case["do"]].command(system, case)
    return asked(words(system, case))["value"]


def _us_chess_command(system, case):
    """The commands that only US Chess has; every field of the case is an option."""
    ask = dict(case["ask"])
    players, pace = ask.pop("players", []), ask.pop("pace", None)
    line = ["--on", str(case["on"])] + ([] if pace else ["--system", system])
    for name, value in ask.items():
        line += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    for rule, reading in case.get("readings", {}).items():
        line += ["--reading", f"{rule}={reading}"]
    with written(players) as path:
        file = {"section": [path], "pace": [pace]}.get(case["do"], [])
        return asked([case["do"], *file, *line, "--json"])["value"]


def _tournament_command(case):
    """A command on the tournament as a report file, which is what a user has."""
    kind, ask = TOURNAMENT[case["do"]], case["ask"]
    readings = [word for pair in case.get("readings", {}).items() for word in ("--reading", "=".join(pair))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "invented.trf"
        path.write_text(report(invented(ask | {"start": case["on"]})), encoding="utf-8", newline="")
        answer = asked([case["do"], str(path), *kind.words(ask), *readings, "--json"])
    assert answer["ok"], answer
    return kind.figures(answer["value"])


def words(system, case):
    """What a user would type for a case."""
    ask = case["ask"]
    if case["do"] == "match":
        return match_words(system, ask)
    line = [case["do"]]
    if "rating" in ask:
        line.append(str(ask["rating"]))
    line += [str(ask["opponent"])] if "opponent" in ask else []
    line += ask.get("games", [])
    options = {"k": "--k", "born": "--born", "games_before": "--games", "peak": "--peak", "standard": "--standard"}
    options |= {"base": "--base", "time": "--time", "method": "--method", "reach": "--reach", "expected": "--expected"}
    options |= {"dwz_index": "--dwz-index", "ended": "--ended"}
    options |= {name: f"--{name}" for name in ("deviation", "volatility", "idle")}
    options |= {"lose": "--lose", "strength": "--strength", "draws": "--draws", "draw_rate": "--draw-rate"}
    for name, option in options.items():
        line += [option, str(ask[name])] if name in ask else []
    line += ["--against", *map(str, ask["against"])] if "against" in ask else []
    line += ["--qc-approved"] if ask.get("qc_approved") else []
    line += [] if case["do"] == "performance" else ["--system", system]
    line += ["--on", str(case["on"])] if "on" in case else []
    for name, setting in case.get("settings", {}).items():
        line += ["--set", f"{name}={setting}"]
    for rule, reading in case.get("readings", {}).items():
        line += ["--reading", f"{rule}={reading}"]
    for event in ask.get("events", []):
        line += ["--event", *event["games"]]
        for name in ("rating", "on", "ended", "name"):
            line += [f"--{name}", str(event[name])] if name in event else []
    return [*line, "--json"]


def match_words(system, ask):
    """What a user would type for a match."""
    line = ["match", "--program", system.removeprefix("match-")]
    for name in ("wins", "losses", "draws"):
        line += [f"--{name}", str(ask[name])] if name in ask else []
    line += ["--pairs", *map(str, ask["pairs"])] if "pairs" in ask else []
    sprt = dict(ask.get("sprt", {}))
    line += ["--sprt", str(sprt.pop("elo0")), str(sprt.pop("elo1"))] if sprt else []
    for name, value in sprt.items():
        line += [f"--{name}", str(value)]
    return [*line, "--json"]


def http(system, case):
    """The value a program gets over HTTP: the words of the command as a query."""
    if case["do"] == "section":
        return _section_http(system, case)
    if case["do"] in TOURNAMENT:
        return _tournament_http(case)
    if case["do"] in IN_FILES:
        return IN_FILES[case["do"]].http(system, case)
    if case["do"] in (*US_CHESS, "match", "direct"):
        return _asked_http(system, case["do"], _plain_pairs(case))
    name, *line = words(system, case)[:-1]
    pairs, option, plain = [], None, list(POSITIONS[name])
    for word in line:
        if word == "--qc-approved":
            pairs.append(("qc_approved", "yes"))
        elif word.startswith("--"):
            option = word.removeprefix("--").replace("-", "_")
            pairs += [("event", "")] if option == "event" else []
        elif option in (None, "event"):
            pairs.append(("game" if option == "event" else plain.pop(0) if len(plain) > 1 else plain[0], word))
        else:
            pairs.append((option, word))
            option = option if option == "against" else "event" if ("event", "") in pairs else None
    pairs = [pair for pair in pairs if pair[0] != "system"]
    return _asked_http("fide-standard" if name == "performance" else system, name, pairs)


def _section_http(system, case):
    """Send a section as a body, its players with the names of the columns."""
    body = {**case["ask"], "on": str(case["on"])}
    body["players"] = [
        {name: "yes" if value is True else str(value) for name, value in player.items()} for player in body["players"]
    ]
    body |= {"match": "yes" if body.get("match") else "no"}
    body |= {"reading": [f"{rule}={reading}" for rule, reading in case.get("readings", {}).items()]}
    reply = _client().post(f"/api/v1/{system}/section", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()["value"]


def _tournament_http(case):
    """Send a tournament as the text of its file."""
    kind, ask = TOURNAMENT[case["do"]], case["ask"]
    body = {name: ask[name] for name in kind.NAMES if name in ask}
    body |= {"player": 1, Norms.FLAG: ask.get(Norms.FLAG, False)} if case["do"] == "norms" else {}
    body |= {"reading": [f"{rule}={reading}" for rule, reading in case.get("readings", {}).items()]}
    reply = _client().post(
        f"/api/v1/{case['do']}", json={**body, "text": report(invented(ask | {"start": case["on"]}))}
    )
    assert reply.status_code == 200, reply.text
    return kind.figures(reply.json()["value"])


def _plain_pairs(case):
    """Every field of a case by name; the bounds of an SPRT are given together."""
    ask = dict(case["ask"])
    sprt = ask.pop("sprt", {})
    ask |= {"sprt": [sprt.pop("elo0"), sprt.pop("elo1")], **sprt} if (sprt := dict(sprt)) else {}
    ask |= {"on": case["on"]} if "on" in case else {}
    ask |= {"reading": [f"{rule}={reading}" for rule, reading in case.get("readings", {}).items()]}
    pairs = [(name, item) for name, value in ask.items() for item in (value if isinstance(value, list) else [value])]
    return [(name, "yes" if item is True else item) for name, item in pairs]


def _asked_http(system, name, pairs):
    """What the server answers."""
    if name == "match":
        pairs = [*pairs, ("program", system.removeprefix("match-"))]
    under = "" if name in ("match", "pace", "direct") else f"{system}/"
    reply = _client().get(f"/api/v1/{under}{name}?{urlencode(pairs)}")
    assert reply.status_code == 200, reply.text
    return reply.json()["value"]


POSITIONS = {
    "rate": ("rating", "game"), "expect": ("rating", "opponent"), "need": ("rating",), "first": ("game",),
    "performance": ("game",), "conversion": ("rating",), "outlook": ("rating", "game"), "strength": ("rating", "game"),
}  # fmt: skip


@cache
def _client():
    from starlette.testclient import TestClient

    from arpad.web.app import create_app

    return TestClient(create_app())


def run(capsys, *line):
    """Exit code, standard output and standard error of a command line."""
    code = main([str(word) for word in line])
    out, err = capsys.readouterr()
    return code, out, err


def asked(line):
    """The JSON object that a command line prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main(line)
    return json.loads(out.getvalue())


def bulk(system, case):
    """One player's figures after a whole period is rated in bulk, as far as a list has them."""
    from bulk_door import rated_in_bulk

    return rated_in_bulk(system, case)


def figures(value):
    """A value with normalised numbers, so that 0.24, "0.24" and "0.240" are equal; texts stay, "@none" is null."""
    if value == "@none":
        return None
    if isinstance(value, dict):
        return {name: figures(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [figures(item) for item in value]
    try:
        return value if isinstance(value, bool) or value is None else Decimal(str(value)).normalize()
    except ArithmeticError:
        return str(value)


def agree(got, expected, within=0):
    """Whether two values are the same, every number within a tolerance."""
    if isinstance(expected, dict):
        return got.keys() == expected.keys() and all(agree(got[name], expected[name], within) for name in expected)
    if isinstance(expected, list):
        return len(got) == len(expected) and all(agree(*pair, within) for pair in zip(got, expected, strict=True))
    if isinstance(expected, Decimal) and isinstance(got, Decimal):
        return abs(got - expected) <= Decimal(str(within))
    return got == expected


DOORS = {"library": library, "command": command, "http": http}
