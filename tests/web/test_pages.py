"""Every page under every system: an answer or a clear sentence, and never a fault."""

import html
import re
from urllib.parse import unquote, urlencode

import pytest

from arpad.questions import HOMES, spec_of
from arpad.systems import SYSTEMS, family, system_names
from arpad.web.forms import event_fields
from arpad.web.site import MOVED, STARTING

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
        page = client.get(f"{path}?{query}")
        assert page.status_code in (200, 422), path
        assert "</html>" in page.text, path
        name = path.strip("/") or "rate"
        if name == "period" and "period" in SYSTEMS[system].lacks:
            continue  # at the door, several events are then a diary
        if name == "first" and family(system) in STARTING:
            assert 'value="unrated"' in page.text, path  # the first game changes the rating that the system starts from
            continue
        twin = client.get(f"/{name}.json?{query}")
        assert twin.status_code == page.status_code, path
        assert twin.json()["ok"] is (page.status_code == 200), path


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
}


@pytest.mark.parametrize("question", LINKS)
def test_a_page_and_its_twin_take_the_same_query(client, question):
    """Every field of every question, and a name that is none: both answer it, or both refuse it at the same place."""
    names = {name: one for each in HOMES for name, one in spec_of(each).fields.items()}
    for name in ("nonsense", *names, *spec_of(question).fields):
        given = spec_of(question).fields.get(name, names.get(name))
        value = "x" if given is None or (given.flag is False and not given.example) else given.example or "yes"
        query = f"{LINKS[question]}&{urlencode({name: value})}"
        if name == "event" or f"&{name}=" in f"&{LINKS[question]}":
            continue
        shown, twin = client.get(f"/{question}.part?{query}"), client.get(f"/{question}.json?{query}")
        said = html.unescape(shown.text)
        if twin.json()["ok"]:
            assert "data-refused" not in said, query
        else:  # a form that is half filled in says what is missing without refusing it
            assert spoken(twin.json()["error"]) in spoken(re.sub(r"<.*?>", "", said)), query
            assert "data-refused" in said or 'id="working"' not in said, query


def spoken(text):
    """What is said, without the fields and systems, which each door names its own way."""
    plain = " ".join(text.split()).replace("fide-standard", "FIDE standard")
    return re.sub(r"`[^`]*`|“[^”]*”|(?<=is for ).*?(?=; leave)", "", plain)


ASKED_BY = {  # what is typed, and the question that it asks
    "/?rating=1750&game=1950:win": "rate",
    "/?rating=1750&row=1950&result-1=win&row=1800": "rate",
    "/?game=1950:win&game=1800:draw": "performance",
    "/?rating=1750&event=A&on=2026-10-03&game=1800:1&event=B&on=2026-10-17&game=1700:0": "period",
    "/?rating=1750&event=A&on=2026-10-03&game=1800:1&event=B&on=2026-11-17&game=1700:0": "diary",
    "/?rating=1750&event=A&on=2026-10-03&rating=1740&game=1800:1&event=B&on=2026-11-17&game=1700:0": "period",
    "/?rating=1750&system=dwz&event=A&on=2026-10-03&game=1800:1&event=B&on=2026-10-17&game=1700:0": "diary",
    "/ahead?rating=1750&opponent=1950": "expect",
    "/ahead?rating=1750&row=1950": "expect",
    "/ahead?rating=1750&row=1950&row=1800": "outlook",
    "/ahead?rating=1750&row=1950&result-1=win": "outlook",
    "/ahead?rating=1750&row=1950&reach=1760": "outlook",
    "/ahead?rating=1780&reach=1800&against=1700&against=1900": "need",
    "/ahead?rating=1780&reach=1800&game=1700:win&against=1900": "outlook",
    "/ahead?rating=2350&norm=IM&against=2400&field=2410&rounds=8": "outlook",
    "/ahead?rating=2388&norm=IM&federation=GER&game=2400im/AUT:%3F&rounds=8&field=2400": "outlook",
    "/ahead?rating=1750&event=A&on=2026-12-03&game=1700&event=B&on=2027-01-03&game=1900": "season",
    "/first?game=1902:1&game=1877:1": "first",
}


