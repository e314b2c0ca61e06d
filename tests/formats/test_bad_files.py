"""Every way for a file to be wrong: a clear sentence with the place, bounded time, and nothing written over."""

import io
import json
import re
import zipfile
from dataclasses import replace

import pytest
from report_files import EXAMPLE, edited, read_edited
from test_tables_in import PGN

import arpad
from arpad import formats as door
from arpad.formats import file_bytes, read_bytes

OPEN = arpad.read(EXAMPLE)


@pytest.mark.parametrize(
    ("data", "says", "at"),
    [
        (b"", "The file is empty.", "x.trf"),
        (b" \r\n\n ", "The file is empty.", "x.trf"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00" * 40, "The file is not text", "x.trf, line 1, column 5"),
        (b"012 An open\n001\n001    x m\n", "No player can be read from the file.", "x.trf, line 2, column 5"),
        (b"012 An open\n", "No player can be read from the file.", "x.trf"),
        (b"\xff\xfe0", "begins as UTF-16", "x.trf"),
        (b"001    1      " + b" " * 100_000 + b"x", "tournament files have at most", "x.trf, line 1"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "save it as .xlsx", "x.trf"),
        (b"PK\x03\x04nothing", "This is not an Excel file", "x.trf"),
    ],
)
def test_nothing_can_be_read(data, says, at):
    """A file in which nothing can be read is a BadFile that names path, line and column as far as there are any."""
    with pytest.raises(arpad.BadFile, match=says) as caught:
        read_bytes(data, "x.trf")
    assert caught.value.at == at


@pytest.mark.parametrize("name", ["x.csv", "x.pgn", "x"])
@pytest.mark.parametrize("data", [b"hello\nworld\n", b"a,b,c\n1,2,3\n", b"{}", b"<html></html>", b"\x00\x01\x02"])
def test_no_tournament(data, name):
    """What is no tournament is refused with what would be one, and the place."""
    with pytest.raises(arpad.BadFile) as caught:
        read_bytes(data, name)
    assert name in caught.value.at


def test_a_number_twice():
    """Of two lines with one number the first counts; the second is named with its line, and the rest is read."""
    tournament = read_edited(b"001    2 m FM", b"001    1 m FM")
    assert [one.no for one in tournament.entrants] == [1, 3, 4, 5, 6, 7, 8, 9, 10]
    odd = next(one for one in tournament.oddities if one.lost)
    assert (odd.line, odd.column) == (16, 5)
    assert str(odd.says) == "The starting number 1 is already in line 15; this line is left out."


def test_a_truncated_line():
    """A line cut in its middle is read as far as it goes and named with its column; nobody else is affected."""
    data = EXAMPLE.read_bytes()
    cut = data.index(b"Castellani") + 30
    line_end = data.index(b"\r\n", cut)
    tournament = read_bytes(data[:cut] + data[line_end:], "open.trf")
    assert (len(tournament.entrants), tournament.entrant(4).rounds) == (10, ())
    (odd,) = [one for one in tournament.oddities if one.line == 18]
    assert str(odd.says).startswith("The line ends here")
    assert odd.column == len(data[data.rindex(b"\n", 0, cut) + 1 : cut].rstrip()) + 1
    assert {(one.kind, one.round) for one in arpad.inconsistencies(tournament)} >= {("opponent", 1), ("opponent", 6)}


def test_a_thousand_rounds():
    """More rounds than any tournament has are refused by line and column, in a report, a table and a list of games."""
    line = EXAMPLE.read_bytes().splitlines()[14]
    with pytest.raises(arpad.BadFile, match="The line has 1006 rounds; the limit is 200") as caught:
        read_bytes(edited(line, line + b"     6 w 1" * 1000), "open.trf")
    assert caught.value.at == "open.trf, line 15, column 2092"
    head = "no,name," + ",".join(f"r{number}" for number in range(1, 1001))
    with pytest.raises(arpad.BadFile, match="the limit is 200"):
        read_bytes(f"{head}\n1,A,2w1\n".encode(), "x.csv")
    with pytest.raises(arpad.BadFile, match="the limit is 200"):
        read_bytes(b"white,black,result,round\nA,B,1-0,1000\n", "x.csv")
    odd = read_edited(b"XXR 6", b"XXR 1000").oddities[0]
    assert (odd.line, odd.column) == (14, 5)


def test_a_large_file(tmp_path):
    """A file beyond 50 MB is refused by its size, before it is read."""
    path = tmp_path / "large.trf"
    with path.open("wb") as file:
        file.truncate(door.MOST_BYTES + 1)
    with pytest.raises(arpad.BadFile, match="The file has 50 MB; the limit is 50 MB"):
        arpad.read(path)
    with pytest.raises(arpad.BadFile, match="50 MB"):
        read_bytes(bytes(door.MOST_BYTES + 1), "large.trf")


def test_no_file(tmp_path):
    """A file that is not there, or is a folder, is a BadFile with its path."""
    for path in (tmp_path / "none.trf", tmp_path):
        with pytest.raises(arpad.BadFile, match="cannot be read") as caught:
            arpad.read(path)
        assert caught.value.at == str(path)
    with pytest.raises(arpad.BadFile, match="not a file name"):
        arpad.read("a\0b.trf")


def bomb(part, content):
    """An Excel file of which one part is replaced."""
    data = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(file_bytes(OPEN, "xlsx")[0])) as good,
        zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as bad,
    ):
        for one in good.infolist():
            bad.writestr(one.filename, content if one.filename == part else good.read(one.filename))
    return data.getvalue()


