"""Every conversion reads back to the same tournament, in every pair of formats, or says what is lost.

Held over all real files and over generated events, with colourless games, unplayed rounds and any name.
"""

from datetime import date
from decimal import Decimal
from itertools import product
from unicodedata import category

import pytest
from examples import examples
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from report_files import content, folder

import arpad
from arpad import Entrant, Player, Round, Team, Tournament
from arpad.formats import FORMATS, file_bytes, read_bytes

NAMES = {"trf16": "a.trf", "trf26": "a.trf", "csv": "a.csv", "xlsx": "a.xlsx", "json": "a.json"}
# What has to be in the sentences, in our words here, if a fact of the event is not the same.
WORDS = {
    "name": "name", "city": "city", "federation": "federation", "start": "start", "end": "end", "kind": "kind",
    "time_control": "time control", "pace": "time control", "arbiter": "arbiter", "deputies": "deputies",
    "rounds": "number of rounds", "round_days": "days of the rounds", "scoring": "unusual points",
    "match_scoring": "match points", "teams": "teams",
}  # fmt: skip
OF_PLAYERS = {
    "rounds": "the rounds of", "points": "the points of", "rank": "the rank of", "born": "the day of birth of",
    "name": "the name of", "title": "the title of", "rating": "the rating of", "federation": "the federation of",
    "fide_id": "the FIDE ID of", "birth_year": "the year of birth of", "sex": "the sex of",
}  # fmt: skip
GAMES = [("played", 1), ("played", 0.5), ("short", 1), ("forfeit", 1), ("pending", None)]
# Lists of players, tables of answers and games in two files, which are no tournament by themselves.
NO_TOURNAMENT = {
    "chess_results_cao_cups_2025_games.csv", "chess_results_cao_cups_2025_players.csv", "vega_fide_games.csv",
    "marceljuen__fide-exercise-2023.csv", "sanichi__4ncl.csv", "sanichi__latin-1.csv", "vega_fide_players.csv",
    "portimao_2024_classic_standings_rtgchange.csv", "tec_exercise_held_swiss_5_answers.csv",
    "uzchess_cup_2025_de_sb_win_bwin_koya.csv", "womens_world_rapid_2024_bhc1_bh_aroc1.csv",
}  # fmt: skip
UNPLAYED = ["absent", "full-bye", "half-bye", "zero-bye", "allocated-bye"]


def files():
    """Every real file with a tournament in it."""
    paths = [path for path in sorted(folder().rglob("*.*")) if path.name not in NO_TOURNAMENT]
    return [pytest.param(path, id=path.name) for path in paths]


def converted(tournament, format):
    """The tournament written and read again, and what was said to be lost."""
    data, lost = file_bytes(tournament, format)
    return read_bytes(data, NAMES[format]), " ".join(str(one.says) for one in lost)


def same(before, after):
    """Whether two values are the same; blanks round a text and control characters in it say nothing."""
    if isinstance(before, str):
        before = "".join(" " if category(sign) in ("Cc", "Zl", "Zp") else sign for sign in before).strip() or None
    return before == after


def unsaid(tournament, again, said):
    """What is not the same and was not said to be lost."""
    found = [
        name
        for name, words in WORDS.items()
        if not same(getattr(tournament, name), getattr(again, name)) and words not in said and "is cut to" not in said
    ]
    players = {one.no: one for one in again.entrants}
    for before in tournament.entrants:
        after = players[before.no]
        for name, words in OF_PLAYERS.items():
            noun = (before, after) if hasattr(before, name) else (before.player, after.player)
            if (
                not same(getattr(noun[0], name), getattr(noun[1], name))
                and words not in said
                and "is cut to" not in said
            ):
                found.append((before.no, name, getattr(noun[0], name), getattr(noun[1], name)))
    return found


@pytest.mark.parametrize("path", files())
def test_real_files(path):
    """Players and rounds of a real file are the same in every format; JSON keeps everything else too."""
    tournament = arpad.read(path)
    for format in FORMATS:
        again, said = converted(tournament, format)
        assert unsaid(tournament, again, said) == [], format
        assert [one.rounds for one in again.entrants] == [one.rounds for one in tournament.entrants], format
        assert format != "json" or (content(again) == content(tournament) and not said)


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
names = st.one_of(
    st.none(), text, st.sampled_from(["Berg, Ann", "=1+1", "'t Hart, Jan", 'O"Neil', "Ω" * 50, "-1", " x "])
)
days = st.dates(date(1900, 1, 1), date(2068, 12, 31))
points = st.one_of(st.none(), st.integers(0, 22).map(lambda halves: Decimal(halves) / 2))


