"""Bad input: lines that cannot be read are kept aside, files that cannot be are refused and change nothing."""

import zipfile

import pytest
import rating_lists as made
from imported_lists import PEOPLE, check, lines_of, stored, take

from arpad.cli import main
from arpad.errors import BadFile, BadInput
from arpad.lists import Hints, look_up, recognise
from arpad.lists.store import reading, run


def test_odd_lines_are_read_or_kept_aside(tmp_path, data):
    """Overflowing titles, accents, blank and zero ratings are read; what is no number is kept with its line number."""
    people = [dict(one) for one in PEOPLE[:50]]
    people[3] |= {"o_title": "SI,FI,LSI,SLI,NA", "foa": "AFM"}  # one character too long, as three real lines are
    people[5] |= {"name": "Müller, Jörg"}
    people[7] |= {"standard": "", "standard_games": "", "standard_k": "", "born": "0000"}
    lines = lines_of(people)
    lines[9] = lines[9][:113] + "23x0" + lines[9][117:]
    lines[11] = "a line of another file"
    result = take(made.written(tmp_path / "list.txt", made.combined_head(), lines, "latin-1"), data)
    assert (result.list.players, [bad.line for bad in result.bad]) == (48, [11, 13])
    found = look_up(people[3]["id"], data=data)[0]
    assert found.other_titles[1:] == ("SI,FI,LSI,SLI,NA", "AFM")
    check(data, people[3])
    assert look_up(people[5]["id"], data=data)[0].name == "Müller, Jörg"
    blank = look_up(people[7]["id"], data=data)[0]
    assert (blank.rating("standard"), blank.born) == (None, None)
    with reading(data) as connection:
        kept = run(connection, "SELECT line, why FROM bad_line ORDER BY line")
    assert [line for line, _ in kept] == [11, 13]
    assert "23x0" in kept[0][1]


def test_the_first_line_of_an_id_counts(tmp_path, data):
    """An ID that stands again is a bad line with its number, whether in the same block or another, odd or regular."""
    people = [dict(one) for one in made.players(40_000)]
    again = {40_001: 7, 40_002: 7, 9: 8}  # line, counted from 0 behind the header, and whose ID it has
    people += [{**people[again[40_001]], "standard": 2222}, {**people[7], "name": "Müller, Jörg"}]
    people.insert(9, {**people[8], "standard": 2111, "rapid": 0})
    lines = [made.combined_line(one) for one in people]
    result = take(made.written(tmp_path / "list.txt", made.combined_head(), lines, "latin-1"), data)
    assert (result.list.players, result.list.bad) == (40_000, 3)
    assert [(bad.line, bad.why) for bad in sorted(result.bad)] == [
        (line + 2, f"duplicate ID {people[first]['id']}, first in line {first + 2}")
        for line, first in sorted(again.items())
    ]
    for place in (7, 8, 10):
        check(data, people[place])
        check(data, people[place], "rapid")
    with reading(data) as connection:
        for table in ("player", "rating"):
            keys = "id" if table == "player" else "id, pace"
            assert run(connection, f"SELECT {keys} FROM {table} GROUP BY ALL HAVING count(*) > 1") == []


@pytest.mark.parametrize("form", ["csv", "xml"])
def test_an_id_that_stands_twice_in_a_table_or_markup(form, tmp_path, data):
    """The same of a club's table and of the XML; a file that mostly repeats itself is refused."""
    people = [*PEOPLE[:5], {**PEOPLE[2], "name": "Other, One"}]
    if form == "xml":
        path = made.xml(tmp_path / "list.xml", people)
        first, later = 2 + 2 * 21 + 20, 2 + 5 * 21 + 20  # a player is 21 lines behind the first, and ends with the last
    else:
        path = tmp_path / "list.csv"
        path.write_text("id,rating\n" + "".join(f"{one['id']},1500\n" for one in people), encoding="utf-8")
        first, later = 4, 7
    result = take(path, data)
    assert [(bad.line, bad.why) for bad in result.bad] == [
        (later, f"duplicate ID {PEOPLE[2]['id']}, first in line {first}")
    ]
    assert result.list.players == 5
    twice = made.written(tmp_path / "twice.txt", made.combined_head(), lines_of() * 2)
    with pytest.raises(BadFile, match="300 of 600 lines have a duplicate ID"):
        take(twice, data, Hints(month="2026-12"))
    path = tmp_path / "one_line.xml"
    path.write_text(made.xml(tmp_path / "list.xml", people).read_text("utf-8").replace("\n", ""), encoding="utf-8")
    with pytest.raises(BadFile, match="appears twice in line 1"):
        take(path, data, Hints(month="2026-12"))


