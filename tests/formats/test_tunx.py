"""Swiss-Manager's own files: every real one against the values that it must give, and made-up ones for the rest."""

import io
import json
import random
import struct
from contextlib import redirect_stdout
from datetime import date
from decimal import Decimal

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from report_files import content, said
from swiss_manager_files import AWAY, BYE, FOUR, SECRETS, team_file, tunx

import arpad
from arpad.cli import main
from arpad.core import EloStanding
from arpad.formats import file_bytes, read_bytes
from conftest import shared

# Without players, so that there is no tournament to read yet.
EMPTY = "cro_1386026.TUNX"
FILES = sorted(shared("data/programs/tunx").glob("*.T*X"))
REAL = [pytest.param(path, id=path.stem) for path in FILES if path.name != EMPTY]
SCORES = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}


def wanted(path):
    """The values that a file must give, which were found without Arpad."""
    return json.loads(path.with_name(f"{path.name}.expected.json").read_text(encoding="utf-8"))


def read(data, name="made.TUNX"):
    """A made-up file, read."""
    return read_bytes(data, name)


def day(number):
    """A day as the expected values write it; None for 0."""
    return date.fromisoformat(str(number)) if number else None


# --- real files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", REAL)
def test_the_event_of_a_real_file(path):
    """Name, kind, rounds, days, time control and teams are those of the expected values."""
    event, expected = arpad.read(path), wanted(path)
    kind = ("Individual: Swiss-System", "Individual: Round-Robin", None, "Team: Swiss-System")[expected["kind"]]
    assert (event.name, event.kind, event.rounds) == (expected["name"].strip(), kind, expected["rounds"])
    assert (event.start, event.end) == (day(expected["start"]), day(expected["end"]))
    assert (event.time_control or "") == expected["time_control"]
    days = tuple(map(day, expected["round_dates"]))
    assert event.round_days == (days if any(days) else ())
    assert [team.name for team in event.teams] == expected["teams"]
    assert event.arbiter is None or event.arbiter == event.arbiter.strip()


@pytest.mark.parametrize("path", REAL)
def test_the_players_of_a_real_file(path):
    """Every player's number, name, title, federation, IDs, rating, sex, K and team."""
    event, expected = arpad.read(path), wanted(path)
    national = {record.number("no"): record for record in event.records if record.code == "NRS"}
    known = event.federation is not None
    assert len(event.entrants) == len(expected["players"])
    for entrant, values in zip(event.entrants, expected["players"], strict=True):
        player = entrant.player
        names = [text for text in (values["surname"].strip(), values["given"].strip()) if text]
        assert (entrant.no, player.name) == (values["no"], ", ".join(names))
        assert player.title == (values["title"] if values["title"] in arpad.core.TITLES else None)
        assert (player.federation, player.fide_id) == (values["fed"] or None, values["fide_id"] or None)
        assert (player.rating, player.sex) == (values["rating"] or None, "mw"[values["sex"]])
        assert EloStanding.of(player).k == (values["k"] or None)
        assert (entrant.national_id or "") == values["national_id"].strip()
        record = national.get(entrant.no)
        assert (0 if record is None else record.number("rating")) == (values["national"] if known else 0)
    for no, team in enumerate(event.teams, start=1):
        members = [values for values in expected["players"] if values["team"] == no]
        assert team.members == tuple(values["no"] for values in sorted(members, key=lambda values: values["board"]))


@pytest.mark.parametrize("path", REAL)
def test_the_rounds_of_a_real_file(path):
    """Every pairing, written back as numbers and code, is the one expected; nothing else is in any round."""
    event, expected = arpad.read(path), wanted(path)
    robin = expected["kind"] == 1
    assert all(len(entrant.rounds) >= expected["current"] for entrant in event.entrants)
    for number, pairings in enumerate(expected["pairings"], start=1):
        seen = {
            entrant.no: entrant.rounds[number - 1]
            for entrant in event.entrants
            if len(entrant.rounds) >= number and entrant.rounds[number - 1].kind != "absent"
        }
        for white, black, code in pairings:
            if black == BYE:
                bye = None if robin or code == 0 else arpad.Round("allocated-bye")
                assert seen.pop(white, None) == bye
            elif black == AWAY:
                assert seen.pop(white, None) == {2: arpad.Round("half-bye"), 3: arpad.Round("zero-bye")}.get(code)
            elif 0 in (white, black):
                assert seen.pop(white or black) == arpad.Round("forfeit", score=Decimal(1))
            else:
                kind = {0: "pending", 4: "forfeit", 5: "forfeit"}.get(code, "played")
                score = {0: None, 1: "win", 2: "draw", 3: "loss", 4: "win", 5: "loss"}[code]
                other = {None: None, "win": "loss", "draw": "draw", "loss": "win"}[score]
                assert seen.pop(white) == arpad.Round(kind, black, "white", score and SCORES[score])
                assert seen.pop(black) == arpad.Round(kind, white, "black", other and SCORES[other])
        assert seen == {}


