"""Lists of Elo, Glicko and Glicko-2, period by period: by `rate`, by `replay`, and by the scalar systems."""

from datetime import date

import pytest

import arpad.bulk
from arpad import Game, Player
from arpad.cli import main
from arpad.core import GlickoStanding
from arpad.errors import BadInput, UnknownName, Unsupported
from conftest import ROOT, library

pa = library("pyarrow")
csv = library("pyarrow.csv")
parquet = library("pyarrow.parquet")

LADDER = str(ROOT / "docs" / "examples" / "ladder.csv")
ON = date(2026, 11, 30)
CLOSE = 1e-9  # sums run in another order


def rows(table):
    """A list by id."""
    return {row["id"]: row for row in table.to_pylist()}


def nobody():
    """A list without players."""
    return pa.table({"id": pa.array([], pa.string()), "rating": pa.array([], pa.float64())})


def games(*played):
    names = ("date", "white", "black", "result")
    return pa.table({name: [row[place] for row in played] for place, name in enumerate(names)})


@pytest.mark.parametrize(
    ("name", "settings"), [("elo", {"k": 20}), ("glicko", {"c": 34.6}), ("glicko-2", {"tau": 0.6})]
)
def test_a_period_is_the_scalar_one(name, settings):
    """Somebody on the list, an idle player and a newcomer get on the next list what the scalar system gives them."""
    listed = pa.table(
        {
            "id": ["a", "b", "c"],
            "rating": [1800.5, 1650.0, 1500.0],
            "deviation": [60.0, 90.0, 120.0],
            "volatility": [0.05, 0.06, 0.07],
        }
    )
    played = games(("2026-11-03", "a", "b", 1.0), ("2026-11-10", "n", "a", 0.5))
    rated = arpad.bulk.rate(played, listed, period="2026-12", system=arpad.bulk.method(name, **settings))
    found, before = rows(rated.players), rows(listed)
    system, wait = arpad.system(name, **settings), 1 if name == "glicko" else None

    def one(player):
        if player == "n":
            return Player(1500 if name == "elo" else None)
        row = before[player]
        extra = {} if name == "elo" else {"deviation": row["deviation"], "idle": wait}
        if name == "glicko-2":
            extra["volatility"] = row["volatility"]
        return Player(GlickoStanding(row["rating"], **extra) if extra else row["rating"])

    for player, pairs in {"a": [("b", 1), ("n", 0.5)], "b": [("a", 0)], "n": [("a", 0.5)], "c": []}.items():
        if name == "elo" and not pairs:
            assert found[player]["rating"] == before[player]["rating"]
            continue
        alone = system.rate(one(player), [Game(one(other), score) for other, score in pairs], on=ON)
        start = 1500 if player == "n" else before[player]["rating"]
        assert found[player]["rating"] == pytest.approx(start + float(alone.change), abs=CLOSE)
        if name != "elo":
            assert found[player]["deviation"] == pytest.approx(float(alone.new_deviation), abs=CLOSE)
    assert found["n"]["before"] is None
    assert (rated.summary["rated"], rated.summary["first_ratings"], rated.summary["changed"]) == (2, 1, 3)


def test_a_replay_is_its_periods_in_a_row_and_goes_on(tmp_path, capsys):
    """Eight months replayed, stopped and taken up again end with the list of eight calls of `rate`."""
    line = ["bulk", "replay", LADDER, "--system", "glicko-2", "--set", "tau=0.6", "--out", str(tmp_path)]
    assert main([*line, "--from", "2026-02", "--to", "2026-05"]) == 0
    assert main([*line, "--from", "2026-02", "--to", "2026-09"]) == 0
    assert capsys.readouterr().out.count("done earlier") == 4
    listed = nobody()
    everything = csv.read_csv(LADDER)
    method = arpad.bulk.method("glicko-2", tau=0.6)
    for month in range(1, 9):
        mine = [day.month == month for day in everything.column("date").to_pylist()]
        part = everything.filter(pa.array(mine))
        listed = arpad.bulk.rate(part, listed, period=f"2026-{month + 1:02}", system=method).players
    last = rows(parquet.read_table(tmp_path / "list-2026-09.parquet"))
    for player, row in rows(listed).items():
        assert last[player]["rating"] == pytest.approx(row["rating"], abs=CLOSE)
        assert last[player]["deviation"] == pytest.approx(row["deviation"], abs=CLOSE)


def test_a_month_without_games_makes_everybody_less_certain():
    """Without a game the ratings stay and the deviations grow; players who never played do not change."""
    listed = pa.table({"id": [1, 2], "rating": [1500.0, None], "deviation": [50.0, None], "volatility": [0.06, None]})
    none = games().cast(
        pa.schema([("date", pa.string()), ("white", pa.int64()), ("black", pa.int64()), ("result", pa.float64())])
    )
    found = rows(arpad.bulk.rate(none, listed, period="2026-12", system="glicko-2").players)
    assert (found[1]["rating"], found[2]["rating"], found[2]["deviation"]) == (1500, None, None)
    # φ* of the paper's step 6: √(50² + (173.7178 × 0.06)²).
    assert found[1]["deviation"] == pytest.approx((50**2 + (173.7178 * 0.06) ** 2) ** 0.5, abs=CLOSE)


def test_rows_outside_the_period_are_rejected():
    """A game of another month is no game of this one; a rating that is none and a second row of a player are told."""
    listed = pa.table({"id": ["a", "a", "b"], "rating": ["1500", "1600", "many"]})
    played = games(("2026-11-03", "a", "b", 1.0), ("2026-10-03", "a", "b", 1.0))
    rated = arpad.bulk.rate(played, listed, period="2026-12", system="elo")
    assert rated.summary["reasons"] == {"outside_period": 1, "duplicate_id": 1, "bad_start": 1}
    assert rows(rated.players)["a"]["before"] == 1500


