"""How good ratings are: the measures, the protocol, and the files it takes."""

import json
import lzma
from datetime import date
from decimal import Decimal
from math import log, log10

import pytest

import arpad.bulk
from arpad import GlickoStanding, Player
from arpad.cli import main
from arpad.errors import BadFile, BadInput, UnknownName
from conftest import ROOT, library

np = library("numpy")
pa = library("pyarrow")
csv = library("pyarrow.csv")
parquet = library("pyarrow.parquet")

from arpad.bulk.tally import Forecast, ForecastTally  # noqa: E402

LADDER = str(ROOT / "docs" / "examples" / "ladder.csv")
SAME = 1e-12  # the same sums in another order


def some_games(seed=1, games=600, players=25, periods=8):
    """Games at random in a table with whole-number periods."""
    draw = np.random.default_rng(seed)
    white = draw.integers(0, players, games)
    return {
        "period": np.sort(draw.integers(1, periods + 1, games)).tolist(),
        "white": white.tolist(),
        "black": ((white + draw.integers(1, players, games)) % players).tolist(),
        "result": draw.choice([0.0, 0.5, 1.0], games).tolist(),
    }


def by_hand(games, k, white, first, last):
    """The protocol in plain Python: expected and score of every game predicted, a month at a time."""
    rating, pending, month, seen = {}, {}, None, []
    for period, one, other, score in zip(
        *(games[name] for name in ("period", "white", "black", "result")), strict=True
    ):
        if period != month:
            for player, change in pending.items():
                rating[player] = rating.get(player, 1500) + change
            pending, month = {}, period
        expected = 1 / (1 + 10 ** (-(rating.get(one, 1500) + white - rating.get(other, 1500)) / 400))
        if first <= period <= last:
            seen.append((expected, score))
        for player, change in ((one, k * (score - expected)), (other, -k * (score - expected))):
            pending[player] = pending.get(player, 0) + change
    return seen


def tally(score, expected):
    """The tally of games between players of equal rating."""
    level = np.zeros(len(score))
    return ForecastTally.of(Forecast.of_system(np.array(expected), np.array(score), level > 0, level, level))


def test_measures_by_hand():
    """Two games, worked out with a pocket calculator: a win predicted at 0.8, and a draw predicted at 0.4."""
    found = tally([1.0, 0.5], [0.8, 0.4]).measures()
    assert found["log_loss"].value == pytest.approx((-log(0.8) - (log(0.4) + log(0.6)) / 2) / 2, abs=SAME)
    assert found["brier"].value == pytest.approx((0.04 + 0.01) / 2, abs=SAME)
    assert found["deviance"].value == pytest.approx((-log10(0.8) - (log10(0.4) + log10(0.6)) / 2) / 2, abs=SAME)


def test_an_even_game_costs_the_logarithm_of_two():
    """Whoever holds every game to be even has a deviance of log10 2, whatever comes: 0.30103."""
    found = tally([0.0, 0.5, 1.0], [0.9, 0.5, 0.3]).even()
    assert found["deviance"].value == pytest.approx(0.30103, abs=0.000005)  # five decimals are given
    assert found["log_loss"].value == pytest.approx(log(2), abs=SAME)


def test_the_deviance_is_clamped_and_the_log_loss_is_not():
    """A sure prediction that fails costs 2 in the deviance (log10 of 1 %), more in the log loss, and never infinity."""
    found = tally([0.0], [1.0]).measures()
    assert found["deviance"].value == pytest.approx(2, abs=SAME)
    assert 30 < found["log_loss"].value < 40
    nearly = tally([1.0], [0.999]).measures()
    assert nearly["deviance"].value == pytest.approx(-log10(0.99), abs=SAME)
    assert nearly["log_loss"].value == pytest.approx(-log(0.999), abs=SAME)


def test_calibration_has_every_game_once():
    """The ranges share the games out: their counts add up, 1 belongs to the last, and the means are their own."""
    found = tally([0.0, 1.0, 0.5, 0.5, 1.0, 0.0], [0.0, 0.05, 0.1, 0.55, 0.99, 1.0]).calibration()
    assert [(one.low, one.games) for one in found] == [(0.0, 2), (0.1, 1), (0.5, 1), (0.9, 2)]
    assert found[0].expected == pytest.approx(0.025)
    assert found[0].score == found[-1].score == 0.5


@pytest.mark.parametrize("white", [0, 35])
def test_the_protocol_is_the_plain_one(white):
    """Elo's figures are those of the protocol written down in plain Python, month by month."""
    games = some_games()
    found = arpad.bulk.evaluate(pa.table(games), k=24, white=white, first=5, last=7)
    seen = by_hand(games, 24, white, 5, 7)
    assert found.games == len(seen)
    assert found.brier == pytest.approx(sum((e - s) ** 2 for e, s in seen) / len(seen), abs=SAME)
    assert found.deviance == pytest.approx(
        -sum(s * log10(e) + (1 - s) * log10(1 - e) for e, s in seen) / len(seen), abs=SAME
    )


