"""Charts show what the answer beside them says, in points, sentences and a table."""

import gc
import re
import sys
from datetime import date

import pytest

import arpad
import arpad.bulk
from arpad import EloStanding, Event, Pairing, Period, PlannedEvent, Player, draw, loss, messages, win
from arpad.charts import Chart, chart_of
from arpad.charts.curves import Curves, change_chart, expected_chart, marks_of_game, marks_of_games, rating_charts
from arpad.charts.populations import bands_chart, calibration, distributions, evaluation_chart
from arpad.lists import ListGroup
from arpad.messages import speaking
from arpad.systems.answers import Expectation
from conftest import ROOT, library

library("altair")
library("vl_convert")

ON = date(2026, 11, 15)
FIDE = arpad.system("fide-standard")
PLAYER = Player(EloStanding(2385, k=20))
SEASON = [
    PlannedEvent((Pairing(Player(2350)), Pairing(Player(2420))), date(2028, 12, 3)),
    PlannedEvent((Pairing(Player(2400)),), date(2029, 1, 5)),
]


def season():
    return arpad.look_ahead_season(FIDE, PLAYER, SEASON, on=ON, reach=2397)


CHARTS = {
    "rating change": lambda: FIDE.rate(PLAYER, [win(2397), draw(2350), loss(2400)], on=ON).chart(),
    "Glicko": lambda: arpad.system("glicko").rate(1500, [win(1400), loss(1550)], on=ON).chart(),
    "expectation": lambda: FIDE.expect(PLAYER, 2397, on=ON).chart(),
    "histogram": lambda: arpad.look_ahead(FIDE, PLAYER, [2350, 2400], on=ON, reach=2397).chart(),
    "fan": lambda: season().chart(),
    "plans": lambda: arpad.compare_plans({"A": season(), "B": season()}).chart(),
    "calibration": lambda: calibration([_Range(0.1, 0.2, 300, 0.15, 0.14), _Range(0.2, 0.3, 500, 0.25, 0.26)], "All"),
    "bands": lambda: bands_chart(
        [_Band(0, 49, 300, 0.53, 0.52, 0.4, 0.41), _Band(50, None, 500, 0.6, 0.61, 0.3, 0.29)], by="By a model."
    ),
    "evaluation": lambda: evaluation_chart(
        arpad.bulk.evaluate(str(ROOT / "docs/examples/ladder.csv"), system="elo", k=32, draws=arpad.draw_model())
    ),
    "distributions": lambda: distributions(
        [ListGroup(by, "x", 3, 1700.0) for by in ("federation", "age", "sex")], "All"
    ),
}


class _Range:
    """A range of a calibration."""

    def __init__(self, low, high, games, expected, score):
        self.low, self.high, self.games, self.expected, self.score = low, high, games, expected, score


