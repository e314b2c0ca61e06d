"""Finding players: who comes first, how many there are, every spelling of a name, and every list that is valid."""

import os
import subprocess
import sys
import threading

import pytest
import rating_lists as made

from arpad.cli import main
from arpad.errors import BadInput, Busy
from arpad.lists import Hints, find, import_list, look_up, recognise
from arpad.lists.search import begins, is_called
from arpad.lists.store import lists_in, reading
from conftest import ROOT
from doors import asked

PERSON = next(made.players(1))
NOBODY = {f"{pace}{ending}": 0 for pace in made.PACES for ending in ("", "_games", "_k")}


def person(number, name, standard=0, **more):
    k = 20 if standard else 0
    return {**PERSON, **NOBODY, "id": number, "name": name, "standard": standard, "standard_k": k, **more}


def names(found):
    return [one.name for one in found.players]


def taken(folder, people, month="2026-11", pace=None):
    """People in a list of their own, combined or of one pace."""
    if pace is None:
        path = made.written(folder / "list.txt", made.combined_head(), map(made.combined_line, people))
    else:
        lines = (made.single_line(one, pace) for one in people)
        path = made.written(folder / f"{pace}_rating_list.txt", made.single_head("NOV26"), lines)
    import_list(recognise(str(path), Hints(month=month)), data=str(folder / "data"))
    return str(folder / "data")


# --- the best first --------------------------------------------------------------------------------------------------

SHORT = [
    f"{start}{end}" for start in ("A", "Bo", "Cy", "Du") for end in ("a", "bo", "di", "fo", "gu", "ha", "ki", "lo")
]
MANY = [person(1000 + turn, f"Tarvik, {name}", 1500 + turn) for turn, name in enumerate(SHORT)]


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """Thirty-two short names, one long one with the highest rating, and names that only begin so."""
    people = [
        *MANY,
        person(1, "Tarvik, Maximilian Alexander", 2840),
        person(2, "Tarviksen, Bo", 2900),
        person(3, "Holm, Tarvik", 2850),
        person(4, "Tarvik, Unrated"),
        person(5, "Korvin, Al", 2600),
        person(6, "Kormin, Jo", 2000),
        person(7, "Kormin, Maximilian", 2100),
        *(person(5000 + turn, f"Xaver{turn}, Xandor", turn) for turn in range(700)),
        person(6000, "Xaver, Low", 1),
        person(6001, "Xa, Unrated"),
    ]
    return taken(tmp_path_factory.mktemp("ranked"), people)


def test_of_equal_matches_the_higher_rated_first(ranked):
    """Whole words before beginnings, the surname before the given name, then the rating, however long the name is."""
    found = find("tarvik", most=100, data=ranked)
    by_rating = sorted(MANY, key=lambda one: -one["standard"])
    surnames = ["Tarvik, Maximilian Alexander", *(one["name"] for one in by_rating), "Tarvik, Unrated"]
    assert names(found) == [*surnames, "Holm, Tarvik", "Tarviksen, Bo"]
    assert names(find("tarv", most=2, data=ranked)) == ["Tarviksen, Bo", "Tarvik, Maximilian Alexander"]


def test_similarity_orders_what_was_misspelt(ranked):
    """`kormyn` is nearer to Kormin than to Korvin, whoever is rated higher; of the two the higher rated is first."""
    assert names(find("kormyn", data=ranked)) == ["Kormin, Maximilian", "Kormin, Jo", "Korvin, Al"]


def test_a_beginning_of_very_many(ranked):
    """Of 702 who begin with x the whole word comes first and then the highest rated; all of them are counted."""
    found = find("xa", most=3, data=ranked)
    assert names(found) == ["Xa, Unrated", "Xaver699, Xandor", "Xaver698, Xandor"]
    assert found.total == 702
    assert find("xa xa", data=ranked).total == 702
    assert names(find("xaver low", data=ranked)) == ["Xaver, Low"]


def test_more_than_are_shown_are_said(ranked, capsys):
    """The command says how many there are and how to see them; JSON has the total; so does a refusal."""
    assert main(["list", "find", "tarvik", "--data", ranked]) == 0
    assert "the best 20 of 36; --most 36 shows them all" in capsys.readouterr().out
    assert main(["list", "find", "xa", "--data", ranked]) == 0
    assert "the best 20 of 702; --most 100 shows more" in capsys.readouterr().out
    assert main(["list", "find", "holm", "--data", ranked]) == 0
    assert "shown" not in capsys.readouterr().out
    value = asked(["list", "find", "tarvik", "--most", "5", "--data", ranked, "--json"])["value"]
    assert (value["total"], len(value["players"])) == (36, 5)
    refused = asked(["rate", "Tarvik", "1950:win", "--data", ranked, "--on", "2026-11-15", "--json"])["error"]
    assert refused.startswith("'Tarvik' may be any of 36: Tarvik, Maximilian Alexander ")
    assert "; and 30 more. Give the ID" in refused


