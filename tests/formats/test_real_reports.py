"""Every real tournament report in ../shared/data/tournaments: read, checked, and written again."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from report_files import DAMAGED, EXAMPLE, content, folder, reports

import arpad
from arpad.formats import file_bytes, read_bytes

# Players and rounds played, from ../shared/data/SOURCES.csv, which counted them with other programs.
SIZES = {
    "aeroflot_open_2026_after_r8": (169, 8),
    "budapest_spring_2026_A_after_r8": (104, 8),
    "budapest_spring_2026_B_after_r8": (83, 8),
    "chesshouse_spring_2026_after_r8": (176, 8),
    "graz_open_2026_A_after_r8": (275, 8),
    "gros_2010_javafo_sample_r4": (52, 5),
    "karl_mala_2005_fide_example1": (284, 7),
    "lichess_swiss_FaLp5fSD": (13, 10),
    "lichess_swiss_QLMFFLBq": (9, 9),
    "lichess_swiss_cY3wR140": (206, 13),
    "prague_festival_2026_D_after_r8": (357, 8),
    "san_viator_2018_B": (137, 7),
    "tec_exercise_held_swiss_5": (16, 5),
    "tec_exercise_held_swiss_9": (16, 9),
    "trf26_tec_grandmommys_cup_team": (249, 14),
}
UNDAMAGED = [one for one in reports() if one.values[0].name != DAMAGED]


@pytest.mark.parametrize("path", reports())
def test_a_real_report_is_read(path):
    """Every report is read, with every player line that has a number, and as many as others have counted."""
    tournament = arpad.read(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(tournament.entrants) == sum(line.startswith("001 ") and line[4:8].strip().isdigit() for line in lines)
    if path.stem in SIZES:
        rounds = max(len(one.rounds) for one in tournament.entrants)
        assert (len(tournament.entrants), rounds) == SIZES[path.stem]


@pytest.mark.parametrize("path", UNDAMAGED)
def test_nothing_is_lost_from_an_undamaged_report(path):
    """In a report that was not damaged on purpose no field is left out."""
    assert [str(one) for one in arpad.read(path).oddities if one.lost] == []


@pytest.mark.parametrize("path", [*reports(), pytest.param(EXAMPLE, id="example")])
def test_unchanged_is_the_same_file(path, tmp_path):
    """A report that is read and written unchanged is the same file, byte for byte, whatever its form."""
    copy = tmp_path / "copy.trf"
    arpad.write(arpad.read(path), copy)
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("path", UNDAMAGED)
def test_strict_and_back_is_the_same_tournament(path):
    """The strict writer loses nothing of a report's own edition, and what it writes has no oddity."""
    tournament = arpad.read(path)
    data, lost = file_bytes(tournament, tournament.source.format)
    again = read_bytes(data, "again.trf")
    assert content(again) == content(tournament)
    assert (lost, again.oddities) == ((), ())


@pytest.mark.parametrize("path", UNDAMAGED)
@pytest.mark.parametrize("format", ["trf16", "trf26"])
def test_players_survive_the_other_edition(path, format):
    """Written in either edition, every player comes back with the same facts, rounds, points and rank."""
    tournament = arpad.read(path)
    again = read_bytes(file_bytes(tournament, format)[0], "again.trf")
    assert content(again).entrants == content(tournament).entrants


# Files whose player lines Swiss-Manager's data were put into exactly as TRF16 prints them, rated players alone.
EXACT = ["aeroflot_open_2026_after_r8", "budapest_spring_2026_A_after_r8", "graz_open_2026_A_after_r8"]


@pytest.mark.parametrize("name", [*EXACT, "lichess_swiss_cY3wR140", "trf26_tec_grandmommys_cup_team"])
def test_strict_lines_are_those_of_other_programs(name):
    """Written strictly, each player's line is letter for letter the line that another program wrote."""
    path = folder() / f"{name}.trf"
    tournament = arpad.read(path)
    mine = file_bytes(tournament, tournament.source.format)[0].decode().splitlines()
    theirs = path.read_text(encoding="utf-8").splitlines()
    wanted = {line.rstrip() for line in theirs if line[:4] == "001 " or line[:3] in ("240", "260", "330", "IND")}
    assert wanted - {line.rstrip() for line in mine} == {line for line in wanted if line.endswith("\t")}