@pytest.mark.parametrize("path", REAL)
def test_the_tie_breaks_of_a_real_file(path):
    """The criteria are those of the file up to the first that is not one of C.07 as the program's list has it."""
    event, expected = arpad.read(path), wanted(path)
    names = {81: "DE", 84: "BH", 85: "SB", 86: "PS", 87: "KS"}  # files/xml/Tie-Breaks.xlsx of H. Herzog
    declared = [record.text().split(",") for record in event.records if record.code == "202"]
    criteria = [name.partition("/")[0] for name in declared[0]] if declared else []
    understood = []
    for number in [] if expected["teams"] else expected["tiebreaks"]:
        if number not in names:
            break
        understood.append(names[number])
    assert criteria == understood[: len(criteria)]
    assert len(criteria) == len(expected["tiebreaks"]) or said(event, "Swiss-Manager's list")


@pytest.mark.parametrize("path", REAL)
def test_nothing_is_lost_or_contradicts_itself(path):
    """In the real files everything needed is understood, and both sides of every game agree."""
    event = arpad.read(path)
    assert [str(oddity) for oddity in event.oddities if oddity.serious] == []
    assert {finding.kind for finding in arpad.inconsistencies(event)} & {
        "opponent",
        "result",
        "points",
        "rank",
    } == set()


@pytest.mark.parametrize("path", REAL)
def test_the_same_tournament_after_trf26(path):
    """Written as TRF26 and read again, all is the same but what the writer names: K, longer texts, national IDs."""
    event = arpad.read(path)
    data, lost = file_bytes(event, "trf26")
    again = read_bytes(data, "again.trf")
    assert [entrant.rounds for entrant in again.entrants] == [entrant.rounds for entrant in event.entrants]
    for name in ("start", "end", "rounds", "round_days", "kind", "pace", "adjustments", "deputies", "federation"):
        assert getattr(again, name) == getattr(event, name), name
    has_k = any(EloStanding.of(entrant.player).k for entrant in event.entrants)
    assert has_k == any("K of" in str(oddity) for oddity in lost)


def test_ratings_are_the_same_after_trf16():
    """Where every K of the file is also what the rule gives, the report of the file and of its TRF are the same."""
    path = shared("data/programs/tunx") / "aut_1384031.TUNX"
    event = arpad.read(path)
    again = read_bytes(file_bytes(event, "trf16")[0], "again.trf")
    mine, theirs = arpad.rate_event(event).players, arpad.rate_event(again).players
    assert [(one.no, one.k, one.change, one.new_rating) for one in mine] == [
        (one.no, one.k, one.change, one.new_rating) for one in theirs
    ]
    assert sum(one.change is not None for one in mine) == sum(one["rating"] > 0 for one in wanted(path)["players"])


def test_points_of_a_real_file():
    """One point for each game of a round robin: none for a free round (../shared/data/tournaments/ussa_closed…csv)."""
    folder = shared("data/programs/tunx")
    six = arpad.standings(arpad.read(folder / "albanian_roundrobin_1381000.TUNX"))
    assert sum(player.points for player in six.players) == 15
    nine = arpad.standings(arpad.read(folder / "srb_1386568.TUNX"))
    assert sum(player.points for player in nine.players) == 36


def test_no_players_yet():
    """A file without players is refused with a sentence."""
    with pytest.raises(arpad.BadFile, match="has no players yet"):
        arpad.read(shared("data/programs/tunx") / EMPTY)