def test_nobody_found_says_what_to_try(ranked, capsys):
    """A federation has three letters; a name that nobody has may be shortened."""
    for line, says in (
        (["--federation", "Norway"], "three letters, such as NOR for Norway; 'Norway' is not one of FIDE's"),
        (["tarvik", "--born", "1900"], "without the federation or the year of birth"),
        (["qqqqzz"], "the surname alone or its beginning"),
        (["987654321"], "has that ID; try the name"),
    ):
        assert main(["list", "find", *line, "--data", ranked]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert out.startswith("No player found. ")
        assert says in out
        assert says in asked(["list", "find", *line, "--data", ranked, "--json"])["notes"][0]


def test_too_many_words_are_refused(ranked):
    """No name has thirteen words."""
    assert names(find("tarvik " * 13, most=1, data=ranked)) == ["Tarvik, Maximilian Alexander"]
    with pytest.raises(BadInput, match="at most 12 words"):
        find(" ".join("abcdefghijklm"), data=ranked)


# --- spellings -------------------------------------------------------------------------------------------------------

SPELT = [
    person(1, "Mueller, Karsten", 2500),
    person(2, "Muller, Karl", 2100),
    person(3, "Mullerson, Grig", 2600),
    person(4, "Aangstroem, Bo", 2000),
    person(5, "Angstrom, Cy", 1900),
    person(6, "Soerensen, Ib", 1800),
    person(7, "Sorensen, Ole", 1700),
    person(8, "Weissgraeber, Udo", 1600),
    person(9, "Hansen, Per", 1500),
    person(10, "Haensel, Per", 1400),
    person(11, "Groen, Jan", 1300),
    person(12, "Gron, Jan", 1200),
]


@pytest.fixture(scope="module")
def spelt(tmp_path_factory):
    return taken(tmp_path_factory.mktemp("spelt"), SPELT)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Müller", ["Mueller, Karsten", "Muller, Karl", "Mullerson, Grig"]),
        ("Mu\u0308ller", ["Mueller, Karsten", "Muller, Karl", "Mullerson, Grig"]),
        ("MÜLL", ["Mullerson, Grig", "Mueller, Karsten", "Muller, Karl"]),
        ("Mueller", ["Mueller, Karsten", "Muller, Karl"]),
        ("Muller", ["Muller, Karl", "Mullerson, Grig", "Mueller, Karsten"]),
        ("Ångström", ["Aangstroem, Bo", "Angstrom, Cy"]),
        ("Sørensen", ["Soerensen, Ib", "Sorensen, Ole"]),
        ("Weißgräber", ["Weissgraeber, Udo"]),
        ("hans", ["Hansen, Per"]),
        ("grön jan", ["Groen, Jan", "Gron, Jan"]),
    ],
)
def test_both_spellings_of_a_letter(spelt, query, expected):
    """Ü is u and ue at once, ö o and oe, å a and aa, ø o and oe; plain letters mean themselves first."""
    assert names(find(query, data=spelt)) == expected


@pytest.mark.parametrize(
    ("typed", "who"),
    [
        ("Müller", "any of 3: Mueller, Karsten"), ("Sørensen", "any of 2: Soerensen, Ib"), ("Grön, Jan", "any of 2"),
        ("Mueller", "Mueller, Karsten"), ("Gron, Jan", "Gron, Jan"), ("Müller, Karl", "Muller, Karl"),
    ],
)  # fmt: skip
def test_a_name_that_may_be_two_is_not_decided(spelt, typed, who):
    """An accent leaves both spellings open; plain letters name the one who is spelt so."""
    line = ["rate", "2700", f"{typed}:win", "--data", spelt, "--on", "2026-11-15", "--json"]
    answer = asked(line)
    if "any of" in who:
        assert f"may be {who}" in answer["error"]
    else:
        assert [one["name"] for one in answer["people"]] == [who]
        assert not any("was read as" in note for note in answer["notes"])


def test_words_of_a_name_in_both_spellings():
    """A text begins a name, or is all of it, in either spelling."""
    assert is_called("Grön Jan", "Groen, Jan")
    assert is_called("Jan Grön", "Gron, Jan")
    assert not is_called("Groen Jan", "Gron, Jan")
    assert begins("Mül", "Mueller, Karsten")
    assert not begins("Muel", "Muller, Karl")


# --- lists of one pace -----------------------------------------------------------------------------------------------