@pytest.mark.parametrize(
    ("system", "settings"), [("elo", {}), ("elo", {"by": "game"}), ("glicko", {"c": 30}), ("glicko-2", {})]
)
def test_no_result_predicts_itself(system, settings):
    """What is expected of a period does not change with its own results, nor with anything later."""
    games = some_games(2)
    turned = {
        **games,
        "result": [1 - s if p >= 6 else s for s, p in zip(games["result"], games["period"], strict=True)],
    }
    one, other = (arpad.bulk.evaluate(pa.table(t), system=system, first=6, last=6, **settings) for t in (games, turned))
    assert one.predictions["expected"] == other.predictions["expected"]
    assert one.deviance != other.deviance
    earlier = {
        **games,
        "result": [1 - s if p == 5 else s for s, p in zip(games["result"], games["period"], strict=True)],
    }
    third = arpad.bulk.evaluate(pa.table(earlier), system=system, first=6, last=6, **settings)
    assert one.predictions["expected"] != third.predictions["expected"]


def test_ratings_learn():
    """Where players differ, every system predicts the later games better than the toss of a coin does."""
    draw = np.random.default_rng(5)
    strength = draw.normal(1500, 300, 40)
    white = draw.integers(0, 40, 6000)
    black = (white + draw.integers(1, 40, 6000)) % 40
    score = (draw.random(6000) < 1 / (1 + 10 ** ((strength[black] - strength[white]) / 400))).astype(float)
    table = pa.table({"month": np.repeat(np.arange(12), 500), "white": white, "black": black, "score": score})
    best = log(2)
    for system, settings in (("elo", {}), ("glicko", {"c": 15}), ("glicko-2", {})):
        found = arpad.bulk.evaluate(table, system=system, first=8, **settings)
        assert found.log_loss < 0.9 * best
        assert all(abs(one.score - one.expected) < 0.15 for one in found.calibration if one.games > 50)


def test_files_and_tables_are_one(tmp_path):
    """CSV, packed CSV, Parquet, JSON lines, two files by a glob, and Arrow in memory give the same figures."""
    table = pa.table(some_games(3))
    csv.write_csv(table, tmp_path / "games.csv")
    (tmp_path / "games.csv.xz").write_bytes(lzma.compress((tmp_path / "games.csv").read_bytes()))
    parquet.write_table(table, tmp_path / "games.parquet")
    (tmp_path / "games.jsonl").write_text("\n".join(json.dumps(row) for row in table.to_pylist()), encoding="utf-8")
    parquet.write_table(table.slice(0, 250), tmp_path / "part1.parquet")
    parquet.write_table(table.slice(250), tmp_path / "part2.parquet")
    whole = arpad.bulk.evaluate(table, first=4)
    for name in ("games.csv", "games.csv.xz", "games.parquet", "games.jsonl", "part*.parquet"):
        found = arpad.bulk.evaluate(str(tmp_path / name), first=4)
        assert (found.games, found.deviance) == (whole.games, whole.deviance), name


def test_dates_are_months(tmp_path):
    """Dated games in any order are rated by months, and a month without games is one in which deviations grow."""
    rows = ["date,white,black,result", "2026-03-09,a,b,0-1", "2026-01-05,a,b,1-0", "2026.01.06,b,a,1/2-1/2"]
    (tmp_path / "games.csv").write_text("\n".join(rows), encoding="utf-8")
    path = str(tmp_path / "games.csv")
    found = arpad.bulk.evaluate(path, system="glicko-2", first="2026-03")
    assert (found.first, found.last, found.games, found.newcomers) == ("2026-03", "2026-03", 1, 0)
    near = tmp_path / "near.csv"
    near.write_text("\n".join(row.replace("2026-03", "2026-02") for row in rows), encoding="utf-8")
    sooner = arpad.bulk.evaluate(str(near), system="glicko-2", first="2026-02")
    assert 0.5 < found.expected < sooner.expected  # the pause in February makes both less certain


def test_rejected_rows_of_a_refused_evaluation_are_written(tmp_path, capsys):
    """Where no game can be taken the command fails, and the file of the rejected rows says why of each."""
    path, out = tmp_path / "games.csv", tmp_path / "rejected.csv"
    path.write_text("date,white,black,result\nsoon,a,b,1\n2026-05-01,a,a,1\n", encoding="utf-8")
    for system in ("elo", "fide-standard"):
        code = main(["bulk", "evaluate", str(path), "--system", system, "--rejected", str(out), "--force"])
        assert code == 2
        assert len(out.read_text(encoding="utf-8").splitlines()) == 1 + 2
    assert "the date is missing or cannot be read (1)" in capsys.readouterr().err


