"""Files of Papi, Sharly Chess, US Chess and for chess-results.com: read, refused, damaged, and written as a report."""

import json
import random
from base64 import b64encode
from dataclasses import replace
from datetime import date
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from damage import byte_flip, damaged_at_random
from program_files import (
    CHESS_RESULTS,
    PLAYERS,
    SECTION,
    STANDINGS,
    api_file,
    dbase,
    outcome,
    papi_file,
    report_archive,
    report_tables,
    sharly_file,
    sharly_open,
    standing,
    standings_file,
    xml_file,
    zipped,
)
from report_files import content

import arpad
from arpad.core.tournaments import Round
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats import file_bytes, read_bytes
from conftest import shared
from doors import run

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)
FILES = {
    "x.papi": papi_file(),
    "x.sce": sharly_open(),
    "x.xml": xml_file(),
    "report.zip": report_archive(),
    "standings.json": standings_file(),
}
CHOICES = {"report.zip": "Open"}


def rounds(tournament, no):
    return tournament.entrant(no).rounds


def said(tournament):
    return [str(oddity) for oddity in tournament.oddities]


def test_a_papi_file():
    event = read_bytes(papi_file(), "x.papi")
    assert (event.name, event.city, event.kind, event.arbiter) == ("Tournoi inventé", "Brest", "Swiss", "DUPONT Anne")
    assert (event.start, event.end, event.rounds) == (date(2026, 4, 3), date(2026, 4, 5), 3)
    assert (str(event.pace), event.scoring, event.federation) == ("90+30", None, None)
    first, second, third = event.entrants
    assert (first.player.name, first.player.rating, first.player.title) == ("MARTIN, Zoé", 1812, "WFM")
    assert (first.born, first.player.sex, first.player.fide_id) == (date(2010, 5, 6), "w", 12345678)
    assert (second.player.name, second.player.rating, second.player.federation) == ("ŁUCZAK, Jan", None, "POL")
    assert first.rounds == (
        Round("played", 2, "white", WIN),
        Round("played", 3, "black", DRAW),
        Round("pending", 2, "white"),
    )
    assert second.rounds[1] == Round("allocated-bye")
    assert third.rounds == (Round("half-bye"), Round("played", 1, "white", DRAW), Round("absent"))
    assert "no starting numbers" in said(event)[0]
    assert "players 2." in said(event)[1]  # a national rating


def test_papi_rates_by_the_list_that_the_file_names():
    event = read_bytes(papi_file(facts={"ClassElo": "Blitz", "DecomptePoints": "OUI"}), "x.papi")
    assert [entrant.player.rating for entrant in event.entrants] == [None, None, 1980]
    assert "The ratings in this file are blitz ratings." in said(event)
    assert (event.scoring["white-win"], event.scoring["half-bye"], event.scoring["absent"]) == (3, 1, 0)


def test_a_round_that_papi_cannot_mean_is_left_out_with_a_note():
    odd = (
        {"Ref": 2, "Nom": "A", "Elo": 1500, "Fide": "F", "rounds": (("B", 99, 3), ("X", 3, 1), ("B", 3, 9))},
        PLAYERS[2],
    )
    event = read_bytes(papi_file(players=odd), "x.papi")
    assert [text for text in said(event) if "is not understood" in text] == [
        "Player 1, round 1: 'B 99 3' is not understood; the round is left out.",
        "Player 1, round 2: 'X 3 1' is not understood; the round is left out.",
        "Player 1, round 3: 'B 3 9' is not understood; the round is left out.",
    ]


@pytest.mark.parametrize("made", [{}, {"big_map": True}])
def test_an_access_file_with_many_rows_and_any_map_of_pages(made):
    players = [{**PLAYERS[1], "Ref": ref, "rounds": ()} for ref in range(2, 302)]
    assert len(read_bytes(papi_file(players=players, **made), "x.papi").entrants) == 300


@pytest.mark.parametrize(
    "damage",
    [
        {"version": 0},
        {"facts": {"NbrRondes": "25"}},
        {"facts": {"NbrRondes": "drei"}},
        {"facts": {"ClassElo": "Lent"}},
        {"players": ()},
        {"players": (PLAYERS[1], PLAYERS[1])},
    ],
)
def test_a_papi_file_that_is_not_one_is_refused(damage):
    with pytest.raises(BadFile):
        read_bytes(papi_file(**damage), "x.papi")


