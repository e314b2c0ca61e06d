"""A whole event: rounds become games, everybody is rated as alone, and one bad line stops nobody."""

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from random_events import random_open

import arpad
from arpad import BadInput, Entrant, Player, Round, Tournament, UncoveredDate, Unsupported
from arpad.core import EloStanding, Game, Pace
from arpad.core.tournaments import KINDS
from arpad.formats.organiser_tables import players_of
from arpad.reading import read_pace
from arpad.tournaments.event.games import HOW
from conftest import ROOT

ON = date(2026, 10, 3)
EXAMPLE = ROOT / "docs" / "examples" / "open.trf"
WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)


def round_of(opponent, score, kind="played", colour="white"):
    return Round(kind, opponent, colour, Decimal(score))


def event(*entrants, **facts):
    return Tournament(tuple(entrants), start=ON, **facts)


def pair(first, second, *, score=WIN, kind="played", **facts):
    """Two players and one game."""
    return event(
        Entrant(1, first, (round_of(2, score, kind),)),
        Entrant(2, second, (round_of(1, 1 - Decimal(score), kind, "black"),)),
        **facts,
    )


def test_fides_own_figures_in_fides_columns():
    """8.1.2 and 8.3.2 by hand: 1750, K 40, beats 1950: 40 × (1 − 0.24); 1950, K 20, loses 20 × (0 − 0.76)."""
    rated = arpad.rate_event(pair(Player(1750, birth_year=2010, name="A"), Player(1950, name="B")))
    first, second = rated.value()["players"]
    columns = ("average", "rating", "score", "games", "chg", "k", "change", "expected", "new_rating")
    assert [first[name] for name in columns] == [1950, 1750, 1, 1, "0.76", 40, "30.40", 0.24, 1780]
    assert [second[name] for name in columns] == [1750, 1950, 0, 1, "-0.76", 20, "-15.20", 0.76, 1935]
    assert rated.value()["summary"]["inflation"] == "15.20"


@pytest.mark.parametrize("system", ["fide-standard", "fide-rapid", "fide-blitz", "elo"])
def test_everybody_is_rated_as_alone(system):
    """Each change of an event equals what the system says of the same games given one by one."""
    tournament = random_open(60, rounds=7)
    tournament = replace(tournament, pace=None)
    chosen = arpad.system(system)
    by_no = {one.no: one for one in tournament.entrants}
    for one in arpad.rate_event(tournament, system).players:
        games = [
            Game(by_no[r.opponent].player if r.opponent else None, r.score, HOW[r.kind])
            for r in by_no[one.no].rounds
            if r.kind in HOW
        ]
        if one.entrant.player.rating is not None:
            alone = chosen.rate(by_no[one.no].player, games, on=ON)
            assert (one.change, one.new_rating) == (alone.change, alone.new_rating)
            assert one.calculation.value() == alone.value()
        elif system != "elo":
            assert one.calculation.value() == chosen.first_rating(games, on=ON).value()


@pytest.mark.parametrize("kind", ["forfeit", "short"])
def test_what_was_not_played_is_shown_and_not_counted(kind):
    """5.1: forfeits, and games in which not both sides moved, are not rated; they are listed with the article."""
    rated = arpad.rate_event(pair(Player(EloStanding(1750, k=20)), Player(EloStanding(1950, k=20)), kind=kind))
    first = rated.value()["players"][0]
    assert (first["games"], first["change"], first["new_rating"]) == (0, "0.00", 1750)
    assert "5.1" in first["per_game"][0]["why"]
    (reason,) = rated.value()["summary"]["not_counted"]
    assert reason["games"] == [{"no": 1, "round": 1}, {"no": 2, "round": 1}]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_round_has_its_place(kind):
    """Whatever a round can be, an event with it is rated, and only a played game moves a rating."""
    needs = kind in ("played", "short", "forfeit")
    one = Round(kind, 2 if needs else None, None, WIN if needs else None)
    rated = arpad.rate_event(
        event(Entrant(1, Player(EloStanding(1750, k=20)), (one,)), Entrant(2, Player(EloStanding(1950, k=20))))
    )
    assert not rated.player(1).refused
    assert (rated.player(1).games == 1) is (kind == "played")


