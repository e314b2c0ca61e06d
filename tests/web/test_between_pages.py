"""What was typed goes along from page to page."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from starlette.testclient import TestClient

from arpad.web.app import create_app

TYPED = "from=rate&system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win&who=Ada&game=1800:draw"
PLAYER = [("system", "fide-standard"), ("on", "2026-11-15"), ("rating", "1750"), ("born", "2010")]


@pytest.mark.parametrize(("path", "games"), [
    ("/expect", [("opponent", "1950")]),
    ("/need", [("against", "1950"), ("against", "1800")]),
    ("/outlook", [("game", "1950:win"), ("who", "Ada"), ("game", "1800:draw")]),
    ("/season", [("game", "1950"), ("game", "1800")]),
    ("/period", [("event", ""), ("game", "1950:win"), ("who", "Ada"), ("game", "1800:draw")]),
])  # fmt: skip
def test_the_player_and_the_games_go_along(path, games):
    """Another page has the same player, and the games as it takes them."""
    reply = TestClient(create_app()).get(f"{path}?{TYPED}", follow_redirects=False)
    assert reply.status_code == 303
    there = urlsplit(reply.headers["location"])
    assert (there.path, parse_qsl(there.query, keep_blank_values=True)) == (path, [*PLAYER, *games])


def test_a_page_without_a_player_takes_the_games():
    """A first rating has no rating before it."""
    reply = TestClient(create_app()).get(f"/first?{TYPED}", follow_redirects=False)
    assert "rating=" not in reply.headers["location"]
    assert "&game=1950:win" in reply.headers["location"]


def test_opponents_without_a_result_are_not_rated():
    """What somebody needs has no results yet: the calculator takes none of it, the outlook takes it as to come."""
    client = TestClient(create_app())
    typed = "from=need&rating=1780&reach=1800&against=1700&against=1750"
    assert "1700" not in client.get(f"/?{typed}", follow_redirects=False).headers["location"]
    there = client.get(f"/outlook?{typed}", follow_redirects=False).headers["location"]
    assert parse_qsl(urlsplit(there).query) == [
        ("rating", "1780"), ("reach", "1800"), ("game", "1700:?"), ("game", "1750:?"),
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["/expect", "/need", "/outlook", "/season", "/period", "/first", "/compare", "/"])
def test_every_page_answers_what_was_brought(path):
    """Nothing that goes along is refused where it arrives."""
    reply = TestClient(create_app()).get(f"{path}?{TYPED}")
    assert reply.status_code == 200
    assert 'class="refused"' not in reply.text
    assert 'aria-current="page"' in reply.text


def test_events_go_along_where_there_are_any():
    """In a season an event keeps its name and day, and its games are to come; elsewhere they are games alone."""
    client = TestClient(create_app())
    typed = "from=period&rating=2395&event=Open&on=2026-10-03&rating=2400&game=2103:1&event=League&game=2310:draw"
    season = client.get(f"/season?{typed}", follow_redirects=False).headers["location"]
    assert parse_qsl(urlsplit(season).query) == [
        ("rating", "2395"), ("event", "Open"), ("on", "2026-10-03"), ("game", "2103"), ("event", "League"),
        ("game", "2310"),
    ]  # fmt: skip
    first = client.get(f"/first?{typed}", follow_redirects=False).headers["location"]
    assert parse_qsl(urlsplit(first).query) == [("game", "2103:1"), ("game", "2310:draw")]
