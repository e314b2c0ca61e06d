"""Rating lists: every layout in, the right players out, and whatever goes wrong leaves the old data as they were."""

import contextlib
import http.server
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections import Counter
from datetime import date

import pytest

import rating_lists as made
from arpad.cli import main
from arpad.errors import ArpadError, BadFile, BadInput, UnknownName
from arpad.lists import find, history, look_up, players_of
from arpad.lists.fetch import fetch
from arpad.lists.load import load
from arpad.lists.sources import Told, recognised
from arpad.lists.store import lists_in, reading, run, writing
from conftest import ROOT
from doors import asked

NOVEMBER = Told(month="2026-11")
PEOPLE = list(made.players(300))


@pytest.fixture
def data(tmp_path):
    return str(tmp_path / "data")


def take(path, data, told=NOVEMBER):
    return load(recognised(str(path), told), data=data)


def stored(data):
    """Everything in the tables, whatever the order."""
    with reading(data) as connection:
        return {
            table: sorted(map(repr, run(connection, f"SELECT * EXCLUDE list FROM {table}")))
            for table in ("player", "rating", "other_title", "word", "bad_line", "list")
        }


def lines_of(people=PEOPLE):
    return [made.combined_line(one) for one in people]


def check(data, one, pace="standard"):
    """A player as the lists have them is the player of the file."""
    found = look_up(one["id"], data=data)[0]
    assert (found.name, found.federation, found.born) == (one["name"], one["fed"], one["born"] or None)
    assert found.rating(pace) == (one[pace] or None)
    if one[pace]:
        assert (found.ratings[pace].k, found.ratings[pace].games) == (one[f"{pace}_k"], one[f"{pace}_games"])


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
    told = NOVEMBER if name.startswith("combined") else Told()
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
    result = take(path, data, Told())
    assert result.list.players == 300
    assert "date inside the zip" in result.notes[0]


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
        (line + 2, f"the ID {people[first]['id']} stands in line {first + 2} already")
        for line, first in sorted(again.items())
    ]
    for place in (7, 8, 10):
        check(data, people[place])
        check(data, people[place], "rapid")
    with reading(data) as connection:
        for table in ("person", "rating"):
            keys = "id" if table == "person" else "id, pace"
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
        (later, f"the ID {PEOPLE[2]['id']} stands in line {first} already")
    ]
    assert result.list.players == 5
    twice = made.written(tmp_path / "twice.txt", made.combined_head(), lines_of() * 2)
    with pytest.raises(BadFile, match="300 of 600 lines have an ID that stands in an earlier line"):
        take(twice, data, Told(month="2026-12"))
    path = tmp_path / "one_line.xml"
    path.write_text(made.xml(tmp_path / "list.xml", people).read_text("utf-8").replace("\n", ""), encoding="utf-8")
    with pytest.raises(BadFile, match="both times in line 1"):
        take(path, data, Told(month="2026-12"))


def test_overflow_in_a_regular_block(tmp_path, data):
    """A line that is too long does not shift the ones behind it, in whatever block it stands."""
    people = [dict(one) for one in made.players(40_000)]
    people[20_000] |= {"o_title": "SI,FI,LSI,SLI,NA", "foa": "AFM"}
    take(made.written(tmp_path / "list.txt", made.combined_head(), map(made.combined_line, people)), data)
    for place in (0, 16_383, 16_384, 19_999, 20_000, 20_001, 39_999):
        check(data, people[place])


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
    take(made.combined(tmp_path / "next.txt", 300), data, Told(month="2026-12"))
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
    with pytest.raises(BadFile, match="with 300 players, and this file has 74, less than half"):
        take(less, data)
    assert stored(data) == before
    assert main(["list", "import", str(half), "--month", "2026-11", "--data", data]) == 0
    assert "fide 2026-11: 150 players imported in place of 300 (combined 162" in capsys.readouterr().out
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
    assert (player.rating, player.k, player.birth_year) == (
        rated["standard"],
        rated["standard_k"],
        rated["born"] or None,
    )
    with pytest.raises(BadInput, match="begin with 2026-11"):
        players_of([rated["id"]], date(2026, 10, 31), data=data)


# --- search ----------------------------------------------------------------------------------------------------------