def papi(name):
    return arpad.read(shared(f"data/programs/papi/{name}"))


def test_the_papi_file_of_sharly_chess_is_its_json():
    # Sharly Chess's own test of the import wants this name and 16 players; the JSON beside it has the same games.
    event = papi("papi-import-test.papi")
    assert (event.name, len(event.entrants), event.rounds) == ("Papi import test", 16, 5)
    wanted = json.loads(shared("data/programs/papi/papi-json-import-test.json").read_text())["players"]
    colours = {"B": "white", "N": "black"}
    games = {1: ("played", LOSS), 2: ("played", DRAW), 3: ("played", WIN), 4: ("forfeit", LOSS), 6: ("forfeit", WIN)}
    byes = {"F0": "zero-bye", "F2": "half-bye", "B6": "allocated-bye"}
    for entrant, player in zip(event.entrants, wanted, strict=True):
        assert entrant.player.name == player["lastName"]
        assert entrant.player.rating == (player["elo"] if player["fideElo"] == "F" else None)
        for number, played in enumerate(entrant.rounds, start=1):
            given = player["rounds"][str(number)]
            if "opponent" in given:
                kind, score = games[given["result"]]
                assert played == Round(kind, given["opponent"] + 1, colours[given["color"]], score)
            else:
                assert played == Round(byes[f"{given['color']}{given['result']}"])


def test_a_papi_file_and_the_later_sharly_event_agree():
    # The same tournament in two programs: the older file has four rounds, and the pairings of the fifth.
    older, later = papi("handicap.papi"), arpad.read(shared("data/programs/sce/handicap.sce"))
    assert len(older.entrants) == len(later.entrants) == 38
    by_id = {entrant.player.name: entrant for entrant in later.entrants}
    numbers = {entrant.no: by_id[entrant.player.name].no for entrant in older.entrants}
    compared = 0
    for entrant in older.entrants:
        other = by_id[entrant.player.name]
        assert (entrant.born, entrant.player.fide_id, entrant.player.rating) == (
            other.born,
            other.player.fide_id,
            other.player.rating,
        )
        for played, again in zip(entrant.rounds, other.rounds, strict=False):
            if played.kind not in ("pending", "absent"):
                moved = replace(played, opponent=played.opponent and numbers[played.opponent])
                assert moved == again
                compared += 1
    assert compared == 172  # cells that are decided in both files, counted with another reader


@pytest.mark.parametrize(
    ("name", "players", "games"),
    [
        # Rows of JOUEUR but the dummy EXEMPT, and cells with a result of 1 to 3, counted with access-parser.
        ("67900.papi", 33, 0), ("bre-jeunes-2024-open-a.papi", 15, 94), ("bre-jeunes-2024-u08.papi", 22, 150),
        ("bre-jeunes-2024-u16.papi", 26, 182), ("bre-jeunes-2024-blitz.papi", 38, 252),
    ],
)  # fmt: skip
def test_real_papi_files_are_consistent(name, players, games):
    event = papi(name)
    assert len(event.entrants) == players
    assert sum(played.kind == "played" for entrant in event.entrants for played in entrant.rounds) == games
    assert arpad.inconsistencies(event) == []


def test_an_event_of_sharly_chess():
    event = read_bytes(sharly_file(), "x.sce", section="open a")
    assert (event.name, event.city, event.federation, event.kind) == ("Open A", "Lorient", "FRA", "SWISS_STANDARD")
    assert (event.start, event.end, str(event.pace)) == (date(2026, 4, 3), date(2026, 4, 5), "90+30")
    assert event.round_days == (date(2026, 4, 3),)
    assert event.scoring["allocated-bye"] == DRAW
    assert [entrant.player.name for entrant in event.entrants] == ["BERG", "MARTIN, Zoé", "ŁUCZAK, Jan"]
    assert (event.entrant(2).born, event.entrant(2).player.title) == (date(2010, 5, 6), "WFM")
    assert (event.entrant(1).born, event.entrant(1).player.birth_year) == (None, 1988)
    assert event.entrant(3).player.rating is None
    assert rounds(event, 1) == (
        Round("played", 2, "black", LOSS),
        Round("forfeit", 3, "white", LOSS),
        Round("zero-bye"),
    )
    assert rounds(event, 2)[1:] == (Round("half-bye"),)
    assert rounds(event, 3) == (Round("allocated-bye"), Round("forfeit", 1, "black", WIN))


