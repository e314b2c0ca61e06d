"""Rating lists over HTTP: what the command says, and a clear refusal where there is no list or no such player."""

import pytest

from arpad.lists.load import load
from arpad.lists.sources import recognised
from conftest import ROOT
from doors import asked


@pytest.fixture
def lists(tmp_path, monkeypatch):
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path))
    load(recognised(str(ROOT / "docs" / "examples" / "standard_nov26frl.txt")), data=str(tmp_path))


def test_search_and_player_say_what_the_command_says(client, lists):
    """One object for both doors, to the last digit."""
    del lists
    assert client.get("/api/v1/lists/find?q=weißmüller").json() == asked(["list", "find", "weißmüller", "--json"])
    assert client.get("/api/v1/lists/players/9900029").json() == asked(["list", "show", "9900029", "--json"])


@pytest.mark.parametrize(
    ("path", "status", "at"),
    [
        ("find", 422, "query"), ("find?q=holm&born=x", 422, "born"), ("find?q=holm&name=x", 422, "name"),
        ("find?q=holm&list=club", 404, "list"), ("find?q=holm&on=2020-01-01", 404, "list"),
        ("players/1", 404, "id"), ("players/x", 404, "id"), ("players/9900029?on=x", 422, "on"),
    ],
)  # fmt: skip
def test_refusals_name_the_field(client, lists, path, status, at):
    """What is wrong has the status and the field."""
    del lists
    reply = client.get(f"/api/v1/lists/{path}")
    assert (reply.status_code, reply.json()["at"]) == (status, at)


def test_without_a_list(client, tmp_path, monkeypatch):
    """No list imported: a 404 that says how to import one, and a page that offers no names."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path))
    reply = client.get("/api/v1/lists/find?q=holm")
    assert reply.status_code == 404
    assert "arpad list import" in reply.json()["error"]
    assert 'id="people"' not in client.get("/").text


def test_the_page_offers_names(client, lists):
    """With a list the fields for opponents are joined to it."""
    del lists
    assert 'list="people"' in client.get("/").text
