"""Before a report is sent: each check has a file that fails by it alone, and a complete file passes."""

import json
from pathlib import Path

import pytest

from arpad.cli import main
from arpad.formats import read, read_bytes
from arpad.tournaments.submission import submission_items
from conftest import shared

EXAMPLE = (Path(__file__).parents[2] / "docs" / "examples" / "open.trf").read_text(encoding="utf-8")
ID = slice(57, 68)


def with_player(text, no, columns, value):
    """The line of a player with other text in some columns, counted from 0."""
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if line.startswith(f"001 {no:>4}"):
            width = columns.stop - columns.start
            lines[place] = line[: columns.start] + f"{value:<{width}}" + line[columns.stop :]
    return "\n".join(lines) + "\n"


COMPLETE = EXAMPLE.replace("102 Marin, Ivana", "102 Marin, Ivana (IA, 14500000)")
COMPLETE = COMPLETE.replace("112 Kovac, Petar", "112 Kovac, Petar (FA, 14500001)")
COMPLETE = with_player(COMPLETE, 10, ID, "90000107")
HEADER = [line[:3] for line in COMPLETE.splitlines() if line[:3].isdigit() and line[:3] != "001"]


def unready(text):
    """The items that are not ready, with their states."""
    items = submission_items(read_bytes(text.encode(), "open.trf"))
    return {one.key: one.state for one in items if one.state != "ready"}


def test_a_complete_file_passes():
    """Nothing is missing and nothing doubtful."""
    assert unready(COMPLETE) == {}


@pytest.mark.parametrize("code", HEADER)
def test_every_header_line_is_missed(code):
    """Whichever line of the header is deleted, the check finds it."""
    without = "".join(line for line in COMPLETE.splitlines(keepends=True) if line[:3] != code)
    assert f"header.{code}" in unready(without)


def line(code, text):
    """The complete file with another line of that code."""
    lines = [f"{code} {text}" if one[:3] == code else one for one in COMPLETE.splitlines()]
    return "\n".join(lines) + "\n"


DAYS = f"{'132':<91}26/08/15  26/08/16  26/08/17  26/08/18  26/08/19"
FIVE_DAYS = "\n".join(DAYS if one[:3] == "132" else one for one in COMPLETE.splitlines()) + "\n"
ONE_DAY = FIVE_DAYS.replace(DAYS, f"{'132':<91}" + "  ".join(["26/08/15"] * 6))
THREE = f"{'132':<91}" + "  ".join(["26/08/15"] * 3 + ["26/08/16"] * 3)


@pytest.mark.parametrize(("key", "state", "text"), [
    ("header.012", "missing", line("012", "")),
    ("round_days", "missing", FIVE_DAYS),
    ("rounds_a_day", "missing", ONE_DAY.replace("122 90+30", "122 60+0")),
    ("hours_a_day", "missing", FIVE_DAYS.replace(DAYS, THREE).replace("122 90+30", "122 100+30")),
    ("length", "doubtful", line("052", "2026/09/20")),
    ("time", "doubtful", line("122", "as announced in the hall")),
    ("arbiter_id", "doubtful", line("102", "Marin, Ivana")),
    ("deputy_ids", "doubtful", line("112", "Kovac, Petar")),
    ("kind", "doubtful", line("092", "Summer")),
    ("dates", "missing", line("042", "2026/08/16")),
    ("federations", "missing", line("032", "XYZ")),
    ("duplicate_ids", "missing", with_player(COMPLETE, 10, ID, "   90000017")),
    ("foreign_ids", "missing", with_player(COMPLETE, 1, ID, "")),
    ("own_ids", "doubtful", with_player(COMPLETE, 5, ID, "")),
    ("new_players", "missing", with_player(with_player(COMPLETE, 5, ID, ""), 5, slice(69, 79), "")),
    ("names", "missing", with_player(COMPLETE, 3, slice(14, 47), "")),
    ("ratings", "doubtful", with_player(COMPLETE, 3, slice(48, 52), "2950")),
    ("births", "doubtful", with_player(COMPLETE, 3, slice(69, 79), "1899/01/01")),
    ("ranks", "doubtful", with_player(COMPLETE, 1, slice(85, 89), "   2")),
    ("points", "doubtful", with_player(COMPLETE, 1, slice(80, 84), " 4.0")),
    ("beyond", "missing", line("XXR", "5")),
])  # fmt: skip
def test_each_check_fails_alone(key, state, text):
    """A file that lacks one thing is told of that thing, and of no other."""
    assert unready(text) == {key: state}


