"""A paste on the page: what was understood is shown before it is used, and nothing is left out in silence."""

import html
import re
from urllib.parse import urlencode

import pytest
from pastes import SAMPLES, told

from arpad.reading import read_paste
from arpad.web.api import today

ASKED = {"rating": "1750", "k": "20", "on": "2026-11-15", "system": "fide-standard"}


def pasted(client, text, door="played", **more):
    """What the page says of a paste: the rows it would use, and the lines that were left out."""
    reply = client.post("/paste", data={"door": door, "paste": text, **more})
    assert reply.status_code in (200, 422)
    return reply.text.partition('id="pasted"')[2].partition("</section>")[0]


def rows_of(page):
    """The rows that the page would send: opponent, result and name."""
    found = re.findall(
        r'name="row" value="([^"]*)".*?role="radiogroup".*?>(.*?)</span>.*?name="who" value="([^"]*)"', page, re.DOTALL
    )
    return [
        (html.unescape(opponent), "".join(re.findall(r'value="([^"]*)" checked', results)) or "?", html.unescape(who))
        for opponent, results, who in found
    ]


RESULTS = {"win": "win", "draw": "draw", "loss": "loss", "forfeit-win": "+", "forfeit-loss": "-", "to-come": "?"}


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_every_sample_on_the_page(sample, client):
    """The page shows the games of the sample, every line of it, and why a line was left out."""
    page = pasted(client, sample.text, **ASKED, whose=sample.player or "")
    rows = rows_of(page)
    assert len(rows) == len(sample.remarks)
    for (opponent, result, who), game in zip(rows, sample.remarks, strict=True):
        assert result == RESULTS.get(game["result"], result)
        if game["opponent"] is not None:
            assert opponent.startswith(str(game["opponent"]))
        if game["name"]:
            assert game["name"] in who
    if sample.remarks:
        paste = read_paste(sample.text, player=sample.player)
        struck = {
            html.unescape(text).strip()
            for text in re.findall(r'<li class="(?:out|cur)"><i>\d+</i><span>(.*?)</span>', page, re.DOTALL)
        }
        assert {text.strip() for text in sample.silent(paste)} <= struck
        assert not {text.strip() for text in told(sample, paste)} & struck


def used(client, page, button=""):
    """What the form of the dialog sends, taken as a link."""
    form = page[page.index("data-use") :].partition("</form>")[0]
    sent = []
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = (re.search(rf'{part}="([^"]*)"', tag) for part in ("name", "value"))
        if 'type="radio"' not in tag or " checked" in tag:
            sent.append((html.unescape(name[1]), html.unescape(value[1])))
    return client.get(f"/?{urlencode([*sent, *([('keep', 'yes')] if button else [])])}")


def test_what_was_understood_is_used(client):
    """The games become rows, and what was there before stays only where it is asked for."""
    page = pasted(client, "1950 win\n1800 draw", **ASKED, row="1700", **{"result-1": "win"})
    assert "2 games understood" in page
    replaced = used(client, page)
    assert re.findall(r'name="row" value="([^"]*)"', replaced.text) == ["1950", "1800"]
    assert "rating=1750" in str(replaced.url)
    added = used(client, page, "keep")
    assert re.findall(r'name="row" value="([^"]*)"', added.text) == ["1700", "1950", "1800"]


def test_a_line_that_was_not_understood_says_why(client):
    """It is marked among the lines, and the good ones are rows."""
    page = pasted(client, "1950 win\nfoo", **ASKED)
    assert re.search(r'<li class="(?:out|cur)"><i>2</i><span>foo', page)
    assert "Line 2 was left out:" in page
    assert [row[0] for row in rows_of(page)] == ["1950"]


def test_lines_left_out_for_one_reason_are_told_together(client):
    """Also where no game was understood; the text is still there to be changed."""
    reason = "left out: not understood as a game"
    assert f"Lines 2 and 3 were {reason}" in pasted(client, "1950 win\nfoo\nbar", **ASKED)
    page = pasted(client, "foo\nbar\nbaz", **ASKED)
    assert page.count("left out:") == 1
    assert f"Lines 1, 2 and 3 were {reason}" in page


