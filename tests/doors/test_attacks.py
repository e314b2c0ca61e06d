"""What once went wrong at the command and with files: each is a sentence now, and nothing is lost."""

import csv
import http.server
import io
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import suppress

import pyarrow as pa
import pytest
import rating_lists as made

import arpad
from arpad.bulk import write
from arpad.bulk.tables.files import sources
from arpad.cli import main
from arpad.core import Player
from arpad.core.tournaments import Entrant, Tournament
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats import read_bytes
from arpad.lists import Hints, download, download_list, export_lists, import_list, recognise
from arpad.tournaments.norms.report import MOST_ROUNDS, find_norms

HOSTILE_NAMES = ["=1+1", "＝1+1", "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "Ada, \x1b[2J\x07", "Ada\u202eecilA"]


def refuses(*words):
    """The sentence with which a command refuses."""
    done = subprocess.run([sys.executable, "-m", "arpad", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done
    return done.stderr


def test_deeply_nested_files_are_refused(tmp_path):
    """Twenty thousand brackets are no plan and no rules."""
    file = tmp_path / "deep.toml"
    file.write_text(f"a={'[' * 20_000}", encoding="utf-8")
    assert str(file) in refuses("outlook", "1800", "--plan", str(file))
    assert str(file) in refuses("rate", "1500", "1700:1", "--rules", str(file))


@pytest.mark.parametrize("scale", ["1e-300", "0.5", "0", "1e9"])
def test_a_scale_without_meaning_is_refused(scale):
    """A scale for which no expected score can be worked out is refused at its place."""
    with pytest.raises(BadInput) as refused:
        arpad.system("elo", scale=scale)
    assert refused.value.at == "scale"


@pytest.mark.parametrize(
    "words",
    [
        ["rate", "1750", "--event", "1950:win", "--system", "uschess-regular", "--formula"],
        ["match", "+10", "=5", "-3", "--sprt", "0", "5", "--alpha", "5e-324"],
        ["list", "show", "1" * 5000],
    ],
)
def test_no_bug_is_met(words, capsys):
    """What once ended in exit code 70 is answered or refused."""
    assert main(words) in (0, 1, 2)
    capsys.readouterr()


def workbook(sheets, shared, cells):
    """A workbook whose sheets all name one part."""
    names = "".join(f'<sheet name="S{no}" sheetId="{no}" r:id="rId1"/>' for no in range(1, sheets + 1))
    row = "".join(f'<row r="{no}"><c r="A{no}" t="s"><v>0</v></c></row>' for no in range(1, cells + 1))
    schemas = "http://schemas.openxmlformats.org"
    main, package = f"{schemas}/spreadsheetml/2006/main", f"{schemas}/package/2006"
    related = f"{schemas}/officeDocument/2006/relationships"

    def relation(kind, target):
        one = f'<Relationship Id="rId1" Type="{related}/{kind}" Target="{target}"/>'
        return f'<Relationships xmlns="{package}/relationships">{one}</Relationships>'

    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{related}"><sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relation("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{row}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}"><si><t>{shared}</t></si></sst>',
    }
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.mark.parametrize(
    ("book", "says"),
    [
        (workbook(1, "a" * 1_000_000, 2500), "which no spreadsheet program writes"),
        (workbook(1, "a" * 100_000, 2500), "more than 100,?000,?000 characters"),
        (workbook(2000, "a", 10), "2,?000 sheets"),
    ],
)
def test_a_workbook_that_unpacks_to_gigabytes_is_refused(book, says):
    """One long text in very many cells, or very many sheets of one part: a few kilobytes that took gigabytes."""
    assert len(book) < 100_000
    with pytest.raises(BadFile, match=says):
        read_bytes(book, "x.xlsx")


def test_norms_of_very_many_rounds_are_refused():
    """Which games may be left out is tried, so that the work doubles with a round; no real event has so many."""
    event = Tournament(entrants=(Entrant(1, Player(2400)),), rounds=MOST_ROUNDS + 1)
    with pytest.raises(BadInput, match="21 rounds"):
        find_norms(event)


def test_no_formula_in_exported_lists(tmp_path, data):
    """A name that a spreadsheet program would run gets an apostrophe in CSV; everything else is as it was."""
    file = tmp_path / "club.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(
            [("id", "name", "rating"), *((no, name, 1800) for no, name in enumerate(HOSTILE_NAMES, 1))]
        )
    import_list(recognise(str(file), Hints("club", "2026-11", None, None)), data=data)
    export_lists(str(tmp_path / "out.csv"), name="club", data=data)
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as found:
        names = [row["name"] for row in csv.DictReader(found)]
    assert len(names) == len(HOSTILE_NAMES)
    assert not any(name.startswith(("=", "+", "-", "@", "\t", "\r")) for name in names)


def test_no_formula_in_tables_of_bulk(tmp_path):
    """Texts of a table in CSV are marked, IDs too, unless they are numbers; read again they are as they were."""
    out = str(tmp_path / "out.csv")
    ids = ["-1", "=1+1", "'@x", "Ann"]
    write({out: pa.table({"id": ids, "rating": [1500] * 4, "why": ["=1+1", "-", "+-", "fine"]})})
    with open(out, newline="", encoding="utf-8") as found:
        rows = list(csv.reader(found))[1:]
    assert [row[0] for row in rows] == ["-1", "'=1+1", "''@x", "Ann"]
    assert [row[2] for row in rows] == ["'=1+1", "'-", "'+-", "fine"]
    (source,) = sources(out, "players")
    read = [block.rows.column("id").to_pylist() for block in source.blocks(lambda names: {"id": names[0]})]
    assert read == [ids]


def test_a_report_never_replaces_what_it_reads(tmp_path, capsys):
    """`event --to` refuses the file it reads and its K-table, by whatever name, with --force too."""
    event, table, link = tmp_path / "open.csv", tmp_path / "k.csv", tmp_path / "link.csv"
    event.write_bytes(b"No;Name;Rtg;R1\n1;Ann;1900;2w1\n2;Bob;1800;1b0\n")
    table.write_text("no,k\n1,20\n", encoding="utf-8")
    link.symlink_to(event)
    before = event.read_bytes(), table.read_bytes()
    for out in (event, link, table, f"{tmp_path}/./open.csv"):
        line = ["event", str(event), "--on", "2026-11-15", "--table", str(table), "--to", str(out), "--force"]
        assert main(line) == 2, out
        assert (event.read_bytes(), table.read_bytes()) == before
    capsys.readouterr()


@pytest.mark.parametrize("bit", [1, 4, 9])
def test_damaged_zips_are_refused(bit, tmp_path):
    """Wherever a byte of a zipped list is wrong, it is refused in a sentence or read; never a bug."""
    whole = made.zipped(tmp_path / "list.zip", made.combined(tmp_path / "players_list.txt", 30)).read_bytes()
    places = {*range(60), *range(0, len(whole), 29), *range(len(whole) - 120, len(whole))}  # all of both heads
    for place in sorted(places):
        broken = bytearray(whole)
        broken[place] ^= bit
        file = tmp_path / "broken.zip"
        file.write_bytes(broken)
        try:
            for rows in recognise(str(file), Hints(month="2026-11")).rows():
                assert rows is not None
        except ArpadError as refused:
            assert str(refused)  # noqa: PT017  # either is right


class Redirecting(http.server.BaseHTTPRequestHandler):
    """A server that sends on to another address, says that its file is enormous, or sends one that has no end."""

    def do_GET(self):  # the library's name
        if self.path == "/large":
            self.send_response(200)
            self.send_header("Content-Length", str(10**13))
        elif self.path == "/endless":
            self.send_response(200)
        else:
            self.send_response(302)
            self.send_header("Location", {"/ftp": "ftp://127.0.0.1/x", "/file": "file:///etc/passwd"}[self.path])
        self.end_headers()
        with suppress(OSError):  # who asked has hung up
            while self.path == "/endless":
                self.wfile.write(b"a" * 65536)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def redirecting():
    """The address of such a server."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("ftp", "less safe"), ("file", "file:///etc/passwd"), ("large", "no rating list is"),
        ("endless", "larger than 3 MB"),
    ],
)  # fmt: skip
def test_a_download_has_limits(redirecting, path, says, tmp_path, monkeypatch):
    """No redirect to ftp or to a file of this machine, and no file without end, announced or not."""
    monkeypatch.setattr(download, "LARGEST", 3_000_000)
    with pytest.raises(BadFile, match=says):
        download_list(f"{redirecting}/{path}", str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_redirect_from_https_to_http_is_refused():
    """What began protected stays protected."""
    asked = download.Request("https://ratings.fide.com/x")
    with pytest.raises(BadFile, match="less safe"):
        download._SafeRedirects().redirect_request(asked, None, 302, "", {}, "http://ratings.fide.com/x")  # noqa: SLF001


@pytest.mark.parametrize("moment", [0.3, 0.8, 1.2, 1.8, 2.5])
def test_ctrl_c_during_an_import(moment, tmp_path, data):
    """Interrupted at any moment it ends with 130 and says nothing of bugs or damage; the next import works."""
    file = made.combined(tmp_path / "players_list.txt", 20_000)
    words = [sys.executable, "-m", "arpad", "list", "import", str(file), "--month", "2026-11", "--data", data]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as importing:
        time.sleep(moment)
        importing.send_signal(signal.SIGINT)
        said, complained = importing.communicate()
    assert importing.returncode in (0, 130, -signal.SIGINT)
    assert "bug" not in complained
    assert "move" not in complained
    assert subprocess.run(words, capture_output=True, check=False, env=dict(os.environ)).returncode == 0, said