@pytest.mark.parametrize("address", ASKED_BY)
def test_the_question_follows_from_what_is_typed(client, address):
    """No field says which question is meant, and the heading is the question."""
    page = client.get(address)
    assert f'data-question="{ASKED_BY[address]}"' in page.text
    assert "<h1>" in page.text
    assert "data-refused" not in page.text


OLD = {  # links that people have, and an answer that they still have, by the address of its JSON
    "/period": "rating=2395&k=10&on=2026-11-01&event=A&on=2026-10-03&game=2103:1&event=B&on=2026-10-17&game=2310:1",
    "/diary": "rating=1750&k=20&on=2026-11-15&event=A&on=2026-04-03&game=1800:win&event=B&on=2026-07-11&game=1850:loss",
    "/performance": "on=2026-11-15&game=1950:win&game=2010:draw&game=1890:1&method=tpr",
    "/expect": "on=2026-11-15&rating=1500&k=20&opponent=1700",
    "/need": "on=2026-11-15&rating=1780&k=20&reach=1800&against=1700&against=1750&against=1800&against=1820",
    "/outlook": "on=2026-11-15&rating=1780&k=20&game=1700:win&game=1800:%3F&game=1820:%3F&reach=1800",
    "/season": "on=2026-09-15&rating=1750&k=20&event=A&on=2026-10-10&game=1690&event=B&on=2026-11-14&game=1760",
}


@pytest.mark.parametrize("old", OLD)
def test_an_address_that_moved_keeps_what_it_carried(client, old):
    """The new address has the same query, asks the same question, and its JSON is where it was."""
    reply = client.get(f"{old}?{OLD[old]}", follow_redirects=False)
    assert reply.status_code == 308
    assert reply.headers["location"] == f"{MOVED[old]}?{OLD[old]}"
    page = client.get(reply.headers["location"])
    assert (page.status_code, f'data-question="{old[1:]}"' in page.text) == (200, True)
    assert client.get(f"{old}.json?{OLD[old]}").json()["ok"]