def test_the_other_tournament_of_an_event_has_its_own_ratings():
    event = read_bytes(sharly_file(), "x.sce", section="2")
    assert (event.name, event.city) == ("Rapide", "Vannes")
    assert [entrant.player.rating for entrant in event.entrants] == [None, 1990]
    assert rounds(event, 1) == (Round("short", 2, "black", DRAW),)  # played and not rated
    assert event.scoring["white-win"] == 3
    assert "The ratings in this file are rapid ratings." in said(event)


@pytest.mark.parametrize(
    ("section", "error", "words"),
    [
        (None, BadFile, "The file has 2 tournaments; name one (`section`): 1 Open A; 2 Rapide."),
        ("Open B", BadInput, "The file has no tournament 'Open B'; it has 1 Open A; 2 Rapide."),
        ("3", BadInput, "The file has no tournament '3'"),
    ],
)
def test_one_of_several_tournaments_must_be_named(section, error, words):
    with pytest.raises(error) as refused:
        read_bytes(sharly_file(), "x.sce", section=section)
    assert words in str(refused.value)


def test_a_file_with_one_tournament_has_no_sections():
    for name in ("x.papi", "x.xml", "standings.json"):
        with pytest.raises(BadInput, match="has one tournament"):
            read_bytes(FILES[name], name, section="1")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ("DROP TABLE pairing;", "left the games in Papi files"),
        ("DROP TABLE tournament;", "not an event of Sharly Chess"),
        ("DELETE FROM tournament;", "has no players"),
        ("ALTER TABLE info ADD event_type TEXT; UPDATE info SET event_type = 'TEAM';", "a team event"),
        ("UPDATE tournament SET rounds = 'many';", "damaged"),
        ("UPDATE player SET ratings = '[]';", "damaged"),
        ("DROP TABLE board; CREATE VIEW board AS SELECT 1;", "left the games in Papi files"),
    ],
)
def test_a_sharly_file_that_cannot_be_read_is_refused(changes, words):
    with pytest.raises(BadFile, match=words):
        read_bytes(sharly_file(changes), "x.sce", section="1")


def test_a_database_that_would_take_for_ever_is_refused():
    endless = """DROP TABLE pairing;
    CREATE VIEW pairing AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT 1 AS tournament_id, i AS player_id, 1 AS round, 1 AS result, NULL AS board_id FROM n;"""
    with pytest.raises(BadFile):
        read_bytes(sharly_file(endless), "x.sce", section="1")


def test_an_access_table_with_too_many_rows_is_refused():
    data = bytearray(papi_file())
    at = data.index(
        b"\x02\x01\x00\x00", 3 * 4096
    )  # the first definition after the catalogue's: how many rows there are
    data[at + 16 : at + 20] = (1_000_000).to_bytes(4, "little")
    with pytest.raises(BadFile, match="damaged"):
        read_bytes(bytes(data), "x.papi")


def test_a_database_whose_newest_changes_are_elsewhere_is_refused():
    data = bytearray(sharly_file())
    data[18:20] = b"\x02\x02"  # SQLite's mode with a second file
    with pytest.raises(BadFile, match="second file"):
        read_bytes(bytes(data), "x.sce")


def test_what_sharly_chess_cannot_say_is_unknown():
    old = """ALTER TABLE tournament DROP COLUMN start_date; ALTER TABLE tournament ADD start FLOAT;
    UPDATE tournament SET start = 1760788800.0, plugin_data = '{"handicap_games": {"penalty_step": 50}}';
    UPDATE tournament_player SET pairing_number = NULL;"""
    event = read_bytes(sharly_file(old), "x.sce", section="1")
    assert (event.start, event.pace, event.time_control) == (None, None, None)
    assert [text.partition(";")[0] for text in said(event)[:3]] == [
        "The file has no starting numbers",
        "The clocks were set by handicap, so the players had different times",
        "The event begins at 2025-10-18 12:00 UTC",
    ]


def test_byes_after_the_last_round_are_left_out_but_a_game_there_is_named():
    late = "UPDATE tournament SET rounds = 1;"
    event = read_bytes(sharly_file(late), "x.sce", section="1")
    assert {len(entrant.rounds) for entrant in event.entrants} == {1}
    assert [text for text in said(event) if "round 2" in text] == [
        "Player 1, round 2: '4' is not understood; the round is left out.",
        "Player 3, round 2: '6' is not understood; the round is left out.",
    ]


