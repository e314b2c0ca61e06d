"""Names that try to do something, in every form that goes out: none gets further than a name."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import openpyxl
import pytest
from random_events import random_open

import arpad
from arpad import EloStanding, Player
from arpad.cli import main
from arpad.formats import file_bytes, read_bytes
from arpad.reports import FORMS, report

NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "</textarea><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}${7*7}",
    "&lt;b&gt; &amp; <!-- --> ]]>",
    '=HYPERLINK("https://example.org","x")',
    "+1+cmd|' /C calc'!A0",
    "-1+1",
    "@SUM(A1:A9)",
    "\t=1+1",
    "'=1+1",
    "Ada\x1b[2J\x1b]0;owned\x07",
    "Ada\x9b31mBob",
    "Ada\x00Bob",
    "Ada\u202eboB\u202c",
    "Ada\u2066\u2067\u2069\u200f",
    "\ufeffAda\u200b",
    'Ada;Bob,Cid"Dan"',
    "A" * 5000,
    "../../etc/passwd",
    "%s%n{0}",
    "ﷺ𒐫\u0301\u0301\u0301",
]
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
PLAIN = "Ada, Bob"


def event_of(name):
    """A tournament of two, one of whom has the name; so has the event."""
    made = random_open(2, rounds=1)
    players = [Player(EloStanding(1801, k=20), name=name), Player(EloStanding(1802, k=20), name="Plain, Jane")]
    entrants = [replace(one, player=player) for one, player in zip(made.entrants, players, strict=True)]
    return replace(made, entrants=tuple(entrants), name=name)


class Tags(HTMLParser):
    """The elements of a page with the names of their attributes: its structure, without its words."""

    def __init__(self, text):
        super().__init__()
        self.found, self.sources = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(name for name, _ in attrs)))
        self.sources += [value for name, value in attrs if name in ("src", "href", "action", "data")]


def safe_html(text, like):
    assert Tags(text).found == Tags(like).found
    assert not re.search(r"(?i)(href|src|action)\s*=\s*[\"']?\s*javascript:", text)


def safe_csv(text, like):
    rows, plain = (list(csv.reader(io.StringIO(one.removeprefix("\ufeff"), newline=""))) for one in (text, like))
    assert [len(row) for row in rows] == [len(row) for row in plain]
    for row in rows:
        for cell in row:
            assert not cell.startswith(FORMULA) or re.fullmatch(r"[-+]?[\d.,/]+", cell), cell


def safe_excel(data, like):
    books = [openpyxl.load_workbook(io.BytesIO(one)) for one in (data, like)]
    shapes = [[(sheet.title, sheet.max_row, sheet.max_column) for sheet in book] for book in books]
    assert shapes[0] == shapes[1]
    kinds = {cell.data_type for sheet in books[0] for row in sheet.iter_rows() for cell in row}
    assert "f" not in kinds


@pytest.mark.parametrize("name", NAMES)
def test_reports_keep_their_shape(name):
    """Page, CSV, workbook and JSON of a rated event have the same shape, whatever somebody is called."""
    rated, plain = arpad.rate_event(event_of(name)), arpad.rate_event(event_of(PLAIN))
    safe_html(report(rated, "html").decode("utf-8", "replace"), report(plain, "html").decode())
    safe_csv(report(rated, "csv").decode("utf-8-sig", "replace"), report(plain, "csv").decode("utf-8-sig"))
    safe_excel(report(rated, "xlsx"), report(plain, "xlsx"))
    assert json.loads(report(rated, "json"))["ok"]
    assert set(FORMS) == {"html", "csv", "xlsx", "json", "pdf"}  # a PDF is the page, printed


@pytest.mark.parametrize("name", NAMES)
def test_tournament_files(name):
    """Every format is written or refused in a sentence, and what is written is read with as many players."""
    for format, ending in (("trf16", "trf"), ("trf26", "trf"), ("csv", "csv"), ("xlsx", "xlsx"), ("json", "json")):
        try:
            data = file_bytes(event_of(name), format)[0]
        except arpad.ArpadError:
            continue
        if format != "json":
            assert len(read_bytes(data, f"a.{ending}").entrants) == 2
        if format == "csv":
            safe_csv(data.decode("utf-8-sig", "replace"), file_bytes(event_of(PLAIN), "csv")[0].decode("utf-8-sig"))
        if format == "xlsx":
            safe_excel(data, file_bytes(event_of(PLAIN), "xlsx")[0])


def harmless(text):
    """Whether a page runs nothing but files of its own site: no handlers, no scripts or pictures from elsewhere."""
    page = Tags(text)
    handlers = [names for _, names in page.found if any(name.startswith("on") for name in names)]
    inline = [tag for tag, names in page.found if tag == "script" and "src" not in names]
    return not handlers and not inline and not {"x", "javascript:alert(1)"} & set(page.sources)


def page_of(client, path, given):
    reply = client.get(f"{path}?{urlencode(given, errors='replace')}")
    assert reply.status_code in (200, 404, 422), reply.text[:200]
    return reply.text


@pytest.mark.parametrize("name", [*NAMES, "Ada\ud800Bob"])  # half of a pair, which JSON may carry and no file has
def test_pages_charts_and_answers(client, name):
    """In a form, in an event's name, where a player is expected, in the title of a chart, in a refusal, in JSON."""
    short = name[:180]
    for path, field in (("/", "rating"), ("/period", "event"), ("/season", "event"), ("/expect", "opponent")):
        text = page_of(client, path, [("rating", "1780"), ("k", "20"), (field, short), ("against", "1800")])
        assert harmless(text)
    season = [("rating", "1780"), ("k", "20"), ("event", short), ("on", "2027-01-10"), ("against", "1800")]
    for chart in re.findall(r"/chart/season/[\w-]+\.svg", page_of(client, "/season", season))[:1]:
        drawn = client.get(f"{chart}?{urlencode(season, errors='replace')}")
        if drawn.status_code == 200:
            tags = {one.tag.rpartition("}")[2] for one in ET.fromstring(drawn.content).iter()}  # noqa: S314
            assert not tags & {"script", "foreignObject", "image", "a"}
    body = {
        "rating": 1750,
        "event": [{"name": short, "game": ["1950:win"]}, {"name": "b", "game": ["1900:1"]}],
        "k": 20,
    }
    reply = client.post("/api/v1/fide-standard/rate", content=json.dumps(body))
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/json"
    assert reply.json()["value"]["events"][0]["name"] == short.strip()


