"""The page for a whole tournament, and its twin in JSON: a file in, its report out, nothing kept."""

import base64
import csv
import io
import json
import random
import re
from dataclasses import replace
from html.parser import HTMLParser

import openpyxl
import pytest

import arpad
from arpad.formats.organiser_tables import prizes_of
from arpad.reports.chances import runs_for
from arpad.web import tournament
from arpad.web.middleware import LARGEST_BODY, LARGEST_FILE
from conftest import ROOT

OPEN = (ROOT / "docs" / "examples" / "open.trf").read_bytes()
# Of the Harbour Open, by hand from FIDE's table 8.1.2: player 9, K 20, scores 1 of 4 counted; see tests/test_event.py
# for the arithmetic itself.
NEW = {"1": "2413", "7": "1809"}


def post(client, data=OPEN, name="open.trf", **fields):
    return client.post("/tournament", files={"file": (name, data)}, data=fields)


class Fields(HTMLParser):
    """The fields of the form that a page sends again, with their values."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside, self.area, self.chosen = {}, False, None, None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.inside = "data-again" in given
        elif not self.inside:
            return
        elif tag == "input" and given.get("name"):
            self.found[given["name"]] = given.get("value", "")
        elif tag in ("textarea", "select"):
            self.area = given["name"] if tag == "textarea" else None
            self.chosen = given["name"] if tag == "select" else None
            self.found.setdefault(given["name"], "")
        elif tag == "option" and "selected" in given:
            self.found[self.chosen] = given["value"]

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "form"
        self.area = None if tag == "textarea" else self.area

    def handle_data(self, data):
        if self.area:
            self.found[self.area] += data


def held(page):
    """What the report's page carries along for a download."""
    return Fields(page).found


@pytest.mark.parametrize(("written", "said"), [
    ("Individual: Swiss-System", "6 rounds, Swiss system"),
    ("Individual: Dutch-System", "6 rounds, Individual: Dutch-System"),
])  # fmt: skip
def test_the_usual_kinds_of_event_are_said_in_words(client, written, said):
    """And any other as the file has it."""
    assert said in post(client, OPEN.replace(b"Individual: Swiss-System", written.encode())).text


def test_a_file_becomes_its_report(client):
    """The page shows the event, and every player's row with the games behind it."""
    page = post(client)
    assert page.status_code == 200
    assert "<h1>Harbour Open</h1>" in page.text
    assert page.text.count('<tr class="sub"') == 10
    assert page.headers["cache-control"] == "no-store"


def test_a_title_and_a_name_are_two_words(client):
    """For somebody who hears the page, or copies a row."""
    assert '<span class="ti">IM</span> Lindqvist, Aron</a>' in post(client).text


def test_an_approved_event_counts_at_45_and_30(client):
    """The switch of the page: with it the games at 45+30 are rated in 2026, and the downloads keep it."""
    fast = re.sub(rb"(?m)^122.*$", b"122 45+30", OPEN)
    plain, approved = post(client, fast), post(client, fast, qc_approved="yes")
    assert "because the event was approved" not in plain.text
    assert "because the event was approved" in approved.text
    assert held(approved.text)["qc_approved"] == "yes"


def test_k_readings_and_settings_are_fields_of_the_page(client):
    """One K for everybody, and what a system does not know is refused at its field; the downloads keep K."""
    page = post(client, k="40")
    assert page.text != post(client).text
    assert held(page.text)["k"] == "40"
    players = json.loads(client.post("/tournament", data={**held(page.text), "to": "json"}).content)["value"]["players"]
    assert {one["k"] for one in players if one["change"] is not None} == {40}
    for name, text in (("reading", "nonsense=x"), ("set", "nonsense=1"), ("k", "-1")):
        refused = post(client, **{name: text})
        assert refused.status_code == 422
        assert re.search(rf'<input [^>]*id="{name}" [^>]*value="{text}"[^>]* aria-invalid="true"', refused.text), name