def test_a_round_that_a_player_has_twice_counts_once_and_is_named():
    """Player 2 (the first in the file) won round 1; a second row says that the game was lost."""
    event = read_bytes(sharly_file("INSERT INTO pairing VALUES (7, 1, 1, 1, 1);"), "x.sce", section="1")
    assert event.entrants == read_bytes(sharly_file(), "x.sce", section="1").entrants
    assert "Player 2, round 1: '1' is not understood; the round is left out." in said(event)


def test_a_us_chess_report_section_by_section(tmp_path):
    event = read_bytes(report_archive(), "report.zip", section="Open")
    assert (event.name, event.city, event.kind, event.rounds) == ("Harbor Open, Open", "Salem, MA", "Swiss", 3)
    assert (event.start, event.end, event.time_control) == (date(2026, 4, 4), date(2026, 4, 5), "G/90;+30")
    assert [entrant.player.name for entrant in event.entrants] == ["BERG, OLA", "PEÑA, ANA", "COLE, JO"]
    assert [entrant.player.rating for entrant in event.entrants] == [2001, 1812, None]
    assert event.entrant(1).national_id == "30000001"
    assert rounds(event, 1) == (Round("played", 2, "white", WIN), Round("forfeit", 3, "black", WIN), Round("half-bye"))
    assert rounds(event, 2)[1] == Round("full-bye")
    assert rounds(event, 3)[0] == Round("absent")
    for name, data in report_tables().items():
        (tmp_path / name).write_bytes(data)
    for name in report_tables():
        assert content(arpad.read(tmp_path / name, section="1")) == content(event)
    assert arpad.read(tmp_path / "TDEXPORT.DBF", section="1") == arpad.read(tmp_path / "TDEXPORT.DBF", section="1")
    with pytest.raises(BadFile, match="1 Open; 2 Reserve"):
        arpad.read(tmp_path / "TDEXPORT.DBF")
    quick = arpad.read(tmp_path / "TDEXPORT.DBF", section="2")
    assert said(quick) == ["The ratings in this file are those of US Chess (quick), not FIDE's."]


def test_the_players_of_a_us_chess_report_alone():
    alone = report_tables()["TDEXPORT.DBF"]
    event = read_bytes(alone, "TDEXPORT.DBF", section="1")
    assert (event.name, event.start, event.time_control, event.rounds) == (None, None, None, 3)
    assert said(event) == ["The ratings in this file are those of US Chess, not FIDE's."]
    with pytest.raises(BadFile, match="The players and results of a US Chess report"):
        read_bytes(report_tables()["THEXPORT.DBF"], "THEXPORT.DBF")


def test_us_chess_tables_of_two_events_are_not_put_together():
    other = dbase({"H_FORMAT": 5, "H_EVENT_ID": 12, "H_NAME": 30}, [{"H_FORMAT": "2C", "H_EVENT_ID": "2"}])
    with pytest.raises(BadFile, match="different events"):
        read_bytes(zipped({**report_tables(), "THEXPORT.DBF": other}), "report.zip", section="1")
    with pytest.raises(BadFile, match="different events"):  # players of a section that the other table does not have
        read_bytes(zipped({**report_tables(), "TSEXPORT.DBF": report_tables("1")["TSEXPORT.DBF"]}), "report.zip")


def test_a_rated_section_from_us_chess():
    event = read_bytes(
        api_file({"sections": [{}, {}], "name": "Harbor Open", "city": "Salem"}, STANDINGS, SECTION), "x.json"
    )
    assert (event.name, event.city, event.kind) == ("Harbor Open, Open", "Salem", "Swiss")
    assert (event.start, event.end, event.rounds) == (date(2026, 4, 4), date(2026, 4, 5), 3)
    report = read_bytes(report_archive(), "report.zip", section="1")
    for entrant in event.entrants:  # the report has the same games
        assert entrant.rounds == rounds(report, entrant.no)
        assert entrant.player.rating == report.entrant(entrant.no).player.rating
    assert [entrant.points for entrant in event.entrants] == [Decimal("2.5"), Decimal("1.5"), Decimal("0.5")]
    assert arpad.inconsistencies(event) == []
    alone = read_bytes(api_file(STANDINGS), "standings.json")
    assert (alone.name, alone.start, alone.rounds) == (None, None, 3)