@pytest.mark.parametrize("path", UNDAMAGED)
def test_opponents_and_points_agree(path):
    """Opponents, results and points fit together in all real reports, as a reading of them by hand found."""
    kinds = {one.kind for one in arpad.inconsistencies(arpad.read(path))}
    assert kinds & {"opponent", "result", "colour", "points", "team"} == set()


def test_the_damaged_report():
    """Tornelo's report, damaged on purpose: each piece of damage is named with its place, and ten players are read."""
    tournament = arpad.read(folder() / DAMAGED)
    lost = [(one.line, one.column, str(one.says).partition(";")[0]) for one in tournament.oddities if one.lost]
    assert lost == [
        (43, 109, "'ù' is not a result"),
        (46, 5, "'-1' is not a starting number"),
        (49, 1, "The line begins with no known code"),
        (50, 5, "The line has no starting number"),
        (51, 1, "The line begins with no known code"),
        (52, 1, "The line begins with no known code"),
    ]
    assert [one.no for one in tournament.entrants] == list(range(1, 11))
    found = arpad.inconsistencies(tournament)
    assert [str(one.says) for one in found if one.kind == "result"] == ["only one of the two, 1 and 10, has a result."]


def test_facts_of_an_old_report():
    """FIDE's own example of 2005: dotted dates, one-letter titles, sex f, short first fields."""
    tournament = arpad.read(folder() / "karl_mala_2005_fide_example1.trf")
    assert (tournament.start, tournament.end) == (date(2005, 7, 28), date(2005, 7, 31))
    first = tournament.entrant(1)
    assert (first.player.title, first.player.rating, first.born) == ("GM", 2558, date(1969, 12, 6))
    assert {one.player.sex for one in tournament.entrants} >= {"w"}
    assert first.points == Decimal("6.0")


def test_facts_of_a_new_report():
    """The TEC's team event: teams, match points, coded time control, forfeited matches, national ratings."""
    tournament = arpad.read(folder() / "trf26_tec_grandmommys_cup_team.trf")
    assert tournament.source.format == "trf26"
    assert str(tournament.pace) == "175+30"  # 40 moves in 6000 s, 20 in 3000 s, then 1500 s, with 30 s a move
    india = tournament.teams[0]
    assert (india.name, india.match_points, india.game_points, india.rank) == ("India", 15, 28, 11)
    assert india.members == (1, 5, 15, 28, 44)
    codes = [one.code for one in tournament.records]
    assert (codes.count("330"), codes.count("240"), codes.count("300"), codes.count("NRS")) == (22, 18, 141, 15)
    national = next(one for one in tournament.records if one.code == "NRS")
    assert (national.fields["federation"], national.fields["no"], national.fields["rating"]) == ("IND", 1, 2634)
    assert len(tournament.round_days) == 14


def test_bonus_points():
    """A bonus of 299 belongs to the player's points: bbpPairings' own example agrees with it, and not without it."""
    tournament = arpad.read(folder() / "trf26_bbp_individual_299_bonus.trf")
    assert arpad.inconsistencies(tournament) == []
    assert [one.no for one in arpad.inconsistencies(replace(tournament, adjustments=()))] == [4]


def test_bonus_points_in_the_columns_of_sharly_chess(tmp_path):
    """Sharly Chess writes 299 in other columns (arbiter-forms.md, section 6): read as the same bonus, and said."""
    proper = folder() / "trf26_bbp_individual_299_bonus.trf"
    text = proper.read_text()
    table, compact = "299           2.0    1    4", "299         2.0   1    4"
    assert table in text
    sharly = tmp_path / "sharly.trf"
    sharly.write_text(text.replace(table, compact))
    read = arpad.read(sharly)
    assert read.adjustments == arpad.read(proper).adjustments
    assert ["Sharly Chess" in str(one.says) for one in read.oddities] == [True]