def test_lists_tell_of_rejected_games_by_file_and_row(tmp_path):
    """FIDE's lists are made month by month from sorted games; what they reject is told by the row of the file."""
    path = tmp_path / "games.csv"
    rows = ["date,white,black,result,white_rating,black_rating", "2026-06-01,a,b,1,2000,2100", "2026-05-01,a,a,1,,"]
    path.write_text("\n".join([*rows, "2026-05-02,a,b,0.5,2000,2100"]), encoding="utf-8")
    found = arpad.bulk.evaluate(str(path), system="fide-standard")
    told = [(row["file"], row["row"], row["reason"]) for row in found.rejects.to_pylist()]
    assert told == [(str(path), 2, "against_himself")]


def test_bad_rows_are_counted_and_the_rest_is_used(tmp_path):
    """Each way to be wrong is counted under its reason; the good games stay."""
    rows = ["month,white,black,result", "1,a,b,1", "2,a,a,1", "2,a,,0", "2,a,b,7", "x,a,b,1", "2,b,a,+-", "2,b,a,0.5"]
    (tmp_path / "games.csv").write_text("\n".join(rows), encoding="utf-8")
    found = arpad.bulk.evaluate(str(tmp_path / "games.csv"))
    assert found.games == 2
    out = tmp_path / "rejected.csv"
    assert main(["bulk", "evaluate", str(tmp_path / "games.csv"), "--rejected", str(out)]) == 1  # rows were rejected
    assert csv.read_csv(out).column("row").to_pylist() == [2, 3, 4, 5, 6]
    assert found.rejected == {
        "against_himself": 1, "no_black": 1, "bad_result": 1, "bad_period": 1, "unplayed": 1,
    }  # fmt: skip


def test_what_is_refused(tmp_path):
    """A file that is not there, games without a time, a span without games, and unknown names say what to do."""
    with pytest.raises(BadFile, match="no such file"):
        arpad.bulk.evaluate(str(tmp_path / "none.csv"))
    with pytest.raises(BadInput, match="neither a date nor a period"):
        arpad.bulk.evaluate(pa.table({"white": [1], "black": [2], "result": [1.0]}))
    games = pa.table(some_games(4))
    with pytest.raises(BadInput, match="no games from 20 to 30"):
        arpad.bulk.evaluate(games, first=20, last=30)
    with pytest.raises(BadInput, match="whole numbers from 1 to 8"):
        arpad.bulk.evaluate(games, first="2026-01")
    with pytest.raises(UnknownName, match="setting of elo"):
        arpad.bulk.evaluate(games, tau=1)
    with pytest.raises(UnknownName, match="column of the games"):
        arpad.bulk.evaluate(LADDER, columns={"white": "Weiss"})
    with pytest.raises(BadInput, match="no games to rate"):
        arpad.bulk.evaluate(pa.table({"month": [1], "white": [1], "black": [1], "result": [1.0]}))


def test_the_command_says_the_same(capsys, tmp_path):
    """`arpad bulk evaluate --json` has the figures of the library, and --chart writes a picture."""
    chart = tmp_path / "out.svg"
    line = ["bulk", "evaluate", LADDER, "--set", "k=24", "--from", "2026-05", "--chart", str(chart), "--json"]
    assert main(line) == 0
    said = json.loads(capsys.readouterr().out)
    found = arpad.bulk.evaluate(LADDER, k=24, first="2026-05")
    assert said["value"] == json.loads(json.dumps(found.value(), default=str))
    assert said["value"]["deviance"] == pytest.approx(found.deviance, rel=1e-12)
    assert chart.read_text(encoding="utf-8").startswith("<svg")