def test_a_line_in_doubt_can_be_taken_as_suggested(client):
    """A word nobody knows leaves a doubt: a button takes the line as the game it may be, and a second keeps the first.

    A line that says the contrary (`almost`) has no button.
    """
    text = "beat 1950\nbeat my flibber 1850\nalmost beat 2200\ndrew with my flibber 1700"
    page = pasted(client, text, **ASKED)
    assert [row[:2] for row in rows_of(page)] == [("1950", "win")]
    assert accepting(page, "button") == ["beat my flibber 1850", "drew with my flibber 1700"]
    page = pasted(client, text, **ASKED, accept="beat my flibber 1850")
    assert [row[:2] for row in rows_of(page)] == [("1950", "win"), ("1850", "win")]
    assert accepting(page, "button") == ["drew with my flibber 1700"]
    assert accepting(page, "input") == ["beat my flibber 1850"]  # is sent along with the next
    page = pasted(client, text, **ASKED, accept=["beat my flibber 1850", "drew with my flibber 1700"])
    assert [row[:2] for row in rows_of(page)] == [("1950", "win"), ("1850", "win"), ("1700", "draw")]
    assert accepting(page, "button") == []


def accepting(page, element):
    """The lines that a button, or a hidden field, takes as suggested."""
    return re.findall(rf'<{element}[^>]* name="accept" value="([^"]*)"', page)


def test_pasted_games_take_the_place_of_events(client):
    """What belonged to an event goes with it: its day is no second day of the games, and its rating none of mine."""
    form = [
        *(("rating", "1750"), ("event", "Open"), ("on", "2026-10-01"), ("row", "1700"), ("result-1", "win")),
        *(("rating", "1760"), ("whole", ""), ("system", "fide-standard"), ("on", "2026-11-15"), ("k", "20")),
    ]
    sent = urlencode([*form, ("door", "played"), ("paste", "1750 win\n1750 draw")])
    reply = client.post("/paste", content=sent, headers={"content-type": "application/x-www-form-urlencoded"})
    there = used(client, reply.text.partition('id="pasted"')[2].partition("</section>")[0])
    assert there.status_code == 200
    assert str(there.url).count("on=") == str(there.url).count("rating=") == 1
    assert "rating=1750" in str(there.url)
    assert "+10" in there.text  # FIDE 8.1.2: 20 × (1½ − 1)


def test_rows_that_are_not_rated_can_be_completed(client):
    """A game to come and one without a rating are rows of the form, in the address, and in no rating."""
    page = pasted(client, "won against 1750\n1800 tomorrow", **ASKED)
    assert "stays for" in page
    there = used(client, page)
    assert "open=1800:%3F" in str(there.url)
    assert "1 game has no result yet and is not rated." in there.text
    assert "/ahead?" in there.text
    assert "+10" in there.text  # FIDE 8.1.2: 20 × (1 − 0.50)
    again = client.get(
        "/?rating=1750&k=20&on=2026-11-15&system=fide-standard&game=1750:win&open=1800:%3F&open=:win&who=Kim"
    )
    assert again.status_code == 200
    assert "1 game without the opponent" in again.text
    filled = "&row=1750&result-1=win&who=&row=1800&result-2=draw&who=&row=&result-3=win&who=Kim"
    sent = client.get(f"/?rating=1750&k=20&on=2026-11-15&system=fide-standard{filled}", follow_redirects=False)
    assert sent.headers["location"].endswith("&game=1750:win&game=1800:draw&open=:win&who=Kim")


def test_an_error_names_the_row_of_its_game(client):
    """Rows that are not rated are counted where a row is named."""
    part = client.get("/rate.part?rating=1750&on=2026-11-15&open=1800:%3F&game=1950:win&game=99999:win").text
    assert '<a href="#row-3">Game 3, opponent</a>' in part


def test_whose_games_is_asked(client):
    """A table of several people asks whose games are meant, and keeps the text until it is said."""
    page = pasted(client, SAMPLES["08"].text, **ASKED)
    assert '<select class="in" id="whose"' in page
    assert f'<option value="{SAMPLES["08"].player}">' in page
    assert (
        SAMPLES["08"].text.splitlines()[1].split("\t")[2] in page[page.index("<textarea") :].partition("</textarea>")[0]
    )
    unknown = client.post("/paste", data={**ASKED, "paste": SAMPLES["08"].text, "whose": "Nobody Else"})
    assert unknown.status_code == 422


