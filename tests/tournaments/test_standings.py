"""Standings: places, why one is above another, after a round, groups, prizes, and the ranks of the file."""

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

import arpad
from arpad import Entrant, Player, Round, Tournament
from arpad.cli import main
from arpad.core.tournaments import Record
from arpad.errors import BadFile, BadInput, UnknownName, Unsupported
from arpad.formats.organiser_tables import prizes_of
from conftest import shared

ROOT = Path(__file__).parents[2]
OPEN = str(ROOT / "docs" / "examples" / "open.trf")
ON = date(2026, 8, 15)
WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)


def entrant(no, rounds, rank=None, **player):
    played = tuple(Round("played", opponent, "white", score) for opponent, score in rounds)
    return Entrant(no, Player(player.pop("rating", 2000), name=f"P{no}", **player), played, rank=rank)


# 1 and 2 win in round 1 and draw in round 2; 3 and 4 draw in round 2.
FOUR = Tournament(
    (
        entrant(1, [(3, WIN), (2, DRAW)], rank=2, sex="w", rating=2100),
        entrant(2, [(4, WIN), (1, DRAW)], rank=1, birth_year=2010),
        entrant(3, [(1, LOSS), (4, DRAW)], rank=3, rating=1900, federation="GER"),
        entrant(4, [(2, LOSS), (3, DRAW)], rank=4, rating=None, birth_year=1955),
    ),
    start=ON,
    rounds=2,
    kind="Swiss",
)


def places(answer):
    return [(one.place, one.no) for one in answer.lines]


def test_byes_entered_ahead():
    """A round of which there are byes alone has not been held, and the answer says that its byes are there."""
    rounds = {
        1: (Round("played", 2, "white", Decimal(1)), Round("half-bye")),
        2: (Round("played", 1, "black", Decimal(0)),),
    }
    event = Tournament(
        tuple(Entrant(no, Player(2000), own) for no, own in rounds.items()), start=date(2026, 8, 1), rounds=3
    )
    found = arpad.standings(event, ["BH"])
    assert found.round == 1
    assert any(one.key == "notes.standings.ahead" for one in found.notes)
    assert arpad.standings(event, ["BH"], round=2).round == 2


def test_equal_places_are_equal():
    """Points alone: 1½, 1½, ½, ½."""
    assert places(arpad.standings(FOUR, ["PTS"])) == [(1, 1), (1, 2), (3, 3), (3, 4)]


RECOMMENDED = {  # FIDE's advice of 2019 to 2023, as in section 2 of the research note on C.07
    "Swiss": ["BH/C1", "BH", "DE", "ARO/C1", "WIN", "BWG", "BPG", "SB"],
    "Round Robin": ["DE", "WIN", "SB", "KS"],
}


@pytest.mark.parametrize(("kind", "names"), RECOMMENDED.items())
def test_without_names_the_order_is_the_one_fide_last_recommended(kind, names):
    """The note says which it is, where it is from, and that the event's regulations decide."""
    found = arpad.standings(replace(FOUR, kind=kind), unrated=1400)
    assert list(found.by) == names
    said = next(str(note) for note in found.notes if note.key == "notes.ties.recommended")
    assert ", ".join(names) in said
    assert "FIDE C.02 13]" in said
    teams = arpad.read(shared("data/tournaments") / "tec_exercise_held_team.trf")
    records = tuple(record for record in teams.records if record.code not in ("202", "212"))
    assert arpad.standings(replace(teams, records=records)).by == ("MPvGP", "DE", "BH/C1", "BH", "SB")


