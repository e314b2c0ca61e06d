"""The rounds to come of a whole event, compared with enumeration, the rating report, norms and tie-breaks."""

import sys
from collections import defaultdict
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_events import random_open

import arpad
from arpad import Entrant, Player, Record, Round, Tournament
from arpad.errors import BadInput, Unsupported
from arpad.messages import figure
from arpad.simulation import playing
from arpad.simulation.answer import NOISY, EventNormChance, NormAtScore, error_of
from arpad.simulation.exact import SHARE, expected_round
from arpad.simulation.games import Strengths, shares
from arpad.simulation.pairing import Situation, pair, preferences
from arpad.simulation.places import VALUES, Finals, refined
from arpad.simulation.playing import as_held, play
from arpad.simulation.position import GAME, NOBODY, VOLUNTARY, position_of
from arpad.simulation.ratings import NO_RATING, NormJudge, Ratings
from arpad.systems.chances import calibrated
from arpad.tournaments.norms.rules import NORMS, edition
from arpad.tournaments.prizes import Prize
from arpad.tournaments.tiebreaks import choose
from conftest import library, shared

ON = date(2026, 10, 3)
WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)
SCORES = {"1": WIN, "=": DRAW, "0": LOSS}


def small_event():
    """Six players in a round robin, three rounds played, two paired."""
    ratings = [2300, 2260, 2210, 2150, 2100, 2040]
    # By Berger's table for six, with invented results; the last two rounds are open.
    rounds = [
        [(1, 6, "1"), (2, 5, "="), (3, 4, "0")],
        [(6, 4, "="), (5, 3, "="), (1, 2, "=")],
        [(2, 6, "1"), (3, 1, "0"), (4, 5, "1")],
        [(6, 5, None), (1, 4, None), (2, 3, None)],
        [(3, 6, None), (4, 2, None), (5, 1, None)],
    ]
    rows = defaultdict(list)
    for games in rounds:
        for white, black, result in games:
            if result is None:
                rows[white].append(Round("pending", black, "white"))
                rows[black].append(Round("pending", white, "black"))
            else:
                rows[white].append(Round("played", black, "white", SCORES[result]))
                rows[black].append(Round("played", white, "black", 1 - SCORES[result]))
    entrants = tuple(
        Entrant(no, Player(rating, name=f"Player {no}"), tuple(rows[no])) for no, rating in enumerate(ratings, 1)
    )
    return Tournament(entrants, rounds=5, kind="Round Robin", start=ON)


def certain(position):
    """Strengths equal to the ratings."""
    found = Strengths(position, np.full(len(position.entrants), 59.0), position.ratings)
    found.mean, found.spread = position.ratings.copy(), np.zeros(len(position.entrants))
    return found


def test_the_simulation_agrees_with_every_result_counted():
    """Six players, two rounds left: all 729 results with the chances of the scalar model, against 40,000 runs."""
    position = position_of(small_event())
    games = [game for ahead in position.ahead for game in ahead.games]
    assert len(games) == 6
    now = position.points.sum(axis=1)
    chance = [
        calibrated().chances(position.ratings[one], position.ratings[other], {1: "white", -1: "black"}[colour])
        for one, other, colour in games
    ]
    exact, first = defaultdict(float), defaultdict(float)
    for results in product((2, 1, 0), repeat=6):
        share, totals = 1.0, now.copy()
        for (one, other, _), result, of in zip(games, results, chance, strict=True):
            share *= of[2 - result]
            totals[one] += result
            totals[other] += 2 - result
        best = np.flatnonzero(totals == totals.max())
        for who, total in enumerate(totals):
            exact[who, int(total)] += share
        for who in best:
            first[who] += share / len(best)  # lots
    runs = 40_000
    totals = np.concatenate([block.totals for block in play(position, certain(position), runs=runs, seed=3)])
    for (who, total), share in exact.items():
        error = (share * (1 - share) / runs) ** 0.5
        assert abs((totals[:, who] == total).mean() - share) < 5 * error + 1e-9
    top = totals == totals.max(axis=1, keepdims=True)
    shared_first = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    for who in range(6):
        assert abs(shared_first[who] - first[who]) < 5 * 0.5 / runs**0.5