def test_results_and_colours_and_pending_games():
    """A result that only one side has, both with White, and a game without a result."""
    first = next(one for one in COMPLETE.splitlines() if one.startswith("001    1"))
    assert unready(COMPLETE.replace(first, first[:98] + "=" + first[99:]))["results"] == "missing"
    assert unready(COMPLETE.replace(first, first[:96] + "b" + first[97:])) == {"colours": "doubtful"}
    assert unready(COMPLETE.replace(first, first[:98] + " " + first[99:]))["pending"] == "missing"


def test_a_real_report():
    """A report of 2018 as it was sent: nothing is missing; its 64 days are a league's, which is doubtful."""
    items = submission_items(read(shared("data/tournaments") / "san_viator_2018_B.trf"))
    assert {one.key: one.state for one in items if one.state != "ready"} == {"length": "doubtful"}


def test_the_command(tmp_path, capsys):
    """Exit code 1 while something stops a submission; JSON has ready and items beside what it had."""
    file = tmp_path / "open.trf"
    file.write_text(COMPLETE, encoding="utf-8")
    assert main(["check", str(file), "--for", "fide", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert (value["ready"], value["consistent"]) == (True, True)
    assert set(value["items"][0]) == {"key", "state", "what", "do"}
    file.write_text(line("012", ""), encoding="utf-8")
    assert main(["check", str(file), "--for", "fide"]) == 1
    assert "Missing: the name of the event is missing (line 012). To do:" in capsys.readouterr().out.replace("\n", " ")
    assert main(["check", str(file), "--for", "uscf"]) == 2


LISTED = """id,name,federation,sex,title,rating,games,k,born
90000017,"Lindqvist, Aron",SWE,M,IM,2412,0,10,1988
90000025,"Okafor, Chidi",NGR,M,FM,2320,0,20,1995
90000033,"Brandauer, Lena",AUT,F,WGM,2247,0,20,1999
90000041,"Castellani, Dario",SMR,M,,2136,0,20,1979
90000058,"Horvat, Mirjana",CRO,M,,2054,0,20,2003
90000066,"Petersen, Jonas",DEN,M,,1962,0,20,1967
90000074,"Gupta, Anil",IND,M,,1847,0,20,2010
90000082,"Lefevre, Camille",FRA,F,,,0,,2011
90000107,"Silva, Tomas",POR,M,,,0,,2012
"""


@pytest.fixture
def with_list(tmp_path, monkeypatch, capsys):
    """The file that is complete, beside an invented list of its month that differs in one thing for each of some."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    (tmp_path / "list.csv").write_text(LISTED, encoding="utf-8")
    assert main(["list", "import", str(tmp_path / "list.csv"), "--month", "2026-08", "--name", "fide"]) == 0
    capsys.readouterr()
    file = tmp_path / "open.trf"
    file.write_text(COMPLETE, encoding="utf-8")
    return file


# The players of the complete file, as a list has them that differs in nothing; K by 8.3.3 of FIDE's rating rules.
AGREEING = """id,name,federation,sex,title,rating,games,k,born
90000017,"Lindqvist, Aron",SWE,M,IM,2412,0,10,1988
90000025,"Okafor, Chidi",NGR,M,FM,2318,0,20,1995
90000033,"Brandauer, Lena",AUT,F,WIM,2247,0,20,1999
90000041,"Castellani, Dario",ITA,M,,2136,0,20,1979
90000058,"Horvat, Mirjana",CRO,F,,2054,0,20,2003
90000066,"Petersen, Jonas",DEN,M,,1962,0,20,1966
90000074,"Rao, Vikram",IND,M,,1847,0,40,2010
90000082,"Lefevre, Camille",FRA,F,,1765,0,40,2011
90000090,"Novotny, Karel",CZE,M,,1688,0,20,1958
90000107,"Silva, Tomas",POR,M,,,0,,2012
"""


@pytest.mark.parametrize(("key", "state", "listed", "text"), [
    (None, None, AGREEING, COMPLETE),
    ("k", "doubtful", AGREEING.replace("1847,0,40", "1847,0,20"), COMPLETE),
    ("k", "doubtful", AGREEING.replace("2412,0,10", "2412,0,20"), COMPLETE),
    ("rating", "doubtful", AGREEING.replace("2318", "2320"), COMPLETE),
    ("title", "doubtful", AGREEING.replace("WIM", "WGM"), COMPLETE),
    ("federation", "doubtful", AGREEING.replace("ITA", "SMR"), COMPLETE),
    ("sex", "doubtful", AGREEING.replace("CRO,F", "CRO,M"), COMPLETE),
    ("birth_year", "doubtful", AGREEING.replace("1966", "1967"), COMPLETE),
    ("other_name", "doubtful", AGREEING.replace("Rao, Vikram", "Gupta, Anil"), COMPLETE),
    ("unrated", "doubtful", AGREEING.replace("1765,0,40", ",0,"), COMPLETE),
    ("not_found", "missing", AGREEING.replace("90000090", "90000191"), COMPLETE),
    ("by_name", "doubtful", AGREEING, with_player(COMPLETE, 5, ID, "")),
])  # fmt: skip
def test_each_check_against_a_list_fails_alone(key, state, listed, text, tmp_path, monkeypatch, capsys):
    """A list that differs in one thing is told of in that thing, and in no other."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    (tmp_path / "list.csv").write_text(listed, encoding="utf-8")
    assert main(["list", "import", str(tmp_path / "list.csv"), "--month", "2026-08", "--name", "fide"]) == 0
    file = tmp_path / "open.trf"
    file.write_text(text, encoding="utf-8")
    capsys.readouterr()
    main(["check", str(file), "--for", "fide", "--list", "fide", "--json"])
    items = json.loads(capsys.readouterr().out)["value"]["items"]
    found = {one["key"]: one["state"] for one in items if one["state"] != "ready" and one["key"].startswith("list.")}
    assert found == ({} if key is None else {f"list.{key}": state})
    if key == "by_name":
        named = next(one["what"] for one in items if one["key"] == "list.by_name")
        assert named.endswith("5 (Horvat, Mirjana: 90000058)")


def test_player_by_player_against_the_list(with_list, capsys):
    """Rating, birth, federation, title, sex and name that the list has differently; an ID that it does not have."""
    assert main(["check", str(with_list), "--for", "fide", "--list", "fide", "--json"]) == 1
    items = json.loads(capsys.readouterr().out)["value"]["items"]
    found = {one["key"].removeprefix("list."): one["what"] for one in items if one["key"].startswith("list.")}
    assert found["rating"].endswith("2 (2318 in the file, 2320 on the list)")
    assert found["title"].endswith("3 (WIM in the file, WGM on the list)")
    assert found["federation"].endswith("4 (ITA in the file, SMR on the list)")
    assert found["sex"].endswith("5 (w in the file, m on the list)")
    assert found["birth_year"].endswith("6 (1966 in the file, 1967 on the list)")
    assert found["other_name"].endswith("players 7")
    assert found["unrated"].endswith("players 8")
    assert found["not_found"].endswith("players 9")


def test_a_report_is_completed(with_list, capsys, tmp_path):
    """A table without a header becomes a report that FIDE would take; before that, everything missing is said."""
    table, report = tmp_path / "open.csv", tmp_path / "report.trf"
    assert main(["convert", str(with_list), str(table)]) == 0
    capsys.readouterr()
    assert main(["convert", str(table), str(report), "--to", "trf26", "--json"]) == 0
    refused = json.loads(capsys.readouterr().out)["value"]["refused"]
    for code in ("012", "022", "032", "042", "052", "102", "132"):
        assert any(f"(line {code})" in one for one in refused), code
    days = [f"2026-08-{day}" for day in range(15, 21)]
    facts = [
        "--name",
        "Harbour Open",
        "--city",
        "Rijeka",
        "--federation",
        "CRO",
        "--from",
        days[0],
        "--until",
        days[-1],
    ]
    facts += ["--arbiter", "Marin, Ivana (IA, 14500000)", "--time", "90+30", "--round-days", *days]
    line = ["convert", str(table), str(report), "--to", "trf26", *facts, "--list", "fide", "--force", "--json"]
    assert main(line) == 0
    assert json.loads(capsys.readouterr().out)["value"]["refused"] == []
    text = report.read_text(encoding="utf-8")
    assert "012 Harbour Open" in text
    assert "WGM Brandauer, Lena" in text
    assert main(["check", str(report), "--for", "fide"]) == 0


def test_printing_a_report_says_it_too(with_list, capsys):
    """What goes to standard output is the report alone; what FIDE would refuse is said on the other."""
    with_list.write_text(line("012", ""), encoding="utf-8")
    assert main(["convert", str(with_list), "-", "--to", "trf16"]) == 0
    out, err = capsys.readouterr()
    assert "FIDE would refuse" not in out
    assert "FIDE would refuse this report: the name of the event is missing (line 012)." in err
