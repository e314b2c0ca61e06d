"""Rating lists over HTTP: what the command says, and a clear refusal where there is no list or no such player."""

import html
import re
import subprocess
import sys
from datetime import date

import pytest

from arpad.lists import PACES, RatingList, import_list, list_note, recognise
from conftest import ROOT
from doors import asked


@pytest.fixture
def lists(tmp_path, monkeypatch):
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path))
    import_list(recognise(str(ROOT / "docs" / "examples" / "standard_nov26frl.txt")), data=str(tmp_path))


def test_search_and_player_say_what_the_command_says(client, lists):
    """One object for both doors, to the last digit."""
    del lists
    found = client.get("/api/v1/lists/find?q=weißmüller&steps=1").json()
    assert found == {**asked(["list", "find", "weißmüller", "--json"]), "people": []}
    shown = client.get("/api/v1/lists/players/9900029?steps=1").json()
    assert shown == {**asked(["list", "show", "9900029", "--json"]), "people": []}


def test_a_search_has_pages(client, lists):
    """With `next` as the cursor, page after page, everybody is found once and in the same order."""
    del lists
    query = "/api/v1/lists/find?federation=ITA"
    everybody = client.get(f"{query}&most=100").json()["value"]
    assert everybody["next"] is None
    seen, cursor = [], "0"
    while cursor is not None:
        page = client.get(f"{query}&most=1&cursor={cursor}").json()["value"]
        assert page["total"] == everybody["total"]
        seen += page["players"]
        cursor = page["next"]
    assert seen == everybody["players"]
    assert len(seen) == everybody["total"] == 2
    assert client.get(f"{query}&cursor=x").json()["code"] == "bad-cursor"


@pytest.mark.parametrize(
    ("path", "status", "at"),
    [
        ("find", 422, "q"), ("find?q=holm&born=x", 422, "born"), ("find?q=holm&name=x", 422, "name"),
        ("find?q=holm&list=club", 404, "list"), ("find?q=holm&on=2020-01-01", 404, "list"),
        ("players/1", 404, "id"), ("players/x", 404, "id"), ("players/9900029?on=x", 422, "on"),
    ],
)  # fmt: skip
def test_refusals_name_the_field(client, lists, path, status, at):
    """What is wrong has the status and the field."""
    del lists
    reply = client.get(f"/api/v1/lists/{path}")
    assert (reply.status_code, reply.json()["at"]) == (status, at)


def test_a_player_who_is_on_no_list_has_a_code(client, lists):
    """The same one for a name, an ID and a player who has left the list, here and where somebody is looked up."""
    del lists
    for path in ("lists/players/1", "lists/players/x", "fide-standard/rate?rating=@1&game=1950:win",
                 "fide-standard/rate?rating=Nobody&game=1950:win"):  # fmt: skip
        assert client.get(f"/api/v1/{path}").json()["code"] == "unknown-player", path


def test_without_a_list(client, tmp_path, monkeypatch):
    """No list imported: a 404 and a page that say how to import one, and no names are offered."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path))
    reply = client.get("/api/v1/lists/find?q=holm")
    assert reply.status_code == 404
    assert "arpad list import" in reply.json()["error"]
    page = client.get("/").text
    assert 'id="people"' not in page
    assert "data-names" not in page
    assert "arpad list fetch" in page
    assert "name or" not in page[page.index('id="inputs"') :]


@pytest.mark.parametrize(
    ("path", "fields", "offered"),
    [
        ("/", ["one", "row"], True), ("/?add=event", ["one", "row"], True),
        ("/?rating=1750&event=A&game=1700:win&game=1800:win&event=B&game=1900:win", ["one", *["row"] * 3], True),
        ("/ahead", ["one", "row"], True), ("/ahead?add=event", ["one", "row"], False),
        ("/ahead?rating=1750&game=1700:?&game=1800:?&reach=1800", ["one", "row", "row"], False),
        ("/ahead?rating=1750&against=1700&against=1800&reach=1800", ["one", "row", "row"], False),
        ("/first?game=1700:win&game=1800:win", ["row", "row"], False),
    ],
)  # fmt: skip
def test_the_page_offers_names(client, lists, path, fields, offered):
    """With a list names are completed in every field for a player; none is a keypad's, and the form says so."""
    del lists
    page = client.get(path).text
    assert re.findall(r'data-names="(\w+)"', page) == fields
    players = re.findall(r'<input[^>]* (?:id="rating"|name="row")[^>]*>', page)
    assert len(players) == len(fields)
    assert [one for one in players if "data-names" not in one or "inputmode" in one] == []
    assert page.count('placeholder="Rating, name or ID"') == fields.count("row")
    assert ('id="rating-help">or your name or FIDE ID</p>' in page) is offered