@pytest.mark.parametrize(("deviation", "volatility"), [("0", "0.06"), ("0.0", "0.06"), ("60", "0"), ("60", "0.000001")])
def test_a_start_of_zero_is_rejected(deviation, volatility):
    """A deviation or volatility of zero, which would freeze a player for ever, is rejected, as everywhere else."""
    listed = pa.table({"id": ["a"], "rating": ["1500"], "deviation": [deviation], "volatility": [volatility]})
    played = games(("2026-11-03", "a", "b", 1.0))
    rated = arpad.bulk.rate(played, listed, period="2026-12", system="glicko-2")
    assert rated.summary["reasons"] == {"bad_start": 1}
    with pytest.raises(BadInput):
        GlickoStanding(1500, deviation=deviation, volatility=volatility)


def test_rejected_players_are_no_games(tmp_path):
    """Two games and a player who is there twice are two games; the player is told of by file and row."""
    path = tmp_path / "list.csv"
    path.write_text("id,rating\nz,many\na,1500\nb,1600\na,1700\n", encoding="utf-8")
    played = games(("2026-11-03", "a", "b", 1.0), ("2026-11-04", "a", "b", 0.5))
    rated = arpad.bulk.rate(played, str(path), period="2026-12", system="elo")
    assert (rated.summary["games"], rated.summary["rated"]) == (2, 2)
    told = [(row["file"], row["row"], row["reason"]) for row in rated.rejected.to_pylist()]
    assert told == [(str(path), 1, "bad_start"), (str(path), 4, "duplicate_id")]


@pytest.mark.parametrize("kind", [pa.string(), pa.date32()])
def test_days_before_1970(kind):
    """Arrow counts days from 1970; a day before it is a day all the same, and no day is none."""
    days = pa.array(["1965-03-01", "1965-03-20", None], pa.string()).cast(kind)
    played = pa.table({"date": days, "white": ["a", "b", "a"], "black": ["b", "a", "b"], "result": [1.0, 0.5, 0.0]})
    rated = arpad.bulk.rate(played, nobody(), period="1965-04", system=arpad.bulk.method("elo", date(1965, 3, 1)))
    assert (rated.summary["rated"], rated.summary["reasons"]) == (2, {"bad_date": 1})
    found = arpad.bulk.evaluate(played, system="elo")
    assert (found.first, found.games) == ("1965-03", 2)


def test_what_is_refused(tmp_path):
    """A scalar system in place of a method, a system that bulk has not, and FIDE's lists without a list."""
    played = games(("2026-11-03", "a", "b", 1.0))
    listed = pa.table({"id": ["a"], "rating": [1500]})
    with pytest.raises(Unsupported, match=r"arpad\.bulk\.method"):
        arpad.bulk.rate(played, listed, period="2026-12", system=arpad.system("elo", k=10))
    with pytest.raises(Unsupported, match="dwz cannot be rated in bulk"):
        arpad.bulk.rate(played, listed, period="2026-12", system="dwz")
    with pytest.raises(UnknownName):
        arpad.bulk.method("eloo")
    with pytest.raises(Unsupported, match="detail"):
        arpad.bulk.rate(played, listed, period="2026-12", system="elo", detail=True)
    with pytest.raises(BadInput, match="no players"):
        list(arpad.bulk.replay(LADDER, first="2026-02", last="2026-02", out=str(tmp_path)))


def test_a_file_that_cannot_be_read_is_not_a_game(tmp_path):
    """Of a file with a short line the other lines are rated; the summary counts these."""
    path = tmp_path / "games.csv"
    path.write_text("white,black,result,date\n1,2,1,2026-11-03\n3,4\n1,2,9,2026-11-04\n", encoding="utf-8")
    listed = pa.table({"id": [1, 2], "rating": [1500, 1600]})
    summary = arpad.bulk.rate(str(path), listed, period="2026-12", system="elo").summary
    assert summary.reasons == {"bad_result": 1, "bad_file": 1}
    assert (summary.games, summary.rated, summary.rejected) == (2, 1, 2)


def test_an_elo_below_one_goes_on_from_there(tmp_path):
    """Elo may lead anywhere; a replay takes up its own lists, and so does a list that is given."""
    played = [("2026-09-03", 1, 2, 1.0), ("2026-10-03", 1, 2, 1.0), ("2026-11-03", 1, 2, 1.0)]
    parquet.write_table(games(*played), tmp_path / "games.parquet")
    low = arpad.bulk.method("elo", k=40, rating=10)
    asked = {"first": "2026-10", "last": "2026-12", "out": str(tmp_path / "out"), "system": low}
    assert [one.summary.reasons for one in arpad.bulk.replay(str(tmp_path / "games.parquet"), **asked)] == [{}] * 3
    last = rows(parquet.read_table(tmp_path / "out" / "list-2026-12.parquet"))
    assert last[2]["rating"] < last[2]["before"] < -10


@pytest.mark.parametrize("unrated", ["", "0", "0.0", " unrated ", "NaN", "null", None])
@pytest.mark.parametrize("system", ["elo", "fide-standard"])
def test_an_unrated_player_is_written_in_many_ways(system, unrated):
    """Lists of all systems take the same words for no rating."""
    listed = pa.table({"id": ["a", "b"], "rating": ["1500", unrated]})
    rated = arpad.bulk.rate(games(("2026-11-03", "a", "b", 1.0)), listed, period="2026-12", system=system)
    assert rated.summary.reasons == {}
    assert rows(rated.players)["b"]["before"] is None