@pytest.mark.parametrize("name", NAMES)
def test_an_uploaded_tournament(client, name):
    """The page of a report, and its downloads' names, from a file whose names and whose own name are hostile."""
    data = file_bytes(event_of(PLAIN), "csv")[0]
    hostile = data.replace(PLAIN.encode(), name.replace('"', '""').encode("utf-8", "replace"))
    plain, shown = (
        client.post("/tournament", files={"file": (called, sent)}, data={"on": "2026-11-15"})
        for called, sent in (("open.csv", data), (re.sub(r"[\r\n\x00]", "", name[:60]) + ".csv", hostile))
    )
    assert plain.status_code == 200
    if shown.status_code == 200:
        safe_html(shown.text, plain.text)


@pytest.mark.parametrize("name", NAMES)
def test_no_control_character_reaches_the_terminal(name, tmp_path, capsys):
    """No control character reaches a terminal, in tables, sentences or JSON."""
    file = tmp_path / "open.csv"
    file.write_bytes(file_bytes(event_of(PLAIN), "csv")[0].replace(PLAIN.encode(), name.encode("utf-8", "replace")))
    shown = name.replace("\x00", "")
    for words in (
        ["event", str(file), "--on", "2026-11-15", "--system", "elo"],
        ["event", str(file), "--on", "2026-11-15", "--system", "elo", "--json"],
        ["check", str(file)],
        ["rate", "1750", "--event", "1950:win", "--event", "1900:1", "--name", shown, "--k", "20"],
        ["rate", "1750", f"{shown}:win", "--k", "20"],
        [shown],
    ):
        assert main(words) in (0, 1, 2)
        out, err = capsys.readouterr()
        assert not CONTROLS.search((out + err).replace("\n", " ").replace("\t", " ")), words
