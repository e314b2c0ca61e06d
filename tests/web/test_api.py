"""The HTTP API: the command's answers, the right status for what is refused, and no fault whatever is sent."""

import json
import re
from pathlib import Path

import pytest
from serving import WAIT

from arpad.web.openapi import FILE_EXAMPLE
from doors import asked

RATE = "/api/v1/fide-standard/rate"
PERIOD = (
    "/api/v1/fide-standard/period?rating=2395&event=Open&game=2103:1&game=2250:½&on=2026-10-03"
    "&event=&game=2310:1&rating=2400"
)
SEASON = "/api/v1/fide-standard/season"
TWO = f"{SEASON}?rating=1780&k=20&on=2026-11-15&event=A&on=2026-12-03&against=1800&event=B&on=2027-01-03"
# What is asked, as the command line and as a query.
TWINS = [
    ("rate 1750 1950:win 1800:draw --born 2010 --on 2026-11-15",
     f"{RATE}?rating=1750&game=1950:win&game=1800:draw&born=2010&on=2026-11-15"),
    ("rate 1750 1950:win --k 20 --formula --on 2026-11-15",
     f"{RATE}?rating=1750&game=1950:win&k=20&formula=yes&on=2026-11-15"),
    ("expect 1500 1700 --on 2026-11-15", "/api/v1/fide-standard/expect?rating=1500&opponent=1700&on=2026-11-15"),
    ("need 1780 --reach 1800 --against 1700 1750 --on 2026-11-15",
     "/api/v1/fide-standard/need?rating=1780&reach=1800&against=1700&against=1750&on=2026-11-15"),
    ("need --expected 0.75 --against 1700 --on 2026-11-15",
     "/api/v1/fide-standard/need?expected=0.75&against=1700&on=2026-11-15"),
    ("first 1902:1 1877:1 1884:½ 2012:0 1832:½ --on 2026-11-15",
     "/api/v1/fide-standard/first?game=1902:1&game=1877:1&game=1884:½&game=2012:0&game=1832:½&on=2026-11-15"),
    ("performance 1950:win 2010:draw --method ptp --on 2026-11-15",
     "/api/v1/fide-standard/performance?game=1950:win&game=2010:draw&method=ptp&on=2026-11-15"),
    ("outlook 1780 1700:win 1800:? 1820@b --reach 1790 --lose 5 --strength 1800 --on 2026-11-15",
     "/api/v1/fide-standard/outlook?rating=1780&game=1700:win&game=1800:%3F&game=1820@b&reach=1790&lose=5&strength=1800&on=2026-11-15"),
    ("outlook 1780 --field 1850 --spread 120 --rounds 3 --on 2026-11-15",
     "/api/v1/fide-standard/outlook?rating=1780&field=1850&spread=120&rounds=3&on=2026-11-15"),
    ("outlook 2380 --k 20 --on 2026-11-15 --event --against 2300 2350@w --on 2027-01-10 --name Open --event 2400",
     f"{SEASON}?rating=2380&k=20&on=2026-11-15&event=Open&against=2300&against=2350@w&on=2027-01-10&event=&game=2400"),
    ("outlook 2380 2300 --k 20 --on 2026-11-15 --event --field 2350 --rounds 2 --time 90+30 --on 2027-02-07",
     f"{SEASON}?rating=2380&game=2300&k=20&on=2026-11-15&event=&field=2350&rounds=2&time=90%2B30&on=2027-02-07"),
    ("outlook 1780 1700:win --k 20 --on 2026-11-15 --event --against 1800 --on 2026-11-20",
     "/api/v1/fide-standard/outlook?rating=1780&k=20&game=1700:win&on=2026-11-15&event=&against=1800&on=2026-11-20"),
    ("strength 1780 1700:win 1800:loss --on 2026-11-15",
     "/api/v1/fide-standard/strength?rating=1780&game=1700:win&game=1800:loss&on=2026-11-15"),
    ("conversion 1500", "/api/v1/fide-standard/conversion?rating=1500"),
    ("rate 2395 --event 2103:1 2250:½ --on 2026-10-03 --name Open --event 2310:1 --rating 2400", PERIOD),
    ("rules fide-standard --on 2014-07-01", "/api/v1/fide-standard/rules?on=2014-07-01"),
    ("rules fide-titles --on 2026-09-05", "/api/v1/fide-titles/rules?on=2026-09-05"),
    ("rules fide-ties --changes 2023-01-01..2026-11-15", "/api/v1/fide-ties/rules?changes=2023-01-01..2026-11-15"),
    ("rules fide-standard --changes 2013-01-01..2026-11-15",
     "/api/v1/fide-standard/rules?changes=2013-01-01..2026-11-15"),
    ("rules fide-standard --stale --on 2030-01-01", "/api/v1/fide-standard/rules?stale=true&on=2030-01-01"),
    ("systems", "/api/v1/systems"),
    ("rate 1500 1700:win --system elo --set scale=480 --on 2026-11-15",
     "/api/v1/elo/rate?rating=1500&game=1700:win&set=scale%3D480&on=2026-11-15"),
]  # fmt: skip