# --- made-up files ---------------------------------------------------------------------------------------------------


def test_a_made_up_file():
    """What a file says about the event and its players, field by field."""
    event = read(tunx())
    assert (event.name, event.city, event.federation) == ("Harbour Open", "Rijeka", "CRO")
    assert (event.start, event.end) == (date(2026, 8, 15), date(2026, 8, 16))
    assert event.round_days == (date(2026, 8, 15), date(2026, 8, 16))
    assert (event.arbiter, event.deputies) == ("IA Novak, Ana 90000100", ("Kos", "Babić"))
    assert (event.kind, str(event.pace), event.source.format) == ("Individual: Swiss-System", "90+30", "tunx")
    aron, lena, dario, tomas = (entrant.player for entrant in event.entrants)
    assert (aron.name, aron.title, aron.fide_id, aron.birth_year) == ("Lindqvist, Aron", "IM", 90000017, 1988)
    assert (aron.rating, aron.sex, lena.sex, lena.federation) == (2412, "m", "w", "AUT")
    assert (event.entrant(2).born, lena.birth_year) == (date(1999, 2, 17), 1999)
    assert (tomas.name, tomas.rating, tomas.title) == ("Silva, Tomás", None, None)
    assert dario.fide_id is None
    assert [record.text("text") for record in event.records if record.code in ("182", "202")] == [
        "Swiss-Manager",
        "BH/C1,BH,DE",
    ]
    national = [record.fields for record in event.records if record.code == "NRS"]
    assert [(one["federation"], one["no"], one["rating"], one["id"]) for one in national] == [("CRO", 3, 2150, "4711")]
    assert event.entrant(3).rounds == (
        arpad.Round("played", 1, "black", Decimal(0)),
        arpad.Round("allocated-bye"),
    )
    assert [str(one) for one in event.oddities] == ["Player 4: 'NM' is not a FIDE title; left out."]
    assert not any(one.serious for one in event.oddities)


# Code, and what it is for White and for Black; 6, 15 and 17 do not occur in the real files that are at hand.
CODES = {
    0: ("pending", None, None), 1: ("played", 1, 0), 2: ("played", "0.5", "0.5"), 3: ("played", 0, 1),
    4: ("forfeit", 1, 0), 5: ("forfeit", 0, 1), 6: ("forfeit", 0, 0),
    15: ("short", 1, 0), 16: ("short", "0.5", "0.5"), 17: ("short", 0, 1),
}  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_codes_of_results(code):
    """The codes of section 8 of tunx.md."""
    event = read(tunx(rounds=(((1, 2, code), (3, 4, 1)),)))
    kind, white, black = CODES[code]
    mine, theirs = event.entrant(1).rounds[0], event.entrant(2).rounds[0]
    assert mine == arpad.Round(kind, 2, "white", None if white is None else Decimal(white))
    assert theirs == arpad.Round(kind, 1, "black", None if black is None else Decimal(black))
    assert bool(said(event, "not rated")) == (kind == "short")


@pytest.mark.parametrize("code", [7, 8, 9, 10, 11, 14, 18, 256, 65535])
def test_an_unknown_result_is_said_and_not_guessed(code):
    """The game is left without a result, and the answer says so; the exit code follows from that."""
    event = read(tunx(rounds=(((1, 2, code), (3, 4, 1)),)))
    assert event.entrant(1).rounds == (arpad.Round("pending", 2, "white"),)
    (oddity,) = said(event, f"result code {code} is not known")
    assert oddity.lost
    assert "Player 1, round 1" in str(oddity)


@pytest.mark.parametrize(("other", "code"), [(BYE, 1), (BYE, 3), (AWAY, 1), (AWAY, 9)])
def test_an_unknown_bye_is_said_and_not_guessed(other, code):
    """A round without an opponent with a code that was never seen counts no points, and the answer says so."""
    event = read(tunx(rounds=(((1, 2, 1), (3, other, code), (4, AWAY, 3)),)))
    assert event.entrant(3).rounds == (arpad.Round("absent"),)
    assert [oddity.lost for oddity in said(event, f"code {code} for a round without an opponent")] == [True]


