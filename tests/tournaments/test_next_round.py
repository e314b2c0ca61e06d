"""The round to come: what a win, a draw and a loss would do, against events that have the results."""

import json
import pickle
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import Entrant, Player, Round, Tournament
from arpad.cli import main
from arpad.core.tournaments import PENDING, PLAYED, Record
from arpad.errors import BadInput
from arpad.tournaments.next_round import next_round, round_to_come
from arpad.tournaments.norms.report import find_norms
from arpad.tournaments.pairing_checks import pairing_findings
from arpad.tournaments.pairings import paired_rounds
from conftest import shared

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
WHOLE = arpad.read(EXAMPLES / "norms.trf")
SCORES = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}


def opened(tournament, number):
    """An event before a round: its games are paired, and none has a result."""
    return replace(
        tournament,
        entrants=tuple(
            replace(
                one,
                points=None,
                rounds=(
                    *one.rounds[: number - 1],
                    replace(one.rounds[number - 1], kind=PENDING, score=None)
                    if one.rounds[number - 1].kind == PLAYED
                    else one.rounds[number - 1],
                ),
            )
            for one in tournament.entrants
        ),
    )


def test_the_result_that_came():
    """Of each player's three results, the one that came does what the complete event shows, norms included."""
    rated, norms = arpad.rate_event(WHOLE), find_norms(WHOLE)
    ahead = next_round(arpad.rate_event(opened(WHOLE, 9)))
    assert (ahead.round, ahead.games, len(ahead.players)) == (9, 10, 20)
    for player in ahead.players:
        score = WHOLE.entrant(player.no).rounds[8].score
        came = next(one for one in player.results if SCORES[one.result] == score)
        report = rated.player(player.no)
        assert (came.change, came.new_rating, came.points) == (report.change, report.new_rating, report.points)
        made = {norm.title for norm in norms.player(player.no).norms if norm.met and not norm.held}
        best = next(iter(norm.title for norm in norms.player(player.no).norms if norm.title in made), None)
        assert [one.title for one in came.norms if one.stands == "made"] == ([best] if best else [])


