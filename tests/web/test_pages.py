"""Every page under every system: an answer or a clear sentence, and never a fault."""

import html
import re
from urllib.parse import unquote, urlencode

import pytest

from arpad.questions import HOMES, spec_of
from arpad.systems import system_names
from arpad.web.forms import event_fields
from arpad.web.site import PAGES

QUERIES = {
    "/": "rating=1750&game=1950:win&game=unrated:draw&game=1700:loss",
    "/expect": "rating=1500&opponent=1700",
    "/need": "rating=1780&reach=1800&against=1700&against=1900",
    "/outlook": "rating=1780&game=1700:win&game=1800:%3F&game=1900:%3F&reach=1790",
    "/season": "rating=1780&reach=1790&event=A&on=2026-12-03&game=1700&event=B&on=2027-01-03&game=1900",
    "/first": "game=1902:1&game=1877:1&game=1884:0.5&game=2012:0&game=1832:0.5",
    "/period": "rating=1750&event=A&on=2026-10-03&game=1800:1&event=B&rating=1760&game=1700:0",
    "/rules": "",
}


@pytest.mark.parametrize("system", system_names())
def test_every_page_under_a_system(client, system):
    """Whatever a system can or cannot do, each page and its twin say it."""
    for path, asked in QUERIES.items():
        query = f"system={system}&on=2026-11-15&{asked}"
        page = client.get(f"{path}?{query}", follow_redirects=False)
        assert page.status_code in (200, 422), path
        assert "</html>" in page.text, path
        name = path.strip("/") or "rate"
        twin = client.get(f"/{name}.json?{query}")
        assert twin.status_code == page.status_code, path
        assert twin.json()["ok"] is (page.status_code == 200), path
        assert client.get(f"/{name}.charts?{query}").status_code == 200, path


LINKS = {
    "rate": "rating=1750&game=1950:win",
    "period": "rating=1750&event=A&on=2026-10-03&game=1800:1",
    "diary": "rating=1750&event=A&on=2026-10-03&game=1800:1",
    "expect": "rating=1500&opponent=1700",
    "need": "rating=1780&reach=1800&against=1700&against=1900",
    "outlook": "rating=1780&game=1700:win&game=1800:%3F",
    "season": "rating=1780&event=A&on=2026-12-03&game=1700",
    "first": "game=1902:1&game=1877:1&game=1884:0.5&game=2012:0&game=1832:0.5",
    "performance": "game=1902:1&game=1877:0",
    "compare": "rating=1750&game=1950:win&systems=fide-standard,elo",
    "rules": "system=fide-standard",
}


@pytest.mark.parametrize("question", LINKS)
def test_a_page_and_its_twin_take_the_same_query(client, question):
    """Every field of every question, and a name that is none: both answer it, or both refuse it at the same place."""
    names = {name: one for each in HOMES for name, one in spec_of(each).fields.items()}
    page = PAGES[question]
    for name in ("nonsense", *names, *spec_of(question).fields):
        given = spec_of(question).fields.get(name, names.get(name))
        value = "x" if given is None or (given.flag is False and not given.example) else given.example or "yes"
        query = f"{LINKS[question]}&{urlencode({name: value})}"
        if name == "event" or f"&{name}=" in f"&{LINKS[question]}":
            continue
        shown, twin = client.get(f"{page.path}?{query}"), client.get(f"/{question}.json?{query}")
        said = html.unescape(shown.text)
        if twin.json()["ok"]:
            assert (shown.status_code, 'class="refused"' in said) == (200, False), query
        else:  # a form that is half filled in says what is missing without refusing it
            assert spoken(twin.json()["error"]) in spoken(re.sub(r"<.*?>", "", said)), query
            assert shown.status_code == 422 or 'id="working"' not in said, query


def spoken(text):
    """What is said, without the fields, which each door calls by its own name."""
    return re.sub(r"`[^`]*`|“[^”]*”", "", " ".join(text.split()))