def test_a_us_chess_section_from_a_file_and_a_table(client):
    """The ratings that US Chess published (event 202608300103, section 5), on the page, in a download and in JSON."""
    section = (ROOT / "docs/examples/section.trf").read_bytes()
    table = (ROOT / "docs/examples/section-players.csv").read_text(encoding="utf-8")
    new = ["657", "500", "134", "514", "188", "149"]
    page = post(client, section, "section.trf", system="uschess-regular", table=table)
    assert all(f"<b>{rating}</b>" in page.text for rating in new)
    assert "“What you know about the players”" in page.text
    carried = {name: (None, value) for name, value in held(page.text).items()}
    saved = client.post("/tournament", files={"to": (None, "csv"), **carried}).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(saved)))
    assert (rows[0]["national_id"], rows[0]["new_rating"]) == ("30000011", "657")
    body = {"text": section.decode(), "table": table}
    value = client.post("/api/v1/uschess-regular/event", json=body).json()["value"]
    assert [str(one["new_rating"]) for one in value["players"]] == new
    assert value["national"] == {"federation": "USA", "sources": ["table"], "guests": [], "not_found": []}
    refused = client.post("/api/v1/uschess-regular/event", json=body | {"table": "no,rating\n1,1500\n"})
    assert (refused.status_code, refused.json()["at"]) == (422, "table")


def test_downloads_come_from_what_the_page_carries(client):
    """Each download is a second post of the same file, and has the figures of the page."""
    carried = held(post(client).text)
    assert base64.b64decode(carried["held"]) == OPEN
    found = {}
    for form in tournament.DOWNLOADS:
        reply = client.post("/tournament", files={"to": (None, form), **{k: (None, v) for k, v in carried.items()}})
        assert reply.status_code == 200
        assert "open-rating-report." + form in reply.headers["content-disposition"]
        found[form] = reply.content
    rows = list(csv.DictReader(io.StringIO(found["csv"].decode("utf-8-sig"))))
    players = json.loads(found["json"])["value"]["players"]
    sheet = openpyxl.load_workbook(io.BytesIO(found["xlsx"]))["Rating changes"]
    place = [cell.value for cell in sheet[1]].index("new_rating")
    for number, row in enumerate(rows):
        new = players[number]["new_rating"]
        assert row["new_rating"] == ("" if new is None else str(new))
        assert sheet.cell(number + 2, place + 1).value == new
    assert b"<!doctype html>" in found["html"]


@pytest.mark.parametrize("name", ["Öffentlich Őszi.trf", 'a"b;c.trf', "x" * 3000 + ".trf", "../../etc/passwd", ""])
def test_any_name_of_a_file(client, name):
    """Whatever a file is called, its report and its download come, under a name without folders."""
    form = f'--b\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode() + OPEN
    form += b'\r\n--b\r\ncontent-disposition: form-data; name="to"\r\n\r\ncsv\r\n--b--\r\n'
    reply = client.post("/tournament", content=form, headers={"content-type": "multipart/form-data; boundary=b"})
    assert reply.status_code == 200
    assert "/" not in reply.headers["content-disposition"]


@pytest.mark.parametrize("data", [b"\n" * 5_000_000, b"\r\n--b\r\n\r\nx" * 400_000], ids=["lines", "parts"])
def test_any_form_is_answered(client, data):
    """Millions of lines or parts are refused with a page, and not given up as too slow."""
    form = b'--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n' + data + b"\r\n--b--\r\n"
    page = client.post("/tournament", content=form, headers={"content-type": "multipart/form-data; boundary=b"})
    assert page.status_code == 422
    assert 'role="alert"' in page.text


def test_bytes_survive_the_form(client):
    """Whatever bytes a file has, line ends of every kind among them, the page carries them as they were sent."""
    chance = random.Random(5)  # noqa: S311  # bytes, not secrets
    data = bytes(chance.randrange(256) for _ in range(5000)) + b"\r\n\n\r--x\r\n\r\r\n"
    assert base64.b64decode(held(post(client, data, "a.xlsx").text)["held"]) == data