STAN = person(11, "Standahl, Stan", 1800)
RITA = person(12, "Rapidahl, Rita", rapid=1700, rapid_k=20)
BOTH = person(13, "Bothdahl, Bea", 1900, rapid=2000, rapid_k=20)
MARRIED = {**BOTH, "name": "Newdahl, Bea", "fed": "SWE", "rapid": 1650}


def test_every_valid_list_is_searched(tmp_path, capsys):
    """Standard and rapid apart, of one month and then of two: each player once, as the newest list has them."""
    data = taken(tmp_path, [STAN, BOTH], pace="standard")
    taken(tmp_path, [RITA, BOTH], pace="rapid")
    assert names(find("rapidahl", data=data)) == ["Rapidahl, Rita"]
    assert names(find("standahl", data=data)) == ["Standahl, Stan"]
    found = find("bothdahl", data=data)
    assert [(one.name, one.rating("standard"), one.rating("rapid")) for one in found.players] == [
        ("Bothdahl, Bea", 1900, 2000)
    ]
    taken(tmp_path, [RITA, MARRIED], "2026-12", pace="rapid")
    assert names(find("standahl", data=data)) == ["Standahl, Stan"]
    for query in ("bothdahl", "newdahl"):  # the older list has the older name
        found = find(query, data=data)
        assert [(one.name, one.federation) for one in found.players] == [("Newdahl, Bea", "SWE")]
        assert found.total == 1
    assert find("bea", federation=PERSON["fed"], data=data).total == 0
    everybody = find("", born=PERSON["born"], data=data)
    assert (names(everybody), everybody.total) == (["Newdahl, Bea", "Standahl, Stan", "Rapidahl, Rita"], 3)
    assert main(["list", "find", "standahl", "--data", data]) == 0
    assert "From the rating list fide rapid 2026-12 and fide standard 2026-11." in capsys.readouterr().out


def test_somebody_on_another_list_is_rated(tmp_path):
    """Whoever is on the rapid list alone is rated by it."""
    data = taken(tmp_path, [STAN], "2026-12", pace="standard")
    taken(tmp_path, [RITA], pace="rapid")
    line = ["rate", "Rapidahl, Rita", "1700:win", "--system", "fide-rapid", "--on", "2026-12-15", "--data", data]
    assert asked([*line, "--json"])["value"]["change"] == "10.00"  # K 20, an even game won: 20 × 0.5 (FIDE B.02 8.3.2)


# --- open for a moment -----------------------------------------------------------------------------------------------

IMPORT = "import sys\nfrom arpad.lists.store import writing\nwith writing(sys.argv[1]): print('changed')"


