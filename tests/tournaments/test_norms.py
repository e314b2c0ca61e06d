"""Title norms: the score tables, the games that may be left out by brute force, and the promises of their page."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import combinations

import pytest
from crosstables import invented
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import EloStanding, Entrant, Player, Round, Tournament
from arpad.core.tournaments import EVENT_KINDS, KINDS, Team
from arpad.errors import BadInput, UncoveredDate, UnknownName
from arpad.tournaments.norms.answer import norm_lines, unlisted
from arpad.tournaments.norms.conditions import CountedGame, Setting, judge, legal_sets, settle
from arpad.tournaments.norms.games import Scoresheet
from arpad.tournaments.norms.needed import still_needed
from arpad.tournaments.norms.rules import NORMS, edition

ON = date(2026, 8, 15)
RULES = edition(ON)
PLAYER = Player(2450, federation="GER", sex="w")

# Title Regulations 1.4.7 to 1.4.9 and table 8.1.1, worked out by hand: for GM, the least average, 2600 − dp or 2380.
LEAST_AVERAGE = {
    7: "5½:2380 5:2442 4½:2498 4:2550 3½:2600 3:2650 2½:2702",
    8: "6½:2380 6:2407 5½:2459 5:2505 4½:2557 4:2600 3½:2643 3:2687",
    9: "7:2380 6½:2434 6:2475 5½:2520 5:2557 4½:2600 4:2643 3½:2680",
    10: "8:2380 7½:2407 7:2451 6½:2490 6:2528 5½:2564 5:2600 4½:2636 4:2672 3½:2710",
    11: "9:2380 8½:2389 8:2425 7½:2467 7:2498 6½:2535 6:2564 5½:2600 5:2636 4½:2665 4:2702",
    12: "9½:2380 9:2407 8½:2442 8:2475 7½:2505 7:2543 6½:2571 6:2600 5½:2629 5:2657 4½:2687",
    13: "10½:2380 10:2389 9½:2425 9:2459 8½:2490 8:2513 7½:2543 7:2571 6½:2600 6:2629 5½:2657 5:2687",
}
LOWER = {"GM": 0, "IM": 150, "WGM": 200, "WIM": 350}
# Title Regulations 1.4.4 and 1.4.5, shares of 7 to 19 games: minima rounded up, maxima down.
COUNTS = {
    "titled": "4 4 5 5 6 6 7 7 8 8 9 9 10",
    "same_title": "3 3 3 4 4 4 5 5 5 6 6 6 7",
    "own_federation": "4 4 5 6 6 7 7 8 9 9 10 10 11",
    "one_federation": "4 5 6 6 7 8 8 9 10 10 11 12 12",
}


def halves(text):
    return 2 * int(text.rstrip("½") or 0) + text.endswith("½")


def games(count, rating, score):
    """So many games against one rating, with a score in half points, the first ones won."""
    results = [2] * (score // 2) + [1] * (score % 2)
    results += [0] * (count - len(results))
    return [CountedGame(rating, "GM", f"F{number}", one, number, number) for number, one in enumerate(results, start=1)]


@pytest.mark.parametrize("title", NORMS)
@pytest.mark.parametrize("count", LEAST_AVERAGE)
def test_score_table(count, title):
    """Each score needs the average of the table and no less; the last score is the least that is 35 %."""
    table = [entry.split(":") for entry in LEAST_AVERAGE[count].split()]
    for score, least in ((halves(score), int(least) - LOWER[title]) for score, least in table):
        enough, short = (judge(title, PLAYER, games(count, rating, score), RULES) for rating in (least, least - 1))
        assert all(enough.condition(name).met for name in ("score", "average", "performance")), (score, least)
        assert not all(short.condition(name).met for name in ("average", "performance")), (score, least)
    assert not judge(title, PLAYER, games(count, 2900, halves(table[-1][0]) - 1), RULES).condition("score").met
    more = judge(title, PLAYER, games(count, 2380 - LOWER[title] - 1, halves(table[0][0]) + 1), RULES)
    assert [one.name for one in more.failed if one.name != "games"] == ["average"]


@pytest.mark.parametrize("name", COUNTS)
def test_minima_round_up_and_maxima_down(name):
    """Minima are rounded up and maxima down, for 7 to 19 games."""
    found = [judge("GM", PLAYER, games(count, 2500, count), RULES).condition(name).needed for count in range(7, 20)]
    assert found == [int(one) for one in COUNTS[name].split()]


def allowed(played, kept):
    """Whether a choice is legal: after some round nothing is kept, and before it only wins are gone."""
    gone = [game for game in played if game not in kept]
    return any(
        all(game in gone for game in played[cut:]) and all(game.halves == 2 for game in gone if game in played[:cut])
        for cut in range(len(played) + 1)
    )


@pytest.mark.parametrize("results", ["1111111111111", "1=01=01=01=01", "0000000000000", "1101=0110=1", "11==0011=="])
def test_what_may_be_left_out(results):
    """The choices tried are all those that 1.4.1e and f allow, each once, and no other: all subsets are compared."""
    played = tuple(
        CountedGame(2500, "GM", "FRA", {"1": 2, "=": 1, "0": 0}[one], number, number)
        for number, one in enumerate(results, start=1)
    )
    tried = list(legal_sets(played, judge("GM", PLAYER, played, RULES), Setting(), RULES.titles))
    expected = {kept for size in range(9, len(played)) for kept in combinations(played, size) if allowed(played, kept)}
    assert set(tried) == expected
    assert len(tried) == len(expected)
    assert [len(kept) for kept in tried] == sorted((len(kept) for kept in tried), reverse=True)


def test_a_round_robin_lets_won_games_go_only_with_the_mix_of_the_whole_field():
    """1.4.1f: in a round robin the whole field must allow a norm; no tail of rounds may go (1.4.1e)."""
    field = [CountedGame(2600, "GM", f"F{number}", 2, number, number) for number in range(1, 12)]
    setting = Setting("round-robin")
    tried = set(legal_sets(field, judge("GM", PLAYER, field, RULES, setting), setting, RULES.titles))
    assert len(tried) == 11 + 55
    poor = [game._replace(title=None) for game in field]
    assert not set(legal_sets(poor, judge("GM", PLAYER, poor, RULES, setting), setting, RULES.titles))


game_strategy = st.builds(
    CountedGame,
    st.one_of(st.none(), st.integers(1800, 2700)),
    st.sampled_from([None, "GM", "IM", "FM", "CM", "WGM", "WIM"]),
    st.sampled_from(["GER", "FRA", "ESP", "FID", None]),
    st.sampled_from([0, 1, 2]),
)
good_strategy = st.builds(
    CountedGame,
    st.integers(2300, 2700),
    st.sampled_from(["GM", "IM"]),
    st.sampled_from(["GER", "FRA", "ESP", "ITA"]),
    st.sampled_from([0, 1, 2, 2]),
)


def sheet_of(played):
    numbered = tuple(game._replace(opponent=n, round=n) for n, game in enumerate(played, start=1))
    return Scoresheet(numbered, rounds=len(numbered))


@examples(150)
@given(st.lists(good_strategy, min_size=9, max_size=12), st.integers(0, 11), st.sampled_from(NORMS))
def test_a_better_result_never_loses_a_norm(played, place, title):
    """Half a point more in any game keeps a norm."""
    place %= len(played)
    better = list(played)
    better[place] = better[place]._replace(halves=min(2, better[place].halves + 1))
    before, after = (settle(title, PLAYER, sheet_of(one), RULES, Setting()) for one in (played, better))
    assert after.met or not before.met


@examples(150)
@given(
    st.lists(game_strategy, min_size=1, max_size=13), st.integers(0, 12), st.integers(1, 300), st.sampled_from(NORMS)
)
def test_a_stronger_opponent_never_lowers_the_average(played, place, more, title):
    """Whoever is stronger, the raised lowest one among them, average and performance do not fall."""
    place %= len(played)
    stronger = list(played)
    stronger[place] = stronger[place]._replace(rating=(stronger[place].rating or 1400) + more)
    before, after = (judge(title, PLAYER, one, RULES) for one in (played, stronger))
    assert after.average >= before.average
    assert after.performance >= before.performance


@examples(150)
@given(st.lists(game_strategy, min_size=1, max_size=13), st.sampled_from(NORMS))
def test_the_working_has_the_same_figures(played, title):
    """The average and performance of the working are those the verdict went by."""
    from arpad.tournaments.norms.answer import performance_step

    verdict = judge(title, PLAYER, played, RULES)
    step = performance_step(verdict, RULES)
    assert (step.value, step.given["average"].value) == (verdict.performance, verdict.average)


@examples(150)
@given(st.lists(good_strategy, min_size=8, max_size=8), st.sampled_from(NORMS))
def test_the_least_rating_of_the_last_opponent(played, title):
    """Against the rating named the score is enough for average and performance, against one point less not."""
    sheet = sheet_of(played)._replace(rounds=9, left=1)
    verdict = settle(title, PLAYER, sheet, RULES, Setting())
    needs = still_needed(verdict, PLAYER, sheet, RULES, Setting(), None)

    def reached(rating, score):
        judged = judge(title, PLAYER, (*sheet.games, CountedGame(rating, halves=int(2 * score))), RULES)
        return all(judged.condition(name).met for name in ("average", "performance"))

    for demand in needs.scores:
        if demand.rating is None:
            assert reached(None, demand.score)
            assert reached(2100, demand.score)
        else:
            assert reached(demand.rating, demand.score)
            assert not reached(demand.rating - 1, demand.score)


round_strategy = st.builds(
    Round,
    st.sampled_from(KINDS),
    st.one_of(st.none(), st.integers(0, 6)),
    st.sampled_from([None, "white", "black"]),
    st.sampled_from([None, Decimal(0), Decimal("0.5"), Decimal(1)]),
)
entrant_strategy = st.builds(
    lambda rating, title, federation, sex, rounds: (
        Player(rating, title=title, federation=federation, sex=sex),
        tuple(rounds),
    ),
    st.one_of(st.none(), st.integers(1400, 2800)),
    st.sampled_from([None, "GM", "WIM"]),
    st.sampled_from([None, "GER", "FRA", "FID", "NON"]),
    st.sampled_from([None, "m", "w"]),
    st.lists(round_strategy, max_size=12),
)


@examples(50)
@given(st.lists(entrant_strategy, min_size=1, max_size=5), st.sampled_from([*EVENT_KINDS, None]), st.integers(0, 14))
def test_no_crosstable_is_too_odd(lines, kind, rounds):
    """Whatever a file claims, who met whom and what came of it, everybody has a verdict, a working and tie-breaks."""
    entrants = tuple(Entrant(no, *line) for no, line in enumerate(lines, start=1))
    odd = Tournament(entrants, start=ON, rounds=rounds, federation="GER")
    report = arpad.find_norms(odd, kind=kind)
    assert len(report.value()["players"]) == len(lines)
    assert all(player.explain("json") for player in report.players)
    assert len(arpad.tie_breaks(odd, ["ARO/M1", "PTP", "APPO"], kind=kind, unrated=1400).value()["players"]) == len(
        lines
    )


def test_an_unknown_federation_may_be_any():
    """A condition that hangs on a federation nobody knows is neither met nor failed; one that does not is decided."""
    played = [CountedGame(2500, "GM", federation, 2) for federation in ["FRA", "ESP", *[None] * 7]]
    verdict = judge("GM", PLAYER, played, RULES)
    met = {one.name: one.met for one in verdict.conditions}
    assert (met["federations"], met["own_federation"], met["one_federation"], verdict.met) == (True, None, None, None)
    mostly = [CountedGame(2500, "GM", federation, 2) for federation in ["FRA"] * 7 + [None] * 2]
    assert judge("GM", PLAYER, mostly, RULES).condition("one_federation").met is False
    nobody = Player(2450, sex="m")
    assert judge("GM", nobody, games(9, 2600, 10), RULES).condition("own_federation").met is None


def test_titles_that_the_file_does_not_have():
    """Where nobody's title is known, the two conditions on titles are not known; what else is missing still counts."""
    played = [CountedGame(2500, None, f"F{number}", 2) for number in range(9)]
    unknown = judge("GM", PLAYER, played, RULES, Setting(titles=False))
    assert [one.name for one in unknown.unknown] == ["titled", "same_title"]
    assert (unknown.met, unknown.failed) == (None, ())
    assert judge("GM", PLAYER, played, RULES).met is False
    lost = [game._replace(halves=0) for game in played]
    assert judge("GM", PLAYER, lost, RULES, Setting(titles=False)).met is False


