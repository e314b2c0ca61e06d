"""Learn: contents, search in a beginner's words, an address for each answer, examples that are worked out now."""

import re
from html import unescape

import pytest

import arpad.lists
from arpad.messages import section
from arpad.web import learn
from conftest import ROOT, shared

LINE = re.compile(r"^\| ([A-C]\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$", re.MULTILINE)
TABLE = LINE.findall((ROOT / "docs" / "page.md").read_text(encoding="utf-8"))
LESSONS = [lesson for chapter in learn.chapters("en") for lesson in chapter.entries]


def test_every_question_has_its_texts_and_an_address(client):
    """42 answers in six chapters, beginners' questions first; each page has its answer, its rule and its example."""
    contents = client.get("/learn").text
    assert (len(LESSONS), len(learn.chapters("en"))) == (42, 6)
    assert [lesson.name for lesson in LESSONS[:3]] == ["elo", "expected", "new-rating"]
    for kind in ("asks", "lead", "exact", "shows", "also"):
        assert {*section("en", f"learn.{kind}")} == {lesson.name for lesson in LESSONS}
    for lesson in LESSONS:
        assert f'href="{lesson.path}"' in contents
        page = client.get(lesson.path)
        text = unescape(page.text)
        assert page.status_code == 200
        assert all(lesson.texts[kind] in text for kind in ("asks", "lead", "exact")), lesson.name
    assert client.get("/learn/nothing").status_code == 404


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_an_example_leads_to_its_door(client, lesson):
    """With your own games: the link under each answer opens the page that answers it, with the example filled in."""
    page = client.get(lesson.path).text
    address = re.search(r'class="next2">.*<a href="([^"]+)"><span>[^<]*</span>[^<]*</a></div>', page)[1]
    assert client.get(unescape(address)).status_code == 200


def test_an_example_can_be_changed(client):
    """What is typed is worked out: 1900 against 1700 and a win, K 20, is 20 × (1 − 0.76) = +4.80 (FIDE 8.1.2)."""
    page = client.get("/learn/lost-by-drawing?rating=1900&opponent-1=1700&result-1=win").text
    assert "20 × (1 − 0.76) = +4.80" in page
    assert 'value="1700"' in page
    refused = client.get("/learn/lost-by-drawing?rating=99999")
    assert refused.status_code == 422
    assert "the answer shown is for the example" in refused.text
    assert "20 × (0.5 − 0.81) = −6.20" in refused.text  # the example itself is still there


def test_other_calculators_in_two_steps(client):
    """1500 beats 1700: plain Elo with K 32 gives 32 × (1 − 1 / (1 + 10^0.5)) = +24.31, K 20 +15.19, FIDE +15.20."""
    page = client.get("/learn/other-calculators").text
    steps = re.findall(r'<span class="cal">(\S+) <span class="soft">new rating (\d+)</span>', page)
    assert steps == [("+24.31", "1524"), ("+15.19", "1515"), ("+15.20", "1515")]


def test_both_players(client):
    """1800 beats 1600 with K 20: 20 × (1 − 0.76) = +4.80 for one and −4.80 for the other, whose K is assumed."""
    page = client.get("/learn/zero-sum?rating=1800&opponent-1=1600&result-1=win").text
    row = r'<th scope="row">([^<]+)</th><td class="r">(\d+)</td><td class="r"><b class="\w+">([^<]+)</b>'
    rows = re.findall(row, page)
    assert rows == [("You", "1800", "+4.80"), ("Your opponent", "1600", "−4.80")]
    assert "K 20 is assumed for your opponent" in page


def test_how_many_players_are_below(client, data, monkeypatch):
    """Where a list has been imported: two of the nine rated players of the example list are below 1800."""
    assert "players with a standard rating are below" not in client.get("/learn/good").text
    monkeypatch.setenv("ARPAD_DATA", data)
    listed = arpad.lists.recognise(str(ROOT / "docs" / "examples" / "standard_nov26frl.txt"))
    arpad.lists.import_list(listed, data=data)
    page = unescape(client.get("/learn/good?rating=1800").text)
    assert "On FIDE's list of 1 November 2026, 2 of 9 players with a standard rating are below 1800: 22 %." in page


def test_every_line_is_found_by_a_beginners_words(client):
    """What somebody would type for each line of the outside list finds its answer, among the first three."""
    listed = re.findall(
        r"^\| ([A-C]\d+) \|", shared("reference/calculators.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [number for number, *_ in TABLE] == listed
    titles = {lesson.name: lesson.asks for lesson in LESSONS}
    for number, _, _, _, typed in TABLE:
        if not typed.strip():
            continue
        words, name = (part.strip() for part in typed.split("→"))
        page = client.get("/learn", params={"q": words}).text
        found = re.findall(r"<b>([^<]+)</b><span>", page.partition('id="found"')[2].partition("<nav")[0])[:3]
        assert titles[name] in [unescape(text) for text in found], (number, words, found)
    assert sum(bool(typed.strip()) for *_, typed in TABLE) >= 30


@pytest.mark.parametrize(("typed", "name"), [
    ("drew with someone weaker and lost points", "lost-by-drawing"),
    ("kfactor", "which-k"),
    ("USCF", "uschess"),
    ("how much is a grandmaster norm", "norm"),
    ("ÉLO", "elo"),
    ("ratng", None),
])  # fmt: skip
def test_a_search(client, typed, name):
    """Other words, other letters and half sentences find the answer; what nobody wrote finds nothing, and says so."""
    page = client.get("/learn", params={"q": typed}).text
    found = re.findall(r'href="/learn/([\w-]+)"><b>', page)
    assert (found[0] if found else None) == name
    assert ("Nothing was found" in page) == (name is None)


def test_rules_and_api_live_here(client):
    """The rules of a day and the API page are two of Learn's pages; the pages' JSON twins are named and answer."""
    rules = client.get("/learn/rules?system=fide-standard&on=2026-11-15").text
    assert "In force on 15 Nov 2026" in rules
    api = unescape(client.get("/learn/api").text)
    twins = re.findall(r"<code>(/[a-z]+\.json)</code>", api)
    assert {"/rate.json", "/first.json", "/outlook.json", "/rules.json"} <= {*twins}
    twin = client.get("/rate.json?rating=1750&game=1950:win&born=2010&on=2026-11-15")
    assert twin.json()["value"]["new_rating"] == 1780  # FIDE 8.1.2 and 8.3.3: 40 × (1 − 0.24) = +30.40
    for old, new in (("/help", "/learn"), ("/rules", "/learn/rules"), ("/api", "/learn/api")):
        assert client.get(old, follow_redirects=False).headers["location"] == new
