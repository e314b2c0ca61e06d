"""What was typed goes along from door to door."""

from urllib.parse import parse_qsl, urlsplit

import pytest

TYPED = "from=rate&system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win&who=Ada&game=1800:draw"
PLAYER = [("system", "fide-standard"), ("on", "2026-11-15"), ("rating", "1750"), ("born", "2010")]


def arrives(client, address):
    """The fields of the address that a link of the navigation leads to."""
    reply = client.get(address, follow_redirects=False)
    assert reply.status_code == 303
    there = urlsplit(reply.headers["location"])
    assert there.path == address.partition("?")[0]
    return parse_qsl(there.query, keep_blank_values=True)


@pytest.mark.parametrize(("typed", "games"), [
    (TYPED, [("game", "1950:?"), ("who", "Ada"), ("game", "1800:?")]),  # the same opponents again
    (f"{TYPED}&open=1900:%3F", [("game", "1950:win"), ("who", "Ada"), ("game", "1800:draw"), ("game", "1900:?")]),
    (TYPED.partition("&who")[0], [("game", "1950:?")]),
])  # fmt: skip
def test_games_to_come_go_ahead(client, typed, games):
    """A game without a result is to come, and the others keep theirs; if none is, the opponents are met again."""
    assert arrives(client, f"/ahead?{typed}") == [*PLAYER, *games]


def test_a_game_that_was_ahead_waits_for_its_result(client):
    """After the game: the opponent is in a row, and is not rated before somebody says how it ended."""
    asked = "from=expect&system=fide-standard&on=2026-11-15&rating=1750&opponent=1950"
    assert arrives(client, f"/?{asked}") == [*PLAYER[:3], ("open", "1950:?")]
    typed = "from=need&rating=1780&reach=1800&against=1700&against=1750"
    assert arrives(client, f"/?{typed}") == [("rating", "1780"), ("open", "1700:?"), ("open", "1750:?")]
    page = client.get(f"/?{asked}").text
    assert 'name="row" value="1950"' in page
    assert 'data-question="rate"' in page


def test_a_door_without_a_player_takes_the_games(client):
    """A first rating has no rating before it."""
    there = arrives(client, f"/first?{TYPED}")
    assert "rating" not in dict(there)
    assert ("game", "1950:win") in there


def test_a_refusal_leads_to_the_other_door_with_the_games(client):
    """Who is unrated is told to ask for a first rating, and has not to type the games again."""
    page = client.get("/?system=fide-standard&on=2026-11-15&rating=unrated&game=1950:win").text
    assert '<a href="/first?system=fide-standard&amp;on=2026-11-15&amp;game=1950:win">' in page


@pytest.mark.parametrize("path", ["/ahead", "/first", "/"])
def test_every_door_answers_what_was_brought(client, path):
    """Nothing that goes along is refused where it arrives."""
    reply = client.get(f"{path}?{TYPED}")
    assert reply.status_code == 200
    assert "data-refused" not in reply.text
    assert reply.text.count('aria-current="page"') == 2  # among the doors, and in the menu of a phone


def test_events_go_along_with_their_games(client):
    """An event keeps its name and day, and its games are to come."""
    typed = "from=period&rating=2395&event=Open&on=2026-10-03&game=2103:1&event=League&game=2310:draw"
    assert arrives(client, f"/ahead?{typed}") == [
        ("rating", "2395"), ("event", "Open"), ("on", "2026-10-03"), ("game", "2103:?"), ("event", "League"),
        ("game", "2310:?"),
    ]  # fmt: skip
    there = arrives(client, f"/first?{typed}")
    assert there == [
        ("event", "Open"), ("on", "2026-10-03"), ("game", "2103:1"), ("event", "League"), ("game", "2310:draw"),
    ]  # fmt: skip


def test_the_links_to_the_other_doors_carry_what_was_typed(client):
    """And those of the tournament and of Learn carry nothing."""
    page = client.get(f"/?{TYPED.partition('&')[2]}").text
    assert 'href="/ahead?from=rate&amp;system=fide-standard' in page
    assert 'href="/tournament"' in page
    assert 'href="/learn"' in page