@pytest.mark.parametrize("rounds", [9, 10, 11])
def test_a_file_without_titles_and_federations_cannot_be_judged(rounds):
    """A norm by every figure, at the end or with rounds to come, is neither made nor missed: it is not known."""
    games = [f"2500 GM F{number}:1" for number in range(8)] + ["2500 GM FRA:0"]
    full = invented({"start": ON, "rounds": rounds, "player": "2450 IM GER", "games": games})
    assert arpad.find_norms(full, titles=("GM",)).player(1).norms[0].possible
    bare = replace(
        full,
        entrants=tuple(replace(one, player=replace(one.player, title=None, federation=None)) for one in full.entrants),
    )
    report = arpad.find_norms(bare, titles=("GM",))
    norm = report.player(1).norms[0]
    assert (norm.verdict.met, norm.possible, norm.undecided, norm.verdict.failed) == (None, False, True, ())
    assert report.value()["unknown"] == ["titles", "federations"]
    assert norm_lines(report) == []
    assert "cannot be judged without titles and federations" in str(unlisted(report))
    assert "notes.norms.unknown.titles.federations" in {note.key for note in report.notes}
    assert not any(note.key.startswith("notes.norms.unknown") for note in arpad.find_norms(full).notes)


def test_a_team_event_says_how_it_is_judged():
    """Title Regulations 1.4.1b: 7 games are enough in World and Continental team events alone, which no file shows."""
    made = invented({"start": ON, "player": "2450 IM GER", "games": ["2500 GM FRA:1"] * 9})
    team = replace(made, kind="Team Swiss", teams=(Team(1, "A", (1,)),))
    report = arpad.find_norms(team)
    assert (report.value()["event_kind"], report.value()["event_kind_from"]) == ("swiss", "written")
    assert "from 'Team Swiss'" in {str(figure.remark) for figure in report.summary()}
    assert "notes.norms.team" in {note.key for note in report.notes}
    assert "notes.norms.team" not in {note.key for note in arpad.find_norms(team, kind="team").notes}