def test_columns_may_be_named(capsys, tmp_path):
    """`--columns` says what a column is called where it is not recognised."""
    (tmp_path / "games.csv").write_text("when,w,b,r\n1,a,b,1\n2,a,b,0\n", encoding="utf-8")
    named = [word for pair in ("period=when", "white=w", "black=b", "result=r") for word in ("--columns", pair)]
    assert main(["bulk", "evaluate", str(tmp_path / "games.csv"), *named, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"]["games"] == 2


def test_a_list_to_start_from(tmp_path):
    """Those on the list start with what it says, others as newcomers; a rating that is none is rejected."""
    games = pa.table(
        {"month": [1, 1, 1], "white": ["a", "a", "c"], "black": ["b", "c", "d"], "result": [1.0, 0.0, 0.5]}
    )
    (tmp_path / "list.csv").write_text(
        "id,rating,deviation\na,1800,50\nb,1600.5,60\nc,many,\nz,1700,\n", encoding="utf-8"
    )
    path = str(tmp_path / "list.csv")
    found = arpad.bulk.evaluate(games, path)
    for place, gap in enumerate((1800 - 1600.5, 1800 - 1500, 0)):
        assert found.predictions["expected"][place].as_py() == pytest.approx(1 / (1 + 10 ** (-gap / 400)), abs=SAME)
    assert (found.newcomers, found.rejected) == (2, {"bad_start": 1})
    one, other = Player(GlickoStanding(1800, deviation=50)), Player(GlickoStanding(Decimal("1600.5"), deviation=60))
    scalar = arpad.system("glicko-2").expect(one, other, on=date(2026, 11, 15)).expected
    assert arpad.bulk.evaluate(games, path, system="glicko-2").predictions["expected"][0].as_py() == pytest.approx(
        float(scalar), abs=SAME
    )


def test_a_game_that_is_there_twice_counts_once():
    """Dated games: the same two on the same day with the same result are a double, unless their rounds differ."""
    day = ["2026-01-05"] * 3
    games = {"date": day, "white": ["a"] * 3, "black": ["b"] * 3, "result": [1, 1, 0]}
    found = arpad.bulk.evaluate(pa.table(games))
    assert (found.games, found.rejected) == (2, {"duplicate": 1})
    assert arpad.bulk.evaluate(pa.table({**games, "round": [1, 2, 3]})).games == 3


def test_a_file_that_is_cut_short_is_used_as_far_as_it_goes(tmp_path):
    """Of a packed file that ends early the rows before the end are rated, and the file is among the rejected."""
    rows = ["month,white,black,result", *(f"{1 + no // 20000},{no % 7},{7 + no % 5},1" for no in range(400_000))]
    packed = lzma.compress("\n".join(rows).encode())
    (tmp_path / "good.csv").write_text("\n".join(rows[:100]), encoding="utf-8")
    (tmp_path / "short.csv.xz").write_bytes(packed[: len(packed) // 2])
    found = arpad.bulk.evaluate([str(tmp_path / "good.csv"), str(tmp_path / "short.csv.xz")])
    assert found.rejected == {"bad_file": 1}
    assert found.games >= 99


def test_fide_s_lists_are_predicted_by_the_table():
    """Two rated players 200 apart: table 8.1.2 expects 0.76 of the stronger, whose new rating counts a month later."""
    games = pa.table({"date": ["2026-01-05", "2026-02-05"], "white": [1, 1], "black": [2, 2], "result": [0.0, 1.0]})
    players = pa.table({"id": [1, 2], "rating": [2000, 1800], "k": [40, 40], "games": [50, 50]})
    found = arpad.bulk.evaluate(games, players, system="fide-standard")
    # After the loss 2000 − 40 × 0.76 = 1969.6 and 1800 + 30.4: 1970 against 1830, a gap of 140, for which it has 0.69.
    assert found.predictions["expected"].to_pylist() == pytest.approx([0.76, 0.69], abs=SAME)
    assert found.predictions["score"].to_pylist() == [0, 1]
    named = arpad.bulk.evaluate(
        games, players.rename_columns({"rating": "Wertung"}), system="fide-standard", columns={"rating": "Wertung"}
    )
    assert named.predictions == found.predictions


def test_fide_expects_nothing_of_unrated_players():
    """Games with an unrated player are not predicted, and counted; without any other game that is refused."""
    games = {"date": ["2026-01-05"] * 2, "white": [1, 1], "black": [2, 3], "result": [1.0, 1.0]}
    players = pa.table({"id": [1, 2, 3], "rating": [2000, 1800, None]})
    found = arpad.bulk.evaluate(pa.table(games), players, system="fide-standard")
    assert (found.games, found.not_predicted) == (1, 1)
    with pytest.raises(BadInput, match="could be predicted"):
        arpad.bulk.evaluate(pa.table(games), system="fide-standard")


@pytest.mark.parametrize("when", ["date", "month"])
def test_rows_after_the_last_period_are_not_counted(when):
    """Bad rows and duplicates after `--to` are ignored like good ones; rows without a date are told of."""
    days = ["2026-01-03", "2026-01-03", "2026-01-04", "2026-02-03", "2026-02-03", "2026-02-04", None]
    times = days if when == "date" else [None if day is None else int(day[5:7]) for day in days]
    games = pa.table({when: times, "white": [1] * 7, "black": [2] * 7, "result": ["1", "1", "9", "1", "1", "9", "1"]})
    first = "2026-01" if when == "date" else 1
    other = {"bad_date": 1, "duplicate": 1} if when == "date" else {"bad_period": 1}
    assert arpad.bulk.evaluate(games, last=first).rejected == {"bad_result": 1, **other}
    assert arpad.bulk.evaluate(games).rejected["bad_result"] == 2