def test_the_twin_has_the_reading(client):
    """The page's JSON has what was read."""
    twin = client.get("/rate.json", params={**ASKED, "paste": "1950 win\nfoo"}).json()
    assert [game["notation"] for game in twin["reading"]["games"]] == ["1950:win"]
    assert [line["text"] for line in twin["reading"]["left_out"]] == ["foo"]


def test_a_long_table_is_read(client):
    """5,000 rows are too many to rate, and are read all the same."""
    rows = "\n".join(f"{no}\tName {no}, A\t{1500 + no % 500}\t1" for no in range(1, 5001))
    reply = client.post("/paste", data={**ASKED, "paste": f"Rd.\tName\tElo\tRes.\n{rows}"})
    assert reply.status_code == 422
    assert "5,000 games are too many" in reply.text


def test_what_a_card_says_fills_the_fields(client):
    """Sample 02: rating, year of birth and federation go into their fields, with the line they are from."""
    page = pasted(client, SAMPLES["02"].text, rating="", k="20", on=today().isoformat(), system="fide-standard")
    assert 'name="rating" type="text" value="1873"' in page
    assert 'name="born" type="text" value="1998"' in page
    assert "from the paste, line 6" in page
    there = used(client, page)
    assert "rating=1873" in str(there.url)
    assert "born=1998" in str(there.url)
    assert "−4" in there.text  # −3.80 by FIDE 8.1.2, as in tests/doors/test_from_paste.py


def test_what_was_typed_into_the_form_stays(client):
    """A rating that was typed is used, and the page says what the paste has."""
    page = pasted(client, SAMPLES["02"].text, **ASKED)
    assert '<input type="hidden" name="rating" value="1750">' in page
    assert "Used is the rating 1750; the paste has 1873 (line 6)." in html.unescape(page)


def test_the_day_and_the_system_of_a_paste(client):
    """A form always sends a day and a system; those of the paste take the place of today and the usual system."""
    text = "Time control (Rapid)\t15 min + 10 sec\nDate\t2026/03/01 to 2026/03/07\n" + SAMPLES["02"].text
    asked = {"system": "fide-standard", "on": today().isoformat(), "k": "20"}
    page = pasted(client, text, **asked)
    assert 'name="on" type="text" value="2026-03-01"' in page
    assert 'name="system" value="fide-rapid"' in page
    kept = pasted(client, text, **{**asked, "system": "fide-blitz"})
    assert "Used is the system fide-blitz; the paste has fide-rapid (line 1)." in html.unescape(kept)


def test_several_events_are_events_of_the_form(client):
    """Sample 15 has two events, each with its day."""
    page = pasted(client, SAMPLES["15"].text, system="fide-standard")
    assert page.count('name="event"') == 2
    there = used(client, page)
    assert there.status_code == 200
    assert 'id="event-2"' in there.text


@pytest.mark.parametrize(("address", "field"), [
    ("/", "rating"), ("/", "row"), ("/ahead", "row"), ("/ahead", "reach"), ("/first", "row"),
])  # fmt: skip
def test_a_table_in_a_field_of_one_value_is_offered_as_a_paste(client, address, field):
    """Without the script: the refusal has a button that sends the text to be read, with the other fields."""
    asked = {"on": "2026-11-15", "system": "fide-standard", field: SAMPLES["02"].text}
    page = client.get(address, params=asked)
    assert page.status_code == 422
    assert "It can be read as a paste" in page.text
    assert "Harrowgate, Wren" in page.text
    assert re.search(r'<button[^>]*formmethod="post" formaction="/paste"', page.text)


@pytest.mark.parametrize("door", ["played", "ahead", "first"])
def test_the_text_can_be_typed_on_a_page_of_its_own(client, door):
    """Without the script, the button leads to a page with a field for the text, which keeps what was typed."""
    page = client.get("/paste", params={"door": door, "rating": "1750", "row": "1950", "result-1": "win"})
    assert page.status_code == 200
    assert "<textarea" in page.text
    assert f'name="door" value="{door}"' in page.text
    assert '<input type="hidden" name="game" value="1950' in page.text
