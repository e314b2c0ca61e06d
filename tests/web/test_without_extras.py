"""The page and the API with nothing installed but what they need: no charts, no fast JSON."""

import html
import json
import re
from decimal import Decimal

import pytest

from arpad.charts import drawing
from arpad.web import replies

ASKED = "on=2026-11-15&rating=1750&born=2010&game=1950:win"


@pytest.fixture
def without_charts(monkeypatch):
    """A machine without altair and vl-convert."""
    monkeypatch.setattr(drawing, "find_spec", lambda _: None)


@pytest.fixture
def without_orjson(monkeypatch):
    """A machine without orjson."""
    monkeypatch.setattr(replies, "_fast_dumps", None)


@pytest.mark.usefixtures("without_charts")
def test_page_without_charts_shows_figures_and_says_what_is_missing(client):
    """No picture is offered; the sentence about it and the table of the figures are there."""
    page = client.get(f"/?{ASKED}").text
    assert "pip install &#39;arpad[charts]&#39;" in page
    assert "/picture/" not in page
    assert '<td class="r gain">+30.40</td>' in page  # 40 × (1 − 0.24), FIDE 8.1.2 and 8.3.3
    assert client.get("/script/vega.js").status_code == 404


@pytest.mark.usefixtures("without_charts")
def test_page_without_charts_has_its_own(client):
    """What the page draws itself needs no library: the chances of an outlook."""
    page = client.get("/ahead?on=2026-11-15&rating=1750&born=2010&game=1950:?&game=1800:?&reach=1800").text
    assert re.search('<div class="card">.*?<svg[^>]*role="img"', page, re.DOTALL)


def test_page_with_charts_draws_them(client):
    """Where the libraries are installed a picture is offered, and nothing is said about them."""
    page = client.get(f"/?{ASKED}").text
    picture = html.unescape(re.search('href="(/picture/rate.png[^"]*)"', page)[1])
    assert client.get(picture).content.startswith(b"\x89PNG")
    assert "arpad[charts]" not in page


@pytest.mark.usefixtures("without_orjson")
def test_api_without_orjson_gives_the_same_answer(client, monkeypatch):
    """The same value either way, exact decimals as strings."""
    slow = client.get(f"/api/v1/fide-standard/rate?{ASKED}").json()
    monkeypatch.undo()
    assert slow == client.get(f"/api/v1/fide-standard/rate?{ASKED}").json()
    assert Decimal(slow["value"]["change"]) == Decimal("30.40")  # 40 × (1 − 0.24), FIDE 8.1.2 and 8.3.3


@pytest.mark.parametrize("which", ["orjson", "standard library"])
@pytest.mark.parametrize("body", ["{", "", '{"rating": NaN}', "[" * 100_000, b"\xff"], ids=repr)
def test_body_that_is_not_json_is_refused(client, monkeypatch, which, body):
    """Both readers refuse what is not JSON, and neither falls over."""
    if which != "orjson":
        monkeypatch.setattr(replies, "_fast_dumps", None)
    reply = client.post("/api/v1/fide-standard/rate", content=body)
    assert reply.status_code == 422, reply.text
    assert reply.json()["at"] == "body"


@pytest.mark.usefixtures("without_orjson")
def test_values_are_written_as_orjson_writes_them(monkeypatch):
    """Half of a surrogate pair is an escape, and nothing but what JSON needs is written between values."""
    value = {"name": "Müller", "days": [1, None, True], "half": "\ud800"}
    slow = replies.dumps(value)
    monkeypatch.undo()
    assert json.loads(slow) == json.loads(replies.dumps(value))