def test_first_rating_and_pool_of_the_unrated():
    """7.1.4, 8.2: five games against rated players give a first rating; fewer go to the pool with what is missing."""
    rated = [Entrant(no, Player(EloStanding(r, k=20)), (round_of(6, 1 - Decimal(s)),)) for no, r, s in NEWCOMER]
    newcomer = Entrant(6, Player(None), tuple(round_of(no, s) for no, _, s in NEWCOMER))
    alone = arpad.system("fide-standard").first_rating([Game(r, s) for _, r, s in NEWCOMER], on=ON).rating
    whole = arpad.rate_event(event(*rated, newcomer)).player(6)
    assert whole.new_rating == alone
    short = arpad.rate_event(event(*rated, replace(newcomer, rounds=newcomer.rounds[:3]))).player(6)
    assert (short.new_rating, short.games) == (None, 3)
    assert [str(missing) for missing in short.missing] == ["2 more games against rated opponents"]


NEWCOMER = [(1, 1902, "1"), (2, 1877, "1"), (3, 1884, "0.5"), (4, 2012, "0"), (5, 1832, "0.5")]


def test_one_bad_line_stops_nobody():
    """An opponent nobody entered, a game without a result, a number that stands twice: each is said of one player."""
    good = pair(Player(EloStanding(1750, k=20)), Player(EloStanding(1950, k=20))).entrants
    bad = [
        Entrant(3, Player(EloStanding(1800, k=20), name="C"), (round_of(99, 1),)),
        Entrant(4, Player(EloStanding(1800, k=20), name="D"), (Round("played", 1),)),
        Entrant(5, Player(1800, birth_year=2030, name="E"), (round_of(1, 1),)),
        Entrant(6, Player(EloStanding(1800, k=20)), (round_of(7, 1),)),
        Entrant(7, Player(EloStanding(1800, k=20))),
        Entrant(7, Player(EloStanding(1900, k=20))),
    ]
    rated = arpad.rate_event(event(*good, *bad))
    assert rated.totals.refused == (3, 4, 5, 6)
    assert all(
        word in str(rated.player(no).why) for no, word in ((3, "99"), (4, "no result"), (5, "2030"), (6, "twice"))
    )
    assert rated.player(1).new_rating == 1765  # 1750 + 20 × (1 − 0.24), rounded
    with pytest.raises(BadInput, match="99"):
        _ = rated.player(3).calculation


def test_contradictions_are_never_rated_in_silence():
    """A result that only one side has, or that both sides win, stands in the report, in norms and in tie-breaks."""
    first, second = Player(2400, name="A"), Player(2300, name="B")
    for other in (Round("played", 1, "black", WIN), Round("pending", 1, "black")):
        contradicted = event(Entrant(1, first, (round_of(2, WIN),)), Entrant(2, second, (other,)))
        (finding,) = arpad.rate_event(contradicted).value()["findings"]
        assert (finding["kind"], finding["no"], finding["round"]) == ("result", 1, 1)
        for answer in (arpad.find_norms(contradicted), arpad.tie_breaks(contradicted, ["ARO"])):
            assert "notes.file.inconsistent" in [note.key for note in answer.notes]
    assert arpad.rate_event(pair(first, second)).findings == ()


def test_nobody_without_a_game_moves():
    """Somebody who never played keeps the rating, and the report says why nothing was calculated."""
    rated = arpad.rate_event(event(Entrant(1, Player(1750), (Round("absent"),))))
    one = rated.player(1)
    assert (one.new_rating, one.change, str(one.why)) == (1750, None, "no game was played")


def test_k_comes_from_the_file_a_table_or_a_list():
    """8.3.3: a birthday in the file gives K 40; K by number, K for all, and a list by FIDE ID come before it."""
    young = Entrant(1, Player(1750, fide_id=123456), (round_of(2, 1),), born=date(2010, 5, 1))
    both = event(young, Entrant(2, Player(1950), (round_of(1, 0),)))

    def k_of(**given):
        return [one.k for one in arpad.rate_event(both, **given).players]

    assert k_of() == [40, 20]
    assert k_of(k={2: 10}) == [40, 10]
    assert k_of(k=30) == [30, 30]
    assert k_of(known={123456: Player(EloStanding(k=20)), 2: Player(EloStanding(games=3))}) == [20, 40]