def test_rounds_without_an_opponent():
    """Half-point byes, absences with and without a score, a bye to come, and rounds that are not paired yet."""
    later = ((2, AWAY, 0), (4, AWAY, 2))
    rounds = (((1, AWAY, 2), (2, AWAY, 0), (3, AWAY, 3), (4, BYE, 0)), later)
    event = read(tunx(rounds=rounds, paired=1, scheduled=5))
    assert [entrant.rounds for entrant in event.entrants] == [
        (arpad.Round("half-bye"),),
        (arpad.Round("absent"),),
        (arpad.Round("zero-bye"),),
        (arpad.Round("absent"), arpad.Round("half-bye")),
    ]
    assert event.rounds == 5
    assert len(said(event, "Player 2, round 1: absent without a score")) == 1
    assert len(said(event, "Player 4, round 1: the bye has no points yet")) == 1
    assert said(event, "round 2") == []


def test_a_player_without_an_entry_in_a_round():
    """In every real file each player has exactly one entry in a round that was paired."""
    event = read(tunx(rounds=(((1, 2, 1),),)))
    (oddity,) = said(event, "Round 1: 2 players have neither a pairing nor a bye")
    assert oddity.contradicts


@pytest.mark.parametrize(("scheduled", "kind"), [(3, "Individual: Round-Robin"), (6, "Individual: Double Round-Robin")])
def test_round_robins(scheduled, kind):
    """Twice as many rounds make it a double one."""
    event = read(tunx(kind=1, rounds=(((1, 2, 1), (3, 4, 1)),), scheduled=scheduled), "made.TURX")
    assert event.kind == kind


def test_a_section_of_forbidden_pairs_is_passed_over():
    """It stands before the directory, in individual files too (section 3)."""
    assert content(read(tunx(forbidden=(1, 2, 3, 4)))) == content(read(tunx()))


def test_k_is_for_the_list_that_a_player_was_entered_from():
    """K of the rapid list does not count in a standard event; K of a national list counts for the event's own pace."""
    people = [
        {**FOUR[0], "k": 40, "list": "FIDE"},
        {**FOUR[1], "k": 40, "list": "FIDR"},
        {**FOUR[2], "k": 40, "list": "AUT"},
        FOUR[3],
    ]
    event = read(tunx(people))
    systems = [getattr(EloStanding.of(entrant.player).k_from, "system", None) for entrant in event.entrants]
    assert systems == ["fide-standard", "fide-rapid", "fide-standard", None]
    rated = {player.no: player for player in arpad.rate_event(event, "fide-standard").players}
    assert [rated[no].k for no in (1, 2, 3)] == [40, 20, 40]
    assert str(rated[1].k_why) == "from the list Swiss-Manager"
    assert len(said(event, "K of 3 players")) == 1
    assert len(said(event, "1 player are from FIDE's rapid list, but the event is marked as standard")) == 1


def test_k_of_the_file_is_not_taken_for_k_of_a_later_list():
    """The event counts for the list after next, whose K is not in the file: the report says where its K is from."""
    people = [{**player, "k": 40, "list": "FIDE"} for player in FOUR]
    notes = " ".join(map(str, arpad.rate_event(read(tunx(people, days=(20260830, 20260901)))).notes))
    assert "so K is from Swiss-Manager" in notes
    assert "Swiss-Manager" not in " ".join(map(str, arpad.rate_event(read(tunx(days=(20260830, 20260901)))).notes))


def test_national_ratings_count_in_the_federations_own_system():
    """In a German file they are DWZs, as the records of a TRF26 would be."""
    people = [{**player, "national": 1900 + no} for no, player in enumerate(FOUR)]
    rated = arpad.rate_event(read(tunx(people, texts={20: "GER"})), "dwz")
    assert [player.rating for player in rated.players] == [1900, 1901, 1902, 1903]


@pytest.mark.parametrize("federation", ["", "XXX"])
def test_national_ratings_of_nobody(federation):
    """Without a federation it is not known whose ratings they are."""
    event = read(tunx(texts={20: federation}))
    assert event.federation is None
    assert [oddity.lost for oddity in said(event, "national ratings of 1 player")] == [True]