@pytest.mark.parametrize("own", ["@9900001", "Holm, Astrid", "Holm, Astrid @9900001"])
def test_players_of_the_list_are_rated_as_by_the_command(client, lists, own):
    """An ID or a name stands for the rating and K of the list; the reply has who it was and which list was used."""
    del lists
    query = {"rating": own, "game": ["@9900015:win", "1950:draw"], "on": "2026-11-15"}
    reply = client.get("/api/v1/fide-standard/rate", params=query).json()
    command = asked(["rate", own, "@9900015:win", "1950:draw", "--on", "2026-11-15", "--json"])
    for name in ("rating", "k", "change", "new_rating", "per_game"):
        assert reply["value"][name] == command["value"][name]
    assert [one["name"] for one in reply["people"]] == ["Holm, Astrid", "Kovarik, Tomasz"]
    assert any("rating list fide standard 2026-11" in note for note in reply["notes"])
    assert client.post("/api/v1/fide-standard/rate", json=query).json() == reply


def test_what_is_typed_counts_more_than_the_list(client, lists):
    """K of the list is 20; given by hand it is 40."""
    del lists
    query = "rating=@9900001&game=2101:win&on=2026-11-15"
    assert client.get(f"/api/v1/fide-standard/rate?{query}").json()["value"]["k"] == 20
    assert client.get(f"/api/v1/fide-standard/rate?{query}&k=40").json()["value"]["k"] == 40


@pytest.mark.parametrize("path", ["expect?opponent=@9900015", "need?reach=2120&against=@9900015",
                                  "outlook?game=@9900015:?&game=@9900015@w", "strength?game=@9900015:draw",
                                  "period?event=A&game=@9900015:win"])  # fmt: skip
def test_every_question_takes_players(client, lists, path):
    """Wherever a rating may stand, somebody of the list may."""
    del lists
    reply = client.get(f"/api/v1/fide-standard/{path.replace('?', '?rating=@9900001&on=2026-11-15&', 1)}")
    assert reply.status_code == 200, reply.json()
    assert {one["fide_id"] for one in reply.json()["people"]} == {9900001, 9900015}


@pytest.mark.parametrize(
    ("game", "says"),
    [("@1:win", "has the ID 1"), ("@x:win", "is not a player"), ("Nobody Atall:win", "Nobody on the list")],
)
def test_nobody_of_that_name_is_said_at_the_game(client, lists, game, says):
    """Somebody who is not on the list is refused at the place where they stand."""
    del lists
    reply = client.get("/api/v1/fide-standard/rate", params={"rating": "1750", "game": ["1950:win", game]})
    assert reply.status_code == 422
    assert reply.json()["at"] == "game[1]"
    assert says in reply.json()["error"]


def shown_row(page, id):
    """The opponent in a row of the form, and the name beside it."""
    found = re.search(
        f'<input class="in" id="{id}" name="row" value="([^"]*)"[^>]*>(?:<span class="nm">([^<]*)<)?', page
    )
    return html.unescape(found[1]), html.unescape(found[2] or "")


def test_the_page_shows_who_it_was(client, lists):
    """The table has the opponent's name, the notes the list, and the address keeps the ID."""
    del lists
    page = client.get("/?system=fide-standard&on=2026-11-15&rating=@9900001&game=@9900015:win&game=1950:win").text
    assert ">2436 Kovarik, Tomasz</th>" in page
    assert shown_row(page, "row-1") == ("@9900015", "Kovarik, Tomasz")
    assert "Ratings are those of the rating list fide standard 2026-11." in page
    assert 'data-address="/?system=fide-standard&amp;on=2026-11-15&amp;rating=%409900001' in page


