"""A tournament's players looked up in an imported rating list."""

import html
import json
from pathlib import Path

import pytest
import rating_lists as made

from arpad.cli import main
from arpad.lists import same_name
from conftest import ROOT

# An invented list of the month of the event in docs/examples/open.trf: one rating, K and title other than the file's.
LISTED = """id,name,federation,sex,title,rating,games,k,born
90000017,"Lindqvist, Aron",SWE,M,GM,2420,0,10,1988
90000058,"Horvat, Mirjana",CRO,F,,2054,0,40,2003
"""
OPEN = "docs/examples/open.trf"


@pytest.fixture
def listed(tmp_path, monkeypatch, capsys):
    """The list, imported."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    (tmp_path / "list.csv").write_text(LISTED, encoding="utf-8")
    assert main(["list", "import", str(tmp_path / "list.csv"), "--month", "2026-08", "--name", "fide"]) == 0
    capsys.readouterr()


def says(capsys, *words):
    """The answer of a command."""
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("listed")
def test_an_event_takes_ratings_and_k_from_the_list(capsys):
    """Rating and K are those of the list valid at the start; what differs from the file, and the list, are named."""
    rated = says(capsys, "event", OPEN, "--list", "fide")
    players = {one["no"]: one for one in rated["value"]["players"]}
    assert (players[1]["rating"], players[5]["k"]) == (2420, 40)
    assert says(capsys, "event", OPEN)["value"]["players"][4]["k"] == 20
    assert any("2412 in the file and 2420 on the list" in oddity for oddity in rated["value"]["oddities"])
    assert any("fide standard 2026-08" in note for note in rated["notes"])


@pytest.mark.usefixtures("listed")
def test_another_federation_on_the_list_is_said(capsys, tmp_path):
    """The list's federation takes the place of the file's, and both are named."""
    report = tmp_path / "moved.trf"
    report.write_bytes((ROOT / OPEN).read_bytes().replace(b" SWE ", b" NOR "))
    rated = says(capsys, "event", str(report), "--list", "fide")
    assert any(
        "Player 1 has NOR in the file and SWE on the list; using SWE" in one for one in rated["value"]["oddities"]
    )


@pytest.mark.usefixtures("listed")
def test_norms_take_titles_from_the_list(capsys):
    """The list knows a title that the file does not: its holder is nobody's candidate for it."""
    one = next(one for one in says(capsys, "norms", OPEN, "--list", "fide")["value"]["players"] if one["no"] == 1)
    assert one["title"] == "GM"
    ties = says(capsys, "ties", OPEN, "--list", "fide", "--by", "RTNG", "--unrated", "1400")
    assert any("fide standard 2026-08" in note for note in ties["notes"])


@pytest.mark.usefixtures("listed")
def test_a_list_that_is_too_new_is_refused(capsys):
    """No list before the event's start is imported: that is said, and nothing is guessed."""
    assert main(["event", OPEN, "--list", "fide", "--on", "2026-05-01"]) == 2
    assert "2026-05" in capsys.readouterr().err


# Nine of the ten players of the Harbour Open have IDs in its file; number 10 has none and no rating.
IDS = (90000017, 90000025, 90000033, 90000041, 90000058, 90000066, 90000074, 90000082, 90000090)


def single(tmp_path, pace, month, ratings):
    """A list of one rating in FIDE's layout, imported."""
    people = [
        {**one, "id": player, pace: rating, f"{pace}_k": 20 * bool(rating)}
        for one, (player, rating) in zip(made.players(len(ratings)), ratings.items(), strict=True)
    ]
    lines = (made.single_line(one, pace) for one in people)
    path = made.written(tmp_path / f"{pace}_{month.lower()}frl.txt", made.single_head(month), lines)
    assert main(["list", "import", str(path)]) == 0