def over_http(printed):
    """What the command prints as the API says it: options are fields, and whoever was looked up is listed."""
    notes = [re.sub(r"--([a-z]+)", r"`\1`", note) for note in printed["notes"]]
    return {**printed, "notes": notes, "people": []}


@pytest.mark.parametrize(("command", "query"), TWINS)
def test_the_api_answers_what_the_command_prints(client, command, query):
    """One object for both doors: value, steps, rules and notes are equal to the last digit."""
    reply = client.get(f"{query}{'&' if '?' in query else '?'}steps=1")
    assert reply.status_code == 200
    printed = over_http(asked([*command.split(), "--json"]))
    assert reply.json() == printed
    printed.pop("steps")
    assert client.get(query).json() == printed


@pytest.mark.parametrize("system", ["elo", "dwz", "ecf", "icu"])
def test_a_sum_of_nothing_is_zero(client, system):
    """In a field that gains what it loses no digits are left by rounding, in the answer and in its steps."""
    reply = client.post(f"/api/v1/{system}/event", json={**FILE_EXAMPLE, "steps": True}).json()
    (step,) = [step["value"] for step in reply["steps"] if step["key"] == "inflation"]
    assert reply["value"]["summary"]["inflation"] == step == "0.00"


@pytest.mark.parametrize(("given", "shown"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_the_steps_are_sent_to_who_asks_for_them(client, given, shown):
    """In a query and in a body; anything but yes or no is refused."""
    asked_for = f"{RATE}?rating=1750&k=20&game=1950:win&steps={given}"
    assert ("steps" in client.get(asked_for).json()) == shown
    body = {"rating": 1750, "k": 20, "game": "1950:win", "steps": given}
    assert ("steps" in client.post(RATE, json=body).json()) == shown
    assert "steps" not in client.post(RATE, json={**body, "steps": None}).json()
    refused = client.post(RATE, json={**body, "steps": "many"})
    assert (refused.status_code, refused.json()["at"]) == (422, "steps")


def test_query_and_body_ask_the_same(client):
    """POST takes the names of the query, with numbers as numbers and events as objects."""
    body = {"rating": 2395, "event": [{"name": "Open", "on": "2026-10-03", "game": ["2103:1", "2250:½"]},
                                      {"rating": 2400, "game": ["2310:1"]}]}  # fmt: skip
    assert client.post("/api/v1/fide-standard/period", json=body).json() == client.get(PERIOD).json()


def test_a_query_beside_a_body_counts(client):
    """Nothing that was sent is left out in silence: a field may be in either, and in both it is refused."""
    body = {"rating": 1750, "game": ["1950:win"], "on": "2026-11-15"}
    whole = client.post(RATE, json={**body, "k": 40, "steps": True}).json()
    assert client.post(f"{RATE}?k=40&steps=1", json=body).json() == whole
    twice = client.post(f"{RATE}?k=40", json={**body, "k": 20}).json()
    assert (twice["code"], twice["at"], twice["pointer"]) == ("given-twice", "k", None)
    assert client.post(f"{RATE}?bron=2010", json=body).json()["code"] == "unknown-field"


def test_a_game_is_a_text_or_an_object(client):
    """The same game in both forms, also inside an event, gives the same answer; errors name what is wrong in it."""
    whole = {"rating": 1750, "born": 2010, "on": "2026-11-15"}
    texts = ["1950:win@w", "1800:draw", "1900:+", "unrated:loss", "bye"]
    games = [
        {"opponent": 1950, "result": "win", "colour": "white"},
        {"opponent": "1800", "result": "draw"},
        {"opponent": 1900, "result": "forfeit-win"},
        {"opponent": "unrated", "result": "loss", "colour": None},
        {"opponent": "unrated", "result": "bye"},
    ]
    for field in (lambda games: {"game": games}, lambda games: {"event": [{"game": games}]}):
        assert (
            client.post(RATE, json=whole | field(games)).json() == client.post(RATE, json=whole | field(texts)).json()
        )
    glicko = "/api/v1/glicko-2/rate"
    one = {
        "rating": 1500,
        "deviation": 200,
        "on": "2026-11-15",
        "game": {"opponent": 1400, "result": "win", "deviation": 30},
    }
    assert client.post(glicko, json=one).json() == client.post(glicko, json=one | {"game": "1400/30:win"}).json()
    for wrong, at in (("result", "game[1].result"), ("colour", "game[1].colour"), ("rezult", "game[1].rezult")):
        reply = client.post(RATE, json=whole | {"game": ["1950:win", {"opponent": 1950, "result": "win", wrong: "x"}]})
        assert (reply.status_code, reply.json()["at"]) == (422, at)


@pytest.mark.parametrize(
    ("game", "code", "at"),
    [
        ({"opponent": "1950:1, 1800", "result": "win"}, "not-a-rating", "opponent"),
        ({"opponent": "1950:loss", "result": "win"}, "not-a-rating", "opponent"),
        ({"opponent": "lost to 1950", "result": "win"}, "not-a-rating", "opponent"),
        ({"opponent": "1950@b", "result": "win", "colour": "white"}, "not-a-rating", "opponent"),
        ({"opponent": -5, "result": "win"}, "not-a-rating", "opponent"),
        ({"opponent": "1950:0"}, "missing-field", "result"),
        ({"result": "win"}, "missing-field", "opponent"),
    ],
)
def test_an_object_is_one_game_against_one_opponent(client, game, code, at):
    """A text in it can hold neither a second game nor another result, and the field that is wrong is named."""
    found = client.post(RATE, json={"rating": 1750, "k": 20, "game": [game]}).json()
    assert (found["code"], found["pointer"]) == (code, f"/game/0/{at}")


def test_a_game_to_come_needs_no_result(client):
    """Where games may be to come, an object without a result is one; an opponent may be somebody to look up."""
    asked = {"rating": 1750, "k": 20, "on": "2026-11-15"}
    to_come = client.post("/api/v1/fide-standard/outlook", json={**asked, "game": {"opponent": 1950}})
    assert to_come.json() == client.post("/api/v1/fide-standard/outlook", json={**asked, "against": [1950]}).json()
    named = {"opponent": "Nobody, At All", "result": "win"}
    assert client.post(RATE, json={**asked, "game": named}).json()["code"] in ("no-lists", "unknown-player")


def test_a_tournament_file_comes_by_itself_in_a_form_or_in_json(client):
    """With its own content type and the fields in the query, in a form, or as text in JSON: the same answer."""
    table = (Path(__file__).parents[2] / "docs" / "examples" / "open.trf").read_bytes()
    address = "/api/v1/fide-standard/event"
    whole = client.post(address, json={"text": table.decode(), "player": 1, "file": "open.trf"}).json()
    assert whole["value"]["kind"] == "PlayerReport"
    for kind in ("text/plain", "application/octet-stream", "application/x-trf; charset=utf-8"):
        alone = client.post(f"{address}?player=1&file=open.trf", content=table, headers={"content-type": kind})
        assert alone.json() == whole
    form = client.post(address, files={"file": ("open.trf", table)}, data={"player": "1"})
    assert form.json() == whole
    twice = client.post(f"{address}?player=1", json={"text": table.decode(), "player": 2})
    assert (twice.status_code, twice.json()["code"], twice.json()["at"]) == (422, "given-twice", "player")
    broken = client.post(address, content=b"x", headers={"content-type": "multipart/form-data; boundary=y"})
    assert (broken.status_code, broken.json()["ok"]) == (422, False)


@pytest.mark.parametrize("kind", ["application/xml", "text/xml", "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_of_another_type_is_refused(client, kind):
    """A question takes JSON, and says so; without a type a body is JSON."""
    asked = {"rating": 1750, "game": ["1950:win"], "on": "2026-11-15"}
    reply = client.post(RATE, content=json.dumps(asked), headers={"content-type": kind})
    assert (reply.status_code, reply.json()["code"]) == (415, "wrong-content-type")
    for good in ("application/json; charset=utf-8", "application/vnd.api+json"):
        assert client.post(RATE, content=json.dumps(asked), headers={"content-type": good}).status_code == 200
    assert client.post(RATE, content=json.dumps(asked)).status_code == 200
    form = client.post(
        "/api/v1/check", content=b"text=x", headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert form.status_code == 415


def test_the_root_lists_what_there_is(client):
    """Every question with its address, each of which is there."""
    index = client.get("/api/v1").json()["value"]
    assert index["kind"] == "ApiIndex"
    assert {"fide-standard", "glicko-2"} <= set(index["systems"])
    documented = client.get(index["openapi"]).json()["paths"]
    assert {one["path"] for one in index["questions"]} <= set(documented)
    assert client.get(index["docs"]).status_code == 200


def test_plans_over_http_are_the_plan_files_of_the_command(client, tmp_path):
    """Two plans as flat events give the object that the command prints for two files, steps and notes and all."""
    shared = '[[event]]\nname = "Open"\non = 2027-01-10\ngames = ["2300", "2350@w"]\n'
    own = {"league": 'on = 2027-02-07\ngames = ["2380"]', "field": "on = 2027-02-07\nfield = 2350\nrounds = 2"}
    line = ["outlook", "2380", "--k", "20", "--reach", "2400", "--lose", "10", "--on", "2026-11-15", "--json"]
    for name, text in own.items():
        path = tmp_path / f"{name}.toml"
        path.write_text(f"{shared}[[event]]\n{text}\n", encoding="utf-8")
        line += ["--plan", str(path)]
    body = {"rating": 2380, "k": 20, "reach": 2400, "lose": 10, "on": "2026-11-15", "event": [
        {"name": "Open", "on": "2027-01-10", "against": [2300, "2350@w"]},
        {"plan": "league", "on": "2027-02-07", "against": 2380},
        {"plan": "field", "on": "2027-02-07", "field": 2350, "rounds": 2},
    ]}  # fmt: skip
    reply = client.post(SEASON, json={**body, "steps": True})
    assert reply.status_code == 200
    assert reply.json() == over_http(asked(line))
    assert set(reply.json()["value"]) == {"kind", "system", "on", "best", "plans"}


def test_page_and_twin_take_the_same_query(client):
    """The address of a page with .json is its answer as JSON, names of opponents or not."""
    query = "system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"
    expected = client.get(f"{RATE}?on=2026-11-15&rating=1750&born=2010&game=1950:win&steps=1").json()
    for path in (f"/.json?{query}", f"/rate.json?{query}&who=Ada"):
        assert client.get(path).json() == expected
    assert (
        client.get("/rules.json?system=elo&on=2026-11-15").json()
        == client.get("/api/v1/elo/rules?on=2026-11-15&steps=1").json()
    )


REFUSED = [
    (f"{RATE}", 422, "rating"),
    (f"{RATE}?rating=1750", 422, "game"),
    (f"{RATE}?rating=-5&game=1950:win", 422, "rating"),
    (f"{RATE}?rating=NaN&game=1950:win", 422, "rating"),
    (f"{RATE}?rating=1750&rating=1760&game=1950:win", 422, "rating"),
    (f"{RATE}?rating=1750&game=1950:win&game=1800:0.7", 422, "game[1]"),
    (f"{RATE}?rating=1750&game=1950:win&k=0", 422, "k"),
    (f"{RATE}?rating=1750&game=1950:win&on=2000-01-01", 422, "on"),
    (f"{RATE}?rating=1750&game=1950:win&bron=2010", 422, "bron"),
    (f"{RATE}?rating=1750&event=&game=1950:win&event=&game=19:foo", 422, "event[1].game[0]"),
    (f"{RATE}?rating=1750&game=1950:win&reading=rounding%3Dnone", 422, "reading"),
    (f"{RATE}?rating=1750&game=1950:win&system=elo", 422, "system"),
    (f"{RATE}?rating=1750{'&game=1950:win' * 1001}", 422, "game"),
    (f"{SEASON}?rating=1780", 422, "against"),
    (f"{TWO}", 422, "event[1].against"),
    (f"{TWO}&against=1700&against=18x", 422, "event[1].against[1]"),
    (f"{TWO}&field=1850", 422, "event[1].rounds"),
    (f"{TWO}&against=1700&time=fast", 422, "event[1].time"),
    (f"{TWO}&against=1700&rating=1790", 422, "rating"),
    (f"{TWO}&against=1700&reach=1200", 422, "reach"),
    (f"{TWO}&against=1700{'&event=&on=2027-02-03&field=1800&rounds=100' * 10}", 422, "event"),
    (f"{SEASON}?rating=1780&k=20&plan=A&event=A&against=1800", 422, "plan"),
    (f"{SEASON}?rating=1780&k=20{''.join(f'&event=&against=1800&plan={no}' for no in range(11))}", 422, "plan"),
    ("/api/v1/elo/first?game=1902:1", 422, "system"),
    ("/api/v1/fide-standart/rate?rating=1750&game=1950:win", 404, "system"),
    ("/api/v1/fide-standard/rat", 404, "question"),
    ("/api/v1/nothing", 404, "path"),
    ("/nothing", 404, "path"),
    ("/chart/rate/change.svg?theme=pink", 422, "theme"),
    ("/chart/rate/nothing.svg?rating=1750&game=1950:win", 404, "chart"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "status", "at"), REFUSED)
def test_refusals_have_one_shape_and_name_the_field(client, path, status, at):
    """A wrong input is 422 at its field, an unknown name 404, and the sentence says what to do."""
    reply = client.get(path)
    body = reply.json()
    assert (reply.status_code, body["ok"], body["at"]) == (status, False, at)
    assert set(body) == {"ok", "code", "error", "at", "pointer", "type", "title", "status", "detail"}
    assert body["error"].endswith((".", "?"))


def test_a_question_that_is_asked_otherwise_says_how(client):
    """A file is sent, so GET is the wrong method; a question without a system has an address of its own."""
    reply = client.get("/api/v1/fide-standard/event")
    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")
    assert reply.json()["error"] == "GET is not possible here; use POST."
    reply = client.post("/api/v1/fide-standard/paste", json={"text": "1950 win"})
    assert (reply.status_code, reply.json()["at"]) == (404, "question")
    assert reply.json()["error"] == "This question is asked without a system, at /api/v1/paste."


BODIES = [
    (b"", 422, "body"), (b"[]", 422, "body"), (b"{", 422, "body"), (b"\xff\xfe", 422, "body"), (b"NaN", 422, "body"),
    (b'{"rating": true, "game": ["1950:win"]}', 422, "rating"),
    (b'{"rating": {"a": 1}}', 422, "rating"),
    (b'{"rating": [1750], "game": []}', 422, "rating"),
    (b'{"rating": 1750, "game": [["1950:win"]]}', 422, "game[0]"),
    (b'{"rating": 1750, "event": ["1950:win"]}', 422, "event[0]"),
    (b'{"rating": 1750, "event": [{"gane": ["1950:win"]}]}', 422, "event[0].gane"),
    (b'{"rating": "' + b"9" * 5000 + b'"}', 422, "rating"),
    (b'{"rating": 1' + b"0" * 5000 + b"}", 422, "body"),
    (b'{"rating": "\\ud800", "game": ["1950:win"]}', 422, None),
    (b" " * 300_000, 413, "body"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status", "at"), BODIES)
def test_a_wrong_body_is_never_a_fault(client, body, status, at):
    """Whatever is sent as a body is answered or refused in the one shape."""
    reply = client.post(RATE, content=body, headers={"content-type": "application/json"})
    assert reply.status_code == status
    assert json.loads(reply.content)["ok"] is False
    assert at is None or reply.json()["at"] == at


def test_games_are_not_the_number_of_games(client):
    """Whoever sends the games as `games` is told the name that is meant."""
    reply = client.post(RATE, json={"rating": 1750, "games": ["1950:win"]})
    assert (reply.status_code, reply.json()["at"]) == (422, "games")
    said = "`games` takes one value (rated games played before these); the list belongs in `game`."
    assert reply.json()["error"] == said


def test_a_body_in_pieces_is_limited_too(client):
    """A sender who does not announce the length is stopped at the same size."""
    assert client.post(RATE, content=(b" " * 1000 for _ in range(300))).status_code == 413


def test_other_methods_are_refused(client):
    """DELETE is 405 with the one shape and says what is allowed, in the same order each time."""
    reply = client.delete(RATE)
    assert reply.status_code == 405
    assert reply.json()["ok"] is False
    assert reply.headers["allow"] == "GET, HEAD, POST"
    assert client.get("/api/v1/norms").json()["error"] == "GET is not possible here; use POST."
    assert client.post("/health").json()["error"].startswith("POST is not possible here; use ")


@pytest.mark.parametrize("value", [True, {"opponent": 1950}, [1750, 1800]])
def test_a_value_of_another_kind_is_refused_without_words_of_python(client, value):
    """Whoever sends JSON from another language is not told of a dict or a bool."""
    reply = client.post(RATE, json={"rating": value, "game": ["1950:win"]}).json()
    assert (reply["error"], reply["at"]) == ("Give a single text or number here.", "rating")


def test_every_reply_has_the_strict_headers(client):
    """Own origin only, no inline script or style, no sniffing, no framing: on pages, answers, files and errors."""
    for path in ("/", "/rate.part", f"{RATE}", "/static/arpad.css", "/nothing", "/health", "/script/vega.js"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_nothing_that_was_typed_comes_back_as_markup(client):
    """A script typed into any field is shown as text, in the page, the part and the charts."""
    evil = "%3Cscript%3Ealert(1)%3C/script%3E"
    for name in ("rating", "game", "who", "paste", "row", "result", "event", "on", "system", "list", "after", evil):
        for path in ("/", "/rate.part", "/period", "/need", "/first", "/rules", "/rate.charts"):
            reply = client.get(f"{path}?rating=1750&game=1950:win&{name}={evil}")
            assert "<script>alert" not in reply.text
            assert reply.status_code < 500


def test_no_template_has_an_inline_script_or_style():
    """The policy would block them; nothing in our own pages needs it to."""
    from arpad.web.pages import HERE

    for file in (HERE / "templates").glob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert " style=" not in text, file.name
        assert " on" + "click" not in text, file.name
        assert "<script>" not in text, file.name


def test_health_and_version(client):
    """What runs, and that it runs."""
    import arpad

    assert client.get("/health").json() == {"ok": True}
    assert client.get("/version").json()["value"]["version"] == arpad.__version__


def test_examples_of_the_api_page_work(client):
    """Every address on the API page is answered."""
    for link in re.findall(r'href="(/api/v1[^"]+)"', client.get("/api").text):
        assert client.get(link.replace("&amp;", "&")).status_code == 200, link


def test_serve_once_ends_by_itself():
    """Where nobody looks, as in `make run` without a terminal, one request proves the page and the server stops."""
    import subprocess
    import sys

    command = [sys.executable, "-m", "arpad", "serve", "--port", "0", "--once"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "with status 200" in done.stdout


def test_ctrl_c_stops_the_server_without_a_traceback():
    """An interrupt, which a terminal sends to every process of the command, ends it with one word and status 0."""
    import os
    import signal
    import subprocess
    import sys
    from urllib.request import urlopen

    command = [sys.executable, "-m", "arpad", "serve", "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, **pipes) as serving:
        address = next(word for word in serving.stdout.readline().split() if word.startswith("http"))
        with urlopen(f"{address}health", timeout=WAIT) as reply:  # noqa: S310  # the address it printed
            assert reply.status == 200
        os.killpg(serving.pid, signal.SIGINT)
        said, complained = serving.communicate(timeout=WAIT)
    assert (serving.returncode, said.strip()) == (0, "Stopped.")
    assert "Traceback" not in complained


def test_yes_and_no_are_read_strictly(client):
    """A switch takes the words that the document lists, in a query and in JSON; an empty text is as good as none."""
    rules = "/api/v1/elo/rules"
    of_the_day, unchecked = (client.get(f"{rules}?on=2030-01-01&stale={word}").json() for word in ("false", "true"))
    assert (list(of_the_day["value"])[-1], list(unchecked["value"])[-1]) == ("rules", "rulebooks")
    for value, same in (("yes", unchecked), ("1", unchecked), ("FALSE", of_the_day), ("", of_the_day)):
        assert client.get(f"{rules}?on=2030-01-01&stale={value}").json() == same
        assert client.post(rules, json={"on": "2030-01-01", "stale": value}).json() == same
    for value, same in ((True, unchecked), (1, unchecked), (False, of_the_day), (None, of_the_day)):
        assert client.post(rules, json={"on": "2030-01-01", "stale": value}).json() == same
    for value in ("maybe", "2", "null", "t", "%20", "%0B"):
        assert client.get(f"{rules}?stale={value}").json()["at"] == "stale"
    assert client.get(f"{rules}?steps=%0B").json()["at"] == "steps"
    for value in ("maybe", 2, 1.0, {}, ["yes"], "\v", " "):
        refused = client.post(rules, json={"stale": value})
        assert (refused.status_code, refused.json()["at"]) == (422, "stale")
