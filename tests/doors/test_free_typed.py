"""What people type freely, written for each door as one would write it there: the same answer, or the same refusal."""

import re
from urllib.parse import urlencode

import pytest

from doors import asked

DAY = "2026-11-15"
# For each input: the command's words, the question and query of the API, and the fields of the page's form.
TYPED = {
    "games with commas": (
        ["rate", "1750", "1950:win, 1800:draw", "--born", "2010"],
        ("rate", [("rating", "1750"), ("game", "1950:win, 1800:draw"), ("born", "2010")]),
        [("rating", "1750"), ("paste", "1950:win, 1800:draw"), ("born", "2010")],
    ),
    "a blank instead of a colon": (
        ["rate", "1750", "1950 win"],
        ("rate", [("rating", "1750"), ("game", "1950 win")]),
        [("rating", "1750"), ("paste", "1950 win")],
    ),
    "a half as a fraction": (
        ["rate", "1750", "1950:½"],
        ("rate", [("rating", "1750"), ("game", "1950:½")]),
        [("rating", "1750"), ("row", "1950"), ("result", "½")],
    ),
    "a half with a decimal comma": (
        ["rate", "1750", "1950:0,5"],
        ("rate", [("rating", "1750"), ("game", "1950:0,5")]),
        [("rating", "1750"), ("paste", "1950:0,5")],
    ),
    "blanks around a rating": (
        ["rate", " 1750 ", "1950:win"],
        ("rate", [("rating", " 1750 "), ("game", "1950:win")]),
        [("rating", " 1750 "), ("row", "1950"), ("result", "win")],
    ),
    "a day with dots": (
        ["expect", "1500", "1700", "--on", "15.11.2026"],
        ("expect", [("rating", "1500"), ("opponent", "1700"), ("on", "15.11.2026")]),
        [("rating", "1500"), ("opponent", "1700"), ("on", "15.11.2026")],
    ),
    "a K with a decimal comma": (
        ["rate", "1750", "1950:win", "--k", "12,5", "--system", "elo"],
        ("rate", [("rating", "1750"), ("game", "1950:win"), ("k", "12,5"), ("system", "elo")]),
        [("rating", "1750"), ("row", "1950"), ("result", "win"), ("k", "12,5"), ("system", "elo")],
    ),
    "a norm ahead": (
        ["outlook", "2460", "--norm", "gm", "--federation", "GER", "--against", "2550gm/FRA", "2480im/POL"],
        ("outlook", [("rating", "2460"), ("norm", "gm"), ("federation", "GER"), ("against", "2550gm/FRA"),
                     ("against", "2480im/POL")]),
        [("rating", "2460"), ("norm", "gm"), ("federation", "GER"), ("row", "2550gm/FRA"), ("row", "2480im/POL")],
    ),
    "a woman with a title ahead": (
        ["outlook", "2190", "--sex", "w", "--title", "wfm", "--against", "2200", "--reach", "2200"],
        ("outlook", [("rating", "2190"), ("sex", "w"), ("title", "wfm"), ("against", "2200"), ("reach", "2200")]),
        [("rating", "2190"), ("sex", "w"), ("title", "wfm"), ("row", "2200"), ("reach", "2200")],
    ),
    "no player": (
        ["rate", "", "1950:win"],
        ("rate", [("rating", ""), ("game", "1950:win")]),
        [("rating", ""), ("game", "1950:win")],
    ),
    "a rating out of bounds": (
        ["rate", "10000", "1950:win"],
        ("rate", [("rating", "10000"), ("game", "1950:win")]),
        [("rating", "10000"), ("row", "1950"), ("result", "win")],
    ),
    "a result that is none": (
        ["rate", "1750", "1950:0.7"],
        ("rate", [("rating", "1750"), ("game", "1950:0.7")]),
        [("rating", "1750"), ("game", "1950:0.7")],
    ),
    "a system that is none": (
        ["expect", "1500", "1700", "--system", "fide-standart"],
        ("expect", [("rating", "1500"), ("opponent", "1700"), ("system", "fide-standart")]),
        [("rating", "1500"), ("opponent", "1700"), ("system", "fide-standart")],
    ),
    "a field that the system does not use": (
        ["expect", "1500", "1700", "--deviation", "60"],
        ("expect", [("rating", "1500"), ("opponent", "1700"), ("deviation", "60")]),
        [("rating", "1500"), ("opponent", "1700"), ("deviation", "60")],
    ),
    "a title that is none": (
        ["outlook", "2190", "--title", "king", "--against", "2200"],
        ("outlook", [("rating", "2190"), ("title", "king"), ("against", "2200")]),
        [("rating", "2190"), ("title", "king"), ("row", "2200")],
    ),
    "an event rating that is unrated": (
        ["rate", "1750", "--event", "1950:win", "--rating", "unrated"],
        ("period", [("rating", "1750"), ("event", ""), ("rating", "unrated"), ("game", "1950:win")]),
        [("rating", "1750"), ("event", ""), ("rating", "unrated"), ("game", "1950:win")],
    ),
    "a name that no field has": (
        ["expect", "1500", "1700", "--colour", "white"],
        ("expect", [("rating", "1500"), ("opponent", "1700"), ("colour", "white")]),
        [("rating", "1500"), ("opponent", "1700"), ("colour", "white")],
    ),
}  # fmt: skip


def told(reply):
    """The figures of an answer, or the fields of a refusal's place, without the spelling of the door.

    A name that no field has is itself the place, and at the command the command is.
    """
    if reply["ok"]:
        return reply["value"]
    fields = re.findall(r"[a-z_]+", reply["at"].replace("-", "_").replace("__", ""))
    return "refused", [] if fields[0] in ("arpad", "colour") else fields


@pytest.mark.parametrize("name", TYPED)
def test_every_door_understands_the_same(name, client):
    """One input, three doors, one answer."""
    words, (question, query), form = TYPED[name]
    dated = "--on" in words
    typed = told(asked([*words, *([] if dated else ["--on", DAY]), "--json"]))
    day = [] if dated else [("on", DAY)]
    system = dict(query).get("system", "fide-standard")
    pairs = [*day, *((key, text) for key, text in query if key != "system")]
    by_query = told(client.get(f"/api/v1/{system}/{question}?{urlencode(pairs)}").json())
    by_form = told(client.get(f"/{question}.json?{urlencode([*day, *form])}").json())
    assert typed == by_query
    assert typed == by_form