NAMES = [
    "Karpov, Anatoli",
    "Karpova, Anna",
    "Chigorin, Michail",
    "Müller, Jürgen",
    "Ångström, Åsa",
    "Łącki, Paweł",
    "Korchnoi, Viktor",
    "Nakamoto, Hiro",
    "Van der Berg, Jan",
]


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search")
    people = [dict(one) for one in made.players(2000)]
    for one, name in zip(people, NAMES, strict=False):
        one |= {"name": name, "standard": 2500, "standard_k": 10, "fed": "NED", "born": 1951}
    path = made.written(folder / "list.txt", made.combined_head(), lines_of(people), "utf-8")
    take(path, str(folder / "data"))
    return str(folder / "data")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("karpov", "Karpov, Anatoli"), ("Karpov, A", "Karpov, Anatoli"), ("anatoli karpov", "Karpov, Anatoli"),
        ("karpow anatoly", "Karpov, Anatoli"), ("Tschigorin", "Chigorin, Michail"),
        ("mueller jurgen", "Müller, Jürgen"),
        ("MÜLLER", "Müller, Jürgen"), ("angstrom", "Ångström, Åsa"), ("lacki pawel", "Łącki, Paweł"),
        ("Kortschnoi", "Korchnoi, Viktor"), ("korhcnoi", "Korchnoi, Viktor"),
        ("kochnoi", "Korchnoi, Viktor"), ("korchnoy v", "Korchnoi, Viktor"),
        ("nakkamoto", "Nakamoto, Hiro"), ("nakamuto", "Nakamoto, Hiro"), ("aknamoto hiro", "Nakamoto, Hiro"),
        ("kaprov anatoil", "Karpov, Anatoli"), ("oKrchnoi", "Korchnoi, Viktor"), ("Корчной", "Korchnoi, Viktor"),
        ("nakamot", "Nakamoto, Hiro"), ("berg jan van der", "Van der Berg, Jan"), ("100000", "Karpov, Anatoli"),
    ],
)  # fmt: skip
def test_search_forgives(searched, query, name):
    """Accents, alphabets, transliterations, word order, beginnings and slips of the pen: the best match comes first."""
    assert find(query, data=searched).players[0].name == name


def test_search_narrows(searched):
    """A federation and a year of birth narrow a search; nobody found is an empty answer, nothing asked is refused."""
    assert [one.name for one in find("karpov", federation="ned", born=1951, data=searched).players] == [
        "Karpov, Anatoli",
        "Karpova, Anna",
    ]
    assert find("karpov", federation="NOR", data=searched).players == ()
    assert find("xqzwvxq", data=searched).players == ()
    by_year = find("", federation="NED", born=1951, data=searched).players
    assert {one.name for one in by_year[:9]} == set(NAMES)  # at 2500 the best rated of them
    with pytest.raises(BadInput, match="needs a name"):
        find(" , ", data=searched)


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE player; --", "%", "$list", "a" * 5000, "\x00", "@", "＠１２", "²", "9" * 30, "9" * 5000]
)
def test_search_takes_anything(searched, query):
    """Whatever is typed is searched for or refused; nothing of it becomes SQL."""
    with contextlib.suppress(ArpadError):
        find(query, data=searched)
    assert find("karpov", data=searched).players


# --- what goes wrong -------------------------------------------------------------------------------------------------


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
        "broken xml": ("standard_f.xml", b"<playerslist><player><fideid>1</fideid></player><player>", "breaks off"),
        "other xml": ("standard_g.xml", b"<svg></svg>", "no <player>"),
        "other header": ("h.txt", b"Rank Name Rating\r\n1 A 2000\r\n", "not the header"),
        "newer header": ("i.txt", made.combined_head().replace("FOA", "XYZ").encode() + b"\r\n", "newer"),
        "columns missing": ("j.txt", b"ID Number      Name       Fed Flag\r\n", "missing"),
        "empty": ("k.txt", b"", "empty"),
        "binary": ("l.txt", bytes(range(256)) * 100, "not the header"),
        "no line": ("m.txt", made.combined_head().encode() + b"\r\n" + b"x" * 5_000_000, "could not"),
        "own columns": ("n.csv", b"a,b\n1,2\n", "--columns"),
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


def test_two_imports_at_once(tmp_path, data):
    """While one program changes the lists, another is told so."""
    path = made.combined(tmp_path / "list.txt", 300)
    take(path, data)
    opened = f"with writing({data!r}):\n print('in', flush=True)\n sys.stdin.read()"
    code = f"import sys\nfrom arpad.lists.store import writing\n{opened}"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "in\n"
        with pytest.raises(BadFile, match="Another program"):
            take(path, data)
        other.stdin.close()