@pytest.mark.parametrize(
    ("done", "said"), [(1, "round 9: 1 of 10 results"), (9, "round 9: 9 of 10 results"), (10, "9")]
)
def test_a_round_that_is_being_played_says_how_far_it_is(done, said):
    """Twenty players, eight rounds played, and the ninth with so many results."""
    rounds = [Round("played", 1, "white", DRAW)] * 8  # whom they met before does not matter here
    pairs = [(no, no + 1) for no in range(1, 20, 2)]
    last = {}
    for number, (white, black) in enumerate(pairs):
        kind, score = ("played", DRAW) if number < done else ("pending", None)
        last |= {white: Round(kind, black, "white", score), black: Round(kind, white, "black", score)}
    entrants = tuple(Entrant(no, Player(2000), (*rounds, last[no])) for no in range(1, 21))
    found = arpad.standings(Tournament(entrants, start=date(2026, 8, 1), rounds=9, kind="Swiss"), ["PTS"])
    assert (found.round, found.results, found.games) == (9, done, 10)
    assert said in [str(figure.value) for figure in found.summary()]


def test_ranks_of_a_file_that_names_no_criteria():
    """Its order among equal points is its own affair: a note counts the players, and nobody is called wrong."""
    found = arpad.standings(arpad.read(OPEN))  # its ranks 7 and 8 are the other way round by BH/C1
    assert found.differences == ()
    assert [note.values["players"] for note in found.notes if note.key == "notes.standings.other_ranks"] == [2]


def test_after_a_round():
    """After round 1: a point for 1 and 2; the limit of rounds is the event's."""
    answer = arpad.standings(FOUR, ["TPN"], round=1)
    assert [(one.place, one.no, one.points) for one in answer.players] == [(1, 1, 1), (2, 2, 1), (3, 3, 0), (4, 4, 0)]
    assert answer.round == 1
    with pytest.raises(BadInput, match="rounds 1 to 2"):
        arpad.standings(FOUR, round=3)


def test_why_one_is_above_another():
    """1 and 3 differ in points; 1 and 2 are equal in them, and TPN decides."""
    assert arpad.standings(FOUR, ["TPN"], why=[3, 1]).why.criterion == "PTS"
    why = arpad.standings(FOUR, ["DE", "TPN"], why=[2, 1]).why
    assert (why.above, why.below, why.criterion, why.equal_in) == (1, 2, "TPN", ("PTS", "DE"))
    assert "No. 1 is above no. 2 by TPN: 1 against 2" in str(why.says)
    assert arpad.standings(FOUR, ["DE"], why=[1, 2]).why.criterion is None
    for numbers, words in (([1, 1], "two different"), ([1, 9], "9"), ([1], "two different")):
        with pytest.raises(BadInput, match=words):
            arpad.standings(FOUR, why=numbers)


def test_the_ranks_of_the_file():
    """The file has 2 above 1: points and DE leave them equal, so nothing differs; TPN puts 1 first, and that does."""
    assert arpad.standings(FOUR, ["DE"]).differences == ()
    differences = arpad.standings(FOUR, ["TPN"]).differences
    assert [(one.no, one.rank, one.first, one.exchanged) for one in differences] == [
        (2, 1, 2, (2, 1)),
        (1, 2, 1, (2, 1)),
    ]


def test_ranks_that_are_the_starting_numbers_are_none():
    """Some programs write the starting number into the column of the rank."""
    numbered = replace(FOUR, entrants=tuple(replace(one, rank=one.no) for one in FOUR.entrants))
    assert arpad.standings(numbered, ["TPN/R"]).differences == ()


@pytest.mark.parametrize(("group", "numbers"), [
    ("W", [1]),
    ("U18", [2]),
    ("S65", [4]),
    ("U2000", [3]),
    ("O2000", [1, 2]),
    ("FED=GER", [3]),
    ("unrated", [4]),
    ("W O2000", [1]),
])  # fmt: skip
def test_groups(group, numbers):
    """Women, juniors, seniors, rating bands, a federation, the unrated; their places are among themselves."""
    answer = arpad.standings(FOUR, ["TPN"], group=group)
    assert [(one.place, one.no) for one in answer.players] == list(enumerate(numbers, start=1))


