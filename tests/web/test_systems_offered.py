"""What a page offers it can answer: the systems in groups, their fields and labels, and what each field is for."""

import html
import re

import pytest

from arpad.questions import given_fields, spec_of
from arpad.questions.fields import OF_STANDING, PersonFields
from arpad.systems import SYSTEMS, family, system_names
from arpad.web.site import PAGES, STARTING

GAMES = "&game=1700:win&game=1750:draw&game=1650:win&game=1800:loss&game=1720:draw"
ASKED = {
    "rate": f"rating=1700{GAMES}",
    "period": "rating=1700&event=A&on=2026-11-03&game=1700:win&event=B&on=2026-11-10&game=1720:draw",
    "diary": "rating=1700&event=A&on=2026-11-03&game=1700:win&event=B&on=2026-12-10&game=1720:draw",
    "expect": "rating=1700&opponent=1750",
    "need": "rating=1700&reach=1710&against=1700&against=1750",
    "outlook": "rating=1700&game=1700:win&game=1750:%3F",
    "season": "rating=1700&event=A&on=2026-11-20&game=1700&event=B&on=2027-01-10&game=1720",
    "first": GAMES[1:],
}


def offered(page):
    """The systems that a page's form offers, by group."""
    choice = re.search(r'<select[^>]* id="system".*?</select>', page, re.DOTALL)[0]
    groups = re.findall(r'<optgroup label="(.*?)">(.*?)</optgroup>', choice, re.DOTALL)
    return {group: re.findall(r'value="(.*?)"', options) for group, options in groups}


@pytest.mark.parametrize("question", ASKED)
def test_what_is_offered_is_answered_and_what_is_not_is_not(client, question):
    """Every system in the form has an answer to a plain question; every one left out would refuse it."""
    path = PAGES[question].path
    groups = offered(client.get(f"{path}?on=2026-11-15&{ASKED[question]}").text)
    names = [name for group in groups.values() for name in group]
    starting = {name for name in SYSTEMS if question == "first" and family(name) in STARTING}
    assert {*names} == starting | {name for name, listing in SYSTEMS.items() if question not in listing.lacks}
    for name in starting:  # the first game changes the rating that the system starts from
        page = client.get(f"/first?system={name}&on=2026-11-15&{ASKED[question]}").text
        assert 'value="unrated"' in page
        assert "data-refused" not in page
    for name in {*system_names()} - starting:
        reply = client.get(f"/{question}.part?system={name}&on=2026-11-15&{ASKED[question]}")
        assert ("data-refused" in reply.text) == (name not in names), name


DECIDING = {  # values that would change an answer, of the player's fields that some systems alone use
    "k": ("15",), "born": ("2015", "1950"), "age": ("11", "76"), "games": ("3", "2000"),
    "peak": ("2700", "1500"), "standard": ("2300",),
    "deviation": ("222",), "volatility": ("0.09",), "dwz_index": ("3",), "idle": ("5",), "opponent_deviation": ("120",),
}  # fmt: skip
CALCULATIONS = ("rating=1500&game=1700:win", "rating=2405&game=2100:loss", "rating=unrated&game=1700:win")


def shown(page, name):
    """Whether a form has a field."""
    return re.search(rf' id="{name}"', page) is not None


@pytest.mark.parametrize("system", system_names())
def test_the_form_shows_what_the_system_uses(client, system):
    """A player's field is in the form exactly where the system uses it: what changes an answer, and nothing refused."""
    page = client.get(f"/?system={system}&on=2026-11-15&rating=1500").text
    assert {*DECIDING} == {one.name for one in spec_of("rate").fields.values() if one.systems and one.group == "player"}
    for name, values in DECIDING.items():
        replies, changed = [], False
        for given in CALCULATIONS:
            asked = f"/rate.json?system={system}&on=2026-11-15&{given}"
            before = client.get(asked).json()
            after = [client.get(f"{asked}&{name}={value}").json() for value in values]
            changed |= any(one["ok"] and before["ok"] and one["value"] != before["value"] for one in after)
            replies += [one for one in after if before["ok"]]
        refused = all(not one["ok"] and one["at"] == name for one in replies)
        assert shown(page, name) or not changed, name
        if name in ("born", "age"):  # which is never refused
            assert shown(page, name) == (system in spec_of("rate").fields[name].systems)
        else:
            assert shown(page, name) != refused, name