def test_forms_and_links_ask_the_same(client):
    """What a form sends is answered under the address that a link has: no rows, no pasted list, no empty fields."""
    sent = "rating=1750&k=&row=1950&result=win&who=Ada&row=&result=win&who=&paste=1800+%C2%BD&on=2026-11-15&system=elo"
    reply = client.get(f"/?{sent}", follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"] == ("/?rating=1750&game=1950:win&who=Ada&game=1800:draw&on=2026-11-15&system=elo")
    again = client.get(reply.headers["location"], follow_redirects=False)
    assert again.status_code == 200
    assert "Ada" in again.text


def test_a_season_s_form_is_its_address(client):
    """Opponents in one line become games, empty fields and events go, and what belongs to an event stays with it."""
    sent = "rating=1750&on=2026-11-15&system=elo&event=A&on=2026-12-03&plan=&schedule=1700+1800%40b&field=&rounds="
    sent += "&event=&on=&plan=&schedule=&event=B&on=2027-01-03&plan=x&schedule=&field=1800&rounds=3&strength=&k=20"
    reply = client.get(f"/season?{sent}", follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"] == (
        "/season?rating=1750&on=2026-11-15&system=elo&event=A&on=2026-12-03&game=1700&game=1800%40b"
        "&event=B&on=2027-01-03&plan=x&field=1800&rounds=3&k=20"
    )
    page = client.get(reply.headers["location"], follow_redirects=False).text
    assert 'id="schedule-1" name="schedule" type="text" value="1700 1800@b"' in page
    assert 'id="rounds-2" name="rounds" type="text" value="3"' in page


@pytest.mark.parametrize(
    ("inner", "field"),
    [
        ("field=18x&rounds=5", "field-1"),
        ("game=18x", "schedule-1"),
        ("on=soon&game=1800", "on-1"),
        ("time=x&game=1800", "time-1"),
    ],
)
def test_what_is_refused_in_an_event_is_marked_there(client, inner, field):
    """Without the script too, the field of the event that was refused is the one that says so."""
    page = client.get(f"/season?system=elo&on=2026-11-15&rating=1750&k=20&event=A&{inner}", follow_redirects=False)
    assert page.status_code == 422
    marked = [part for part in page.text.split("<input")[1:] if 'aria-invalid="true"' in part.partition(">")[0]]
    assert [f'id="{field}"' in part for part in marked] == [True]


def test_nothing_asked_is_missing_in_the_form_of_a_season(client):
    """Events asked of the outlook's page are shown by the season's, and games that belong to no event as an event."""
    asked = "system=elo&on=2026-11-15&rating=1750&k=20&game=1700:win&time=90%2B30&event=B&on=2027-01-03&game=1900"
    reply = client.get(f"/outlook?{asked}", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"].partition("?")[0]) == (303, "/season")
    page = client.get(reply.headers["location"]).text
    for number, text in ((1, "1700:win"), (2, "1900")):
        assert f'id="schedule-{number}" name="schedule" type="text" value="{text}"' in page
    assert 'id="time-1" name="time" type="text" value="90+30"' in page
    same = client.get(f"/api/v1/elo/season?{asked.partition('&')[2]}").json()
    assert client.get(f"/season.json?{asked}").json() == same


def test_fields_take_what_people_type(client):
    """A result typed behind the opponent counts; one line takes commas, semicolons and results as words."""
    day = [("on", "2026-11-15")]
    asked = [
        ("/", [("row", "1950:1/2"), ("result", "win")], "game=1950:draw"),
        ("/", [("row", "1950 lost"), ("result", "win")], "game=1950:loss"),
        ("/need", [("reach", "1800"), ("list", "1700, 1750; 1800")], "against=1700&against=1750&against=1800"),
        ("/outlook", [("schedule", "1700 win, 1750")], "game=1700:win&game=1750"),
    ]
    for path, fields, query in asked:
        reply = client.get(path, params=[("rating", "1780"), *day, *fields], follow_redirects=False)
        assert reply.status_code == 303
        assert query in reply.headers["location"].replace("%2F", "/")


def test_a_link_without_a_day_gets_one(client):
    """An address names its day, so that it gives the same answer tomorrow."""
    part = client.get("/rate.part?rating=1750&game=1950:win").text
    assert 'data-address="/?system=fide-standard&amp;on=20' in part


def test_what_cannot_be_pasted_stays_in_the_form(client):
    """A line that could not be read is shown with its number and stays to be corrected; the good ones are rows."""
    page = client.get("/?rating=1750&k=20&on=2026-11-15&paste=1950+win%0Afoo", follow_redirects=False)
    assert page.status_code == 200
    assert "<b>line 2</b> <q>foo</q>: not understood as a game" in page.text
    assert ">\nfoo</textarea>" in page.text
    assert 'id="row-1" name="row" value="1950"' in page.text
    assert "+15.20" in page.text  # FIDE 8.1.2: 20 × (1 − 0.24)


BASE = "system=fide-standard&on=2026-11-15"


def test_need_shows_no_results(client):
    """Games to come have a difference and an expected score alone (FIDE 8.1.2: 0.61 and 0.54)."""
    page = client.get(f"/need.part?{BASE}&rating=1780&k=20&reach=1800&against=1700&against=1750").text
    games = page[page.index('class="lines games"') : page.index("</table>")]
    assert "0.61" in games
    assert "draw" not in games
    assert "out of reach" in page
    assert "even 2 of 2 gives 1797" in page


def test_byes_and_forfeits_are_called_so(client):
    """A bye is no loss, and a game won by forfeit is no win."""
    page = client.get(f"/rate.part?{BASE}&rating=1750&k=20&game=bye&game=1950:%2B&game=1950:-&game=1950:win").text
    assert [word in page for word in ("<td>bye</td>", "won by forfeit", "lost by forfeit", "<td>loss</td>")] == [
        True,
        True,
        True,
        False,
    ]


def test_compare_is_one_table(client):
    """Six systems of US Chess with one answer are one line; Chess.com is answered with an assumed deviation."""
    page = client.get("/compare.part?on=2026-11-15&rating=1750&born=2010&game=1950:win&game=1800:draw").text
    assert page.count("<table") == 2  # the systems, and the working
    assert "US Chess blitz, online blitz, online quick, online regular, quick, regular" in page
    assert page.index("FIDE standard") < page.index("Plain Elo")
    assert "assumed: deviation 60" in page
    assert "--" not in page


def test_compare_for_somebody_unrated(client):
    """Nobody is called None."""
    page = client.get("/compare.part?on=2026-11-15&rating=unrated&game=1950:win").text
    assert "Unrated, under" in page
    assert "None" not in page


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("rate?rating=1750&game=1950:win&game=99999:win", '<a class="where" href="#row-2">Game 2, opponent</a>'),
        ("rate?rating=1750&game=1950:maybe", '<a class="where" href="#result-1">Game 1, result</a>'),
        ("rate?rating=1750&game=1950:win&born=1", '<a class="where" href="#born">Year of birth</a>'),
        ("period?rating=10000&event=A&game=1950:win", '<a class="where" href="#rating">Published rating</a>'),
        (
            "outlook?rating=1750&game=1950:%3F&game=99999:%3F",
            '<a class="where" href="#row-2">Game 2, opponent</a>',
        ),
    ],
)
def test_a_refusal_names_its_field_as_the_page_does(client, path, says):
    """The place of what is refused is called what its field is called, and is a link to it."""
    question, _, query = path.partition("?")
    assert says in client.get(f"/{question}.part?{BASE}&{query}").text