def test_the_model_in_arrays_is_the_scalar_model():
    """The same chances for any two ratings and colours."""
    ratings = np.array([900.0, 1500, 1799, 1800, 2000, 2149, 2150, 2400, 2600, 2601, 2900])
    for opponent in ratings:
        for number, colour in ((1, "white"), (-1, "black"), (0, None)):
            win, draw = shares(ratings, np.full(len(ratings), opponent), np.full(len(ratings), number))
            for place, rating in enumerate(ratings):
                expected = calibrated().chances(rating, opponent, colour)
                assert (win[place], draw[place]) == pytest.approx(expected[:2], abs=1e-12)


def test_a_seed_makes_it_repeatable_and_is_in_the_answer():
    """The same seed gives the same chances, another seed others; the JSON value has it."""
    event = arpad.read("docs/examples/last-round.trf")
    once, again, other = (arpad.chances(event, runs=300, seed=seed) for seed in (5, 5, 6))
    assert once.value() == again.value()
    assert once.value()["seed"] == 5
    assert once.players != other.players


@given(players=st.integers(5, 24), seed=st.integers(0, 10_000), held=st.integers(1, 4))
def test_the_chances_over_places_add_up_to_one(players, seed, held):
    """For every player over all places, and for every place over all players; scores too."""
    event = replace(random_open(players, rounds=held, seed=seed), rounds=held + 2)
    found = arpad.chances(event, runs=50, by=("BH/C1", "SB"), kind="swiss")
    by_place = defaultdict(float)
    for one in found.players:
        assert sum(line.chance for line in one.places) == pytest.approx(1)
        assert sum(line.chance for line in one.scores) == pytest.approx(1)
        for line in one.places:
            by_place[line.place] += line.chance
    assert sorted(by_place) == list(range(1, players + 1))
    assert all(total == pytest.approx(1) for total in by_place.values())


@given(players=st.integers(6, 40), seed=st.integers(0, 10_000), held=st.integers(0, 4))
def test_a_simulated_round_is_a_legal_pairing(players, seed, held):
    """Everybody has one opponent or the bye, games have two sides and two colours, and nobody plays anybody twice.

    Who won by forfeit has not played, so those two may still meet (C.04.1).
    """
    event = replace(random_open(players, rounds=held, seed=seed), rounds=held + 2)
    position = position_of(event, kind="swiss")
    expected = expected_round(position)
    for block in play(position, certain(position), runs=20, seed=seed, expected=expected):
        for number in range(held, held + 2):
            met, colours = block.opponents[:, :, number], block.colours[:, :, number]
            playing = met != NOBODY
            for run in range(len(met)):
                who = np.flatnonzero(playing[run])
                assert (met[run, met[run, who]] == who).all()
                assert (colours[run, who] == -colours[run, met[run, who]]).all()
                decided = list(position.ahead[number - held].decided)
                away = np.flatnonzero(block.kinds[run, :, number] == VOLUNTARY)
                assert len(position.entrants) - len(set(decided) | set(away.tolist())) - len(who) in (0, 1)
        if players >= 2 * (held + 4):  # enough players for a legal pairing to exist
            for run in range(len(block.opponents)):
                for row, kinds in zip(block.opponents[run], block.kinds[run], strict=True):
                    opponents = row[kinds == GAME].tolist()
                    ahead = row[held:][kinds[held:] == GAME].tolist()
                    assert all(opponents.count(other) == 1 for other in ahead)


@pytest.mark.parametrize(
    ("name", "rounds"), [("aeroflot_open_2026_after_r8.trf", 8), ("budapest_spring_2026_B_after_r8.trf", 8)]
)
def test_the_next_round_is_expected_as_it_was_paired(name, rounds):
    """The pairings that real events had, when it is known who stayed away: opponents, colours and the bye."""
    library("py4swiss")
    event = arpad.read(shared("data/tournaments") / name)
    for number in range(rounds - 3, rounds):
        real = {one.no: one.rounds[number] for one in event.entrants}
        away = [no for no, each in real.items() if each.opponent is None and each.kind != "allocated-bye"]
        back = [each for no, each in real.items() if no not in away]
        position = position_of(event, after=number, kind="swiss", withdrawn=away)
        if len(back) != len(event.entrants) - len({*position.withdrawn, *position.missing}):
            continue  # somebody came back after a round away
        expected = expected_round(position)
        for who, no in enumerate(position.numbers):
            other = None if expected.opponents[who] == NOBODY else position.numbers[expected.opponents[who]]
            assert other == real[no].opponent
            assert expected.colours[who] == {"white": 1, "black": -1, None: 0}[real[no].colour]
            assert (expected.bye == who) == (real[no].kind == "allocated-bye")