@pytest.mark.parametrize(("options", "words"), [
    ({"group": "XX"}, "not a condition"),
    ({"group": "FED=ESP"}, "Nobody"),
    ({"group": "S80"}, "Nobody"),
])  # fmt: skip
def test_groups_that_are_refused(options, words):
    """A condition nobody meets, and one that is none."""
    with pytest.raises(BadInput, match=words):
        arpad.standings(FOUR, **options)


TABLE = "prize,amount,condition\nfirst,100,\nsecond,60,\nbest woman,50,W\nbest U2000,30,U2000\n"


def won(share="places", *, several=False, table=TABLE):
    answer = arpad.standings(FOUR, ["TPN"], prizes=prizes_of(table, "prizes"), share=share, several=several)
    return [(one.no, one.condition, one.amount) for one in answer.prizes]


def test_prizes_by_place_equal_and_hort():
    """By Hort half of each prize goes to its own place, and the other halves are shared: 50 + 40 and 30 + 40."""
    assert won() == [(1, "", 100), (2, "", 60), (3, "U2000", 30)]
    assert won("equal") == [(1, "", 80), (2, "", 80), (3, "U2000", 30)]
    assert won("hort") == [(1, "", 90), (2, "", 70), (3, "U2000", 30)]


def test_one_prize_a_player_or_several():
    """The best woman is first of all; only where several prizes are allowed does she win both."""
    assert (1, "W", 50) not in won()
    assert (1, "W", 50) in won(several=True)


def test_cents_are_not_lost():
    """100 shared by three is 33.34, 33.33 and 33.33."""
    three = replace(FOUR, entrants=tuple(entrant(no, []) for no in (1, 2, 3)), rounds=0)
    three = replace(three, entrants=tuple(replace(one, points=WIN) for one in three.entrants))
    answer = arpad.standings(three, ["TPN"], prizes=prizes_of("prize,amount\nfirst,100\n", "prizes"), share="equal")
    assert [one.amount for one in answer.prizes] == [Decimal("33.34"), Decimal("33.33"), Decimal("33.33")]


@pytest.mark.parametrize(("table", "error", "words"), [
    ("a,b\n1,2\n", BadFile, "columns"),
    ("prize,amount\n", BadFile, "no prizes"),
    ("prize,amount\nfirst,ten\n", BadFile, "'ten'"),
    ("prize,amount\nfirst,-5\n", BadFile, "'-5'"),
    ("prize,amount,condition\nfirst,5,young\n", BadInput, "'young'.*line 2"),
])  # fmt: skip
def test_prizes_that_are_refused(table, error, words):
    """What is no table of prizes, and a way to share them that there is not."""
    with pytest.raises(error, match=words):
        won(table=table)
    with pytest.raises(UnknownName, match="hort"):
        won("lots")


def test_a_prize_that_nobody_can_win_is_said():
    """No player is American and only one is under 2000: the other prizes are given all the same."""
    table = "prize,amount,condition\nfirst,100,\nbest guest,5,FED=USA\nU2000,5,U2000\nsecond U2000,4,U2000\n"
    answer = arpad.standings(FOUR, ["TPN"], prizes=prizes_of(table, "prizes"))
    assert [(one.no, one.amount) for one in answer.prizes] == [(1, 100), (3, 5)]
    said = next(str(note) for note in answer.notes if note.key == "notes.standings.not_given")
    assert said == "Not given, because nobody is left who may win it: best guest, second U2000."


def test_a_team_event_has_prizes_for_teams_but_no_groups():
    """Groups, and prizes with a condition, are for players; the others go to the teams in their order."""
    teams = arpad.read(shared("data/tournaments") / "tec_exercise_held_team.trf")
    order = arpad.standings(teams)
    assert order.place(5) == 1  # 10 match points and the most game points, 18
    won = arpad.standings(teams, prizes=prizes_of("prize,amount\n1st,500\n2nd,300\n", "prizes")).prizes
    assert [(one.no, one.name, one.amount) for one in won] == [
        (team.no, team.name, amount) for team, amount in zip(order.teams[:2], (500, 300), strict=True)
    ]
    with pytest.raises(Unsupported, match="players"):
        arpad.standings(teams, group="W")
    with pytest.raises(Unsupported, match="players"):
        arpad.standings(teams, prizes=prizes_of(TABLE, "prizes"))