def test_forms_and_links_ask_the_same(client):
    """What a form sends is answered under the address that a link has: no rows, no empty fields."""
    sent = "rating=1750&k=&row=1950&result-1=win&who=Ada&row=&who=&row=1800&result-3=draw&who=&on=2026-11-15&system=elo"
    reply = client.get(f"/?{sent}", follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"] == ("/?rating=1750&game=1950:win&who=Ada&game=1800:draw&on=2026-11-15&system=elo")
    again = client.get(reply.headers["location"], follow_redirects=False)
    assert again.status_code == 200
    assert "Ada" in again.text


def test_a_season_s_form_is_its_address(client):
    """Rows become games, empty fields and events go, and what belongs to an event stays with it; `whole` ends them."""
    sent = "rating=1750&event=A&on=2026-12-03&plan=&row=1700&who=&row=1800%40b&who=&field=&rounds="
    sent += "&event=&on=&plan=&row=&event=B&on=2027-01-03&plan=x&row=&field=1800&rounds=3&whole=&strength=&k=20"
    reply = client.get(f"/ahead?on=2026-11-15&system=elo&{sent}", follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"] == (
        "/ahead?k=20&on=2026-11-15&system=elo&rating=1750&event=A&on=2026-12-03&game=1700:%3F&game=1800%40b:%3F"
        "&event=B&on=2027-01-03&plan=x&field=1800&rounds=3"
    )
    page = client.get(reply.headers["location"], follow_redirects=False).text
    assert field_of(page, "row-1-2") == "1800 Black"
    assert field_of(page, "rounds-2") == "3"


def field_of(page, id):
    """What a field of the form holds; None if there is no such field."""
    found = re.search(rf'<input[^>]* id="{id}"[^>]*>', page)
    return None if found is None else html.unescape(re.search(r'value="([^"]*)"', found[0])[1])


@pytest.mark.parametrize(("button", "games"), [("row-1", ["1800"]), ("row-2", ["1950"]), ("row-3", ["1950", "1800"])])
def test_a_game_is_removed_without_the_script(client, button, games):
    """The button of a row sends which one it is."""
    sent = f"rating=1750&k=20&row=1950&result-1=win&who=&row=1800&result-2=draw&who=&row=&who=&remove={button}"
    page = client.get(f"/?{sent}").text
    assert re.findall(r'name="row" value="([^"]*)"', page) == games


def test_the_form_grows_by_buttons_without_the_script(client):
    """A row, an event with the games so far in the first, a target and a norm: each is a button that sends the form."""
    sent = "rating=1750&k=20&on=2026-11-15&row=1950&result-1=win&who="
    assert re.findall(r'name="row" value="([^"]*)"', client.get(f"/?{sent}&add=game").text) == ["1950", ""]
    page = client.get(f"/?{sent}&add=event").text
    assert (field_of(page, "row-1-1"), field_of(page, "row-2-1")) == ("1950", "")
    assert (field_of(page, "on-1"), field_of(page, "on-2")) == ("2026-11-15", "")
    ahead = client.get("/ahead?rating=1750&row=1950&add=target").text
    assert field_of(ahead, "reach") == ""
    assert '<select class="in big" id="norm"' in client.get("/ahead?rating=1750&row=1950&add=norm").text


def test_the_first_visit_shows_an_example_with_its_answer(client):
    """Each door is answered before anything is typed, says that it is an example, and its address stays clean."""
    for path in ("/", "/ahead", "/first"):
        page = client.get(path).text
        assert "Example — type over it" in page
        assert "data-example" in page
        assert f'data-address="{path}"' in page
        assert 'class="facts"' in page
        assert f"{path}?from=" not in page


@pytest.mark.parametrize(
    ("inner", "field"),
    [
        ("field=18x&rounds=5", "field-1"),
        ("game=18x", "row-1-1"),
        ("on=soon&game=1800", "on-1"),
        ("time=x&game=1800", "time-1"),
    ],
)
def test_what_is_refused_in_an_event_is_marked_there(client, inner, field):
    """Without the script too, the field of the event that was refused is the one that says so."""
    page = client.get(f"/ahead?system=elo&on=2026-11-15&rating=1750&k=20&event=A&{inner}", follow_redirects=False)
    assert page.status_code == 422
    marked = [part for part in page.text.split("<input")[1:] if 'aria-invalid="true"' in part.partition(">")[0]]
    assert [f'id="{field}"' in part for part in marked] == [True]


def test_nothing_asked_is_missing_in_the_form_of_a_season(client):
    """Games that belong to no event are shown as an event of their own."""
    asked = "system=elo&on=2026-11-15&rating=1750&k=20&game=1700:win&time=90%2B30&event=B&on=2027-01-03&game=1900"
    page = client.get(f"/outlook?{asked}").text
    assert 'data-question="season"' in page
    assert (field_of(page, "row-1-1"), field_of(page, "row-2-1")) == ("1700", "1900")
    assert field_of(page, "time-1") == "90+30"


def test_fields_take_what_people_type(client):
    """A result typed behind the opponent counts, and so do a title and a federation."""
    day = [("on", "2026-11-15")]
    asked = [
        ("/", [("row", "1950:1/2"), ("result-1", "win")], "game=1950:draw"),
        ("/", [("row", "1950 lost"), ("result-1", "win")], "game=1950:loss"),
        ("/ahead", [("row", "2520 GM POL"), ("row", "2430 im")], "game=2520gm/POL:%3F&game=2430im:%3F"),
        ("/ahead", [("row", "2550 gm fra, 2480 im pol")], "game=2550gm/FRA:%3F&game=2480im/POL:%3F"),  # Poland, no draw
        ("/", [("row", "1950 win"), ("row", "1800")], "game=1950:win&open=1800:%3F"),
    ]
    for path, fields, query in asked:
        reply = client.get(path, params=[("rating", "1780"), *day, *fields], follow_redirects=False)
        assert reply.status_code == 303
        assert query in reply.headers["location"].replace("%2F", "/")


@pytest.mark.parametrize("born", ["", "&born=2010"])
def test_the_number_of_games_is_in_the_line_of_words(client, born):
    """What was typed as the number of games is one of the words that say how K was found."""
    page = client.get(f"/?system=fide-standard&on=2026-11-15&rating=1750{born}&games=12&game=1950:win")
    assert page.status_code == 200
    words = page.text.partition('id="words"')[2].partition("</summary>")[0]
    assert "games played: 12" in words
    assert "<b>K 40</b>" in words  # FIDE 8.3.3: fewer than 30 games


def test_an_established_rating_is_assumed_in_amber(client):
    """US Chess's K depends on the games before (4.2): the field and the line of words say that they are assumed."""
    link = "/?system=uschess-regular&on=2026-11-15&rating=1500&game=1600:win"
    page = client.get(link).text
    assert page.count('<span class="as">assumed: an established rating</span>') == 2
    assert "established rating</span>" not in client.get(f"{link}&games=40").text


def test_a_link_without_a_day_gets_one(client):
    """An address names its day, so that it gives the same answer tomorrow."""
    part = client.get("/rate.part?rating=1750&game=1950:win").text
    assert 'data-address="/?system=fide-standard&amp;on=20' in part


BASE = "system=fide-standard&on=2026-11-15"


def test_need_says_what_is_out_of_reach(client):
    """FIDE 8.1.2 expects 0.61 and 0.54: two wins bring 20 × 0.85 = 17 points, and 1800 is out of reach."""
    page = client.get(f"/need.part?{BASE}&rating=1780&k=20&reach=1800&against=1700&against=1750").text
    assert "out of reach" in page
    assert "1797" in page


def test_byes_and_forfeits_are_called_so(client):
    """A bye is no loss, and a game won by forfeit is no win."""
    page = client.get(f"/rate.part?{BASE}&rating=1750&k=20&game=bye&game=1950:%2B&game=1950:-&game=1950:win").text
    assert [word in page for word in (">bye</td>", "won by forfeit", "lost by forfeit", ">loss</td>")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("rate?rating=1750&game=1950:win&game=99999:win", '<a href="#row-2">Game 2, opponent</a>'),
        ("rate?rating=1750&game=1950:maybe", '<a href="#row-1">Game 1, opponent</a>'),
        ("rate?rating=1750&game=1950:win&born=1", '<a href="#born">Year of birth</a>'),
        ("period?rating=10000&event=A&game=1950:win", '<a href="#rating">Your rating</a>'),
        ("outlook?rating=1750&game=1950:%3F&game=99999:%3F", '<a href="#row-2">Game 2, opponent</a>'),
    ],
)
def test_a_refusal_names_its_field_as_the_page_does(client, path, says):
    """The place of what is refused is called what its field is called, and is a link to it."""
    question, _, query = path.partition("?")
    assert says in client.get(f"/{question}.part?{BASE}&{query}").text