def test_standings_in_two_pages():
    first = {**STANDINGS, "items": STANDINGS["items"][:2], "hasNextPage": True}
    second = {**STANDINGS, "items": STANDINGS["items"][2:], "offset": 2}
    assert len(read_bytes(api_file(second, first), "x.json").entrants) == 3
    for pages in ((first,), (second,), (first, {**second, "offset": 3})):
        with pytest.raises(BadFile, match="all pages"):
            read_bytes(api_file(*pages), "x.json")


def test_a_section_that_is_rated_twice_is_read_with_its_regular_ratings():
    both = [{"preRating": 1800, "ratingSystem": "Q"}, {"preRating": 1900, "ratingSystem": "R"}]
    player = {**standing(1, "Berg", 0, 1.0, outcome(1, "ByeFull")), "ratings": both}
    event = read_bytes(api_file({**STANDINGS, "items": [player]}), "x.json")
    assert event.entrant(1).player.rating == 1900
    assert said(event) == [
        "The section is rated in the systems Q, R; the ratings read are the regular ones.",
        "The ratings in this file are those of US Chess (regular), not FIDE's.",
    ]
    quick = read_bytes(api_file({**SECTION, "ratingSystem": "Q"}, {**STANDINGS, "items": [player]}), "x.json")
    assert quick.entrant(1).player.rating == 1800


def test_an_xml_file_for_chess_results():
    event = read_bytes(xml_file(), "x.xml")
    assert (event.name, event.city, event.federation, event.arbiter) == (
        "Stadtmeisterschaft",
        "Halle",
        "GER",
        "Anna Kern",
    )
    assert (event.start, event.end, event.round_days) == (date(2026, 4, 3), date(2026, 4, 5), (date(2026, 4, 3),))
    assert [entrant.player.name for entrant in event.entrants] == ["Berg, Ola", "Martin, Zoé", "Łuczak, Jan"]
    assert [entrant.player.rating for entrant in event.entrants] == [2001, 1812, None]
    assert (event.entrant(1).player.birth_year, event.entrant(2).born) == (1988, date(2010, 5, 6))
    assert rounds(event, 1) == (
        Round("played", 2, "white", WIN),
        Round("forfeit", 3, "black", WIN),
        Round("short", 2, "black", DRAW),
    )
    assert rounds(event, 2)[1] == Round("half-bye")
    assert rounds(event, 3) == (Round("allocated-bye"), Round("forfeit", 1, "white", LOSS), Round("absent"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<chessresults>", '<!DOCTYPE x [<!ENTITY a "aaaa">]><chessresults>', "document type"),
        ("<chessresults>", '<!DOCTYPE x SYSTEM "file:///etc/passwd"><chessresults>', "document type"),
        ("</chessresults>", "", "well-formed"),
        ('rounds="3"', 'rounds="201"', "the limit is 200"),
        ('no="2"', 'no="1"', "Two players have the number 1"),
        ('no="2"', 'no="II"', "'II' is not a number"),
        ("<tournament key", "<x key", "this one has 0"),
    ],
)
def test_a_chess_results_file_that_cannot_be_read_is_refused(old, new, words):
    with pytest.raises(BadFile, match=words):
        read_bytes(CHESS_RESULTS.replace(old, new, 1).encode(), "x.xml")


def test_swiss_managers_own_figures_for_an_event():
    """The file has what Swiss-Manager calculated: points, average rating of the opponents, performance."""
    path = shared("data/programs/xml/Single_SwissSystem.xml")
    wanted = {int(row.get("no")): row for row in ET.parse(path).iter("player")}  # noqa: S314  # not hostile
    event = arpad.read(path)
    assert (event.name, len(event.entrants), event.rounds) == ("Test Single Swiss-System Test", 21, 7)
    assert arpad.inconsistencies(event) == []  # the points in the file are those of its rounds
    report = arpad.rate_event(event, "fide-standard")
    compared = 0
    for player in report.players:
        row = wanted[player.no]
        if player.rating is None or not player.games:
            continue
        assert (player.average, player.performance) == (int(row.get("rtgaverage")), int(row.get("rtgperform"))), (
            player.no
        )
        compared += 1
    assert compared == 12  # those with a FIDE ID and a rating who played a rated opponent


def test_a_team_tournament_in_xml():
    event = arpad.read(shared("data/programs/xml/Team_RoundRobin.xml"))
    assert [(team.name, team.members) for team in event.teams] == [
        ("Jugend SK Halle", (1, 2, 3)),
        ("SV Künsebeck", (4, 5, 6)),
    ]
    assert arpad.inconsistencies(event) == []


