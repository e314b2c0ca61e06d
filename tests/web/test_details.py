"""What is below the hero: games, workings with their articles, the opponent, other systems, chances, and charts."""

import html
import re

import pytest

from arpad.messages import section, shipped
from arpad.questions import spec_of
from arpad.web.api import ROOT
from arpad.web.details_parts import begins_with_symbol
from arpad.web.svg import Bar, Point, bars, line

BASE = "system=fide-standard&on=2026-11-15"
NINE = "".join(f"&game={rating}:%3F" for rating in (1810, 1695, 1768, 1852, 1790, 1733, 1884, 1801, 1820))
FIRST = "&game=1650:1&game=1700:0&game=1580:0.5&game=1800:0&game=1600:1&game=1720:0.5"
AT_14 = f"outlook.part?{BASE}&rating=1780&born=2012&reach=1800"


def detail(client, path, name):
    """The text of one detail of an answer, without tags."""
    page = client.get(f"/{path}").text
    assert f'id="{name}"' in page, path
    found = page.partition(f'id="{name}"')[2].partition("</details>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", found.partition(">")[2])).split())


def test_game_by_game(client):
    """By table 8.1.2, with K 20; the last row adds up."""
    found = detail(client, f"rate.part?{BASE}&rating=1750&game=1812:win&game=1690:draw&game=1934:win", "d-games")
    for row in ("1812 win 0.41 +11.80", "1690 draw 0.58 −1.60", "1934 win 0.26 +14.80", "3 games 2½ 1.25 +25.00"):
        assert row in found


@pytest.mark.parametrize(
    "path", [f"rate.part?{BASE}&rating=1750&game=1812:win&game=1690:draw", f"first.part?{BASE}{FIRST}"]
)
def test_every_step_has_its_article(client, path):
    """FIDE's articles, on every line that is worked out."""
    page = client.get(f"/{path}").text
    working = page.partition('id="d-working"')[2].partition("</details>")[0]
    assert working.count("<li>") == working.count('class="art"') > 5


def test_why_a_period_is_not_the_sum_of_its_events(client):
    """20 × 0.43 = 8.6 and 20 × 0.44 = 8.8 (table 8.1.2: 0.57 and 0.56) are 17 together (8.3.4), and 9 + 9 apart."""
    asked = f"period.part?{BASE}&rating=1750&k=20&event=A&on=2026-11-03&game=1700:1&event=B&on=2026-11-08&game=1707:1"
    found = detail(client, asked, "d-rounding")
    assert found.startswith("Why +17 and not +18?")
    assert "FIDE 8.3.4" in found


def test_both_players_of_a_game(client):
    """The opponent loses what K 20 gives for 0.76 of a point (table 8.1.2): 15.20."""
    found = detail(client, f"rate.part?{BASE}&rating=1750&born=2010&game=1950:win", "d-other")
    assert "−15, becomes 1935" in found
    assert "K 20 is assumed" in found
    ahead = detail(client, f"expect.part?{BASE}&rating=1750&born=2010&opponent=1950", "d-other")
    assert "if you win −15.20 1935" in ahead
    assert "if you lose +4.80 1955" in ahead


def test_both_players_in_the_api(client):
    """Only if asked for; the same figures as on the page."""
    asked = {"rating": 1750, "game": ["1950:win"], "on": "2026-11-15"}
    assert client.post(f"{ROOT}/fide-standard/rate", json=asked).json()["value"]["other_side"] is None
    found = client.post(f"{ROOT}/fide-standard/rate", json={**asked, "both": True}).json()["value"]["other_side"]
    assert (found["rating"], found["change"], found["new_rating"]) == (1950, "-15.20", 1935)
    ahead = {"rating": 1750, "opponent": 1950, "on": "2026-11-15", "both": True}
    assert client.post(f"{ROOT}/fide-standard/expect", json=ahead).json()["value"]["other_side"]["loss"] == "-15.20"


def test_the_other_side_of_a_game_is_not_on_the_form():
    """The page shows it without being asked."""
    assert "both" not in spec_of("rate").fields_at("page")


def test_several_games_have_no_other_side(client):
    """Two opponents: neither is the other side."""
    page = client.get(f"/rate.part?{BASE}&rating=1750&game=1950:win&game=1800:draw").text
    assert 'id="d-other"' not in page


def test_other_systems_have_a_summary(client):
    """One line with three systems, and a table with one of each family."""
    found = detail(client, f"rate.part?{BASE}&rating=1750&game=1812:win&game=1690:draw&game=1934:win", "d-systems")
    assert re.search(r"DWZ \+\d+ · US Chess \+\d+ · Lichess \+\d+", found)
    assert "Plain Elo" in found


def test_other_calculators_in_two_steps(client):
    """Plain Elo with K 32 (Elo's formula: 1 / (1 + 10^0.5) = 0.240): 24; then with K 40, 30.39."""
    found = detail(client, f"rate.part?{BASE}&rating=1750&born=2010&game=1950:win", "d-plain")
    assert found.startswith("Other calculators say +24")
    assert "0.240 +24.31" in found
    assert "0.240 +30.39" in found