def test_the_small_calculator_shows_the_year_of_birth_where_it_decides(client):
    """The Irish K of a junior is 40, and the calculator for other sites can ask for the year."""
    icu, elo = (
        client.get(f"/embed?system={name}&on=2026-11-15&rating=1500&game=1700:win").text for name in ("icu", "elo")
    )
    assert shown(icu, "born")
    assert not shown(elo, "born")
    answer = client.get("/rate.json?system=icu&on=2026-11-15&rating=1500&game=1700:win&born=2015").json()["value"]
    assert answer["k"] == 40


def test_a_field_of_a_standing_says_which_systems_use_it():
    """Every field of a standing names its systems."""
    fields = given_fields(PersonFields)
    assert all(fields[name].systems for name in OF_STANDING)
    assert {name for one in fields.values() for name in one.systems} <= {*system_names()}


def test_before_the_game_has_changes_and_chances_for_every_system(client):
    """Win, draw and loss have a change and a chance, for Lichess, Glicko, Glicko-2 and Chess.com too."""
    for name in system_names():
        page = client.get(f"/ahead?system={name}&on=2026-11-15&rating=1700&opponent=1750").text
        hero = re.search(r'<div class="outs">.*?</ul>', page, re.DOTALL)[0]
        assert len(re.findall(r'class="n[^"]*">[+−]\d+', hero)) == 3, name
        assert len(re.findall(r"\d+ %", hero)) == 3, name


def test_colour_does_not_matter_to_fide(client):
    """The page says so for FIDE, and not for Lichess, where White has an advantage."""
    says = "does not depend on the colour"
    assert says in client.get("/ahead?system=fide-rapid&on=2026-11-15&rating=2000&opponent=2300").text
    assert says not in client.get("/ahead?system=lichess&on=2026-11-15&rating=2000&opponent=2300").text


def test_the_speed_of_lichess_is_a_setting(client):
    """A rapid game moves a rating a little further than blitz: 1.015 and 1.005 (lila's RatingRegulator.scala)."""
    asked = "/rate.json?system=lichess&on=2026-11-15&rating=1500&game=1700:win"
    blitz, rapid = (float(client.get(f"{asked}{speed}").json()["value"]["change"]) for speed in ("", "&speed=rapid"))
    assert rapid / blitz == pytest.approx(1.015 / 1.005, rel=1e-6)


HIDDEN = {  # what a form still sends after another system was chosen: the fields, and what the page calls them
    "system=elo&speed=rapid": "Not used by Plain Elo, so left out: “Speed”.",
    "system=fide-standard&deviation=50&opponent_deviation=60": "left out: “Deviation”, “Opponents' deviation”",
    "system=glicko-2&k=20&games=12": "Not used by Glicko-2, so left out: “K”, “",
    "system=uschess-regular&base=1500": "left out: “",
}


@pytest.mark.parametrize("sent", HIDDEN)
def test_what_a_form_has_from_another_system_is_left_out_and_said(client, sent):
    """A form sends its hidden fields too: they do not count, the answer says so, and a link does not have them."""
    names = [pair.partition("=")[0] for pair in sent.split("&")[1:]]
    query = f"on=2026-11-15&rating=1500&row=1700&result-1=win&who=&{sent}"
    for path in ("/", "/rate.part", "/embed"):
        reply = client.get(f"{path}?{query}", follow_redirects=False)
        assert reply.status_code == 200
        assert HIDDEN[sent] in html.unescape(reply.text), path
        address = re.search(r'data-address="([^"]*)"', reply.text)[1]
        assert not any(f"{name}=" in address for name in names)
    twin = client.get(f"/rate.json?{query}").json()
    assert all(f"`{name}`" in twin["notes"][0] for name in names)
    link = f"on=2026-11-15&rating=1500&game=1700:win&{sent.replace('speed=', 'set=speed%3D')}"
    refused = client.get(f"/?{link}"), client.get(f"/rate.json?{link}")
    assert [reply.status_code for reply in refused] == [422, 422]