@pytest.fixture
def singles(tmp_path, monkeypatch, capsys):
    """Standard of July without number 8 and with number 9 unrated; rapid of August, newer, with everybody."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    single(tmp_path, "standard", "JUL26", {**dict.fromkeys(IDS[:7], 2000), IDS[8]: 0})
    single(tmp_path, "rapid", "AUG26", dict.fromkeys(IDS[:7], 1900) | {IDS[8]: 1900})
    capsys.readouterr()


@pytest.mark.usefixtures("singles")
def test_the_list_that_is_named_is_the_one_the_ratings_are_from(capsys, tmp_path):
    """The rapid list is newer, and standard ratings are not its: in JSON, at the head of the page, and in the notes."""
    rated = says(capsys, "event", OPEN, "--list", "fide")
    assert rated["value"]["list"]["name"] == "fide standard 2026-07"
    (note,) = [note for note in rated["notes"] if "Ratings are those of" in note]
    assert note.startswith("Ratings are those of the rating list fide standard 2026-07. The list of 2026-08 has not")
    assert says(capsys, "event", OPEN, "--list", "fide", "--system", "fide-rapid")["value"]["list"]["name"] == (
        "fide rapid 2026-08"
    )
    page = tmp_path / "report.html"
    assert main(["event", OPEN, "--list", "fide", "--to", str(page)]) == 0
    text = html.unescape(page.read_text(encoding="utf-8"))
    assert text.count("the rating list fide standard 2026-07") == 1
    assert text.index("fide standard 2026-07") < text.index("Standings")
    assert main(["event", OPEN, "--list", "fide", "--system", "fide-blitz"]) == 2
    assert "no blitz ratings" in capsys.readouterr().err


@pytest.mark.usefixtures("singles")
def test_whoever_does_not_have_the_lists_rating_is_named(capsys, tmp_path):
    """A rating is a published one (FIDE B.02, 7.1): without one on the list is unrated; not on the list is said."""
    rated = says(capsys, "event", OPEN, "--list", "fide")
    players = {one["no"]: one for one in rated["value"]["players"]}
    assert [players[no]["rating"] for no in (7, 8, 9, 10)] == [2000, 1765, None, None]
    assert rated["value"]["list"] == {
        "name": "fide standard 2026-07", "unrated": [9], "not_found": [8], "without_id": [10],
        "other_name": [1, 2, 3, 4, 5, 6, 7, 9],  # the list's names are invented, and none is the file's
    }  # fmt: skip
    named = ("although the file has a rating: 9 Novotny, Karel (1688)", "used: 8 Lefevre, Camille (1765)", "10 Silva")
    for command in ("event", "norms"):
        notes = " ".join(says(capsys, command, OPEN, "--list", "fide")["notes"])
        assert all(one in notes for one in named)
    for form in ("html", "json"):
        path = tmp_path / f"report.{form}"
        assert main(["event", OPEN, "--list", "fide", "--to", str(path)]) == 0
        assert all(one in html.unescape(path.read_text(encoding="utf-8")) for one in named)


@pytest.mark.usefixtures("listed")
def test_an_id_of_somebody_else_is_told_of(capsys, tmp_path):
    """The list's Lindqvist is the file's; number 5 has an ID that is Horvat's in the list, and Weiss's in the file."""
    said = " ".join(says(capsys, "event", OPEN, "--list", "fide")["notes"])
    assert "another name" not in said
    wrong = tmp_path / "open.trf"
    text = (ROOT / OPEN).read_text(encoding="utf-8")
    wrong.write_text(text.replace("Horvat, Mirjana", "Weiss, Konrad  "), encoding="utf-8")
    rated = says(capsys, "event", str(wrong), "--list", "fide")
    assert rated["value"]["list"]["other_name"] == [5]
    told = "and its rating is used; check: 5 Weiss, Konrad (on the list: Horvat, Mirjana)."
    assert any(told in note for note in rated["notes"])
    for command in ("norms", "ties"):
        assert any(told in note for note in says(capsys, command, str(wrong), "--list", "fide")["notes"])
    page = tmp_path / "report.html"
    assert main(["event", str(wrong), "--list", "fide", "--to", str(page)]) == 0
    assert told in html.unescape(page.read_text(encoding="utf-8"))


# Players as their federations, tournament programs and FIDE's list have spelt them, and people who are not one.
ONE = """
Müller, K | Mueller, Karl
Anand, Viswanathan | Viswanathan Anand
Short, Nigel D | Short, Nigel
Карпов Анатолий | Karpov, Anatoly
Tschigorin, M | Chigorin, Mikhail
Awerbach, Juri | Yuri Averbakh
Pogonina, Natalija | Natalya Pogonina
Nepomniachtchi, Ian | Nepomnyashchy, Yan
Gukesh D | Gukesh, Dommaraju
Jan van den Berg | Vandenberg, J
Garcia, Juan | Garcia Lopez, Juan Carlos
Ponomariov, Rus | Ponomariov, Ruslan
GM Carlsen Magnus | Carlsen, Magnus
侯逸凡 | Hou, Yifan
"""
TWO = """
Weiss, Konrad | Horvat, Mirjana
Polgar, Judit | Karpov, Anatoly
Lindqvist, Aron | Lindqvist, Maria
Smith, J | Jones, S
"""


@pytest.mark.parametrize(("pair", "same"), [(pair, True) for pair in ONE.strip().splitlines()]
                         + [(pair, False) for pair in TWO.strip().splitlines()])  # fmt: skip
def test_one_name_in_other_spellings(pair, same):
    """Order, initials, accents, alphabets and names left out make no other name; another given name does."""
    one, other = pair.split(" | ")
    assert same_name(one, other) is same
    assert same_name(other, one) is same


# A junior until the end of 2026 (FIDE 8.3.3: until the end of the year of the 18th birthday) and a newcomer of 2003.
OF_DECEMBER = """id,name,federation,sex,title,rating,games,k,born
90000017,"Lindqvist, Aron",SWE,M,GM,2420,0,10,1988
90000058,"Horvat, Mirjana",CRO,F,,2054,0,40,2008
90000066,"Petersen, Jonas",DEN,M,,1962,0,40,2003
"""
OF_JANUARY = OF_DECEMBER.replace("2054,0,40", "2070,0,20").replace("1962,0,40", "1970,0,20")


def imported(tmp_path, month, table):
    """A list of that month under FIDE's name."""
    path = tmp_path / f"{month}.csv"
    path.write_text(table, encoding="utf-8")
    assert main(["list", "import", str(path), "--month", month, "--name", "fide"]) == 0