def test_a_refusal_stands_at_its_field_with_a_repair(client):
    """A rating with a digit too many has a button that takes it away; it sends the form without the script as well."""
    page = client.get(f"/?{BASE}&rating=17500&game=1950:win")
    assert page.status_code == 422
    assert re.search(
        r'id="rating-help">.*?<button[^>]*data-repair="rating"[^>]*>Use 1750</button>', page.text, re.DOTALL
    )
    assert 'aria-describedby="rating-help"' in page.text


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
    assert '<a class="art" href="https://handbook.fide.com/chapter/B022024" rel="external">FIDE 8.3.3</a>' in later


def test_an_address_where_there_is_nothing(client):
    """The page says so, no tab is the current one, and each door is one click away."""
    page = client.get("/nonsense", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert "<h1>Nothing here</h1>" in page.text
    assert 'aria-current="page"' not in page.text
    shown = page.text.partition("<main")[2].partition("</main>")[0]
    assert re.findall(r'<a href="([^"]*)">', shown) == ["/", "/ahead", "/first", "/tournament", "/learn"]


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (("2026-11-03", "2026-11-20"), "on the list of 1 November 2026"),  # a period
        (("2026-10-30", "2026-11-20"), "on the list of 1 October 2026"),  # a diary: before its first event
        (("", ""), ""),
    ],
)
def test_the_rating_of_several_events_says_which_list_it_is_on(client, days, said):
    """FIDE publishes a list on the first of every month (7, since 2014), and its rating counts for what begins then."""
    events = "".join(f"&event=E&on={on}&game=1800:win" for on in days)
    page = client.get(f"/?system=fide-standard&rating=1750&k=20{events}").text
    help = re.search(r'id="rating-help"[^>]*>([^<]*)', page)
    assert (said in help[1]) if said else ("on the list of" not in help[1])


