"""What is sent to others: the preview of a link, a picture of the answer, and the small calculator for other sites."""

import html
import re
import struct

import pytest

from arpad.web.site import PAGES

# FIDE 8.1.2 and 8.3.2: 40 × (1 − 0.24) = 30.4
QUERY = "system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"


def tags(page):
    return {name: html.unescape(text) for name, text in re.findall(r'<meta property="og:(\S+)" content="(.*?)">', page)}


def test_a_link_has_a_preview(client):
    """Messengers get the answer as title, a sentence, and the address of its picture on this server."""
    found = tags(client.get(f"/?{QUERY}").text)
    assert found["title"] == "+30: 1750 becomes 1780"
    assert "0.24 against 1950" in found["description"]
    assert found["url"] == f"http://testserver/?{QUERY}"
    assert client.get(found["image"]).headers["content-type"] == "image/png"


def test_an_empty_page_has_its_own_words(client):
    """The example of a first visit is no answer to share: there is the question, and no picture."""
    found = tags(client.get("/").text)
    assert found["title"] == "What did my games do to my rating?"
    assert "image" not in found


@pytest.mark.parametrize("question", ["rate", "expect", "performance", "outlook", "compare", "diary"])
def test_a_picture_of_the_answer(client, question):
    """It is a PNG, wide enough for a messenger's large card, with a chart or without one."""
    picture = client.get(f"/picture/{question}.png?{PAGES[question].query}").content
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, _ = struct.unpack(">II", picture[16:24])
    assert width >= 1000


def test_no_picture_without_an_answer(client):
    """What is lacking or refused is said as everywhere else."""
    assert client.get("/picture/rate.png").status_code == 422
    assert client.get("/picture/rate.png?rating=10000&game=1950:win").status_code == 422
    assert client.get("/picture/nothing.png").status_code == 404


def test_frames_are_allowed_for_the_small_calculator_alone(client):
    """Other sites may show `/embed`, and no other page of ours."""
    small = client.get(f"/embed?{QUERY}")
    assert "1780" in small.text
    assert "frame-ancestors *" in small.headers["content-security-policy"]
    assert "x-frame-options" not in small.headers
    for path in (
        "/",
        "/help",
        "/diary",
        "/embed.part",
        "/tournament",
        "/picture/rate.png",
        "/api/v1/systems",
        "/embed/x",
    ):
        reply = client.get(path)
        assert "frame-ancestors 'none'" in reply.headers["content-security-policy"], path
        assert reply.headers["x-frame-options"] == "DENY", path


def test_the_small_calculator_without_scripts(client):
    """Its form leads to an address of its own, which has the answer and a way to the whole calculation."""
    sent = "rating=1750&row=1950&result=win&born=2010&system=fide-standard"
    reply = client.get(f"/embed?{sent}", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"].partition("?")[0]) == (303, "/embed")
    page = client.get(reply.headers["location"]).text
    assert "1780" in page
    assert 'href="/?' in page
    assert "data-refused" in client.get("/embed?rating=x&game=1950:win").text