def test_a_bad_line_of_an_event_stays_in_it(client):
    """The games of the other events are rated, and the line that could not be read is still there, with the reason."""
    query = f"{BASE}&rating=1750&k=20&event=A&paste=1950+1&event=B&paste=2010+1950+win%0A1800+tomorrow%0A1750+draw"
    page = client.get(f"/period?{query}", follow_redirects=False).text
    assert "more than one number could be the rating" in page
    assert "1750 draw\n2010 1950 win</textarea>" in page.replace("1800 ?\n", "")
    assert "+15.20" in page


@pytest.mark.parametrize("system", system_names())
def test_rules_have_names(client, system):
    """Every rule of every system is called something that people say."""
    from arpad.messages import section
    from arpad.systems import rulebook_of

    named = {rule.name for rule in rulebook_of(system)}
    assert {name for name in named if name not in section("en", "pages.rule") and "_" in name} == set()
    page = client.get(f"/rules?system={system}&on=2026-11-15").text
    assert not any(f">{name.replace('_', ' ')}<" in page for name in ("one_off", "pool_months", "too_far"))


def test_a_conversion_is_not_in_force(client):
    """What was done once, in March 2024, is past; on its own day it is in the table, and every article is a link."""
    later, then = (client.get(f"/rules?system=fide-standard&on={day}").text for day in ("2026-11-15", "2024-03-01"))
    assert "no longer in force" in later
    assert "no longer in force" not in then
    assert '<a href="https://handbook.fide.com/chapter/B022024" rel="external">FIDE 8.3.3</a>' in later


