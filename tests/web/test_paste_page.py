"""A paste on the page: what each row became, what was left out and why; good rows stay, none is rated in silence."""

from html.parser import HTMLParser

import pytest
from pastes import SAMPLES

from arpad.messages import section

ASKED = {"rating": "1750", "k": "20", "on": "2026-11-15", "system": "fide-standard"}


class Page(HTMLParser):
    """What a page says was read: a list of cells for each game, and the lines that were left out."""

    def __init__(self, text):
        super().__init__()
        self.games, self.left_out, self.place = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        classes = dict(attributes).get("class", "")
        if tag == "table":
            self.place = "games" if classes == "lines read" else None
        elif tag == "ul":
            self.place = "left out" if classes == "left-out" else None
        elif tag == "tr" and self.place == "games":
            self.games.append([])
        elif tag in ("td", "th") and self.place == "games":
            self.games[-1].append("")
        elif tag == "q" and self.place == "left out":
            self.left_out.append("")
            self.place = "line"

    def handle_endtag(self, tag):
        if tag in ("table", "ul"):
            self.place = None
        elif tag == "q" and self.place == "line":
            self.place = "left out"

    def handle_data(self, text):
        if self.place == "games" and self.games and self.games[-1]:
            self.games[-1][-1] += text.strip("\n")
        elif self.place == "line":
            self.left_out[-1] += text


def cells(game):
    """The cells that a game of a sample should have: round, opponent, result."""
    results, colours = section("en", "reading.result"), section("en", "reading.colour")
    states = section("en", "reading.state")
    known = "" if game["result"] == "bye" else states.get(game.get("rating_state", ""), states["unknown"])
    who = [known if game["opponent"] is None else str(game["opponent"]), game["title"], game["name"]]
    ended = [results[game["result"]], colours.get(game["colour"] or "")]
    return [
        "" if game["round"] is None else str(game["round"]),
        " ".join(filter(None, who)),
        ", ".join(filter(None, ended)),
    ]


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_every_sample_on_the_page(sample, client):
    """The page shows the games of the sample, and every line that was left out."""
    reply = client.post("/", data={**ASKED, "paste": sample.text, "whose": sample.player or ""})
    page = Page(reply.text)
    assert [row[:3] for row in page.games[1:]] == [cells(game) for game in sample.remarks]
    assert {line.strip() for line in sample.ignored} <= set(page.left_out)


def test_rows_that_are_not_rated_can_be_completed(client):
    """A game to come and one without a rating are rows of the form, in the address, and in no rating."""
    text = "won against 1750\n1800 tomorrow"
    page = client.post("/", data={**ASKED, "paste": text}).text
    assert "open=1800:%3F" in page
    assert "1 game has no result yet and is not rated." in page
    assert "/outlook?rating=1750&amp;k=20" in page
    assert "+10.00" in page  # FIDE 8.1.2: 20 × (1 − 0.50)
    again = client.get(
        "/?rating=1750&k=20&on=2026-11-15&system=fide-standard&game=1750:win&open=1800:%3F&open=:win&who=Kim"
    )
    assert again.status_code == 200
    assert "+10.00" in again.text
    assert "1 game without the opponent" in again.text
    filled = "&row=1750&result=win&who=&row=1800&result=draw&who=&row=&result=win&who=Kim"
    sent = client.get(f"/?rating=1750&k=20&on=2026-11-15&system=fide-standard{filled}", follow_redirects=False)
    assert sent.headers["location"].endswith("&game=1750:win&game=1800:draw&open=:win&who=Kim")


def test_an_error_names_the_row_of_its_game(client):
    """Rows that are not rated are counted where a row is named."""
    part = client.get("/rate.part?rating=1750&on=2026-11-15&open=1800:%3F&game=1950:win&game=99999:win").text
    assert '<a class="where" href="#row-3">Game 3, opponent</a>' in part


def test_whose_games_is_asked(client):
    """A table of several people asks whose games are meant, and keeps the text until it is said."""
    page = client.post("/", data={**ASKED, "paste": SAMPLES["08"].text}).text
    assert '<select id="whose"' in page
    assert f'<option value="{SAMPLES["08"].player}">' in page
    assert (
        SAMPLES["08"].text.splitlines()[1].split("\t")[2] in page[page.index("<textarea") : page.index("</textarea>")]
    )
    unknown = client.post("/", data={**ASKED, "paste": SAMPLES["08"].text, "whose": "Nobody Else"})
    assert unknown.status_code == 422
    assert 'value="Nobody Else"' in unknown.text


def test_the_twin_has_the_reading(client):
    """The page's JSON has what was read."""
    twin = client.get("/rate.json", params={**ASKED, "paste": "1950 win\nfoo"}).json()
    assert [game["notation"] for game in twin["reading"]["games"]] == ["1950:win"]
    assert [line["text"] for line in twin["reading"]["left_out"]] == ["foo"]


def test_a_long_table_is_read(client):
    """5,000 rows are too many to rate, and are read all the same."""
    rows = "\n".join(f"{no}\tName {no}, A\t{1500 + no % 500}\t1" for no in range(1, 5001))
    reply = client.post("/", data={**ASKED, "paste": f"Rd.\tName\tElo\tRes.\n{rows}"})
    assert reply.status_code == 422
    assert "5,000 games are too many" in reply.text