def test_most_runs_have_the_expected_round(monkeypatch):
    """If all stay, those who are expected to meet do so in the share of runs that the note says, and in some others."""
    library("py4swiss")
    for rate in ("LEAVES", "LEAVES_LAST", "MISSES"):
        monkeypatch.setattr(playing, rate, (0, 0))
    event = arpad.read("docs/examples/last-round.trf")
    expected = expected_round(position_of(event, after=7))
    found = arpad.chances(event, runs=2000, after=7)
    assert any(note.key == "notes.chances.expected" for note in found.notes)
    assert found.value()["pairing"] == "exact"
    position = position_of(event, after=7)
    places = {no: who for who, no in enumerate(position.numbers)}
    pairs = [one for one in found.meetings if expected.opponents[places[one.no]] == places[one.opponent]]
    assert pairs
    assert all(one.chance > SHARE - 0.04 for one in pairs)


def test_without_the_library_the_matcher_pairs_every_round(monkeypatch):
    """Nothing is expected then, nothing is said of it, and the chances are there all the same."""
    monkeypatch.setitem(sys.modules, "py4swiss", None)
    monkeypatch.setitem(sys.modules, "py4swiss.engines", None)
    found = arpad.chances(arpad.read("docs/examples/last-round.trf"), runs=50, after=7)
    assert found.meetings
    assert not any(note.key == "notes.chances.expected" for note in found.notes)
    assert found.value()["pairing"] == "approximate"


def test_byes_and_withdrawals_are_kept():
    """A half-point bye entered ahead is not paired and has its points; who has left has neither games nor points."""
    event = random_open(12, rounds=3, seed=4)
    with_bye = replace(event.entrants[0], rounds=(*event.entrants[0].rounds, Round("half-bye")))
    event = replace(event, entrants=(with_bye, *event.entrants[1:]), rounds=5)
    position = position_of(event, kind="swiss", withdrawn=[7])
    who, gone = position.numbers.index(1), position.numbers.index(7)
    (block,) = play(position, certain(position), runs=50, seed=1)
    assert (block.opponents[:, who, 3] == NOBODY).all()
    assert (block.points[:, who, 3] == position.half).all()
    assert (block.opponents[:, gone, 3:] == NOBODY).all()
    assert (block.points[:, gone, 3:] == 0).all()


def test_who_has_left_loses_a_paired_game_by_forfeit():
    """Round 9 is paired: the opponent of 9 has the point without a game, and 9 has neither; so in a round robin."""
    event = arpad.read("docs/examples/last-round.trf")
    other = event.entrant(9).rounds[8].opponent
    before, found = (arpad.chances(event, runs=20, withdrawn=left) for left in ((), (9,)))
    assert [float(score.points) for score in found.player(9).scores] == [float(found.player(9).points)]
    assert [score.points for score in found.player(other).scores] == [found.player(other).points + 1]
    assert len(before.player(9).scores) > 1
    closed = arpad.chances(small_event(), runs=20, withdrawn=[5])
    assert [score.points for score in closed.player(5).scores] == [closed.player(5).points]
    assert min(score.points for score in closed.player(6).scores) >= closed.player(6).points + 1


def test_byes_that_a_record_announces_are_kept():
    """TRF26's 240 has half-point and zero-point byes by round, JaVaFo's XXZ who is not paired in the next round."""
    event = replace(random_open(12, rounds=3, seed=4), rounds=5)
    records = (
        Record("240", {"kind": "H", "round": 4, "numbers": (1,)}),
        Record("240", {"kind": "Z", "round": 5, "numbers": (2, 99)}),
        Record("240", {"kind": "H", "round": 2, "numbers": (4,)}),  # a round that has been played
        Record("XXZ", {"numbers": (3,)}),
    )
    position = position_of(replace(event, records=records), kind="swiss")
    assert position.held == 3
    (block,) = play(position, certain(position), runs=50, seed=1)
    for no, number, worth in ((1, 3, position.half), (2, 4, 0), (3, 3, 0)):
        who = position.numbers.index(no)
        assert (block.opponents[:, who, number] == NOBODY).all()
        assert (block.points[:, who, number] == worth).all()
    assert all((block.opponents[:, position.numbers.index(no), 3] != NOBODY).any() for no in (2, 4))
    assert position.withdrawn == position.missing == ()