@st.composite
def events(draw):
    """Any event that a file can say: games with or without colours, open pairings, byes and absences, any name."""
    size, length = draw(st.integers(1, 7)), draw(st.integers(0, 4))
    rows = [[] for _ in range(size)]
    for _ in range(length):
        order = draw(st.permutations(range(size)))
        paired = draw(st.integers(0, size // 2))
        for white, black in zip(order[: 2 * paired : 2], order[1 : 2 * paired : 2], strict=True):
            kind, score = draw(st.sampled_from(GAMES))
            score = None if score is None else Decimal(str(score))
            colours = draw(st.sampled_from([("white", "black"), ("black", "white"), (None, None)]))
            rows[white].append(Round(kind, black + 1, colours[0], score))
            rows[black].append(Round(kind, white + 1, colours[1], None if score is None else 1 - score))
        for alone in order[2 * paired :]:
            rows[alone].append(Round(draw(st.sampled_from(UNPLAYED))))
    entrants = tuple(draw(entrant(no, row)) for no, row in enumerate(rows, start=1))
    return Tournament(
        entrants,
        name=draw(names),
        city=draw(names),
        start=draw(st.none() | days),
        time_control=draw(st.sampled_from([None, "90+30", "15 minutes plus 10 sec per move", "as usual"])),
        deputies=tuple(draw(st.lists(st.sampled_from(["Ann", "Bob"]), max_size=2))),
        rounds=max(length, draw(st.integers(0, 9))),
        round_days=tuple(draw(st.lists(days, min_size=length, max_size=length))) if draw(st.booleans()) else (),
        teams=(Team(1, "Hawks", (1,), Decimal(2), rank=1),) if draw(st.booleans()) else (),
    )


@st.composite
def entrant(draw, no, row):
    """A player with whatever may be known."""
    born = draw(st.none() | days)
    player = Player(
        draw(st.none() | st.integers(1000, 2900)),
        birth_year=draw(st.sampled_from([None, 1990, 2014])) if born is None else born.year,
        title=draw(st.sampled_from([None, "GM", "WFM"])),
        federation=draw(st.sampled_from([None, "GER", "USA"])),
        sex=draw(st.sampled_from([None, "m", "w"])),
        fide_id=draw(st.none() | st.integers(1, 10**9)),
        name=draw(names),
    )
    rank = draw(st.none() | st.integers(1, 9))
    return Entrant(no, player, tuple(row), draw(points), rank, born)


COLOURLESS = Tournament(
    (
        Entrant(1, Player(1800, name="A"), (Round("played", 2, None, Decimal(1)), Round("absent"))),
        Entrant(2, Player(1700, name="B"), (Round("played", 1, None, Decimal(0)), Round("half-bye"))),
    ),
    rounds=5,
)
MANY = examples(40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.parametrize("format", FORMATS)
@MANY
@given(events())
@example(COLOURLESS)
def test_generated_events(format, tournament):
    """Whatever an event says is the same in the file, or is said to be lost; what others played is never lost."""
    again, said = converted(tournament, format)
    assert unsaid(tournament, again, said) == []
    for before, after in zip(tournament.entrants, again.entrants, strict=True):
        # A last round without a game is the same as none.
        padded = [(*one.rounds, *[Round("absent")] * 9)[:9] for one in (before, after)]
        assert padded[0] == padded[1]


@pytest.mark.parametrize(("first", "second"), [*product(FORMATS, repeat=2)])
@examples(5, suppress_health_check=[HealthCheck.too_slow])
@given(events())
@example(COLOURLESS)
def test_pairs_of_formats(first, second, tournament):
    """From one format into the next: the second file says what the first did, or says what is lost."""
    middle, _ = converted(tournament, first)
    again, said = converted(middle, second)
    assert unsaid(middle, again, said) == []