@pytest.fixture
def over_new_year(tmp_path, monkeypatch, capsys):
    """The Harbour Open moved to 28 December until 3 January, and the list of December."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    imported(tmp_path, "2026-12", OF_DECEMBER)
    text = (
        (ROOT / OPEN)
        .read_text(encoding="utf-8")
        .replace("2026/08/15", "2026/12/28")
        .replace("2026/08/20", "2027/01/03")
    )
    path = tmp_path / "open.trf"
    path.write_text(
        "".join(line for line in text.splitlines(keepends=True) if not line.startswith("132")), encoding="utf-8"
    )
    capsys.readouterr()
    return str(path)


def test_an_event_over_new_year_takes_k_from_the_january_list(over_new_year, tmp_path, capsys):
    """An event that ends on 3 January enters the list of February: K is January's, ratings are December's."""
    imported(tmp_path, "2027-01", OF_JANUARY)
    capsys.readouterr()
    rated = says(capsys, "event", over_new_year, "--list", "fide")
    players = {one["no"]: (one["rating"], one["k"]) for one in rated["value"]["players"]}
    assert (players[1], players[5], players[6]) == ((2420, 10), (2054, 20), (1962, 20))
    assert any("K is from the list of 2027-01-01" in note for note in rated["notes"])


def test_without_the_january_list_age_still_ends_a_juniors_k(over_new_year, capsys):
    """The list of January is not there: a newcomer keeps December's K, a junior does not, and the report says so."""
    rated = says(capsys, "event", over_new_year, "--list", "fide")
    players = {one["no"]: one["k"] for one in rated["value"]["players"]}
    assert (players[5], players[6]) == (20, 40)
    assert any("The list of 2027-01 has not been imported" in note for note in rated["notes"])


@pytest.mark.usefixtures("over_new_year")
def test_a_period_takes_k_from_the_list_too(tmp_path, capsys):
    """`rate --period` with the last day of an event: the junior's K is January's, 20 × (1 − 0.5) = 10."""
    imported(tmp_path, "2027-01", OF_JANUARY)
    period = tmp_path / "january.toml"
    period.write_text(
        'rating = "@90000058"\non = 2026-12-28\n[[event]]\non = 2026-12-28\nended = 2027-01-03\ngames = ["2054:win"]\n',
        encoding="utf-8",
    )
    capsys.readouterr()
    rated = says(capsys, "rate", "--period", str(period))
    assert (rated["value"]["rating"], rated["value"]["k"], rated["value"]["change"]) == (2054, 20, "10.00")
    assert any("K is from the list of 2027-01-01" in note for note in rated["notes"])


def stretched(path, days, end):
    """The Harbour Open with other days of its six rounds."""
    text = (ROOT / OPEN).read_text(encoding="utf-8").replace("052 2026/08/20", f"052 {end}")
    for number, day in enumerate(days):
        text = text.replace(f"26/08/{15 + number}", day, 1)
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


SEASON = ("26/08/15", "26/08/22", "26/09/05", "26/09/12", "26/09/19", "26/10/03")