AT_14 = "rating=1780&born=2012&on=2026-11-15&reach=1800&game=1700:%3F&game=1750:%3F"


@pytest.mark.parametrize(("more", "chosen", "strength"), [("", "", "1807"), ("&by_rating=yes", "yes", "1780")])
def test_what_is_typical_for_the_age_is_a_choice(client, more, chosen, strength):
    """What is typical where the year of birth is given, or the rating as it is."""
    page = client.get(f"/ahead?{AT_14}{more}").text
    choice = re.search(r'<select[^>]* id="by_rating".*?</select>', page, re.DOTALL)[0]
    assert f'<option value="{chosen}" selected>' in choice
    assert f"strength {strength}" in page
    assert client.get(f"/outlook.json?{AT_14}{more}").json()["value"]["strength"] == int(strength)


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
    assert 'id="hero"' in page.text
    assert "data-refused" not in page.text


# What a form says in grey, as people read it: the values and assumptions that count if a field is left empty.
ASSUMED = {" ", "—", "an adult", "30 or more", "your rating", "calculated", "0", "as published", "every plan"}
FORMAT = {"Rating", "90+30"}  # what a field takes, where nothing is assumed


@pytest.mark.parametrize("path", [*(path for path in QUERIES if path != "/rules")])
def test_grey_text_is_what_would_be_used(client, path):
    """Grey text is never an example: something to type is a hint below its field."""
    shown = set(re.findall(r'placeholder="([^"]*)"', client.get(f"{path}?{QUERIES[path]}").text))
    assert shown <= ASSUMED | FORMAT
    assert shown


@pytest.mark.parametrize("system", ["lichess", "glicko", "glicko-2", "chesscom"])
def test_grey_deviations_are_those_assumed(client, system):
    """An online system's form shows the deviation that the answer assumes, for the player and for opponents."""
    page = client.get(f"/?system={system}&on=2026-11-15&rating=1500&game=1500:win").text
    used = client.get(f"/rate.json?system={system}&on=2026-11-15&rating=1500&game=1500:win").json()
    assumed = {"lichess": "60", "chesscom": "60", "glicko": "50", "glicko-2": "50"}[system]  # issue 15, point 4
    assert f"{used['value']['deviation']:g}" == assumed
    for field in ("deviation", "opponent_deviation"):
        (grey,) = re.findall(rf'<input[^>]* id="{field}"[^>]*placeholder="([^"]*)"', page)
        assert grey == assumed
    assert f"empty: {assumed} is assumed" in page