@pytest.mark.parametrize("name", FILES)
def test_converted_to_a_report_and_read_again_it_is_the_same_tournament(name):
    event = read_bytes(FILES[name], name, section=CHOICES.get(name))
    data, lost = file_bytes(event, "trf26")
    again = read_bytes(data, "x.trf")
    for entrant, copy in zip(event.entrants, again.entrants, strict=True):
        assert (copy.no, copy.player, copy.rounds) == (entrant.no, entrant.player, entrant.rounds)
    assert (again.name, again.start, again.end, again.rounds) == (event.name, event.start, event.end, event.rounds)
    assert (again.pace, again.scoring) == (event.pace, event.scoring)
    assert not [oddity for oddity in lost if "rounds" in str(oddity) or "rating" in str(oddity)]


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_refused_or_read(name):
    chance = random.Random(name)  # noqa: S311  # damage, not secrets
    data = FILES[name]
    broken = [data[:size] for size in range(0, len(data), max(len(data) // 40, 1))]
    broken += [damaged_at_random(data, chance) for _ in range(120)]
    for _ in range(120):
        piece = data
        for _ in range(chance.randint(1, 30)):
            piece = byte_flip(piece, chance)
        broken.append(piece)
    for piece in broken:
        try:
            event = read_bytes(piece, name, section=CHOICES.get(name))
            arpad.inconsistencies(event)
            file_bytes(event, chance.choice(("trf16", "trf26", "csv", "json")))
        except ArpadError:
            continue
        assert event.entrants


def test_every_command_and_the_library_read_them(tmp_path, capsys):
    """The same tournament by `check`, `event`, `standings` and `convert`, and again from what was written."""
    for name, data in FILES.items():
        path, written = tmp_path / name, tmp_path / f"{name}.trf"
        path.write_bytes(data)
        section = ["--section", CHOICES[name]] if name in CHOICES else []
        players = len(arpad.read(path, section=CHOICES.get(name)).entrants)
        _, out, _ = run(capsys, "check", path, *section, "--json")
        assert json.loads(out)["value"]["players"] == players
        _, out, _ = run(capsys, "event", path, *section, "--on", "2026-04-03", "--json")
        assert len(json.loads(out)["value"]["players"]) == players
        _, out, _ = run(capsys, "standings", path, *section, "--json")
        assert len(json.loads(out)["value"]["players"]) == players
        run(capsys, "convert", path, written, *section)
        assert len(arpad.read(written).entrants) == players


def test_the_command_says_how_to_name_a_tournament(tmp_path, capsys):
    path = tmp_path / "x.sce"
    path.write_bytes(sharly_file())
    code, _, err = run(capsys, "check", path)
    assert (code, "name one (--section): 1 Open A; 2 Rapide." in err) == (2, True)


def test_the_page_and_the_api_read_them(client):
    """An upload without a section is refused with the list of them; with one, and over HTTP, it is rated."""
    data = sharly_file()
    page = client.post("/tournament", files={"file": ("x.sce", data)})
    assert page.status_code == 422
    assert "1 Open A; 2 Rapide" in page.text
    page = client.post("/tournament", files={"file": ("x.sce", data)}, data={"section": "Open A"})
    assert page.status_code == 200
    assert "MARTIN, Zoé" in page.text
    body = {"data": b64encode(data).decode(), "file": "x.sce", "section": "1"}
    players = client.post("/api/v1/fide-standard/event", json=body).json()["value"]["players"]
    assert [player["name"] for player in players] == ["BERG", "MARTIN, Zoé", "ŁUCZAK, Jan"]


def test_what_ratings_do_not_need_is_not_read(monkeypatch):
    """Passwords, addresses and phone numbers are in the files, and in nothing that is made of them."""
    from arpad.formats.jet import JetRow

    asked = set()
    read = JetRow.__getitem__
    monkeypatch.setattr(JetRow, "__getitem__", lambda row, name: asked.add(name) or read(row, name))
    events = [read_bytes(FILES[name], name, section=CHOICES.get(name)) for name in ("x.papi", "x.sce", "x.xml")]
    assert not asked & {"Adresse", "EMail", "Tel"}
    for event in events:
        shown = repr(replace(event, source=None))
        assert not any(word in shown for word in ("geheim", "Échiquier", "nobody"))