def test_a_full_disk(tmp_path, data, monkeypatch):
    """When the disk is full the message says so and nothing has changed (the error has DuckDB's own words)."""
    import duckdb

    path = made.combined(tmp_path / "list.txt", 300)
    take(path, data)
    before = stored(data)
    full = duckdb.IOException(
        'IO Error: Could not write all bytes to file "lists.duckdb": wanted=262144 wrote=0 No space left on device'
    )
    monkeypatch.setattr("arpad.lists.load._insert", lambda *_: (_ for _ in ()).throw(full))
    with pytest.raises(BadFile, match="disk is full"):
        take(path, data, Told(month="2026-12"))
    monkeypatch.undo()
    assert stored(data) == before


@pytest.mark.parametrize(("version", "says"), [(99, "newer Arpad"), (1, "earlier Arpad")])
def test_a_file_of_another_version_is_left_alone(tmp_path, data, version, says):
    """Lists written by another Arpad, whose tables are others, are neither changed nor read."""
    path = made.combined(tmp_path / "list.txt", 300)
    take(path, data)
    with writing(data) as connection:
        run(connection, f"UPDATE about SET version = {version}")
    with pytest.raises(BadFile, match=says):
        take(path, data)
    with pytest.raises(BadFile, match=says):
        find("karpov", data=data)