class _Band(_Range):
    """A band of differences."""

    def __init__(self, low, high, games, expected, score, draws, drawn):
        super().__init__(low, high, games, expected, score)
        self.name, self.draws, self.drawn = f"{low} to {high}", draws, drawn


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_written_in_every_form(name, tmp_path):
    """Each chart is written in each form, under its title, and the page fetches nothing."""
    chart = CHARTS[name]()
    for form in ("svg", "png", "html"):
        chart.save(tmp_path / f"out.{form}")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    titles = [part.title for part in chart.parts or (chart,)]
    assert all(f">{title}</text>" in (tmp_path / "out.svg").read_text(encoding="utf-8") for title in titles)
    assert "<script src=" not in (tmp_path / "out.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_has_words_and_a_table(name):
    """What a chart shows is also said in sentences and in a table as wide as its head."""
    chart = CHARTS[name]()
    assert isinstance(chart, Chart)
    assert chart.sentences
    assert chart.says == " ".join(chart.sentences)
    assert all(sentence.endswith(".") for sentence in chart.sentences)
    assert {len(row) for row in chart.rows} == {len(chart.head)}
    assert "<svg" in chart._repr_svg_()  # what a notebook calls


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_drawn_in_both_themes_and_for_a_phone(name, theme):
    """Every chart has a specification in both themes, narrow, and with the point under the pointer."""
    specified = CHARTS[name]().specification(theme=theme, width=290, pointer=True)
    assert specified["datasets"]


@pytest.mark.parametrize("name", ["expectation", "histogram", "fan", "plans", "evaluation"])
def test_a_chart_with_chances_names_their_model(name, tmp_path):
    """Wherever a chart has chances, its sentences and its file name the model."""
    chart = CHARTS[name]()
    assert "calibrated" in chart.says
    chart.save(tmp_path / "out.svg")
    assert "calibrated" in (tmp_path / "out.svg").read_text(encoding="utf-8")


def test_a_chart_names_the_model_that_was_asked_for():
    """Another model has its own name there."""
    other = arpad.look_ahead(FIDE, PLAYER, [2350, 2400], on=ON, draws=arpad.draw_model("davidson", draw_rate=0.4))
    assert "Davidson's model" in other.chart().says
    assert "calibrated" not in other.chart().says


def test_the_target_is_in_the_chart(tmp_path):
    """The target of an outlook, a season and of plans is marked."""
    for name in ("histogram", "fan", "plans"):
        CHARTS[name]().save(tmp_path / "out.svg")
        assert ">2397</text>" in (tmp_path / "out.svg").read_text(encoding="utf-8")


def test_an_answer_without_a_chart_says_so():
    """A needed score has no chart, and says so."""
    with pytest.raises(arpad.Unsupported, match="no chart"):
        chart_of(arpad.score_needed(FIDE, 1780, [1700], reach=1790, on=ON))
    with pytest.raises(arpad.Unsupported, match="not be rated"):
        chart_of(FIDE.expect(1500, None, on=ON))


def test_a_missing_extra_is_named(monkeypatch):
    """Without the charting libraries, one sentence says what to install; words and table need none."""
    chart = arpad.look_ahead(FIDE, 1781, [1701], on=ON).chart()
    assert chart.rows
    chart.specification.__globals__["_plotted"].cache_clear()
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(arpad.MissingExtra, match=r"pip install 'arpad\[charts\]'"):
        chart.specification()


def test_a_file_of_another_kind_is_refused(tmp_path):
    """What is not SVG, PNG or HTML is refused before anything is drawn, and a folder that is not there too."""
    chart = CHARTS["histogram"]()
    with pytest.raises(arpad.BadInput, match=r"\.html, \.png, \.svg"):
        chart.save(tmp_path / "out.gif")
    with pytest.raises(arpad.BadFile, match="cannot be written"):
        chart.save(tmp_path / "nowhere" / "out.svg")
    with pytest.raises(arpad.UnknownName, match="theme"):
        chart.specification(theme="blue")


def test_expected_score_has_the_400_point_rule():
    """1750 against 2300: −550 counts as −400, which is 0.08 (FIDE 8.3.1, table 8.1.2), on the curve and at the mark."""
    player = Player(EloStanding(1750, k=20))
    rated = FIDE.rate(player, win(2300), on=ON)
    drawn = expected_chart(Curves(FIDE, player, on=ON), marks_of_games(rated)).points()
    here = {"difference": -550, "by": "by the rules", "expected": 0.08, "formula": pytest.approx(0.0405, abs=5e-5)}
    assert drawn["here"] == [here]  # beside it 1 / (1 + 10^(550/400)), for the tooltip
    ruled = {one["difference"]: one["expected"] for one in drawn["curve"] if one["by"] == "by the rules"}
    assert (ruled[-800], ruled[-550], ruled[0], ruled[550]) == (0.08, 0.08, 0.5, 0.92)
    assert sorted(one["difference"] for one in drawn["cap"]) == [-400, 400]


@pytest.mark.parametrize(("day", "expected", "caps"), [(date(2025, 9, 30), 0.92, 2), (date(2025, 10, 1), 0.96, 0)])
def test_the_400_point_rule_of_the_day(day, expected, caps):
    """From October 2025 on the rule holds below 2650 alone (FIDE 8.3.1): 2700 against 2200 is 0.96 by the table."""
    player = Player(EloStanding(2700, k=10))
    game = FIDE.expect(player, 2200, on=day)
    drawn = expected_chart(Curves(FIDE, player, on=day), marks_of_game(game, 2700, 2200)).points()
    assert (drawn["here"][0]["expected"], len(drawn["cap"])) == (expected, caps)


def test_the_change_chart_has_the_changes_of_every_result():
    """1500 against 1700 with K 20 is expected to score 0.24 (table 8.1.2): +15.20, +5.20 and −4.80."""
    player = Player(EloStanding(1500, k=20))
    game = FIDE.expect(player, 1700, on=ON)
    chart = change_chart(Curves(FIDE, player, on=ON), marks_of_game(game, 1500, 1700))
    assert ("1700", "+15.20", "+5.20", "−4.80") in chart.rows
    assert [(one["result"], one["change"]) for one in chart.points()["here"]] == [
        ("win", 15.2),
        ("draw", 5.2),
        ("loss", -4.8),
    ]
    assert chart.sentences[0] == "1500 against 1700: win +15.20, draw +5.20, loss −4.80."


def test_a_chart_that_is_kept_keeps_no_calculations():
    """A server remembers charts; the steps of hundreds of games behind each curve once took 400 MB of a process."""

    def calculations():
        gc.collect()
        return sum(isinstance(one, Expectation) for one in gc.get_objects())

    before = calculations()
    kept = rating_charts(FIDE, PLAYER, [], on=ON)
    assert all(len(chart.points()["curve"]) > 100 for chart in kept)
    assert calculations() - before <= 2  # both ends of the curve, for the rule that holds there


def test_each_event_is_marked_with_its_own_rating():
    """2400 in the second event against 2310 is a difference of 90, not the 85 of the published 2395."""
    period = Period((Event((win(2103),)), Event((win(2310),), rating=2400)))
    rated = FIDE.rate_period(2395, period, on=ON)
    assert [one.difference for one in marks_of_games(rated)] == [292, 90]


def test_one_tick_a_round():
    """Two games have the rounds 0, 1 and 2, each once."""
    drawn = FIDE.rate(Player(EloStanding(1750, k=20)), [win(1800), win(1700)], on=ON).chart().svg()
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", drawn)
    assert [one for one in texts if len(one) == 1] == ["0", "1", "2"]


@pytest.mark.parametrize("reach", [1780, 1790, 1800])
def test_no_bar_hides_the_target(reach):
    """Thin bars, centred on their rating; none but that of the target itself reaches over its line."""
    bars = arpad.look_ahead(FIDE, Player(EloStanding(1780, k=20)), [1700, 1750], on=ON, reach=reach).chart()
    curve = bars.points()["curve"]
    assert all((one["from"] + one["to"]) / 2 == pytest.approx(one["rating"]) for one in curve)
    assert [one["rating"] for one in curve if one["from"] <= reach <= one["to"] and one["rating"] != reach] == []


def test_a_calculation_has_three_charts_where_the_system_can():
    """Change, expected score and rounds for FIDE; with a K of 0 by the limit of 700 no change; Glicko has no curve."""
    player = Player(EloStanding(1750, k=20))
    games = [win(1800), draw(1700)]
    rated = FIDE.rate(player, games, on=ON)
    made = rating_charts(FIDE, player, marks_of_games(rated), on=ON, change=rated)
    assert [chart.name for chart in made] == ["change", "expected", "rounds"]
    many = FIDE.rate(player, [draw(1750)] * 701, on=ON)
    assert many.k_used == 0
    assert [chart.name for chart in rating_charts(FIDE, player, [], on=ON, change=many)] == ["expected", "rounds"]
    dwz = arpad.system("dwz")
    of_dwz = dwz.rate(1750, games, on=ON)
    assert "change" in [chart.name for chart in rating_charts(dwz, Player(1750), [], on=ON, change=of_dwz)]


def test_the_same_plot_speaks_another_language(monkeypatch):
    """A chart drawn in one language is not given to a reader of another."""
    texts = {name: messages.subject_texts("en", name) for name in ("charts", "answers", "forecast", "steps", "systems")}
    other = {
        name: {key: text.replace("new rating", "neue Zahl") for key, text in of.items()} for name, of in texts.items()
    }
    plain = messages.subject_texts
    monkeypatch.setattr(
        messages.texts,
        "subject_texts",
        lambda language, name: other[name] if language == "xx" else plain(language, name),
    )
    outlook = arpad.look_ahead(FIDE, 1780, [1700], on=ON)
    here = str(outlook.chart().specification())
    with speaking("xx"):
        there = outlook.chart()
        drawn = str(there.specification())
    assert ("new rating" in here, "neue Zahl" in here) == (True, False)
    assert ("new rating" in drawn, "neue Zahl" in drawn) == (False, True)
    assert there.head[0] == "neue Zahl"
