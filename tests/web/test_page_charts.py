"""Charts say what the table beside them says."""

import re

import pytest

BASE = "system=fide-standard&on=2026-11-15"


def points(client, path, name):
    """The points of one chart, by the name of their set."""
    question, _, query = path.partition("?")
    reply = client.get(f"/chart/{question}/{name}.json?{query}")
    assert reply.status_code == 200, reply.text
    return reply.json()["datasets"]


def test_expected_score_has_the_400_point_rule(client):
    """1750 against 2300: −550 counts as −400, which is 0.08 (FIDE 8.3.1, table 8.1.2), on the curve and at the mark."""
    drawn = points(client, f"rate?{BASE}&rating=1750&k=20&game=2300:win", "expected")
    assert [(one["difference"], one["by"], one["expected"]) for one in drawn["here"]] == [(-550, "by the rules", 0.08)]
    ruled = {one["difference"]: one["expected"] for one in drawn["curve"] if one["by"] == "by the rules"}
    assert (ruled[-800], ruled[-550], ruled[0], ruled[550]) == (0.08, 0.08, 0.5, 0.92)
    assert sorted(one["difference"] for one in drawn["cap"]) == [-400, 400]


def test_no_400_point_rule_for_2650(client):
    """From October 2025 on the rule holds below 2650 alone (FIDE 8.3.1): 2700 against 2200 is 0.96 by the table."""
    drawn = points(client, f"rate?{BASE}&rating=2700&k=10&game=2200:win", "expected")
    assert (drawn["here"][0]["expected"], drawn["cap"]) == (0.96, [])


def test_each_event_is_marked_with_its_own_rating(client):
    """2400 in the second event against 2310 is a difference of 90, not the 85 of the published 2395."""
    path = f"period?{BASE}&rating=2395&event=A&on=2026-10-03&game=2103:1&event=B&on=2026-10-17&rating=2400&game=2310:1"
    assert [one["difference"] for one in points(client, path, "expected")["here"]] == [292, 90]


def test_one_tick_a_round(client):
    """Two games have the rounds 0, 1 and 2, each once."""
    drawn = client.get(f"/chart/rate/rounds.svg?{BASE}&rating=1750&k=20&game=1800:win&game=1700:win").text
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", drawn)
    assert [one for one in texts if len(one) == 1] == ["0", "1", "2"]


@pytest.mark.parametrize("reach", [1780, 1790, 1800])
def test_no_bar_hides_the_target(client, reach):
    """Thin bars, centred on their rating; none but that of the target itself reaches over its line."""
    path = f"outlook?{BASE}&rating=1780&k=20&game=1700:%3F&game=1750:%3F&reach={reach}"
    bars = points(client, path, "outcomes")["curve"]
    assert all((one["from"] + one["to"]) / 2 == pytest.approx(one["rating"]) for one in bars)
    assert [one["rating"] for one in bars if one["from"] <= reach <= one["to"] and one["rating"] != reach] == []


def test_a_chart_without_a_day_is_of_today(client, monkeypatch):
    """The 400-point rule changed on 2025-10-01: the same address drawn before and after it gives two charts."""
    from datetime import date

    from arpad.web import charts

    found = []
    for day in ("2025-09-30", "2025-10-01"):
        monkeypatch.setattr(charts, "today", lambda day=day: date.fromisoformat(day))
        found.append(points(client, "rate?rating=2700&k=10&game=2200:win", "expected")["here"][0]["expected"])
    assert found == [0.92, 0.96]


def test_a_picture_is_drawn_once():
    """Whoever asks again for a picture gets the one that was drawn."""
    from arpad.web import charts

    asked = charts.AskedChart.now("rate", "change", "rating=1751&k=20&game=1950:win")
    before = charts.drawn.cache_info().misses
    pictures = {charts.drawn(asked, "light", "wide") for _ in range(8)}
    assert len(pictures) == 1
    assert charts.drawn.cache_info().misses == before + 1