def changed_elsewhere(data):
    """What another program says that changes the lists."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    line = [sys.executable, "-c", IMPORT, data]
    ran = subprocess.run(line, check=False, capture_output=True, text=True, env=environment)
    return ran.stdout.strip() or ran.stderr.strip().splitlines()[-1]


def test_nothing_is_left_over_at_the_end(tmp_path):
    """DuckDB complains on standard error about connections that are still open when the program ends."""
    data = taken(tmp_path, [STAN])
    line = [sys.executable, "-m", "arpad", "entries", "docs/examples/entries.csv", "--list", "fide", "--data", data]
    for _ in range(4):  # without closing it was most of them, not all
        assert subprocess.run(line, check=False, capture_output=True, text=True, cwd=ROOT).stderr == ""


def test_a_file_is_let_go_after_a_search(tmp_path):
    """An import waits for whoever has just searched; whoever still reads stops it, in this program as in another."""
    data = taken(tmp_path, [STAN])
    find("standahl", data=data)
    assert changed_elsewhere(data) == "changed"
    with reading(data), reading(data) as connection:
        assert len(lists_in(connection)) == 1
        with pytest.raises(Busy, match="Another program"):
            taken(tmp_path, [RITA])
        assert "Another program" in changed_elsewhere(data)
    assert changed_elsewhere(data) == "changed"


def test_a_file_is_kept_for_a_moment_only(tmp_path):
    """An import in another program waits for the moment to pass, in the same it need not; a change is seen at once."""
    data = taken(tmp_path, [STAN])
    assert find("standahl", data=data).total == 1
    assert changed_elsewhere(data) == "changed"
    find("standahl", data=data)
    taken(tmp_path, [STAN, RITA])
    assert find("rapidahl", data=data).total == 1
    other = taken_elsewhere(tmp_path)
    (tmp_path / "data" / "lists.duckdb").unlink()
    (other / "lists.duckdb").rename(tmp_path / "data" / "lists.duckdb")
    assert names(find("bothdahl", data=data)) == ["Bothdahl, Bea"]


def taken_elsewhere(folder):
    """Another file of lists, in a folder of its own."""
    (folder / "other").mkdir()
    taken(folder / "other", [BOTH])
    return folder / "other" / "data"


def test_many_search_at_once(tmp_path):
    """Threads that search the same lists and others do not disturb each other, nor leave a file open."""
    (tmp_path / "other").mkdir()
    places = {taken(tmp_path, [STAN]): "Standahl, Stan", taken(tmp_path / "other", [BOTH]): "Bothdahl, Bea"}
    wrong = []

    def search(data, name):
        wrong.extend(found for _ in range(10) if (found := names(find(name, data=data))) != [name])

    threads = [threading.Thread(target=search, args=place) for place in [*places.items()] * 3]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []
    assert [changed_elsewhere(data) for data in places] == ["changed", "changed"]


# --- what was typed in full, and other alphabets ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def peculiar(tmp_path_factory):
    """Names that differ in order and length, very many with one given name, and names in other alphabets."""
    folder = tmp_path_factory.mktemp("peculiar")
    people = [
        (1, "Carlstad, Jens Magnar", 2100),
        (2, "Carlstad, Magnar", 2000),
        (3, "Magnar, Carlstad", 2200),
        (4, "Чигорин, М.", 1900),
        (5, "Παπαδόπουλος, Γ", 1800),
        (6, "Sørensen, Æ", 1700),
        (7, 'Smith/Jones, "Al" Bert', 1600),
        (8, "Ivanko, Petru", 1200),
        *((1000 + turn, f"Surname{turn}, Ivanko", 1300 + turn) for turn in range(900)),
    ]
    rows = "\n".join(f'{number};"{name.replace(chr(34), chr(34) * 2)}";{rating}' for number, name, rating in people)
    path = folder / "club.csv"
    path.write_text(f"id;name;rating\n{rows}\n", encoding="utf-8")
    import_list(recognise(str(path), Hints(month="2026-11", name="club")), data=str(folder / "data"))
    return str(folder / "data")


def test_the_whole_name_comes_first(peculiar):
    """Whoever is called as it was typed, then in another order, then whoever has more names; then the rating."""
    whole = ["Carlstad, Magnar", "Magnar, Carlstad", "Carlstad, Jens Magnar"]
    assert names(find("Carlstad, Magnar", data=peculiar)) == whole
    assert names(find("Magnar Carlstad", data=peculiar)) == ["Magnar, Carlstad", "Carlstad, Magnar", whole[2]]
    assert names(find("calrstad", data=peculiar))[-1] == "Magnar, Carlstad"


def test_a_surname_comes_before_a_great_many_given_names(peculiar):
    """Of 901 the one with the surname is first, though the lowest rated."""
    found = find("ivanko", data=peculiar)
    assert (found.total, found.players[0].name) == (901, "Ivanko, Petru")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Чигорин М", "Чигорин, М."),
        ("chigorin m", "Чигорин, М."),
        ("Παπαδόπουλος Γ", "Παπαδόπουλος, Γ"),
        ("papadopoylos g", "Παπαδόπουλος, Γ"),
        ("Sørensen Æ", "Sørensen, Æ"),
        ("jones al", 'Smith/Jones, "Al" Bert'),
    ],
)
def test_short_words_in_any_alphabet(peculiar, query, name):
    """An initial is compared with names as they sound in plain letters."""
    assert names(find(query, data=peculiar)) == [name]


def test_inactivity_is_about_the_pace_whose_list_says_so(tmp_path, capsys):
    """A combined list marks those without a standard game for a year; a list of one pace marks its own."""
    data = str(tmp_path / "data")
    somebody = {**PERSON, "standard": 2100, "rapid": 2050, "blitz": 2000, "flag": "wi"}
    combined = made.written(tmp_path / "all.txt", made.combined_head(), [made.combined_line(somebody)])
    import_list(recognise(str(combined), Hints(month="2026-11")), data=data)
    assert look_up(somebody["id"], data=data)[0].inactive == ("standard",)
    main(["list", "show", str(somebody["id"]), "--data", data])
    assert "woman, inactive in standard" in capsys.readouterr().out
    for pace, flag in (("standard", "w"), ("rapid", "wi"), ("blitz", "i")):
        line = made.single_line({**somebody, "flag": flag}, pace)
        path = made.written(tmp_path / f"{pace}_nov26frl.txt", made.single_head("NOV26"), [line])
        import_list(recognise(str(path), Hints()), data=data)
    assert look_up(somebody["id"], data=data)[0].inactive == ("rapid", "blitz")
    main(["list", "find", str(somebody["id"]), "--data", data])
    assert "inactive in rapid and blitz" in capsys.readouterr().out