@pytest.fixture
def months(tmp_path, monkeypatch, capsys):
    """Standard lists of August, September and October: everybody has 2000, 2010 and 2020."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    for number, month in enumerate(("AUG26", "SEP26", "OCT26")):
        single(tmp_path, "standard", month, dict.fromkeys(IDS, 2000 + 10 * number))
    capsys.readouterr()


@pytest.mark.usefixtures("months")
def test_a_long_event_is_rated_in_parts_each_by_its_list(capsys, tmp_path):
    """FIDE wants each month's games in a report of their own, rated by the list of that month (B.02 1)."""
    path = stretched(tmp_path / "season.trf", SEASON, "2026/10/03")
    rated = says(capsys, "event", path, "--list", "fide")["value"]
    assert [(part["month"], part["rounds"]) for part in rated["parts"]] == [
        ("2026-08-01", [1, 2]),
        ("2026-09-01", [3, 4, 5]),
        ("2026-10-01", [6]),
    ]
    assert [report["list"]["name"] for report in rated["reports"]] == [
        f"fide standard 2026-{month}" for month in ("08", "09", "10")
    ]
    first = rated["players"][0]
    assert first["ratings"] == [2000, 2010, 2020]
    # Lindqvist, K 20: 1½ of 2, then 2½ of 3, then 1 of 1, always against his own rating, where PD is 0.50.
    assert [float(change) for change in first["changes"]] == [10, 20, 10]
    assert float(first["total"]) == 40
    part = says(capsys, "event", path, "--list", "fide", "--part", "2")["value"]
    assert [(one["games"], one["rating"]) for one in part["players"][:1]] == [(3, 2010)]
    assert main(["event", path, "--player", "1"]) == 2
    assert "name the one that is meant (--part 1)" in capsys.readouterr().err
    assert main(["event", path, "--part", "4"]) == 2
    assert "there is no part 4" in capsys.readouterr().err


def test_a_long_event_says_what_unrated_players_get(capsys, tmp_path):
    """The table of the parts has only changes: their first ratings, or what is missing, are said as in each part."""
    days = (*(f"26/08/{day}" for day in (15, 16, 22, 23, 29)), "26/10/03")
    path = Path(stretched(tmp_path / "season.trf", days, "2026/10/03"))
    path.write_bytes(path.read_bytes().replace(b" 2247 ", b"      "))
    rated = says(capsys, "event", str(path))
    part = says(capsys, "event", str(path), "--part", "1")["value"]
    first = {one["no"]: one["new_rating"] for one in part["players"] if one["rating"] is None}
    assert first[10] is None
    assert first[3] is not None
    assert f"In part 1: 3 Brandauer, Lena: first rating {first[3]}" in rated["notes"]
    missing = [note for note in rated["notes"] if note.startswith("In part 1: 10 Silva, Tomas: a first rating needs 5")]
    assert len(missing) == 1


def test_a_long_event_says_what_is_wrong_with_its_file(capsys, tmp_path):
    """Above the parts, as for any event: whose event it is, another list, games that only one side has."""
    path = Path(stretched(tmp_path / "season.trf", SEASON, "2026/10/03"))
    assert main(["event", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Harbour Open, Rijeka, CRO, 2026-08-15 to 2026-10-03\n")
    path.write_bytes(path.read_bytes().replace(b"8 w 1\n", b"8 w 0\n", 1).replace(b"122 90+30", b"122 15+10"))
    assert main(["event", str(path)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("The time control 15+10 belongs to fide-rapid")
    assert "round 6" in shown.partition("Harbour Open")[0]


def test_check_says_which_rounds_belong_to_which_report(capsys, tmp_path):
    """In the check itself and in the one for FIDE; an event of 30 days is one report, whatever its months."""
    path = stretched(tmp_path / "season.trf", SEASON, "2026/10/03")
    for words in ((path,), (path, "--for", "fide")):
        main(["check", *words])
        shown = capsys.readouterr().out
        assert "send 3 reports" in shown
        assert "part 2: rounds 3, 4 and 5 of 2026-09, rated by the list of that month" in shown
    short = stretched(tmp_path / "month.trf", ("26/08/15", *SEASON[1:5], "26/09/13"), "2026/09/13")
    main(["check", short])
    assert "reports" not in capsys.readouterr().out


def test_a_rapid_event_given_as_standard_says_so_first(capsys, tmp_path):
    """Before the table, with the command that rates it, and not a second time below."""
    path = tmp_path / "rapid open.trf"
    path.write_bytes((ROOT / OPEN).read_bytes().replace(b"122 90+30", b"122 15+10"))
    main(["event", str(path)])
    shown = capsys.readouterr().out
    assert shown.startswith("The time control 15+10 belongs to fide-rapid, so these games are not rated")
    assert f"arpad event '{path}' --system fide-rapid" in shown.partition("Lindqvist")[0]
    assert shown.count("belongs to fide-rapid") == 1
    main(["event", str(path), "--system", "fide-rapid"])
    assert "belongs to" not in capsys.readouterr().out