def test_a_zip_bomb(monkeypatch):
    """A small Excel file that would unpack to much is refused from its directory; nothing of it is unpacked."""
    data = bomb("xl/worksheets/sheet1.xml", b" " * 101_000_000)
    assert len(data) < 200_000
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("a part was unpacked"))
    with pytest.raises(arpad.BadFile, match="would unpack to 101 MB"):
        read_bytes(data, "bomb.xlsx")


def test_entities_in_excel():
    """An Excel file that declares entities, as a billion laughs does, is refused."""
    laughs = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "haha">]><worksheet>&a;</worksheet>'
    with pytest.raises(arpad.BadFile, match="declares entities"):
        read_bytes(bomb("xl/worksheets/sheet1.xml", laughs), "laughs.xlsx")


def test_a_far_cell():
    """A sheet whose one cell stands in the last row is not walked through for ever."""
    head = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    far = "".join(f'<row r="{row}"><c r="XFD{row}"><v>1</v></c></row>' for row in range(1, 200))
    with pytest.raises(arpad.BadFile, match="has more than 2000000 cells"):
        read_bytes(bomb("xl/worksheets/sheet1.xml", f"{head}{far}</sheetData></worksheet>".encode()), "far.xlsx")


def test_nothing_is_written_over(tmp_path):
    """An existing file is kept unless it is said otherwise, and a failed writing leaves nothing behind."""
    path = tmp_path / "open.csv"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(arpad.BadInput, match="exists already"):
        arpad.write(OPEN, path)
    assert path.read_text(encoding="utf-8") == "mine"
    arpad.write(OPEN, path, force=True)
    assert path.read_bytes().startswith(b"no,name")
    with pytest.raises(arpad.BadFile, match="cannot be written"):
        arpad.write(OPEN, tmp_path / "none" / "open.csv")
    assert [one.name for one in tmp_path.iterdir()] == ["open.csv"]


def test_unknown_formats(tmp_path):
    """A format or extension that is not known names those that are."""
    with pytest.raises(arpad.UnknownName, match="No format is called 'trf27'"):
        arpad.write(OPEN, tmp_path / "x.trf", "trf27")
    with pytest.raises(arpad.BadInput, match="does not show a format"):
        arpad.write(OPEN, tmp_path / "x.doc")


def test_what_does_not_fit_is_refused():
    """A starting number beyond four columns is refused, and not cut."""
    far = replace(OPEN, entrants=(replace(OPEN.entrants[0], no=10_000, rounds=()),))
    with pytest.raises(arpad.BadInput, match="The no 10000 does not fit"):
        file_bytes(far, "trf16")


def test_progress():
    """A progress hook is told how far a long file is, up to the end."""
    seen = []
    lines = [f"001 {no:4d}      Player {no}".encode() for no in range(1, 2001)]
    tournament = read_bytes(b"\n".join(lines), "long.trf", progress=lambda done, total: seen.append((done, total)))
    assert len(tournament.entrants) == 2000
    assert seen == [(500, 2000), (1000, 2000), (1500, 2000), (2000, 2000), (2000, 2000)]


@pytest.mark.parametrize("format", ["csv", "xlsx", "pgn"])
def test_progress_comes_to_an_end(format):
    """Every format tells its hook at last that all is done."""
    seen = []
    data = PGN.encode() if format == "pgn" else file_bytes(OPEN, format)[0]
    read_bytes(data, f"open.{format}", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0


@pytest.mark.parametrize("points", ["NaN", "Infinity"])
def test_points_in_json_are_numbers(points):
    """Python's reader takes more than JSON allows; points that are no number are refused."""
    text = file_bytes(arpad.read(EXAMPLE), "json")[0].decode()
    bad = re.sub(r'"points": ?[0-9.]+', f'"points": {points}', text, count=1)
    assert bad != text
    with pytest.raises(arpad.BadFile):
        read_bytes(bad.encode(), "open.json")


@pytest.mark.parametrize("name", ["scoring", "match_scoring"])
def test_points_in_json_have_known_names(name):
    """Points for what nobody knows are refused."""
    value = json.loads(file_bytes(OPEN, "json")[0])
    with pytest.raises(arpad.BadFile):
        read_bytes(json.dumps({**value, name: {"wim": 3}}).encode(), "open.json")


def test_match_points_that_json_leaves_out():
    """A team's draw and loss are paid as usual if only the win has other points."""
    value = json.loads(file_bytes(OPEN, "json")[0])
    read = read_bytes(json.dumps({**value, "match_scoring": {"win": 3}}).encode(), "open.json")
    again = read_bytes(file_bytes(read, "trf26")[0], "open.trf")
    assert again.match_scoring == {"win": 3, "draw": 1, "loss": 0}