def test_who_missed_one_round_may_be_back():
    """In a share of the runs they play the next round and in the others none; who missed two rounds has left."""
    event = random_open(30, rounds=4, seed=4)
    away = [replace(event.entrants[0], rounds=(*event.entrants[0].rounds[:3], Round("zero-bye")))]
    away.append(replace(event.entrants[1], rounds=(*event.entrants[1].rounds[:2], Round("absent"), Round("absent"))))
    event = replace(event, entrants=(*away, *event.entrants[2:]), rounds=6)
    position = position_of(event, kind="swiss")
    assert 1 in position.missing
    assert 2 in position.withdrawn
    (block,) = play(position, certain(position), runs=2000, seed=1)
    one, two = position.numbers.index(1), position.numbers.index(2)
    played = block.kinds[:, one, 4] == GAME
    assert played.mean() == pytest.approx(1 - playing.STILL_AWAY, abs=0.05)
    assert (block.kinds[~played, one, 5] == GAME).mean() < 0.05  # a few came back and missed the next round
    assert (block.opponents[:, two, 4:] == NOBODY).all()
    assert 1 in position_of(event, kind="swiss", withdrawn=[1]).withdrawn
    assert 1 in position_of(replace(event, kind="Round Robin"), kind="round-robin").withdrawn


def test_who_has_the_free_round_of_a_round_robin_has_not_left():
    """Nine players, so one is free in each round; 8 lost by forfeit in round 2. Two missed rounds mean to have left.

    2, who is free in round 5, can be third, and was.
    """
    event = arpad.read(shared("data/tournaments/ussa_closed_2026_roundrobin.csv"))
    for after in range(1, event.rounds):
        assert position_of(event, after=after).withdrawn == ()
    assert arpad.chances(event, after=5, runs=200, on=ON).player(2).top3 > 0.02
    lost = [replace(each, kind="forfeit", score=LOSS) for each in event.entrant(2).rounds[2:4]]
    left = replace(event.entrant(2), rounds=(*event.entrant(2).rounds[:2], *lost))
    entrants = tuple(left if one.no == 2 else one for one in event.entrants)
    assert position_of(replace(event, entrants=entrants), after=4).withdrawn == (2,)


def test_some_stay_away_from_rounds_that_are_not_paired():
    """Nobody before the first round; later more of the lower placed, and more in the last round; they have no game."""
    event = replace(random_open(60, rounds=3, seed=4), rounds=6)
    blocks = {}
    for held in (0, 3):
        position = position_of(event, after=held, kind="swiss")
        (blocks[held],) = play(position, certain(position), runs=600, seed=1)
    assert (blocks[0].kinds[:, :, :6] != VOLUNTARY).all()
    away = blocks[3].kinds[:, :, 3:] == VOLUNTARY
    assert (blocks[3].opponents[:, :, 3:][away] == NOBODY).all()
    assert (blocks[3].points[:, :, 3:][away] == 0).all()
    points = position.points.sum(axis=1)
    assert away[:, points <= np.median(points)].mean() > away[:, points > np.median(points)].mean() > 0
    assert away[:, :, 2].mean() > away[:, :, 0].mean()


def as_tournament(position, block, run):
    """One run of an event as a tournament that is finished."""
    entrants = []
    for who, entrant in enumerate(position.entrants):
        rounds = list(entrant.rounds[: position.held])
        for number in range(position.held, block.kinds.shape[2]):
            other = block.opponents[run, who, number]
            if block.kinds[run, who, number] == GAME:
                colour = "white" if block.colours[run, who, number] > 0 else "black"
                score = Decimal(int(block.points[run, who, number])) / position.unit
                rounds.append(Round("played", position.numbers[other], colour, score))
            else:
                rounds.append(Round("allocated-bye" if block.points[run, who, number] else "absent"))
        entrants.append(replace(entrant, rounds=tuple(rounds), points=None, rank=None))
    return replace(position.tournament, entrants=tuple(entrants), rounds=position.rounds)