def test_a_sex_that_is_not_known():
    """Whether somebody of unknown sex may hold a title for women is not known, and men may not."""
    played = games(9, 2400, 14)
    assert judge("WGM", Player(2300, federation="GER"), played, RULES).met is None
    assert judge("WGM", Player(2300, federation="GER", sex="m"), played, RULES).met is False
    assert judge("WGM", Player(2300, federation="GER", sex="w"), played, RULES).met is True


def test_complete_before_the_last_round():
    """Who has the norm after nine of eleven rounds need not sit down again: both last games may be left out."""
    ask = {"start": ON, "rounds": 11, "player": "2450 IM GER", "games": [f"2500 GM F{n}:1" for n in range(9)]}
    norm = arpad.find_norms(invented(ask), titles=("GM",)).player(1).norms[0]
    assert (norm.verdict.met, norm.needs.made, norm.needs.rounds_left) == (True, True, 2)


def test_where_pairings_are_out_nobody_else_plays():
    """A player without an opponent in a round that is paired has no round left."""
    paired = Entrant(1, Player(2400), (Round("pending", 2, "white"),)), Entrant(2, Player(2400), (Round("pending", 1),))
    report = arpad.find_norms(Tournament((*paired, Entrant(3, Player(2400), (Round("absent"),))), start=ON, rounds=1))
    assert [player.sheet.left for player in report.players] == [1, 1, 0]