def test_the_criteria_that_a_file_declares():
    """Without criteria of the question, those of record 202 count."""
    answer = arpad.standings(replace(FOUR, records=(Record("202", {"text": "TPN/R"}),)))
    assert (answer.by, places(answer)) == (("TPN/R",), [(1, 2), (2, 1), (3, 4), (4, 3)])


def test_the_command(capsys, tmp_path):
    """The command has places, why, prizes and the ranks of the file; JSON has the names of the contract."""
    prizes = tmp_path / "prizes.csv"
    prizes.write_text("prize,amount,condition\n1st,500,\n2nd,300,\n3rd,100,\n", encoding="utf-8")
    line = ["standings", OPEN, "--by", "BH/C1,BH", "--why", "2", "4", "--prizes", str(prizes), "--share", "hort"]
    assert main(line) == 0
    said = capsys.readouterr().out
    assert "150 + 200 / 2" in said  # 2 and 4 have 4½ points each
    assert "No. 2 is above no. 4 by BH" in said
    assert main([*line, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert set(value["players"][0]) == {"place", "no", "name", "rating", "points", "values"}
    assert value["why"]["criterion"] == "BH"
    assert main(["standings", OPEN, "--group", "X"]) == 2


def test_every_difference_to_the_ranks_of_a_real_file_is_explained():
    """Each rank of a real file that differs names two whom the file has the other way round; points alone, few do."""
    files = sorted(shared("data/tournaments").glob("*.trf"))
    assert len(files) > 20
    for file in files:
        tournament = arpad.read(file)
        answer = arpad.standings(tournament, on=max(tournament.start or ON, ON))
        place = {one.no: one.place for one in answer.lines}
        for one in answer.differences:
            above, below = one.exchanged
            assert place[above] > place[below], (file.name, one)


def test_the_crosstable_of_a_swiss(capsys):
    """A line a player, a cell a round, as the file has it: 7 lost to 2, had byes and a forfeit win."""
    answer = arpad.standings(arpad.read(OPEN), ["BH"])
    assert (answer.crosstable.by, answer.crosstable.columns) == ("rounds", (1, 2, 3, 4, 5, 6))
    cells = {one.no: one.cells for one in answer.crosstable.lines}
    assert cells[7] == ("2w0", "10b1", "-1", "9b0", "6w+", "4b0")
    assert cells[8] == ("3b0", "-1", "6w½", "-½", "2w0", "1b0")
    assert [one.no for one in answer.crosstable.lines] == [one.no for one in answer.players]
    assert main(["standings", OPEN, "--by", "BH", "--crosstable"]) == 0
    assert "2w0  10b1   -1  9b0   6w+   4b0" in capsys.readouterr().out


def test_the_crosstable_of_a_round_robin():
    """Everybody against everybody, in the order of the places: each result is the other one's complement."""
    answer = arpad.standings(arpad.read(shared("data/tournaments") / "tec_exercise_held_round_robin.trf"))
    table = answer.crosstable
    assert table.by == "opponents"
    other = {"1": "0", "0": "1", "½": "½", "×": "×", "+": "-", "-": "+"}
    for row, line in enumerate(table.lines):
        assert line.cells[row] == "×"
        assert list(line.cells) == [other[table.lines[column].cells[row]] for column in range(len(table.lines))]


def test_the_crosstable_of_teams():
    """A cell of a team is the opponent's number and the own game points; they add up to the game points."""
    answer = arpad.standings(arpad.read(shared("data/tournaments") / "tec_exercise_held_team.trf"))
    assert answer.crosstable.lines[0].cells == ("12:4", "6:3", "2:4", "4:½", "1:2½", "3:½", "13:3½")
    assert answer.teams[0].game_points == 18