@pytest.mark.parametrize(("fields", "words"), [
    ({"on": "2000-01-01"}, "are covered from"),
    ({"on": "someday"}, "not a date"),
    ({"system": "nothing"}, "No system is called"),
    ({"system": "glicko"}, "cannot be rated by Glicko"),
    ({"table": "no,k\n1,banana"}, "line 2"),
    ({"to": "exe"}, "not a download"),
    ({"held": "%%%"}, "Choose a tournament"),
])  # fmt: skip
def test_what_is_refused_is_said_on_the_page(client, fields, words):
    """A wrong day, system or table is a sentence on the page, with 422 and no traceback."""
    page = post(client, **fields) if "held" not in fields else post(client, b"", **{**fields, "held": ""})
    assert page.status_code == 422
    assert words in page.text
    assert "</html>" in page.text


def test_a_card_is_sent_to_the_button_that_reads_it(client):
    """In the words of the page, on which there is no command."""
    page = post(client, (ROOT / "docs" / "examples" / "card.txt").read_bytes(), "card.txt", on="2026-08-15")
    assert page.status_code == 422
    assert "“Paste a list” reads its games" in page.text


def test_a_file_without_a_day_waits_for_it(client):
    """Without a start date the page asks for it and keeps the file, so that only the day has to be given."""
    undated = OPEN.replace(b"042 2026/08/15", b"042")
    page = post(client, undated)
    assert page.status_code == 422
    assert "when the event began" in page.text
    assert 'give the day (<a href="#on">“Event began”</a>)' in page.text
    carried = held(page.text)
    again = client.post(
        "/tournament",
        files={"file": ("", b""), **{name: (None, text) for name, text in carried.items()}, "on": (None, "2026-08-15")},
    )
    assert again.status_code == 200
    assert "Harbour Open" in again.text


GERMAN = "Lfd,Wer,Zahl,Erste\n1,Adler,1900,2w1\n2,Biber,1800,1b0\n"  # K 20: 20 × (1 − 0.64) = 7.2 by table 8.1.2


def test_columns_of_a_table_are_named_on_the_page_and_over_http(client):
    """A table with headings of its own is refused in the words of the page, and read once its columns are named."""
    columns = "no=Lfd,name=Wer,rating=Zahl,r1=Erste"
    page = post(client, GERMAN.encode(), "club.csv", on="2026-08-15")
    assert page.status_code == 422
    assert "Columns of a table" in page.text
    assert "--" not in re.sub(r"<!--.*?-->", "", page.text.partition('role="alert"')[2])
    page = post(client, GERMAN.encode(), "club.csv", on="2026-08-15", columns=columns)
    assert page.status_code == 200
    carried = {"to": "csv", **held(page.text)}
    assert carried["columns"] == columns
    assert "1907" in client.post("/tournament", files={name: (None, text) for name, text in carried.items()}).text
    body = {"text": GERMAN, "on": "2026-08-15", "columns": columns}
    players = client.post("/api/v1/fide-standard/event", json=body).json()["value"]["players"]
    assert [one["new_rating"] for one in players] == [1907, 1793]


def test_a_file_that_is_none(client):
    """A binary file under a tournament's name is refused with a sentence."""
    page = post(client, bytes(range(256)) * 20)
    assert page.status_code == 422
    assert 'role="alert"' in page.text


