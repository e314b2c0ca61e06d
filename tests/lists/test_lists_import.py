"""Importing rating lists: every layout in, the right players out, and months side by side."""

import zipfile
from datetime import date

import pytest
import rating_lists as made
from imported_lists import NOVEMBER, PEOPLE, check, lines_of, stored, take

from arpad.cli import main
from arpad.errors import BadFile, BadInput, UnknownName
from arpad.lists import Hints, find, history, look_up, players_of, recognise
from arpad.lists.store import lists_in, reading

LAYOUTS = {
    "combined 162": (made.combined_head(), made.combined_line, made.PACES),
    "combined 158": (made.combined_head(foa=False), lambda one: made.combined_line(one, foa=False), made.PACES),
    "single 136": (made.single_head("SEP25"), made.single_line, ("standard",)),
    "single 132": (made.single_head("FEB15", foa=False), lambda one: made.single_line(one, foa=False), ("standard",)),
    "old 74": (made.OLD_HEAD, made.old_line, ("standard",)),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_gives_the_same_players(name, tmp_path, data):
    """The header tells layout and month; what was written is what comes out (layouts: FIDE's download page)."""
    head, line, paces = LAYOUTS[name]
    path = made.written(tmp_path / "standard_rating_list.txt", head, map(line, PEOPLE))
    told = NOVEMBER if name.startswith("combined") else Hints()
    result = take(path, data, told)
    assert (result.list.layout, result.list.paces, result.list.players, result.list.bad) == (name, paces, 300, 0)
    expected = {"single 136": date(2025, 9, 1), "single 132": date(2015, 2, 1), "old 74": date(2012, 3, 1)}
    assert result.list.month == expected.get(name, date(2026, 11, 1))
    for one in PEOPLE[:40]:
        if name == "old 74":
            found = look_up(one["id"], data=data)[0]
            assert (found.rating("standard"), found.born, found.title) == (
                one["standard"] or None,
                one["born"] or None,
                one["title"] or None,
            )
        else:
            for pace in paces:
                check(data, one, pace)


def test_text_and_xml_say_the_same(tmp_path, data):
    """The XML of the same players fills the same tables as the text, to the last value."""
    take(made.combined(tmp_path / "list.txt", 300), data)
    other = str(tmp_path / "other")
    take(made.xml(tmp_path / "list.xml", PEOPLE), other)
    text, markup = stored(data), stored(other)
    assert [text[table] for table in ("player", "rating", "word")] == [
        markup[table] for table in ("player", "rating", "word")
    ]


def test_a_zip_is_read_through(tmp_path, data):
    """A zip with one list is as good as the list; without a month in the file its date stands in, and is named."""
    path = made.zipped(tmp_path / "players_list.zip", made.combined(tmp_path / "players_list_foa.txt", 300))
    result = take(path, data, Hints())
    assert result.list.players == 300
    assert "date inside the zip" in str(result.notes[0])


def test_importing_twice_changes_nothing(tmp_path, data):
    """The same list again is recognised; a corrected one takes its place; months stand side by side."""
    path = made.combined(tmp_path / "list.txt", 300)
    assert take(path, data).changed
    before = stored(data)
    assert not take(path, data).changed
    assert stored(data) == before
    people = [dict(one) for one in PEOPLE]
    people[0]["standard"] = 2222
    assert take(made.written(path, made.combined_head(), lines_of(people)), data).changed
    assert look_up(people[0]["id"], data=data)[0].rating("standard") == 2222
    take(made.combined(tmp_path / "next.txt", 300), data, Hints(month="2026-12"))
    with reading(data) as connection:
        assert [f"{one.month:%Y-%m}" for one in lists_in(connection)] == ["2026-12", "2026-11"]
    assert look_up(people[0]["id"], on=date(2026, 11, 30), data=data)[0].rating("standard") == 2222
    assert (
        len({one.list.month for _, one in history(next(one["id"] for one in PEOPLE if one["standard"]), data=data)})
        == 2
    )


def test_a_much_shorter_list_takes_no_place_by_itself(tmp_path, data, capsys):
    """Of 300 players 150 are half, which is said; 74 are less, and need a word; then nothing of the old is left."""
    take(made.combined(tmp_path / "list.txt", 300), data)
    before = stored(data)
    half, less = (
        made.written(tmp_path / f"{count}.txt", made.combined_head(), lines_of(PEOPLE[:count])) for count in (150, 74)
    )
    with pytest.raises(BadFile, match="has 300 players, and this file has 74, less than half"):
        take(less, data)
    assert stored(data) == before
    assert main(["list", "import", str(half), "--month", "2026-11", "--data", data]) == 0
    assert "fide 2026-11: 150 players imported, replacing 300 (combined 162" in capsys.readouterr().out
    assert main(["list", "import", str(less), "--month", "2026-11", "--data", data]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["list", "import", str(less), "--month", "2026-11", "--data", data, "--force", "--json"]) == 0
    assert '"replaced": 150' in capsys.readouterr().out
    assert len(stored(data)["player"]) == 74


def test_players_of_a_day(tmp_path, data):
    """An event gets the players of the list valid on its first day, and not of a later one."""
    take(made.combined(tmp_path / "list.txt", 300), data)
    rated = next(one for one in PEOPLE if one["standard"])
    found = players_of([rated["id"], 1], date(2026, 11, 20), data=data)
    assert list(found) == [rated["id"]]
    player = found[rated["id"]]
    assert (player.rating, player.standing.k, player.birth_year) == (
        rated["standard"],
        rated["standard_k"],
        rated["born"] or None,
    )
    with pytest.raises(BadInput, match="lists begin with 2026-11"):
        players_of([rated["id"]], date(2026, 10, 31), data=data)


def test_an_own_list_with_a_mapping(tmp_path, data):
    """A club's CSV under its own column names is searched and looked up like FIDE's list."""
    path = tmp_path / "club.csv"
    path.write_text("No;Who;Elo;Year\n1;Möwe, Ada;1750;2010\n2;Storch, Bo;;1970\nx;Bad, Row;1;1\n", encoding="utf-8")
    told = Hints("club", "2026-11", None, {"id": "No", "name": "Who", "rating": "Elo", "born": "Year"})
    result = take(path, data, told)
    assert (str(result.list), result.list.players, result.list.bad) == ("club 2026-11", 2, 1)
    assert find("mowe", name="club", data=data).players[0].rating("standard") == 1750
    assert players_of([1], date(2026, 11, 15), name="club", data=data)[1].birth_year == 2010


CLUB = """Mitglied;Nachname;Vorname;Elo;Jahrgang;Verein
1;Möwe;Ada;1750;2010;Nord
2;Storch;Bo;;20.01.1970;Nord
3;Reiher;;15OO;1955;Nord
4;;;1433.0;1990,0;Nord
"""


def test_headings_of_other_languages(tmp_path, data):
    """Of a German club the IDs alone need a name; surname and given name are one, and of a birthday the year counts."""
    path = tmp_path / "club.csv"
    path.write_text(CLUB, encoding="utf-8")
    with pytest.raises(BadFile, match="needs a column for the ID"):
        take(path, data, Hints("club", "2026-11"))
    result = take(path, data, Hints("club", "2026-11", columns={"id": "Mitglied"}))
    people = [look_up(number, name="club", data=data)[0] for number in (1, 2, 4)]
    assert [(one.name, one.born, one.rating("standard")) for one in people] == [
        ("Möwe, Ada", 2010, 1750), ("Storch, Bo", 1970, None), (None, 1990, 1433),
    ]  # fmt: skip
    assert [bad.why for bad in result.bad] == ["Elo is not a number: '15OO'"]
    assert list(map(str, result.notes)) == ["Columns not imported: Verein. Say what a column is with `columns`."]
    told = {"id": "Mitglied", "surname": "Verein", "given": "Nachname"}
    take(path, data, Hints("other", "2026-11", columns=told))
    assert look_up(1, name="other", data=data)[0].name == "Nord, Möwe"


def test_tables_of_other_kinds(tmp_path, data):
    """Tabs between the columns are as good as commas; a spreadsheet is refused with what to do; a pace is any case."""
    path = tmp_path / "club.tsv"
    path.write_text("id\tname\trating\n1\tMöwe, Ada\t1750\n", encoding="utf-8")
    result = take(path, data, Hints("club", "2026-11", "Rapid"))
    assert (result.list.players, result.list.paces) == (1, ("rapid",))
    with pytest.raises(UnknownName, match="rapid"):
        recognise(str(path), Hints("club", "2026-11", "rapit"))
    sheet = tmp_path / "club.zip"
    with zipfile.ZipFile(sheet, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")  # ECMA-376, part 2: every such file has this part
    old = tmp_path / "club.dat"
    old.write_bytes(bytes.fromhex("D0CF11E0A1B11AE1"))  # how a compound file begins, [MS-CFB] 2.2
    named = tmp_path / "club.XLSX"
    named.write_bytes(b"PK")
    for book in (sheet, old, named):
        with pytest.raises(BadFile, match="save the sheet as CSV"):
            recognise(str(book), NOVEMBER)