def test_the_deviation_of_each_opponent_stands_behind_the_rating(client):
    """The example of Glickman's paper "The Glicko system": 1500 becomes 1464."""
    sent = [("system", "glicko"), ("on", "2026-11-15"), ("rating", "1500"), ("deviation", "200")]
    rows = [("1400/30", "win"), ("1550/100@b", "loss"), ("1700/300", "loss")]
    sent += [pair for n, (row, result) in enumerate(rows) for pair in (("row", row), (f"result-{n}", result))]
    address = unquote(client.get(f"/?{urlencode(sent)}", follow_redirects=False).headers["location"])
    assert "&game=1400/30:win&game=1550/100@b:loss&game=1700/300:loss" in address
    page = client.get(address).text
    assert re.findall(r'name="row" value="([^"]*)"', page) == [row for row, _ in rows]
    assert "1464" in page


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("1950 win, 2010 draw", [("1950", "win"), ("2010", "draw")]),
        ("1950 w 2010 d 1800 l", [("1950", "win"), ("2010", "draw"), ("1800", "loss")]),
        ("I beat 1950 and drew with 2010", [("1950", "win"), ("2010", "draw")]),
        ("1950 2010", [("1950", None), ("2010", None)]),
        ("1950 win", [("1950", "win")]),
        ("2550 GM FRA", [("2550 GM FRA", "loss")]),
    ],
)
def test_several_games_in_a_row_become_rows(client, typed, rows):
    """Each with the result that was typed; the one chosen beside the row is that of a single game."""
    page = client.get("/", params={"rating": "1750", "row": typed, "result-1": "loss", "who": ""}).text
    found = re.findall(r'name="row" value="([^"]*)".*?</li>', page, re.DOTALL)
    parts = page.split('name="row" ')[1:]
    chosen = [next(iter(re.findall(r'value="(\w+)" checked', part)), None) for part in parts]
    assert list(zip(found, chosen, strict=True)) == rows


@pytest.mark.parametrize("typed", [
    "I didn't beat 1850", "beat 2100 twice", "won, Elo 1900, DWZ 1850", "beat 1900, DWZ 1850", "beat 1850, 1900",
    "beat 1950, almost lost to 1820", "1950 won, 2010 almost", "1-0 for FM Lind (2105), I was Black",
])  # fmt: skip
def test_a_row_that_is_not_understood_is_refused(client, typed):
    """It is no game to come, and nothing of it counts; it stays as it was typed."""
    page = client.get("/", params={"rating": "1750", "row": typed})
    assert page.status_code == 422
    assert html.unescape(re.findall(r'name="row" value="([^"]*)"', page.text)[0]) == typed
    assert "is not a game" in html.unescape(page.text)


@pytest.mark.parametrize("text", ["1950 win " * 5000, "1" * 40_000, "Kim, " * 8000])
def test_a_long_row_is_refused(client, text):
    """What nobody types is not read as a list of games: it is one text, and too long for that."""
    page = client.get("/played.part", params={"rating": "1750", "row": text, "result-1": "win"}).text
    assert "data-refused" in page
    assert "characters is too long; at most 200 are read" in page


def test_a_deviation_stays_visible_under_another_system(client):
    """Under a system without deviations it can be corrected."""
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
    assert client.get(f"/{question}.json?{query}").status_code == 200
    reply = client.get(f"/{question}?{query}")
    assert reply.status_code == 200
    events = query.partition("&event=")[2].split("&")[1:]
    for name, _, value in (part.partition("=") for part in events if not part.startswith("game")):
        field = re.search(
            rf'<(input|select)[^>]* id="{name}-1" name="{name}".*?</(?:select|div)>', reply.text, re.DOTALL
        )
        chosen = f'value="{unquote(value)}"' + (" selected" if field[1] == "select" else "")
        assert chosen in field[0], name


@pytest.mark.parametrize("question", OF_EVENT)
def test_behind_the_events_no_field_is_taken_for_one_of_theirs(client, question):
    """A field that is sent after an event belongs to it, until `whole`: one of the whole is before or behind it."""
    page = client.get(f"/{question}?system=fide-standard&on=2026-11-15&{OF_EVENT[question]}").text
    begin, end = page.index('id="event-1"'), page.index('name="whole"')
    for name in event_fields(question):
        assert not begin < page.find(f' id="{name}" name="{name}"') < end, name
    assert {*event_fields(question)} - {"game", "against", "name"} <= {*re.findall(r' id="(\w+)-1" name="\1"', page)}
