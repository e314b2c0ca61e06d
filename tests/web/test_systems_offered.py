"""What a page offers it can answer: the systems in groups, their fields and labels, and what each field is for."""

import re

import pytest

from arpad.systems import system_names
from arpad.web.site import PAGES, SYSTEM_GROUPS, UNANSWERED

GAMES = "&game=1700:win&game=1750:draw&game=1650:win&game=1800:loss&game=1720:draw"
ASKED = {
    "rate": f"rating=1700{GAMES}",
    "period": "rating=1700&event=A&on=2026-11-03&game=1700:win&event=B&on=2026-11-10&game=1720:draw",
    "diary": "rating=1700&event=A&on=2026-11-03&game=1700:win&event=B&on=2026-11-10&game=1720:draw",
    "expect": "rating=1700&opponent=1750",
    "need": "rating=1700&reach=1710&against=1700&against=1750",
    "outlook": "rating=1700&game=1700:win&game=1750:%3F",
    "season": "rating=1700&event=A&on=2026-11-20&game=1700&event=B&on=2027-01-10&game=1720",
    "first": GAMES[1:],
}


def offered(page):
    """The systems that a page's form offers, by group."""
    choice = re.search(r'<select id="system".*?</select>', page, re.DOTALL)[0]
    groups = re.findall(r'<optgroup label="(.*?)">(.*?)</optgroup>', choice, re.DOTALL)
    return {group: re.findall(r'value="(.*?)"', options) for group, options in groups}


def test_every_system_is_in_one_group():
    """Whoever adds a system says where people look for it."""
    assert sorted(name for names in SYSTEM_GROUPS.values() for name in names) == sorted(system_names())


@pytest.mark.parametrize("question", ASKED)
def test_what_is_offered_is_answered_and_what_is_not_is_not(client, question):
    """Every system in the form has an answer to a plain question; every one left out would refuse it."""
    path = PAGES[question].path
    groups = offered(client.get(path).text)
    names = [name for group in groups.values() for name in group]
    assert not {*names} & {*UNANSWERED.get(question, ())}
    for name in system_names():
        reply = client.get(f"{path}?system={name}&on=2026-11-15&{ASKED[question]}")
        assert (reply.status_code == 200) == (name in names), name
        assert ('class="refused"' in reply.text) == (name not in names), name


def test_before_the_game_has_changes_and_chances_for_every_system(client):
    """Win, draw and loss have a change and a chance, for Lichess, Glicko, Glicko-2 and Chess.com too."""
    for name in system_names():
        page = client.get(f"/expect?system={name}&on=2026-11-15&rating=1700&opponent=1750").text
        table = re.search(r'<table class="lines results">.*?</table>', page, re.DOTALL)[0]
        assert len(re.findall(r"[+−]\d+", table)) == 3, name
        assert len(re.findall(r"\d+ %", table)) == 3, name


def test_colour_does_not_matter_to_fide(client):
    """The page says so for FIDE, and not for Lichess, where White has an advantage."""
    says = "does not depend on the colour"
    assert says in client.get("/expect?system=fide-rapid&on=2026-11-15&rating=2000&opponent=2300").text
    assert says not in client.get("/expect?system=lichess&on=2026-11-15&rating=2000&opponent=2300").text


def test_the_speed_of_lichess_is_a_setting(client):
    """A rapid game moves a rating a little further than blitz: 1.015 and 1.005 (lila's RatingRegulator.scala)."""
    asked = "/rate.json?system=lichess&on=2026-11-15&rating=1500&game=1700:win"
    blitz, rapid = (float(client.get(f"{asked}{speed}").json()["value"]["change"]) for speed in ("", "&speed=rapid"))
    assert rapid / blitz == pytest.approx(1.015 / 1.005, rel=1e-6)
    assert client.get("/?system=elo&on=2026-11-15&rating=1500&game=1700:win&set=speed%3Drapid").status_code == 200


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ("game=1700:win", "A perfect score from 1 game"),
        ("game=1700:win&game=1800:draw", "one different result"),
        (GAMES[1:], None),
    ],
)
def test_a_performance_says_what_it_is_worth(client, games, says):
    """A performance of 2500 after one win is a convention of the table (FIDE 8.1.1: 800), and the page says so."""
    page = client.get(f"/performance?on=2026-11-15&{games}").text
    words = re.search(r'<p class="in-words">(.*?)</p>', page, re.DOTALL)
    assert (words is None) == (says is None)
    assert says is None or says in words[1]


def test_the_average_opponent_is_shown(client):
    """(1700 + 1801) / 2 = 1750.5, and half a point is rounded up."""
    page = client.get("/?system=fide-standard&on=2026-11-15&rating=1500&game=1700:win&game=1801:draw").text
    assert re.search(r"average opponent</dt><dd><b>1751</b>", page)