def test_overflow_in_a_regular_block(tmp_path, data):
    """A line that is too long does not shift the ones behind it, in whatever block it stands."""
    people = [dict(one) for one in made.players(40_000)]
    people[20_000] |= {"o_title": "SI,FI,LSI,SLI,NA", "foa": "AFM"}
    take(made.written(tmp_path / "list.txt", made.combined_head(), map(made.combined_line, people)), data)
    for place in (0, 16_383, 16_384, 19_999, 20_000, 20_001, 39_999):
        check(data, people[place])


def broken(tmp_path):
    """A file for each way to be wrong, and what the message says."""
    text = made.combined(tmp_path / "fine.txt", 3000)
    whole = made.zipped(tmp_path / "fine.zip", text).read_bytes()
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("players_list_foa.txt", b" " * 50_000_000)
    cut = bytearray(whole)
    cut[2000:2400] = b"\0" * 400
    entity = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    entity += "<playerslist><player><name>&b;</name></player></playerslist>"
    return {
        "truncated zip": ("a.zip", whole[: len(whole) // 2], "download it again"),
        "damaged zip": ("b.zip", bytes(cut), "download it again"),
        "web page": ("c.zip", b"<!DOCTYPE html><html><body>404</body></html>", "web page"),
        "zip bomb": ("d.zip", bomb.read_bytes(), "no rating list does"),
        "xml bomb": ("standard_e.xml", entity.encode(), "declares entities"),
        "broken xml": ("standard_f.xml", b"<playerslist><player><fideid>1</fideid></player><player>", "incomplete"),
        "other xml": ("standard_g.xml", b"<svg></svg>", "no <player>"),
        "other header": ("h.txt", b"Rank Name Rating\r\n1 A 2000\r\n", "not the header"),
        "newer header": ("i.txt", made.combined_head().replace("FOA", "XYZ").encode() + b"\r\n", "newer"),
        "columns missing": ("j.txt", b"ID Number      Name       Fed Flag\r\n", "missing"),
        "empty": ("k.txt", b"", "empty"),
        "binary": ("l.txt", bytes(range(256)) * 100, "not the header"),
        "no line": ("m.txt", made.combined_head().encode() + b"\r\n" + b"x" * 5_000_000, "could not"),
        "own columns": ("n.csv", b"a,b\n1,2\n", "`columns` id=Number"),
    }


def test_bad_files_are_refused_and_change_nothing(tmp_path, data):
    """Each has a clear sentence and no traceback, and leaves the lists exactly as they were."""
    take(made.combined(tmp_path / "list.txt", 300), data)
    before = stored(data)
    for kind, (name, content, says) in broken(tmp_path).items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(BadFile) as caught:
            take(path, data)
        assert says in caught.value.message, kind
        assert stored(data) == before, kind


def test_what_is_told_is_heard(tmp_path, data, capsys):
    """A pace for a list of all three, or of another one, is refused; a CSV's `rating` has the pace told."""
    combined = made.combined(tmp_path / "list.txt", 300)
    xml = made.xml(tmp_path / "list.xml", PEOPLE)
    old = made.written(tmp_path / "old.txt", made.OLD_HEAD, map(made.old_line, PEOPLE))
    for path, told, says in [
        (combined, Hints(month="2026-11", pace="rapid"), "imported together, so leave out `pace`"),
        (xml, Hints(month="2026-11", pace="rapid"), "imported together, so leave out `pace`"),
        (old, Hints(pace="blitz"), "ratings for standard, not for blitz"),
        (xml, Hints(month="2026-11", columns={"id": "No"}), "`columns` is for CSV files"),
    ]:
        with pytest.raises(BadInput, match=says):
            recognise(str(path), told)
    assert main(["list", "import", str(combined), "--month", "2026-11", "--pace", "rapid", "--data", data]) == 2
    assert "(at --pace)" in capsys.readouterr().err
    club = tmp_path / "club.csv"
    club.write_text("id,rating,rapid\n1,1500,1600\n", encoding="utf-8")
    assert recognise(str(club), Hints(month="2026-11", pace="blitz")).paces == ("rapid", "blitz")


def test_a_file_without_players(tmp_path, capsys):
    """A header alone is no list."""
    path = made.written(tmp_path / "list.txt", made.combined_head(), [])
    assert main(["list", "import", str(path), "--month", "2026-11", "--data", str(tmp_path / "data")]) != 0
    assert "a header but no players" in capsys.readouterr().err