def test_an_address_where_there_is_nothing(client):
    """The page says so, and no tab is the current one."""
    page = client.get("/nonsense", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert "<h1>Nothing here</h1>" in page.text
    assert "aria-current" not in page.text


AT_14 = "/outlook?rating=1780&born=2012&on=2026-11-15&reach=1800&game=1700:%3F&game=1750:%3F"


@pytest.mark.parametrize(("more", "chosen", "strength"), [("", "no", "1807"), ("&by_rating=yes", "yes", "1780")])
def test_what_is_typical_for_the_age_is_a_switch(client, more, chosen, strength):
    """Outside what is folded away: on where the year of birth is given, and off for the rating as it is."""
    page = client.get(AT_14 + more).text
    before, _, switch = page.partition('role="radiogroup"')
    buttons = switch.partition("</div>")[0].split("<input")[1:]
    assert [f'value="{chosen}"' in button for button in buttons] == ["checked" in button for button in buttons]
    assert before.count("<details") == before.count("</details>")
    assert f">{strength}<" in page
    assert client.get(AT_14.replace("/outlook?", "/outlook.json?") + more).json()["value"]["strength"] == int(strength)


def test_a_page_shows_both_chances_where_the_strength_is_uncertain(client):
    """The plain chance and the widened one, with the assumption behind it."""
    page = client.get(AT_14.replace("1700:%3F", "1700:win") + "&inactive=yes").text
    answer = page.partition('id="answer"')[2].partition("<details")[0]
    assert answer.count("that the rating rises") == 1
    assert answer.count("if the strength is uncertain by ± ") == 3  # to reach, to gain, the middle half
    assert "after a year without a game" in page


PLANS = QUERIES["/season"].replace("&event=B", "&plan=y&event=B") + "&plan=x"


@pytest.mark.parametrize(("path", "query"), [
    *((path, QUERIES[path]) for path in ("/expect", "/need", "/outlook", "/season")), ("/season", PLANS),
])  # fmt: skip
def test_an_answer_with_chances_names_their_model(client, path, query):
    """In the answer alone, for the form has the word too: for one game, a score, an event, a season and plans."""
    answer = client.get(f"{path}.part?system=fide-standard&on=2026-11-15&{query}").text
    assert "calibrated" in answer


def test_an_event_is_filled_in_step_by_step(client):
    """A season's event with a name and a day, and no opponents yet, is waited for and not refused."""
    page = client.get("/season?system=fide-standard&on=2026-11-15&rating=1780&event=Open&on=2026-12-03")
    assert page.status_code == 200
    assert 'class="waiting"' in page.text
    assert 'class="refused"' not in page.text


# What a form says in grey, as people read it: the values and assumptions that count if a field is left empty.
ASSUMED = {" ", "an adult", "30 or more", "your rating", "calculated", "0", "all", "as published", "every plan"}


@pytest.mark.parametrize("path", [*(path for path in QUERIES if path != "/rules"), "/compare", "/tournament"])
def test_grey_text_is_what_would_be_used(client, path):
    """Grey text is never an example: something to type is a hint below its field."""
    shown = set(re.findall(r'placeholder="([^"]*)"', client.get(path).text))
    assert shown <= ASSUMED
    assert path == "/tournament" or shown


@pytest.mark.parametrize("system", ["lichess", "glicko", "glicko-2", "chesscom"])
def test_grey_deviations_are_those_assumed(client, system):
    """An online system's form shows the deviation that the answer assumes, for the player and for opponents."""
    page = client.get(f"/?system={system}&on=2026-11-15&rating=1500&game=1500:win").text
    used = client.get(f"/rate.json?system={system}&on=2026-11-15&rating=1500&game=1500:win").json()
    assumed = {"lichess": "60", "chesscom": "60", "glicko": "50", "glicko-2": "50"}[system]  # issue 15, point 4
    assert f"{used['value']['deviation']:g}" == assumed
    for field in ("deviation", "opponent_deviation"):
        (grey,) = re.findall(rf'<input id="{field}"[^>]*placeholder="([^"]*)"', page)
        assert grey == assumed


def test_a_column_for_the_deviation_of_each_opponent(client):
    """Under an online system a row has the opponent's deviation; it goes into the game, and back into its field."""
    rows = [
        ("1400", "30", "win", "Ada"),
        ("1550@b", "100", "loss", ""),
        ("1700", "300", "loss", ""),
        ("", "", "win", ""),
    ]
    sent = [("system", "glicko"), ("on", "2026-11-15"), ("rating", "1500"), ("deviation", "200")]
    sent += [pair for row in rows for pair in zip(("row", "rd", "result", "who"), row, strict=True)]
    address = unquote(client.get(f"/?{urlencode(sent)}", follow_redirects=False).headers["location"])
    assert "&game=1400/30:win&who=Ada&game=1550/100@b:loss&game=1700/300:loss" in address
    page = client.get(address).text
    assert re.findall(r'name="row" value="([^"]*)"', page) == ["1400", "1550@b", "1700", ""]
    assert re.findall(r'name="rd" value="([^"]*)"', page) == ["30", "100", "300", ""]
    assert ">1464" in page  # the example of Glickman's paper "The Glicko system"


def test_a_deviation_stays_visible_where_its_column_is_hidden(client):
    """Under a system without deviations it stands behind the rating, where it can be corrected."""
    page = client.get("/?system=fide-standard&on=2026-11-15&rating=1500&game=1400/30:win").text
    assert 'name="row" value="1400/30"' in page


OF_EVENT = {
    "period": "rating=1750&event=A&on=2026-10-03&ended=2026-10-11&time=90%2B30&qc_approved=yes&rating=1740&game=1800:1",
    "diary": "rating=1750&event=A&on=2026-10-03&ended=2026-10-11&time=90%2B30&qc_approved=yes&game=1800:win",
    "first": "event=A&on=2026-10-03&ended=2026-10-11&time=90%2B30&qc_approved=yes&game=1800:win",
    "season": "rating=1750&event=A&on=2026-12-03&time=90%2B30&qc_approved=yes&plan=x&field=1800&spread=50&rounds=3",
}


@pytest.mark.parametrize("question", OF_EVENT)
def test_an_event_keeps_what_is_known_of_it(client, question):
    """Whatever a link says of an event is answered, and its form has a field for it."""
    query = f"system=fide-standard&on=2026-11-15&{OF_EVENT[question]}"
    reply = client.get(f"/{question}?{query}", follow_redirects=False)
    assert reply.status_code == client.get(f"/{question}.json?{query}").status_code == 200
    events = query.partition("&event=")[2].split("&")[1:]
    for name, _, value in (part.partition("=") for part in events if not part.startswith("game")):
        field = re.search(rf'<(input|select) id="{name}-1" name="{name}".*?</(?:select|div)>', reply.text, re.DOTALL)
        chosen = f'value="{unquote(value)}"' + (" selected" if field[1] == "select" else "")
        assert chosen in field[0], name


@pytest.mark.parametrize("question", OF_EVENT)
def test_behind_the_events_no_field_is_taken_for_one_of_theirs(client, question):
    """A field that is sent after an event belongs to it, so a field of the same name for all games stands before."""
    page = client.get(f"/{question}").text
    begin = page.index('id="events"')
    for name in event_fields(question):
        assert page.find(f' id="{name}" name="{name}"') < begin, name
    assert {*event_fields(question)} - {"game", "against", "name"} <= {*re.findall(r' id="(\w+)-1" name="\1"', page)}