def test_what_one_system_alone_uses_is_not_brought_in_silence(client):
    """The comparison has the fields of all systems; the calculator of one says which it leaves out."""
    brought = client.get("/?from=compare&on=2026-11-15&rating=1500&k=20&deviation=60&game=1700:win")
    assert brought.status_code == 200
    assert "Not used by FIDE standard, so left out: “Deviation”." in brought.text
    assert client.get("/?from=compare&on=2026-11-15&rating=1500&k=20&game=1700:win", follow_redirects=False).is_redirect


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ("game=1700:win", "the largest difference in the table is used"),
        ("game=1700:win&game=1800:draw", "one result moves it by a hundred points"),
        (GAMES[1:], None),
    ],
)
def test_a_performance_says_what_it_is_worth(client, games, says):
    """A performance of 2500 after one win is a convention of the table (FIDE 8.1.1: 800), and the page says so."""
    page = client.get(f"/performance?on=2026-11-15&{games}").text
    assert says is None or says in page
    assert (says is None) == ("a hundred points" not in page and "the largest difference" not in page)


@pytest.mark.parametrize("query", ["game=1700:win&k=20&deviation=50", "game=1700:win&from=nowhere"])
def test_what_no_system_uses_here_is_refused(client, query):
    """A performance has no player's fields, and a page that does not exist brings nothing along."""
    assert client.get(f"/performance.json?{query}").status_code == 422


def test_a_form_without_a_rating_sends_its_other_fields_for_nothing(client):
    """Without a rating of one's own the result is asked for: the year of birth waits, and is not refused."""
    page = client.get("/?row=1700&result-1=win&born=2010&on=2026-11-15&system=fide-standard")
    assert page.status_code == 200
    assert 'data-question="performance"' in page.text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1500 Lichess", "lichess"),
        ("1500 uscf", "uschess-regular"),
        ("1500 US Chess", "uschess-regular"),
        ("1500 US Chess blitz", "uschess-blitz"),
        ("1500 DWZ", "dwz"),
        ("1500 Chess.com", "chesscom"),
        ("1500 rapid", "fide-rapid"),
        ("1500 Lichess blitz", "lichess"),
        ("Chess.com rapid 1500", "chesscom"),
    ],
)
def test_a_system_behind_the_rating_is_chosen(client, typed, meant):
    """The link then has the system and the bare rating, as if it had been chosen."""
    sent = [("system", "fide-standard"), ("on", "2026-11-15"), ("rating", typed), ("row", "1500"), ("result-1", "win")]
    page = client.get("/", params=sent)
    assert (page.url.params["system"], page.url.params["rating"]) == (meant, "1500")
    assert re.search(rf'<option value="{meant}" selected>', page.text)


@pytest.mark.parametrize(("language", "typed"), [("en", "1500 lichess classical"), ("de", "1500 Lichess klassisch")])
def test_a_speed_behind_lichess_is_chosen_too(client, language, typed):
    """In the words of the page, as in its field."""
    sent = {"system": "fide-standard", "on": "2026-11-15", "rating": typed, "row": "1500", "result-1": "win"}
    page = client.get(f"/{language}/" if language != "en" else "/", params=sent)
    assert (page.url.params["system"], page.url.params["set"]) == ("lichess", "speed=classical")


@pytest.mark.parametrize("typed", ["1500 Elo", "1500 xyz", "Elo 1500", "1500 DWZ blitz", "1500 blitz blitz"])
def test_what_is_no_system_is_refused_as_typed(client, typed):
    """To many people an Elo is FIDE's rating, so it does not choose plain Elo; the rating is refused with its text."""
    page = client.get("/", params={"system": "fide-standard", "rating": typed, "game": "1700:win"})
    assert "data-refused" in page.text
    assert f'value="{typed}"' in page.text