def test_kill_at_twenty_moments(tmp_path, data):
    """`kill -9` at 20 random moments of an import leaves a usable database with the old month in it each time."""
    take(made.combined(tmp_path / "old.txt", 300), data)
    path = made.combined(tmp_path / "new.txt", 60_000, seed=2)
    chance = random.Random(3)  # noqa: S311  # moments, not secrets
    code = "import sys\nfrom test_lists import take, Told\nprint('go', flush=True)\n"
    line = [sys.executable, "-c", f"{code}take({str(path)!r}, sys.argv[1], Told(month='2026-12'))"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed, lasts = 0, None
    while killed < 20:
        copy = shutil.copytree(data, tmp_path / "copy")
        with subprocess.Popen([*line, copy], stdout=subprocess.PIPE, env=environment, text=True) as one:
            one.stdout.readline()
            begun = time.perf_counter()
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.wait(None if lasts is None else chance.uniform(0, lasts))
            early = one.poll() is None
            one.send_signal(signal.SIGKILL)
        killed += early
        lasts = lasts if early else time.perf_counter() - begun  # an import that came to its end says how long one is
        with reading(copy) as connection:
            lists = {f"{one.month:%Y-%m}": one.players for one in lists_in(connection)}
            counts = dict(run(connection, "SELECT list, count(*) FROM player GROUP BY list"))
        assert lists in ({"2026-11": 300}, {"2026-11": 300, "2026-12": 60_000})
        assert sorted(counts.values()) == sorted(lists.values())
        assert early or len(lists) == 2
        check(copy, PEOPLE[0]) if len(lists) == 1 else None
        again = take(path, copy, Told(month="2026-12")) if killed == 20 else None
        shutil.rmtree(copy)
    assert again.list.players == 60_000


def test_what_is_told_is_heard(tmp_path, data, capsys):
    """A pace for a list of all three, or of another one, is refused; a CSV's `rating` has the pace told."""
    combined = made.combined(tmp_path / "list.txt", 300)
    xml = made.xml(tmp_path / "list.xml", PEOPLE)
    old = made.written(tmp_path / "old.txt", made.OLD_HEAD, map(made.old_line, PEOPLE))
    for path, told, says in [
        (combined, Told(month="2026-11", pace="rapid"), "imported together; leave --pace out"),
        (xml, Told(month="2026-11", pace="rapid"), "imported together; leave --pace out"),
        (old, Told(pace="blitz"), "ratings for standard, and none for blitz"),
        (xml, Told(month="2026-11", columns={"id": "No"}), "--columns is for a CSV"),
    ]:
        with pytest.raises(BadInput, match=says):
            recognised(str(path), told)
    assert main(["list", "import", str(combined), "--month", "2026-11", "--pace", "rapid", "--data", data]) == 2
    assert "(at --pace)" in capsys.readouterr().err
    club = tmp_path / "club.csv"
    club.write_text("id,rating,rapid\n1,1500,1600\n", encoding="utf-8")
    assert recognised(str(club), Told(month="2026-11", pace="blitz")).paces == ("rapid", "blitz")


# --- own lists, fetch, commands --------------------------------------------------------------------------------------


def test_an_own_list_with_a_mapping(tmp_path, data):
    """A club's CSV under its own column names is searched and looked up like FIDE's list."""
    path = tmp_path / "club.csv"
    path.write_text("No;Who;Elo;Year\n1;Möwe, Ada;1750;2010\n2;Storch, Bo;;1970\nx;Bad, Row;1;1\n", encoding="utf-8")
    told = Told("club", "2026-11", None, {"id": "No", "name": "Who", "rating": "Elo", "born": "Year"})
    result = take(path, data, told)
    assert (str(result.list), result.list.players, result.list.bad) == ("club 2026-11", 2, 1)
    assert find("mowe", name="club", data=data).players[0].rating("standard") == 1750
    assert players_of([1], date(2026, 11, 15), name="club", data=data)[1].birth_year == 2010


def test_tables_of_other_kinds(tmp_path, data):
    """Tabs between the columns are as good as commas; a spreadsheet is refused with what to do; a pace is any case."""
    path = tmp_path / "club.tsv"
    path.write_text("id\tname\trating\n1\tMöwe, Ada\t1750\n", encoding="utf-8")
    result = take(path, data, Told("club", "2026-11", "Rapid"))
    assert (result.list.players, result.list.paces) == (1, ("rapid",))
    with pytest.raises(UnknownName, match="rapid"):
        recognised(str(path), Told("club", "2026-11", "rapit"))
    sheet = tmp_path / "club.zip"
    with zipfile.ZipFile(sheet, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")  # ECMA-376, part 2: every such file has this part
    old = tmp_path / "club.dat"
    old.write_bytes(bytes.fromhex("D0CF11E0A1B11AE1"))  # how a compound file begins, [MS-CFB] 2.2
    named = tmp_path / "club.XLSX"
    named.write_bytes(b"PK")
    for book in (sheet, old, named):
        with pytest.raises(BadFile, match="save the sheet as CSV"):
            recognised(str(book), NOVEMBER)


def test_a_list_is_removed(tmp_path, data, capsys):
    """One list goes with all that belongs to it, and no other; where several could be meant none does."""
    assert main(["list", "remove", "2026-11", "--data", data]) == 2
    assert "No rating list has been imported" in capsys.readouterr().err
    for pace in ("standard", "rapid"):
        lines = [made.single_line(one, pace) for one in PEOPLE]
        take(made.written(tmp_path / f"{pace}_list.txt", made.single_head("NOV26"), lines), data)
    take(made.combined(tmp_path / "list.txt", 300), data, Told(month="2026-10"))
    refused = {
        ("2026-11",): "Several lists are meant: fide 2026-11 (standard)",
        ("2026-09",): "There is no such list",
        ("2026-10", "--name", "club"): "There is no such list",
        ("2026-11", "--pace", "x"): "pace",
    }
    for words, says in refused.items():
        assert main(["list", "remove", *words, "--data", data]) == 2
        assert says in capsys.readouterr().err
    assert main(["list", "remove", "2026-11", "--pace", "Rapid", "--data", data]) == 0
    assert capsys.readouterr().out.startswith("fide rapid 2026-11: removed, with 300 players.")
    assert main(["list", "remove", "2026-10", "--data", data, "--json"]) == 0
    other = str(tmp_path / "other")
    take(tmp_path / "standard_list.txt", other)
    assert stored(data) == stored(other)


class Server(http.server.SimpleHTTPRequestHandler):
    """A server with Range that breaks off the first answer in the middle."""

    content, breaks, asked = b"", 1, []

    def do_GET(self):  # the library's name
        Server.asked.append(self.headers.get("Range"))
        if self.path == "/missing.zip":
            self.send_error(404)
            return
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-")) if self.headers.get("Range") else 0
        if start >= len(Server.content):  # RFC 9110, 15.5.17: the whole size, and nothing else
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(Server.content)}")
            self.end_headers()
            return
        rest = Server.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.send_header("ETag", '"one"')
        self.end_headers()
        broken = Server.breaks > 0
        Server.breaks -= 1
        self.wfile.write(rest[: len(rest) // 2] if broken else rest)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def server(tmp_path):
    Server.content = made.zipped(
        tmp_path / "served.zip", made.combined(tmp_path / "players_list_foa.txt", 300)
    ).read_bytes()
    Server.breaks, Server.asked = 1, []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


def test_fetch_takes_up_what_broke_off(server, tmp_path):
    """A download that breaks off is said to, is kept, and goes on where it stopped; the file is whole at the end."""
    folder = str(tmp_path / "files")
    with pytest.raises(BadFile, match="try again"):
        fetch(f"{server}/players_list.zip", folder)
    path = fetch(f"{server}/players_list.zip", folder)
    with open(path, "rb") as file:
        assert file.read() == Server.content
    assert Server.asked == [None, f"bytes={len(Server.content) // 2}-"]


@pytest.mark.parametrize(("more", "asked"), [(b"", 1), (b"something else", 2)])
def test_fetch_knows_a_part_that_is_the_whole(server, tmp_path, more, asked):
    """A part as long as the file is the file (RFC 9110, 14.4); a longer one is of something else and is thrown away."""
    Server.breaks = 0
    (tmp_path / "players_list.zip.part").write_bytes(Server.content + more)
    (tmp_path / "players_list.zip.mark").write_text('"one"', encoding="utf-8")
    path = fetch(f"{server}/players_list.zip", str(tmp_path))
    with open(path, "rb") as file:
        assert file.read() == Server.content
    assert len(Server.asked) == asked
    assert sorted(one.name for one in tmp_path.glob("players_list.zip*")) == ["players_list.zip"]


def test_fetch_says_what_failed(server, tmp_path):
    """A refusal, an absent server and an address of another kind each have their own sentence."""
    with pytest.raises(BadFile, match="404"):
        fetch(f"{server}/missing.zip", str(tmp_path))
    with pytest.raises(BadFile, match="Check the connection"):
        fetch("http://127.0.0.1:9/x.zip", str(tmp_path), timeout=2)
    with pytest.raises(BadInput, match="https://"):
        fetch("file:///etc/passwd", str(tmp_path))


def test_the_commands_from_fetch_to_export(server, tmp_path, data, capsys, monkeypatch):
    """Fetch, find, show, rate by ID and by name, export: each through the command line, with the list named."""
    import json

    monkeypatch.setenv("ARPAD_DATA", data)
    Server.breaks = 0
    names = [one["name"] for one in PEOPLE]
    rated = [one for one in PEOPLE if one["standard"] > 1500 and names.count(one["name"]) == 1][:2]

    def says(*words):
        code = main([*words, "--json"])
        answer = json.loads(capsys.readouterr().out)
        assert (code == 0) == answer["ok"], answer
        return answer

    assert says("list", "find", "karpov")["error"].startswith("No rating list")
    assert says("list", "fetch", "--url", f"{server}/players_list.zip", "--month", "2026-11")["value"]["players"] == 300
    assert says("list", "find", str(rated[0]["id"]))["value"]["players"][0]["name"] == rated[0]["name"]
    page = says("list", "show", str(rated[0]["id"]))
    assert page["value"]["next_k"]["standard"]["k"] == rated[0]["standard_k"]
    assert page["rules"]
    by_id = says("rate", f"@{rated[0]['id']}", f"@{rated[1]['id']}:draw", "--on", "2026-11-15")
    by_number = says(
        "rate",
        str(rated[0]["standard"]),
        f"{rated[1]['standard']}:draw",
        "--k",
        str(rated[0]["standard_k"]),
        "--on",
        "2026-11-15",
    )
    people = by_id["value"].pop("people")
    assert [one["name"] for one in people] == [rated[0]["name"], rated[1]["name"]]
    assert by_id["value"] | {"k_why": None} == by_number["value"]
    assert any("fide 2026-11" in note for note in by_id["notes"])
    named = says("rate", f"@{rated[0]['id']}", f"{rated[1]['name']}:draw", "--on", "2026-11-15")
    assert named["value"] == {**by_id["value"], "people": people}
    begun = Counter(name[:2] for name in names).most_common(1)[0][0]  # several names begin with these two letters
    assert "may be any of" in says("rate", "1750", f"{begun}:draw", "--on", "2026-11-15")["error"]
    for words in (("expect", "@{0}", "@{1}"), ("need", "@{0}", "--reach", "2800", "--against", "@{1}"),
                  ("outlook", "@{0}", "--against", "@{1}"), ("performance", "@{1}:win"), ("first", "@{1}:1"),
                  ("compare", "@{0}", "@{1}:win", "--systems", "elo")):  # fmt: skip
        answer = says(*(word.format(rated[0]["id"], rated[1]["id"]) for word in words), "--on", "2026-11-15")
        assert any("fide 2026-11" in note for note in answer["notes"]), words
    out = tmp_path / "out.parquet"
    assert says("list", "export", str(out))["value"]["players"] == 300
    assert "exists already" in says("list", "export", str(out))["error"]
    assert says("list", "export", str(out), "--force")["ok"]
    nowhere = says("list", "export", str(tmp_path / "nowhere" / "out.csv"))
    assert "cannot be written" in nowhere["error"]
    assert nowhere["at"] == str(tmp_path / "nowhere" / "out.csv")
    assert list(tmp_path.glob(".*")) == []
    assert says("list", "months")["value"]["lists"][0]["players"] == 300
    assert "2026-10" in says("rate", f"@{rated[0]['id']}", "2000:win", "--on", "2026-10-15")["error"]


def test_ages_are_bands_in_order(data, tmp_path, capsys):
    """The bands of an audit are named by both ends, the youngest first, and hold who was born in their years."""
    for month in ("oct26", "nov26"):
        load(recognised(str(ROOT / "docs" / "examples" / f"standard_{month}frl.txt")), data=data)
    picture = tmp_path / "out.svg"
    line = ["list", "audit", "2026-10", "2026-11", "--data", data, "--chart", str(picture)]
    assert main(line) == 0
    assert f"Written to {picture}." in capsys.readouterr().out
    drawn = picture.read_bytes()
    assert main(line) == 2
    assert "exists already" in capsys.readouterr().err
    assert picture.read_bytes() == drawn
    ages = [one for one in asked([*line[:-2], "--json"])["value"]["distributions"] if one["by"] == "age"]
    # Rated and born, in the file: 2012, 2010, 1998, 1995 and 1992, 1989, 1984, 1971, and one without a year.
    bands = {"10–14": 1, "15–19": 1, "25–29": 1, "30–34": 2, "35–39": 1, "40–44": 1, "55–59": 1, "unknown": 1}
    assert [(one["group"], one["players"]) for one in ages] == list(bands.items())


def test_whoever_was_found_is_named(data, capsys, monkeypatch, tmp_path):
    """A misspelt name is rated only with a word about it; opponents stand in the table; the list's K says so."""
    monkeypatch.setenv("ARPAD_DATA", data)
    take(made.written(tmp_path / "list.txt", made.combined_head(), lines_of()), data)
    names = [one["name"] for one in PEOPLE]
    me, other = [one for one in PEOPLE if one["standard"] > 1500 and names.count(one["name"]) == 1][:2]
    surname, _, forename = me["name"].partition(", ")
    misspelt = f"{surname[0]}{surname[2]}{surname[1]}{surname[3:]}, {forename}"

    def shown(*words):
        assert main([*words, "--on", "2026-11-15"]) == 0
        return capsys.readouterr().out

    out = shown("rate", misspelt, "bye", f"@{other['id']}:draw", "1950:win", "--games", "5")
    assert f"player       {me['name']}" in out
    assert f"'{misspelt}' was taken as {me['name']}" in " ".join(out.split())
    assert [line.split()[2].rstrip(",") for line in out.splitlines() if line.startswith("2 ")] == [
        other["name"].partition(",")[0].split()[0]
    ]
    assert f"{me['standard_k']}   from the list fide 2026-11" in out
    assert "K is the list's, whatever --games would make it" in out
    assert "was taken as" not in shown("rate", me["name"], "1950:win")
    assert f"opponent  {other['name']}" in shown("expect", "1750", f"@{other['id']}")
    need = shown("need", "1750", "--reach", "1760", "--against", f"@{other['id']},1800")
    assert f"Opponent: {other['name']} (" in " ".join(need.split())
    by_list = shown("rate", f"@{me['id']}", "1950/30:win", "--deviation", "50", "--system", "glicko-2", "--brief")
    typed = shown("rate", str(me["standard"]), "1950/30:win", "--deviation", "50", "--system", "glicko-2", "--brief")
    assert [line.split()[:3] for line in by_list.splitlines()[1:]] == [line.split()[:3] for line in typed.splitlines()]
    assert other["name"] in shown("rate", "1750", f"@{other['id']}@w:win", "--deviation", "50", "--system", "glicko")
    compared = shown("compare", f"@{me['id']}", "1950:win", "--systems", "fide-standard,elo")
    assert "K is 32 unless another is set" in " ".join(compared.split())
    assert "Ratings are those of the rating list fide 2026-11." in compared


def test_rating_by_number_opens_no_list():
    """`arpad rate 1750 1950:win` loads neither the database nor Arrow."""
    heavy = "{'duckdb', 'pyarrow', 'numpy', 'arpad.lists'}"
    probe = "import sys, arpad.cli\narpad.cli.main(['rate', '1750', '1950:win'])\n"
    probe += f"print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