@pytest.mark.parametrize(
    ("query", "says", "listed", "k"),
    [
        ("rating=Lindqvist&game=1950:win", "Lindqvist, Ada: 1750, K 40, born 2010.",
         {"rating": "1750", "born": "2010", "peak": "1750"}, "<b>K 40</b>, from the rating list"),
        ("rating=Lindqvist", "Lindqvist, Ada: 1750, K 40, born 2010.",
         {"rating": "1750", "born": "2010", "peak": "1750"}, ""),
        ("rating=Lindqvist&system=fide-rapid&game=1950:win",
         "Lindqvist, Ada: no rating of this kind, so standard 1750 is used, born 2010.",
         {"rating": "1750", "born": "2010", "standard": "1750"}, "<b>K 40</b>, born 2010"),
        ("rating=Lindqvist&system=dwz&game=1950:win", "Lindqvist, Ada: 1750, born 2010.",
         {"rating": "1750", "born": "2010"}, ""),
        ("rating=@9900043&game=1950:win", "Marchetti, Piero: unrated, born 2014.", {"born": "2014"}, ""),
    ],
)  # fmt: skip
def test_the_own_player_fills_the_form(client, lists, query, says, listed, k):
    """What the list has stands under the rating and in the empty fields, answer or none; K in FIDE's system."""
    del lists
    page = client.get(f"/?on=2026-11-15&{query}", follow_redirects=True).text
    below = re.search('id="rating-help">(.*?)</(?:p|div)>', page, re.DOTALL)[1]
    assert f"{says} Rating list fide standard 2026-11." in below
    assert dict(re.findall(r'<input[^>]* name="(\w+)"[^>]* placeholder="(\d+)"', page)) == listed
    words = re.search('<span id="words">.*', page)[0]
    assert k in words
    assert ("from the rating list" in words) is ("from the rating list" in k)


def test_an_id_counts_more_than_the_name_before_it(client, lists):
    """Somebody with another name is taken as the one who has the ID, and the page says so."""
    del lists
    page = client.get("/?system=fide-standard&on=2026-11-15&rating=Holm @9900015&game=1950:win").text
    assert "&#39;Holm @9900015&#39; was read as Kovarik, Tomasz (POL, 1989, @9900015)." in page
    games = "game=Kovarik, Tomasz @9900015:win&game=1950:win"
    page = client.get(f"/?system=fide-standard&on=2026-11-15&rating=1750&{games}").text
    assert ">2436 Kovarik, Tomasz</th>" in page
    assert "was read as" not in page


@pytest.mark.parametrize(
    ("rows", "games", "shown"),
    [
        (["1700:win", "Kovarik, Tomasz @9900015:draw", "1800"],
         "1700:win Kovarik%2C+Tomasz+%409900015:draw 1800:%3F",
         [("1700", ""), ("Kovarik, Tomasz @9900015", ""), ("1800", "")]),
        (["1750:draw", "Kovarik, Tomasz @9900015@b"], "1750:draw Kovarik%2C+Tomasz+%409900015%40b:%3F",
         [("1750", ""), ("Kovarik, Tomasz @9900015@b", "")]),
        (["1700", "Kovarik @9900015", "@9900029"], "1700:%3F Kovarik+%409900015:%3F %409900029:%3F",
         [("1700", ""), ("Kovarik @9900015", ""), ("@9900029", "Lindqvist, Ada")]),
        (["Lindqvist,", "@9900015@b"], "Lindqvist%2C:%3F %409900015%40b:%3F",
         [("Lindqvist,", ""), ("@9900015@b", "Kovarik, Tomasz")]),
        (["1700:draw", "Kovarik, Tomasz:win", "1800"], "1700:draw Kovarik%2C+Tomasz:win 1800:%3F",
         [("1700", ""), ("Kovarik, Tomasz", ""), ("1800", "")]),
        (["Kovarik, Tomasz", "Lindqvist, Ada"], "Kovarik%2C+Tomasz:%3F Lindqvist%2C+Ada:%3F",
         [("Kovarik, Tomasz", ""), ("Lindqvist, Ada", "")]),
        (["1700:win", "bye", "Kovarik, Tomasz@b"], "1700:win bye Kovarik%2C+Tomasz%40b:%3F",
         [("1700", ""), ("bye", ""), ("Kovarik, Tomasz@b", "")]),
    ],
)  # fmt: skip
def test_a_name_before_an_id_in_a_row(client, lists, rows, games, shown):
    """In a row a whole name is one opponent; before an ID it is for people. What belongs to other games stays."""
    del lists
    asked = {"on": "2026-11-15", "rating": "1750", "event": "A", "row": rows}
    page = client.get("/ahead", params=asked).text
    address = html.unescape(re.search('data-address="([^"]+)"', page)[1])
    assert re.findall("game=([^&]*)", address) == games.split()
    assert [shown_row(page, f"row-1-{number}") for number in range(1, len(rows) + 1)] == shown
    assert "Looked up: " in page
    assert "Kovarik, Tomasz 2436 (POL, 1989, @9900015)" in page