@pytest.mark.parametrize(
    ("name", "after"), [("programs/tunx/2023_elllobregat_a_753347.TUNX", 6), ("tournaments/san_viator_2018_B.trf", 4)]
)
def test_ratings_and_norms_of_a_run_are_those_of_the_event_report(name, after):
    """Runs written out as tournaments give the same changes, new ratings and norms as `rate_event` and `find_norms`."""
    event = arpad.read(shared("data") / name)
    on = date(2026, 3, 1)
    position = position_of(event, after=after)
    fide = arpad.system("fide-standard")
    cut = replace(event, entrants=tuple(replace(one, rounds=one.rounds[:after]) for one in event.entrants))
    ratings = Ratings(position, fide, arpad.rate_event(cut, fide, on=on), on)
    judge = NormJudge(position, edition(on))
    (block,) = play(position, certain(position), runs=3, seed=2)
    changes, new = ratings.after(block)
    norms = {(one.who, one.title): one.made for one in judge.made(block)}
    for run in range(2):
        finished = as_tournament(position, block, run)
        report = arpad.rate_event(finished, fide, on=on)
        for who, no in enumerate(position.numbers):
            player = report.player(no)
            if player.rating is None or player.change is None:
                continue
            assert Decimal(int(changes[run, who])) / 100 == player.change
            assert new[run, who] == (NO_RATING if player.new_rating is None else player.new_rating)
        if not any(one.player.title for one in event.entrants):
            continue
        found = arpad.find_norms(finished, on=on)
        for who, no in enumerate(position.numbers):
            for title in NORMS:
                verdict = found.player(no).norm(title)
                if judge.may[title][who] and not verdict.dropped and verdict.met is not None:
                    made = (who, title) in norms and bool(norms[who, title][run])
                    assert made == verdict.met, (no, title)


def test_more_points_never_lower_a_norm_chance():
    """In every run in which a norm is made, it is still made with any other result of that player turned into a win."""
    event = arpad.read(shared("data/programs/tunx/2023_elllobregat_a_753347.TUNX"))
    position = position_of(event, after=7)
    judge = NormJudge(position, edition(date(2026, 3, 1)))
    (block,) = play(position, certain(position), runs=200, seed=2)
    before = {(one.who, one.title): one.made for one in judge.made(block)}
    assert any(made.any() for made in before.values())
    for number in (7, 8):
        halves = block.halves.copy()
        halves[:, :, number] = np.where(block.kinds[:, :, number] == GAME, 2, halves[:, :, number])
        better = replace(block, halves=halves)
        after = {(one.who, one.title): one.made for one in judge.made(better)}
        for key, made in before.items():
            assert not (made & ~after.get(key, np.zeros_like(made))).any()


@pytest.mark.parametrize(
    "by",
    ["BH", "BH/C1", "BH/M1", "SB", "SB/C1", "WIN", "WON", "BPG", "BWG", "PS", "DE", "DE,BH/C1,SB", "AOB", "KS", "REP"],
)
@pytest.mark.parametrize("name", ["tournaments/aeroflot_open_2026_after_r8.trf", "tournaments/san_viator_2018_B.trf"])
def test_places_are_those_of_the_tie_breaks(name, by):
    """The places in arrays are those of `tie_breaks`, which are tested against published standings."""
    event = arpad.read(shared("data") / name)
    held = min(event.rounds, max(len(one.rounds) for one in event.entrants))
    event = replace(event, entrants=tuple(replace(one, points=None, rank=None) for one in event.entrants), rounds=held)
    chosen = choose(event, by.split(","), on=date(2026, 3, 1), kind="swiss")
    if chosen.dropped:
        pytest.skip("a criterion by ratings, and somebody has none")
    position = replace(position_of(replace(event, rounds=held + 1), after=held, kind="swiss"), rounds=held)
    block = as_held(position)
    table = Finals(position, block, chosen.rules)
    level = refined(np.zeros(block.totals.shape, dtype=np.int64), block.totals)
    for stage in chosen.ranking.stages:
        if stage.criterion.name == "DE":
            for _ in range(4):
                level = refined(level, table.encounter(level))
        elif stage.criterion.name != "PTS":
            level = refined(level, VALUES[stage.criterion.name](table, stage.criterion))
    first = 0
    for group in chosen.ranking.groups:
        assert {int(level[0, position.numbers.index(no)]) for no in group} == {first}
        first += len(group)