def test_the_organisers_mark_when_the_time_control_is_not_understood():
    """The file then says at least whether it is standard, rapid or blitz."""
    assert len(said(read(tunx(pace=3, texts={14: ""})), "marked the event as blitz")) == 1
    assert said(read(tunx(pace=3, texts={14: "3+2"})), "marked") == []


def test_extra_points_count_and_are_said():
    """They are kept in half points."""
    event = read(tunx([{**FOUR[0], "extra": 3}, *FOUR[1:]]))
    assert event.adjustments == (arpad.Adjustment(Decimal("1.5"), numbers=(1,)),)
    assert len(said(event, "extra points")) == 1


@pytest.mark.parametrize(
    ("ties", "criteria"),
    [
        (((84, b"\x02"), (84, b"\x11"), (85, b"\x01"), (86, b""), (87, b"\0\0\x32")), "BH/C2,BH/M1,SB/C1,PS,KS"),
        (((81, b""), (68, b"\0\x81"), (84, b"")), "DE"),
        (((84, b"\x12"), (81, b"")), None),
        (((84, b"\x01\x04"), (81, b"")), None),
        (((87, b"\0\0\x3c"),), None),
        (((11, b""), (84, b"")), None),
        ((), None),
    ],
)
def test_tie_breaks(ties, criteria):
    """Up to the first that is not understood; a criterion behind it would decide what the other has decided."""
    event = read(tunx(ties=ties))
    declared = [record.text() for record in event.records if record.code == "202"]
    assert declared == ([criteria] if criteria else [])
    complete = len(criteria.split(",") if criteria else ()) == len(ties)
    assert bool(said(event, "Swiss-Manager's list")) != complete


def test_teams():
    """Teams with their players in board order, a line-up with an empty board, and the points of the matches."""
    event = read(team_file(), "made.TUMX")
    assert event.kind == "Team: Swiss-System"
    assert [(team.name, team.nickname, team.members) for team in event.teams] == [
        ("Hawks", "Haw", (1, 2, 3)),
        ("Owls", "Owl", (4, 5, 6)),
    ]
    assert [dict(record.fields) for record in event.records if record.code == "300"] == [
        {"round": 2, "team": 2, "opponent": 1, "numbers": (4, 0)}
    ]
    assert event.entrant(2).rounds[1] == arpad.Round("forfeit", score=Decimal(1))
    places = arpad.standings(event).teams
    assert [(line.name, line.match_points, line.game_points) for line in places] == [
        ("Hawks", 4, Decimal("3.5")),
        ("Owls", 0, Decimal("0.5")),
    ]


def test_a_team_without_an_opponent_is_said():
    """What a team gets for such a round was never seen, so it is not guessed."""
    event = read(team_file(rounds=(((1, 4, 1), (5, 3, 2)), ()), matches=(((1, 2),), ((2, BYE),))))
    (oddity,) = said(event, "Team 2, round 2")
    assert oddity.lost


def test_a_team_round_robin_is_read_with_a_warning():
    """Its games are known only from a description; empty boards are rows of zeros."""
    rounds = (((1, 4, 1), (0, 0, 0)),)
    event = read(tunx(FOUR, rounds, kind=2, teams=("A", "B"), matches=(((1, 2),),), boards=2), "made.TUTX")
    assert event.entrant(1).rounds == (arpad.Round("played", 4, "white", Decimal(1)),)
    assert len(said(event, "known only from a description")) == 1


def test_what_no_rating_needs_is_not_kept():
    """E-mails, paths and addresses are in the file, and nowhere in what was read from it."""
    event = read(tunx([{**FOUR[0], "mail": SECRETS[0]}, *FOUR[1:]]))
    kept = repr(event)
    assert not any(secret in kept for secret in SECRETS)
    assert event.source.data == b""


# --- refused ---------------------------------------------------------------------------------------------------------


def refused(data, name="made.TUNX"):
    """The sentence that refuses a file."""
    with pytest.raises(arpad.BadFile) as caught:
        read_bytes(data, name)
    assert str(caught.value.at).startswith(name)
    return str(caught.value)


def test_every_piece_of_a_file_is_refused():
    """A file that was cut short anywhere is refused, never half read."""
    for data in (tunx(), team_file()):
        for end in range(4, len(data)):
            with pytest.raises(arpad.BadFile, match="damaged or incomplete"):
                read(data[:end])
        assert "damaged or incomplete" in refused(data + b"\0")