def test_an_id_is_not_a_starting_number():
    """A club's IDs are small: what is known under the ID 2 is of that ID alone, and a table's `no` is never an ID."""
    both = pair(Player(EloStanding(1750, k=20), fide_id=2), Player(EloStanding(1950, k=20)))

    def ratings(known):
        return [one.rating for one in arpad.rate_event(both, known=known).players]

    assert ratings({2: Player(1800, fide_id=2)}) == [1800, 1950]
    assert ratings(players_of("fide_id,rating\n2,1800\n", "table", EloStanding).for_tournament(both)) == [1800, 1950]
    assert ratings(players_of("no,rating\n2,1800\n", "table", EloStanding).for_tournament(both)) == [1750, 1800]


def test_a_list_with_another_rating_is_named():
    """What a list says of a rating takes the place of the file's, and a warning names both."""
    rated = arpad.rate_event(
        pair(Player(EloStanding(1750, k=20)), Player(EloStanding(1950, k=20))),
        known={1: Player(1760), 2: Player(1950, title="FM")},
    )
    assert rated.player(1).rating == 1760
    assert [str(oddity) for oddity in rated.oddities] == [
        "Player 1 has 1750 in the file and 1760 on the list; using 1760."
    ]
    assert rated.player(2).per_game[0].opponent == 1760


def test_the_day_and_the_system_are_checked_once():
    """Without a start date, before the rules, or by a system that needs more than ratings: one clear refusal."""
    both = pair(Player(1750), Player(1950))
    with pytest.raises(BadInput, match="when the event began"):
        arpad.rate_event(replace(both, start=None))
    with pytest.raises(UncoveredDate):
        arpad.rate_event(both, on=date(2000, 1, 1))
    for system in ("glicko", "glicko-2", "lichess", "chesscom"):
        with pytest.raises(Unsupported, match=system):
            arpad.rate_event(both, system)
    with pytest.raises(BadInput, match="no players"):
        arpad.rate_event(Tournament((), start=ON))


def test_too_fast_a_time_control_is_not_rated():
    """1.1: with 30 minutes a game nobody's standard rating moves, and the reason has its article."""
    rated = arpad.rate_event(pair(Player(1750), Player(1950), pace=Pace(30)))
    assert rated.totals.games_rated == 0
    assert "1.1" in str(rated.totals.not_counted[0].why)


def test_until_2017_the_tournament_decides_about_the_time():
    """1.11 of the old editions: with a player of 2200 in the tournament 90 minutes are too few for all its games."""
    strong = pair(Player(2250), Player(1900), pace=Pace(60, 30))
    weak = replace(
        pair(Player(1500), Player(1550)),
        entrants=tuple(
            replace(
                one,
                no=one.no + 2,
                rounds=tuple(replace(part, opponent=(part.opponent or 0) + 2) for part in one.rounds),
            )
            for one in pair(Player(1500), Player(1550)).entrants
        ),
    )
    both = replace(strong, entrants=(*strong.entrants, *weak.entrants))
    old, new = (arpad.rate_event(both, on=day) for day in (date(2016, 5, 1), date(2018, 5, 1)))
    assert (old.totals.games_rated, new.totals.games_rated) == (0, 1)
    assert "in the tournament" in str(old.totals.not_counted[0].why)


def test_old_round_robins_say_what_is_not_settled():
    """Before 2022 unrated players could count in a round robin; the report says that it left them out."""
    both = replace(pair(Player(1750), Player(None), kind="played"), kind="Individual: Round-Robin")
    assert "notes.event.round_robin" in {note.key for note in arpad.rate_event(both, on=date(2019, 5, 1)).notes}
    assert "notes.event.round_robin" not in {note.key for note in arpad.rate_event(both).notes}
    berger = replace(both, kind="Berger")  # the tables by which round robins are paired (Handbook C.05, annex 1)
    assert "notes.event.round_robin" in {note.key for note in arpad.rate_event(berger, on=date(2019, 5, 1)).notes}