@st.composite
def rounds_to_come(draw):
    """Players with points from a first round of byes, half of them paired, some of the pairs with a result."""
    count = draw(st.integers(2, 8))
    before = [draw(st.sampled_from(["full-bye", "half-bye", "zero-bye"])) for _ in range(count)]
    second = [Round("half-bye") for _ in range(count)]
    for white in range(0, draw(st.integers(1, count // 2)) * 2, 2):
        score = draw(st.sampled_from([None, None, Decimal(1), Decimal("0.5"), Decimal(0)]))
        kind = PENDING if score is None else PLAYED
        second[white] = Round(kind, white + 2, "white", score)
        second[white + 1] = Round(kind, white + 1, "black", None if score is None else 1 - score)
    return Tournament(
        tuple(Entrant(no + 1, Player(2000), (Round(before[no]), second[no])) for no in range(count)),
        start=WHOLE.start,
        rounds=2,
    )


@examples(60)
@given(event=rounds_to_come())
def test_places_over_all_results(event):
    """The best and the worst place by points are those of all combinations of results, tried one by one."""
    if round_to_come(event) is None:
        with pytest.raises(BadInput):
            next_round(arpad.rate_event(event))
        return
    ahead = next_round(arpad.rate_event(event))
    paid = {"full-bye": Decimal(1), "half-bye": Decimal("0.5"), "zero-bye": Decimal(0)}
    fixed = {
        one.no: sum(paid.get(each.kind, each.score or Decimal(0)) for each in one.rounds) for one in event.entrants
    }
    games = [one.no for one in event.entrants if one.rounds[1].kind == PENDING and one.rounds[1].colour == "white"]
    seen = {}
    for results in product(SCORES.values(), repeat=len(games)):
        points = dict(fixed)
        for white, score in zip(games, results, strict=True):
            points[white] += score
            points[white + 1] += 1 - score
        for white, score in zip(games, results, strict=True):
            for no, own in ((white, score), (white + 1, 1 - score)):
                above = sum(one > points[no] for one in points.values())
                level = sum(one == points[no] for one in points.values())
                seen.setdefault((no, own), []).append((above + 1, above + level))
    ours = {(one.no, SCORES[each.result]): (each.first, each.last) for one in ahead.players for each in one.results}
    assert ours == {key: (min(a for a, _ in all_), max(b for _, b in all_)) for key, all_ in seen.items()}


def test_the_command(capsys):
    """Everybody and one player at the command; what cannot be answered is refused in a sentence."""
    file = str(EXAMPLES / "last-round.trf")
    assert main(["next", file, "--player", "12", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert [one["no"] for one in value["players"]] == [12]
    assert [one["result"] for one in value["players"][0]["results"]] == ["win", "draw", "loss"]
    assert main(["next", file]) == 0
    out = capsys.readouterr().out
    assert "12 Okonkwo, Emeka, a win: IM made" in out
    assert max(map(len, out.splitlines())) <= 80
    for words, said in (
        ([str(EXAMPLES / "open.trf")], "The file has no game without a result"),
        ([file, "--round", "3"], "Round 3 has no paired game without a result"),
        ([file, "--player", "77"], "No player has the starting number 77; the numbers go from 1 to 20."),
    ):
        assert main(["next", *words]) == 2
        assert said in capsys.readouterr().err


def test_the_working_of_one_player():
    """The steps are those of the three results, each with its own new rating."""
    ahead = next_round(arpad.rate_event(opened(WHOLE, 9)), player=4)
    new = {str(one.new_rating) for one in ahead.players[0].results}
    assert len(new) == 3
    assert all(one in ahead.explain() for one in new)


def test_what_is_not_among_it_is_said():
    """Why there are no norms, and which other rounds have games to come, whichever round was asked for."""
    event = opened(WHOLE, 9)
    both = tuple(
        replace(one, rounds=(*one.rounds[:7], replace(one.rounds[7], kind=PENDING, score=None), one.rounds[8]))
        for one in event.entrants
    )
    rated = arpad.rate_event(replace(event, entrants=both), on=date(2015, 1, 10))
    for number, other in ((8, 9), (9, 8)):
        notes = {note.key: str(note) for note in next_round(rated, round=number).notes}
        assert f"in round {other} as well" in notes["notes.next.others"]
        assert "the rules are covered from 2017-07-01" in notes["notes.next.no_norms"]


def test_a_report_from_another_process():
    """A report that travelled has lost the functions of its system, and says so instead of failing."""
    travelled = pickle.loads(pickle.dumps(arpad.rate_event(opened(WHOLE, 9))))  # noqa: S301  # our own bytes
    with pytest.raises(arpad.ArpadError, match="rate the event here"):
        next_round(travelled)


def checked(event, number):
    """What the pairing of a round breaks, by the keys of the messages."""
    return [finding.says.key.removeprefix("tournaments.pairing.") for finding in pairing_findings(event, number)]


def paired_as(event, number, changes):
    """An event with other rounds for some players."""
    return replace(
        event,
        entrants=tuple(
            replace(one, rounds=(*one.rounds[: number - 1], changes[one.no])) if one.no in changes else one
            for one in event.entrants
        ),
    )


@pytest.mark.parametrize("name", ["aeroflot_open_2026_after_r8", "san_viator_2018_B", "tec_exercise_held_swiss_9"])
def test_pairings_of_programs_that_fide_endorses_are_without_objection(name):
    """Every round of three events that endorsed programs paired."""
    event = arpad.read(shared(f"data/tournaments/{name}.trf"))
    rounds = paired_rounds(event)
    assert len(rounds) >= 5
    assert [checked(event, number) for number in rounds] == [[]] * len(rounds)


def test_what_the_basic_rules_forbid():
    """C.04.1, 2, 4, 6 and 7 (from July 2025), and b, d, f and g before: one broken pairing for each."""
    event = opened(WHOLE, 9)
    first = event.entrants[0]
    met = first.rounds[0].opponent
    again = paired_as(event, 9, {first.no: Round(PENDING, met, "white"), met: Round(PENDING, first.no, "black")})
    assert "again" in checked(again, 9)
    assert "left_out" not in checked(again, 9)
    assert "left_out" in checked(paired_as(event, 9, {first.no: Round("absent")}), 9)
    whites = [Round(PLAYED, 10 + at, "white", SCORES["win"]) for at in range(3)]
    black = Round(PLAYED, 20, "black", SCORES["loss"])
    rare = Entrant(2, Player(2000), (Round("absent"),) * 3 + (Round(PENDING, 1, "black"),))
    row = Entrant(1, Player(2000), (black, *whites[:2], Round(PENDING, 2, "white")))  # three in a row, 3 against 1
    assert checked(Tournament((row, rare), rounds=9, start=date(2026, 1, 1)), 4) == ["row.before"]
    assert checked(Tournament((row, rare), rounds=4, start=date(2026, 1, 1)), 4) == ["row.last"]
    often = replace(row, rounds=(*whites[:2], Round("half-bye"), Round(PENDING, 2, "white")))  # 3 against none
    found = checked(Tournament((often, rare), rounds=9, start=date(2026, 1, 1)), 4)
    assert found == ["row.before", "difference.before"]
    forfeited = replace(often, rounds=(whites[0], replace(whites[1], kind="forfeit"), *often.rounds[2:]))
    assert checked(Tournament((forfeited, rare), rounds=9, start=date(2026, 1, 1)), 4) == []  # no colour without a game


@pytest.mark.parametrize(
    ("before", "day", "found"),
    [
        (Round("allocated-bye"), date(2024, 1, 1), True),
        (Round("forfeit", 2, "white", Decimal(1)), date(2024, 1, 1), True),
        (Round("forfeit", 2, "white", Decimal(0)), date(2024, 1, 1), False),
        (Round("full-bye"), date(2025, 6, 30), False),  # d names only the allocated bye and the win by forfeit
        (Round("full-bye"), date(2025, 7, 1), True),  # 4: as many points as for a win, without a game
        (Round("half-bye"), date(2025, 7, 1), False),
    ],
)
def test_who_may_have_the_bye(before, day, found):
    """C.04.1, d till 30 June 2025, then 4."""
    paired = [Entrant(no, Player(2000), (Round("absent"), Round(PENDING, 5 - no))) for no in (2, 3)]
    event = Tournament((Entrant(1, Player(2000), (before, Round("allocated-bye"))), *paired), rounds=5, start=day)
    assert checked(event, 2) == (["bye"] if found else [])


def test_what_the_file_itself_forbids():
    """Records 260 and 240 of TRF26: two players who may not meet in rounds 1 to 2, and a bye that was asked for."""
    paired = tuple(Entrant(no, Player(2000), (Round(PENDING, 3 - no),)) for no in (1, 2))
    records = (
        Record("260", {"first_round": 1, "last_round": 2, "numbers": (1, 2)}),
        Record("240", {"kind": "H", "round": 1, "numbers": (2,)}),
    )
    assert checked(Tournament(paired, rounds=5, records=records), 1) == ["forbidden", "requested"]
    later = (Record("260", {"first_round": 2, "last_round": 3, "numbers": (1, 2)}),)
    assert checked(Tournament(paired, rounds=5, records=later), 1) == []


def test_the_checks_are_said_with_the_round(capsys):
    """The command names them before the table, and says so if there is nothing to object to."""
    assert main(["next", str(EXAMPLES / "last-round.trf")]) == 0
    assert "9 Vesely, Radim gets black 3 times more often" in capsys.readouterr().out
    assert next_round(arpad.rate_event(opened(WHOLE, 2))).objections[0].key == "tournaments.pairing.none"