def test_other_versions_and_generations_are_refused():
    """Each with what to do instead."""
    assert "version 20300101" in refused(tunx(version=20300101))
    assert "older Swiss-Manager" in refused(b"any bytes", "old.TUN")
    assert "does not begin like a Swiss-Manager file" in refused(b"no,name\n1,Ann\n", "table.TUNX")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(tunx(rounds=(((1, 2, 1), (1, 3, 1)),)), id="a player twice in a round"),
        pytest.param(tunx(rounds=(((1, 1, 1),),)), id="a player against himself"),
        pytest.param(tunx(rounds=(((1, 9, 1),),)), id="an opponent who does not exist"),
        pytest.param(tunx(rounds=(((1, 0, 4),),)), id="an empty board in an individual event"),
        pytest.param(tunx(rounds=(((BYE, 1, 1),),)), id="a bye as White"),
        pytest.param(tunx(kind=4), id="no such kind"),
        pytest.param(tunx(paired=9), id="more rounds paired than scheduled"),
        pytest.param(tunx(ties=((84, b""),) * 10), id="more tie-breaks than there is room for"),
        pytest.param(tunx().replace(b"L\0i\0n\0d\0q\0", b"\0\xd8i\0n\0d\0q\0"), id="half a character"),
        pytest.param(team_file(matches=(((1, 2),), ((2, 7),))), id="no such team"),
    ],
)
def test_what_does_not_fit_is_refused(data):
    """A file that says something impossible is damaged, and nothing of it is used; the place is given."""
    assert "damaged or incomplete" in refused(data)
    assert ", byte " in refused(data)


def test_sizes_are_bounded_before_anything_is_made():
    """More rounds than any event has are refused; more players than the section holds are a damaged file."""
    assert "limit is 200 rounds" in refused(tunx(scheduled=201))
    data = bytearray(tunx())
    at = bytes(data).index(bytes([0x95]) + b"\xff\x89\x44")
    struct.pack_into("<H", data, at + 23, 50_000)
    assert "damaged or incomplete" in refused(bytes(data))
    struct.pack_into("<H", data, at + 23, 50_001)
    assert "more than 50000 players" in refused(bytes(data)).replace(",", "")


@pytest.mark.parametrize("source", [tunx, team_file])
@examples(400)
@given(st.integers(0, 2**32))
def test_flipped_bytes(source, seed):
    """A file with some bytes changed is read or refused, and what is read can be used."""
    chance = random.Random(seed)  # noqa: S311  # damage, not secrets
    data = bytearray(source())
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        event = read(bytes(data))
    except arpad.BadFile:
        return
    assert [entrant.no for entrant in event.entrants] == list(range(1, len(event.entrants) + 1))
    assert {finding.kind for finding in arpad.inconsistencies(event)} & {"opponent", "result"} == set()
    file_bytes(event, "json")


# --- doors -----------------------------------------------------------------------------------------------------------


def test_the_page(client):
    """The page for a tournament takes the file, and does not show what it does not read."""
    page = client.post("/tournament", files={"file": ("club.TUNX", tunx())})
    assert page.status_code == 200
    assert "Lindqvist, Aron" in page.text
    assert "4 players" in page.text
    assert page.text.count('id="player-') == 4
    cut = client.post("/tournament", files={"file": ("club.TUNX", tunx()[:-9])})
    assert "damaged or incomplete" in cut.text


def test_commands(tmp_path):
    """The commands on tournaments take such a file, and it becomes a report."""
    path = tmp_path / "club.TUNX"
    path.write_bytes(tunx())
    for question, shown in {
        "check": "4 players",
        "event": "2412",
        "standings": "BH/C1",
        "ties": "2412",
        "norms": "4",
    }.items():
        with redirect_stdout(io.StringIO()) as out:
            assert main([question, str(path)]) == 0
        assert shown in out.getvalue()
    with redirect_stdout(io.StringIO()):
        assert main(["convert", str(path), str(tmp_path / "club.trf")]) == 0
    again = arpad.read(tmp_path / "club.trf")
    assert [entrant.rounds for entrant in again.entrants] == [entrant.rounds for entrant in arpad.read(path).entrants]