def test_an_opponent_who_is_not_in_the_file_stops_nobody():
    """A round against a number that no player has does not count, and the rest is judged."""
    lost = Entrant(1, Player(2400), (Round("played", 99, "white", Decimal(1)),))
    value = arpad.find_norms(Tournament((lost,), start=ON)).value()["players"][0]
    assert (value["games"], value["left_out"]) == (0, [{"round": 1, "article": None}])


TWO = Tournament((Entrant(1, Player(2400)),), start=ON)


@pytest.mark.parametrize(("event", "options", "error", "words"), [
    (TWO, {"titles": ("FM",)}, UnknownName, "title with norms"),
    (TWO, {"kind": "swis"}, UnknownName, "swiss"),
    (TWO, {"exempt": "d"}, BadInput, "worked out from the file"),
    (TWO, {"exempt": "a"}, BadInput, "registered the event; give that federation"),
    (TWO, {"on": date(2017, 6, 30)}, UncoveredDate, "2017-07-01"),
    (TWO, {"readings": {"score": "loose"}}, UnknownName, "rounded"),
    (replace(TWO, start=None), {}, BadInput, "when the event began"),
    (Tournament((Entrant(1, Player(2400), (Round("played", 2, "white", Decimal(1)),)), Entrant(2, Player("2400.5"))),
                start=ON), {}, BadInput, "whole numbers"),
])  # fmt: skip
def test_refusals(event, options, error, words):
    """What cannot be judged is refused with a sentence that says what to do."""
    with pytest.raises(error, match=words):
        arpad.find_norms(event, **options)