def test_what_is_known_of_nobody_is_said():
    """A row of a table whose number no player has is named among the oddities, and none that was used."""
    known = {1: Player(EloStanding(k=40)), 999: Player(EloStanding(k=40))}
    (odd,) = arpad.rate_event(pair(Player(1750), Player(1950)), known=known).oddities
    assert "ID or name 999," in str(odd)


def test_two_thousand_players():
    """A generated open of 2,000 players: everybody has a line, every game is counted once, and the sums agree."""
    tournament = random_open(2000, rounds=9)
    rated = arpad.rate_event(tournament)
    value = rated.value()
    assert [one["no"] for one in value["players"]] == list(range(1, 2001))
    summary = value["summary"]
    assert summary["games_rated"] + summary["games_not_rated"] == 9 * 1000
    assert Decimal(summary["inflation"]) == sum(Decimal(one["change"]) for one in value["players"] if one["change"])
    assert json.dumps(value)


@pytest.mark.parametrize(("text", "belongs"), [
    ("15 minutes plus 10 sec per move", "fide-rapid"),
    ("3 min plus 2 sek pro Zug", "fide-blitz"),
    ("5 минута по играчу + 3 секунде по потезу", "fide-blitz"),
])  # fmt: skip
def test_a_fast_event_is_not_rated_as_standard(text, belongs):
    """Words of real rapid and blitz events: as standard nothing is rated, and the report names the list that fits."""
    event = replace(arpad.read(EXAMPLE), time_control=text, pace=read_pace(text).pace)
    report = arpad.rate_event(event)
    assert not any(one.games for one in report.players)
    assert f"belongs to {belongs}" in str(report.notes[0])
    assert any(one.games for one in arpad.rate_event(event, belongs).players)


def test_a_time_control_that_is_not_understood_is_said_first():
    """The games are taken as standard, and the report says so before anything else."""
    event = replace(arpad.read(EXAMPLE), time_control="Bizarre tempo in total", pace=None)
    said = str(arpad.rate_event(event).notes[0])
    assert said.startswith("The time control “Bizarre tempo in total” is not understood; the games are taken as")


def test_a_rating_below_the_floor_is_no_rating_of_fide():
    """FIDE's list has begun at 1400 since March 2024: 1188 is national, counts as unrated, and the report says so."""
    report = arpad.rate_event(pair(Player(1750), Player(1188, name="Novotny, Karel")))
    assert report.player(1).games == 0
    assert "1 rating is below 1400" in str(report.notes[0])
    assert "2 Novotny, Karel (1188)" in str(report.notes[0])


def test_a_shared_number_does_not_mix_up_two_players():
    """Of two players with one number, one below FIDE's floor loses the rating and the other keeps it."""
    from arpad.systems.fide.rules import FideRules
    from arpad.tournaments.event.games import without_national

    rules = arpad.system("fide-standard").rulebook.of(FideRules).at(date(2026, 11, 15))
    event = Tournament(entrants=(Entrant(1, Player(1200, name="Low")), Entrant(1, Player(2200, name="High"))), rounds=1)
    found, national = without_national(event, rules)
    assert [(entrant.player.name, entrant.player.rating) for entrant in found.entrants] == [
        ("Low", None),
        ("High", 2200),
    ]
    assert [entrant.player.name for entrant in national] == ["Low"]


def test_a_double_round_robin_meets_everybody_twice():
    """Who meets one opponent three times and another once has played no double round robin."""
    from arpad.core.tournaments import all_play_all

    def event(*opponents):
        entrants = [
            Entrant(no, Player(2000), rounds=tuple(Round("played", other, "white", Decimal(1)) for other in met))
            for no, met in enumerate(opponents, start=1)
        ]
        return Tournament(entrants=tuple(entrants), rounds=6)

    twice = event((2, 3, 4, 2, 3, 4), (1, 4, 3, 1, 4, 3), (4, 1, 2, 4, 1, 2), (3, 2, 1, 3, 2, 1))
    assert all_play_all(twice) == "double-round-robin"
    unequal = event((2, 2, 2, 3, 4, 4), (1, 1, 1, 4, 3, 3), (4, 4, 4, 1, 2, 2), (3, 3, 3, 2, 1, 1))
    assert all_play_all(unequal) is None