def test_prizes_have_chances_that_add_up():
    """Three prizes for everybody: three winners in every run, and all the money is given away."""
    event = arpad.read("docs/examples/last-round.trf")
    table = [Prize("first", Decimal(500)), Prize("second", Decimal(300)), Prize("third", Decimal(200))]
    found = arpad.chances(event, runs=200, prizes=table)
    won = [prize for one in found.players for prize in one.prizes]
    assert sum(prize.chance for prize in won) == pytest.approx(3)
    assert sum(prize.worth for prize in won) == pytest.approx(1000)
    first = replace(won[0], chance=0.6, worth=174.4, worth_error=5.2)
    assert first.worth_shown == 170  # the last digit would be noise
    assert replace(first, worth_error=0.8).worth_shown == 174
    assert replace(first, worth=1.2, worth_error=0.7).worth_shown == 1


def test_a_score_that_few_runs_had_has_no_share_of_norms():
    """IM norms with 5, 5.5 and 6 points; three runs had 6, so that "67 %" of them would be noise."""
    norm = EventNormChance(
        no=1,
        called="A",
        title="IM",
        chance=0.1,
        error=0.01,
        takes=tuple(
            NormAtScore(points=Decimal(points), chance=runs / 500, norm=share, error=error_of(share, runs))
            for points, runs, share in (("5", 300, 0.02), ("5.5", 90, 1.0), ("6", 3, 0.67))
        ),
    )
    assert str(norm.needs) == "5: 2 %, 5.5: 100 %, 6"
    found = arpad.chances(arpad.read("docs/examples/last-round.trf"), runs=300, after=6, seed=1)
    takes = [(one, at) for player in found.players for one in player.norms for at in one.takes]
    assert any(at.error >= NOISY for _, at in takes)
    assert all(figure(at.points) in str(one.needs).split(", ") for one, at in takes if at.error >= NOISY)


def test_the_next_round_is_forecast_if_it_is_not_paired():
    """After round 7 the next opponents of the leaders have chances; once round 9 is paired there are none."""
    event = arpad.read("docs/examples/last-round.trf")
    paired = arpad.chances(event, runs=100)
    assert paired.meetings == ()
    assert paired.value()["pairing"] == "known"
    before = arpad.chances(event, runs=100, after=7)
    assert before.next_round == 8
    assert all(0 < meeting.chance <= 1 and 0 <= meeting.white <= 1 for meeting in before.meetings)
    many = arpad.chances(event, runs=1000, after=7)
    (shown,) = (table.rows for table in many.tables() if table.key == "meetings")
    assert {meeting.chance for meeting in many.meetings if meeting not in shown} <= {0.001, 0.002, 0.003, 0.004}
    assert min(meeting.chance for meeting in shown) >= 0.005  # one or two cases are no line


def test_what_cannot_be_simulated_is_refused():
    """Teams, an event that is over, a round not played, a number that nobody has, and no runs at all."""
    event = arpad.read("docs/examples/last-round.trf")
    with pytest.raises(Unsupported, match="individual events"):
        arpad.chances(replace(event, teams=(arpad.Team(1, "Riverside"),)))
    with pytest.raises(BadInput, match="nothing can happen"):
        arpad.chances(random_open(10, rounds=5))
    for after in (-1, 9, 12):  # round 9 is paired and not played
        with pytest.raises(BadInput, match="all its results is 8"):
            arpad.chances(event, after=after)
    half = replace(event, entrants=tuple(replace(one, rounds=one.rounds[:5], points=None) for one in event.entrants))
    with pytest.raises(BadInput, match="from 0 to 5"):
        arpad.chances(half, after=7)
    with pytest.raises(BadInput, match="99"):
        arpad.chances(event, withdrawn=[99])
    with pytest.raises(BadInput, match="runs"):
        arpad.chances(event, runs=0)
    with pytest.raises(Unsupported, match="FIDE"):
        arpad.chances(event, system="elo")


def test_the_upper_half_meets_the_lower_half():
    """The first round of eight without colours: 1 meets 5, 2 meets 6, as in the Dutch system (C.04.3, A.9 and B.3)."""
    standing = Situation(
        np.zeros((1, 8), dtype=int),
        np.full((1, 8, 0), NOBODY),
        preferences(np.zeros((1, 8, 0), dtype=np.int8)),
        np.zeros((1, 8), dtype=bool),
        np.ones((1, 8), dtype=bool),
    )

    class Steady:
        """Random numbers without any chance."""

        def standard_normal(self, shape):
            return np.zeros(shape)

    opponents, colours, bye = pair(standing, Steady())
    assert opponents[0].tolist() == [4, 5, 6, 7, 0, 1, 2, 3]
    assert sorted(colours[0].tolist()) == [-1] * 4 + [1] * 4
    assert bye.tolist() == [NOBODY]