def test_disputed_readings_are_named_where_they_matter():
    """A note names the reading: 4½ of 13, a game of less than a move, a double round robin; otherwise none."""

    def readings(**ask):
        event = {"start": ON, "player": "2450 IM GER", "federation": "GER", **ask}
        notes = arpad.find_norms(invented(event), kind=ask.get("event_kind")).notes
        return [note.values["rule"] for note in notes if note.key == "notes.norms.reading"]

    assert readings(games=["2500 GM FRA:1"] * 9) == []
    assert readings(games=["2500 GM FRA:1"] * 8 + ["2500 GM ESP:W"]) == ["short_games"]
    assert readings(games=["2740 GM FRA:="] * 9 + ["2740 GM FRA:0"] * 4) == ["score"]
    assert readings(games=["2500 GM FRA:1"] * 10, event_kind="double-round-robin") == ["double"]


def test_titles_by_rating():
    """The best title that the rating alone reaches, above the one held; a woman's best too; games where known."""

    def reached(rating, *, games=None, **known):
        player = Player(EloStanding(rating, games=games), **known)
        value = arpad.find_norms(Tournament((Entrant(1, player),), start=ON)).value()["players"][0]
        return [(one["title"], one["met"]) for one in value["rating_titles"]]

    # Title Regulations 1.3: FM 2300, CM 2200, WFM 2100, WCM 2000, each with 30 rated games.
    assert reached(2299, sex="m") == [("CM", None)]
    assert reached(2300, sex="m", games=30) == [("FM", True)]
    assert reached(2300, sex="m", games=29) == [("FM", False)]
    assert reached(2300, sex="m", title="FM") == []
    assert reached(2350, sex="m", title="IM") == []
    assert reached(2150, sex="w") == [("WFM", None)]
    assert reached(2310, sex="w", title="WIM") == [("FM", None)]
    assert reached(1999, sex="w") == reached(None) == []


@pytest.mark.parametrize("place", [0, 1001])
def test_a_place_in_a_championship_is_a_place(place):
    """Nobody is in place 0: that is refused with what is allowed."""
    with pytest.raises(BadInput, match="from 1 to 1000"):
        arpad.direct_title("world-junior", on=date(2026, 11, 15), place=place)