def test_every_opponent_has_the_name(client, lists):
    """The last opponent has the name too, where the others are ratings; what was looked up has the rating."""
    del lists
    asked = "system=fide-standard&on=2026-11-15&rating=2400&reach=2410&against=2300&against=@9900015"
    page = client.get(f"/need?{asked}").text
    assert shown_row(page, "row-1") == ("2300", "")
    assert shown_row(page, "row-2") == ("@9900015", "Kovarik, Tomasz")
    assert "Looked up: Kovarik, Tomasz 2436 (POL, 1989, @9900015)." in page


@pytest.mark.parametrize("events", ["event=A&game=2300:win&who=Ada&game=@9900015:win",
                                    "event=A&game=2300:win&who=Ada&event=B&game=@9900015:win"])  # fmt: skip
def test_opponents_of_events_have_their_names(client, lists, events):
    """In one event and in several the table has the names that were typed and those of the list."""
    del lists
    page = client.get(f"/period?system=fide-standard&on=2026-11-15&rating=2400&{events}").text
    assert ">2300 Ada</th>" in page
    assert ">2436 Kovarik, Tomasz</th>" in page
    assert shown_row(page, "row-1-1") == ("2300", "Ada")
    assert shown_row(page, "row-2-1" if "event=B" in events else "row-1-2") == ("@9900015", "Kovarik, Tomasz")


@pytest.mark.parametrize(("months", "missing"), [((11,), ""), ((11, 12), ""), ((12,), ""), ((10,), "2026-11")])
def test_a_later_list_is_not_said_to_be_missing(months, missing):
    """A season's games may be on a later list than its first day, whose list lacks only where none is as new."""
    used = [RatingList(1, "fide", date(2026, month, 1), PACES, "", "", 0, 0) for month in months]
    said = str(list_note(used, date(2026, 11, 15)))
    assert said.endswith(f" The list of {missing} has not been imported." if missing else f"-{months[-1]}.")


def test_players_without_a_list(client, tmp_path, monkeypatch):
    """Without a list an ID is refused with a sentence that says so."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path))
    reply = client.get("/api/v1/fide-standard/rate?rating=1750&game=@9900015:win").json()
    assert reply["at"] == "game[0]"
    assert "no rating list has been imported" in reply["error"]


@pytest.fixture
def importing(lists, tmp_path):
    """Another program, which has begun to import a list."""
    del lists
    opened = f"with writing({str(tmp_path)!r}):\n print('in', flush=True)\n sys.stdin.read()"
    code = f"import sys\nfrom arpad.lists.store import writing\n{opened}"
    line = [sys.executable, "-c", code]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "in\n"
        yield
        other.stdin.close()


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/lists/find?q=holm", "/api/v1/lists/players/9900029", "/rate.json?rating=1750&game=@9900001:win",
        "/api/v1/fide-standard/rate?rating=@9900029&game=1950:win", "/?rating=1750&game=@9900001:win",
    ],
)  # fmt: skip
def test_while_a_list_is_imported(client, importing, tmp_path, path):
    """503 is RFC 9110's status for what may be asked again soon; where the server keeps its lists is not said."""
    del importing
    reply = client.get(path)
    assert reply.status_code == 503
    assert "Another program" in reply.text
    assert str(tmp_path) not in reply.text
    if path != "/?rating=1750&game=@9900001:win":
        assert int(reply.headers["retry-after"]) > 0
        assert reply.json()["at"] is None


NAMED = "fide-standard/rate?rating=@9900029&game=1950:win"


@pytest.mark.parametrize("path", ["lists/find?q=holm", NAMED])
def test_a_damaged_file_is_for_the_log(client, lists, tmp_path, caplog, path):
    """Who asks hears that the lists cannot be read; which file that is, and why, stands in the server's log."""
    del lists
    (tmp_path / "lists.duckdb").write_bytes(b"no database" * 1000)
    reply = client.get(f"/api/v1/{path}")
    assert (reply.status_code, reply.json()["at"]) == (503, None)
    assert str(tmp_path) not in reply.text
    assert str(tmp_path) in caplog.text