def test_only_the_routes_for_files_take_large_bodies(client):
    """A file of some hundred kilobytes is read; one over the limit is 413 with its limit; other routes stay narrow."""
    assert LARGEST_BODY < 300_000 < LARGEST_FILE
    assert post(client, OPEN + b"\n" * 300_000).status_code == 200
    over = post(client, b"x" * (tournament.LARGEST + 1))
    assert over.status_code == 413
    assert "at most 5 MB" in over.text
    beyond = post(client, b"x" * (LARGEST_FILE + 1))
    assert (beyond.status_code, beyond.headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert "at most 5 MB" in beyond.text
    assert client.post("/api/v1/fide-standard/rate", content=b"x" * 300_000).status_code == 413
    text = OPEN.decode() + "\n" * 300_000
    assert client.post("/api/v1/fide-standard/event", json={"text": text}).status_code == 200


def test_the_twin_in_json(client):
    """The API has the same figures, as text or in base64, for all or for one player with the steps."""
    by_text = client.post("/api/v1/fide-standard/event", json={"text": OPEN.decode()}).json()
    data = base64.b64encode(OPEN).decode()
    assert client.post("/api/v1/fide-standard/event", json={"data": data}).json() == by_text
    news = {str(one["no"]): str(one["new_rating"]) for one in by_text["value"]["players"]}
    assert {no: news[no] for no in NEW} == NEW
    one = client.post("/api/v1/fide-standard/event", json={"text": OPEN.decode(), "player": 7, "steps": True}).json()
    assert one["value"]["new_rating"] == 1809
    assert len(one["steps"]) > 20
    again = client.post("/api/v1/fide-standard/event", json={"text": "x", "data": "eA=="})
    assert (again.status_code, again.json()["at"]) == (422, "data")


def test_norms_and_tie_breaks_over_http(client):
    """The API has what the commands have of norms and tie-breaks, and refuses as they do."""
    norms = (ROOT / "docs" / "examples" / "norms.trf").read_text(encoding="utf-8")
    players = client.post("/api/v1/norms", json={"text": norms, "title": "IM"}).json()["value"]["players"]
    found = [(one["no"], norm["title"]) for one in players for norm in one["norms"] if norm["met"] and not norm["held"]]
    assert found == [(12, "IM")]
    asked = {"text": norms, "by": ["ARO/C1", "PTP"]}
    ties = client.post("/api/v1/ties", json=asked).json()["value"]
    assert ties == arpad.tie_breaks(arpad.read(ROOT / "docs" / "examples" / "norms.trf"), ["ARO/C1", "PTP"]).value()
    for question, body, at in (
        ("norms", {}, "text"),
        ("norms", {"text": norms, "title": "FM"}, "title"),
        ("norms", {"text": norms, "player": "x"}, "player"),
        ("ties", {"text": norms, "by": ["BUCHHOLZ"]}, "by"),
        ("norms", {"text": norms.replace("042 ", "### ")}, "on"),
        ("norms", {"text": norms, "columns": "no"}, "columns"),
        ("ties", {**asked, "unrated": 1400.5}, "unrated"),
    ):
        reply = client.post(f"/api/v1/{question}", json=body)
        assert (reply.status_code, reply.json()["at"]) == (422, at), body


def test_the_policy_holds_for_the_report(client):
    """The page has no inline style or script, which the policy would refuse."""
    page = post(client).text
    assert "style=" not in page
    assert "<style" not in page
    assert page.count("<script") == len(re.findall(r'<script(?: type="module")? src="/static/', page))


def test_standings_on_the_page(client):
    """The tie-breaks of the form give the order of page and download; what cannot be used is refused at its field."""
    page = post(client, by="DE,BH/C1,BH")
    assert "By points, then DE, BH/C1, BH." in page.text
    carried = held(page.text)
    reply = client.post("/tournament", files={"to": (None, "json"), **{k: (None, v) for k, v in carried.items()}})
    assert reply.json()["value"]["standings"]["by"] == ["DE", "BH/C1", "BH"]
    refused = post(client, by="BHX")
    assert refused.status_code == 422
    assert re.search(r'<input [^>]*id="by" [^>]*value="BHX"[^>]* aria-invalid="true"', refused.text)


def test_before_you_send_it(client):
    """The page says what FIDE asks for: player 10 is foreign and has no ID; in another system nothing is said."""
    page = post(client).text
    assert "FIDE would not rate this report as it stands" in page
    assert "1 thing is missing before FIDE would rate it." in page
    assert "foreign players without a FIDE ID: 10" in page
    assert "FIDE would" not in post(client, system="elo").text
    answer = client.post("/api/v1/check", json={"text": OPEN.decode(), "office": "fide"}).json()
    missing = [one["key"] for one in answer["value"]["items"] if one["state"] == "missing"]
    assert (answer["value"]["ready"], missing) == (False, ["foreign_ids"])
    assert client.post("/api/v1/check", json={"text": OPEN.decode()}).json()["value"]["ready"] is None


def test_certificates_from_the_page(client):
    """An event with norms offers their certificates; one without does not, and refuses them."""
    page = post(client, (ROOT / "docs" / "examples" / "norms.trf").read_bytes(), "norms.trf").text
    assert 'value="certificates"' in page
    carried = {name: (None, value) for name, value in held(page).items()}
    reply = client.post("/tournament", files={"to": (None, "certificates"), **carried})
    assert "norms-certificates.html" in reply.headers["content-disposition"]
    assert reply.text.count('class="sheet"') == 3
    assert 'value="certificates"' not in post(client).text
    carried = {name: (None, value) for name, value in held(post(client).text).items()}
    assert client.post("/tournament", files={"to": (None, "certificates"), **carried}).status_code == 422


def test_the_example_is_the_one_of_the_docs(client):
    """The file that the page is tried with is the example of the documentation, and its report has an address."""
    assert tournament.EXAMPLE.read_bytes() == OPEN
    page = client.get("/tournament?example=harbour-open&tab=standings")
    assert page.status_code == 200
    assert '<section class="tab on" id="standings"' in page.text
    assert "By points, then DE" in client.get("/tournament?example=harbour-open&by=DE").text


def test_the_chances_of_a_running_event(client):
    """They are worked out only when asked for, with the same figures as the library; a finished event has no tab."""
    example = ROOT / "docs/examples/last-round.trf"
    sent = {"files": {"file": (example.name, example.read_bytes())}}
    before = client.post("/tournament", **sent).text
    asked = client.post("/tournament?tab=chances", data={"chances": "1"}, **sent).text
    assert "Work out the chances" in before
    assert "played 2500 times with seed 1" in asked
    found = arpad.chances(arpad.read(example), runs=2500)
    leader = found.players[0]
    assert f"<td>{leader.name}</td>" in asked
    assert str(found.player(6).shown(found.player(6).top3)) in asked
    assert 'id="tab-chances"' not in client.get("/tournament?example=harbour-open").text


def test_a_very_large_event_is_played_less_often_on_a_page():
    """357 players take more than twice as long as 150, so the page plays the event 1050 times and not 2500."""
    event = arpad.read(ROOT / "docs/examples/last-round.trf")
    one = event.entrants[0]
    assert [runs_for(replace(event, entrants=(one,) * players)) for players in (20, 150, 357)] == [2500, 2500, 1050]


def test_chances_of_one_player_with_prizes_and_without_those_who_left(client):
    """The figures of the library for the same question; a number nobody has is refused, and what is typed stays."""
    example = ROOT / "docs/examples/last-round.trf"
    prizes = "prize,amount,condition\n1st,500,\nbest U2300,50,U2300\n"
    typed = {"chances": "1", "player": "15", "withdrawn": "20", "prizes": prizes}

    def asked(**given):
        sent = {"file": (example.name, example.read_bytes())}
        return client.post("/tournament?tab=chances", data={**typed, **given}, files=sent).text

    shown = asked()
    table = prizes_of(prizes, "prizes")
    zeman = arpad.chances(arpad.read(example), runs=2500, withdrawn=[20], prizes=table).player(15)
    for line in (*zeman.scores, *zeman.prizes):
        assert f"<b>{zeman.shown(line.chance)}</b>" in shown or f">{zeman.shown(line.chance)}</td>" in shown
    assert f"from {zeman.place_from} to {zeman.place_to} in eight cases of ten" in shown
    refused = asked(withdrawn="20, 99")
    assert "No player has the starting number 99" in refused
    assert 'value="20, 99"' in refused
    assert "best U2300" in refused