def test_compare_is_one_table(client):
    """Six systems of US Chess with one answer are one line; Chess.com is answered with an assumed deviation."""
    found = detail(client, "compare.part?on=2026-11-15&rating=1750&born=2010&game=1950:win&game=1800:draw", "d-systems")
    assert "US Chess blitz; US Chess online blitz; US Chess online quick; US Chess online regular" in found
    assert found.index("FIDE standard") < found.index("Plain Elo")
    assert "assumed: deviation 60" in found
    assert "--" not in found


def test_nobody_is_called_none(client):
    """Not even somebody without a rating."""
    page = client.get("/compare.part?on=2026-11-15&rating=unrated&game=1950:win").text
    assert "None" not in page


def test_what_is_needed_is_out_of_reach(client):
    """20 × (2 − 0.61 − 0.54) = 17 (table 8.1.2)."""
    page = client.get(f"/need.part?{BASE}&rating=1780&k=20&reach=1800&against=1700&against=1750").text
    assert "out of reach" in page
    assert "even 2 of 2 gives 1797" in page


def test_an_event_has_a_chart_and_the_same_as_a_table(client):
    """Inline SVG with the page; the target is dashed before the first score that reaches it."""
    page = client.get(f"/outlook.part?{BASE}&rating=1742&k=40&reach=1800{NINE}").text
    plot = page.partition('<svg class="plot"')[2].partition("</svg>")[0]
    assert 'class="tgt"' in plot
    assert plot.count('class="hit"') >= 3
    assert "style=" not in plot
    # Table 8.1.2 expects 3.85 of 9: 40 × (5.5 − 3.85) = 66.
    table = detail(client, f"outlook.part?{BASE}&rating=1742&k=40&reach=1800{NINE}", "d-scores")
    assert "5½ +66.00 1808" in table


def test_other_strengths_change_the_chances(client):
    """A stronger player reaches a target more often, and the strength that is used is marked."""
    found = detail(client, f"outlook.part?{BASE}&rating=1742&k=40&reach=1800{NINE}", "d-stronger")
    chances = [int(share) for share in re.findall(r"\d{4} (\d+) % \d+ %", found)]
    assert len(chances) == 4
    assert chances == sorted(chances)


def test_both_chances_where_the_strength_is_uncertain(client):
    """The plain chance and the widened one, with the assumption behind it."""
    found = detail(client, f"{AT_14}&game=1700:win&game=1750:%3F&inactive=yes", "d-stronger")
    assert found.count("if the strength is uncertain by ± ") == 3  # to reach, to gain, the middle half
    assert "after a year without a game" in found


def test_one_more_game_before_a_first_rating(client):
    """8.2.3 against 1680: (10050 + 1680 + 3600) / 9 = 1703; 56 % is dp 43, 44 % is −43."""
    page = client.get(f"/first.part?{BASE}{FIRST}").text
    card = " ".join(re.sub(r"<[^>]*>", " ", page.partition('class="card"')[2].partition("</table>")[0]).split())
    assert "a win +40 1746 a draw −3 1703 a loss −46 1660" in card


def test_a_reading_that_matters_is_named(client):
    """8.6 and 8.8 rounded event by event are 9 and 9."""
    asked = f"period.part?{BASE}&rating=1750&k=20&event=A&on=2026-11-03&game=1700:1&event=B&on=2026-11-08&game=1707:1"
    assert "rounded for each event 1768" in detail(client, asked, "d-readings")


def test_a_chart_is_never_an_empty_box():
    """Without anything to draw there is no picture at all."""
    assert bars([], "nothing") == line([], "nothing") == ""
    assert line([Point("now", None)], "nothing") == ""


def test_a_line_has_a_gap_where_nothing_is_known():
    """It begins again after the gap, and what is said is escaped."""
    drawn = line([Point("a", 1.0), Point("b", None), Point("c", 2.0)], '"<', target=1.5)
    assert drawn.partition('class="ln" d="')[2].partition('"')[0].count("M") == 2
    assert "&#34;&lt;" in drawn


def test_bars_say_what_they_show():
    """Heights follow the values, and only the bars that count are marked."""
    drawn = bars([Bar("0", "1700", 0.2), Bar("1", "1720", 0.8, hit=True, shown="80 %")], "says", target="1720")
    heights = [float(height) for height in re.findall(r'height="([\d.]+)" rx', drawn)]
    assert heights[1] == pytest.approx(4 * heights[0])
    assert drawn.count('class="hit"') == 1


@pytest.mark.parametrize("language", shipped())
def test_a_letter_of_a_formula_stays_small(language):
    """A working begins its lines with capitals, but `μ` with one would be another letter."""
    labels = section("en", "steps.label")
    found = {key for key, label in section(language, "steps.label").items() if begins_with_symbol(label)}
    symbols = {key for key, label in labels.items() if begins_with_symbol(label)}
    of_opponent = {"opponent.mu", "opponent.phi", "opponent.volatility"}  # in English “opponent's μ”
    assert found == symbols | (set() if language == "en" else of_opponent)
    assert {"mu", "tau", "dp", "information"} <= symbols
