"""The site's Python gives what the server's gives: every case, every page's example, tournament files."""

import json
from base64 import b64encode
from urllib.parse import urlsplit

import built_site
import pytest
from worked_cases import CASES

import doors
from arpad.messages import languages
from arpad.web.pages import templates
from arpad.web.site import PAGES
from conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(scope="module")
def node():
    """The site's Python."""
    with built_site.python_in_node(built_site.built()) as python:
        yield python


class BothClients:
    """A client that asks the server and the site, and lets both say the same, to the last digit."""

    def __init__(self, client, node):
        self.client, self.node = client, node
        self.asked = 0

    def get(self, url):
        """Ask by an address."""
        return self._same(self.client.get(url), url)

    def post(self, url, json):
        """Ask by a JSON object."""
        return self._same(self.client.post(url, json=json), url, method="POST", body=_text(json))

    def _same(self, reply, url, **more):
        asked = urlsplit(url)
        found = self.node.ask(asked.path, asked.query, **more)
        assert found["status"] == reply.status_code
        assert json.loads(found["body"]) == reply.json()
        self.asked += 1
        return reply


def _text(value):
    return json.dumps(value, default=str)


@pytest.fixture
def both(client, node, monkeypatch):
    """The door of the cases, with both behind it."""
    asking = BothClients(client, node)
    monkeypatch.setattr(doors, "_client", lambda: asking)
    return asking


@pytest.mark.parametrize("file", sorted({case.values[0] for case in CASES}))
def test_every_case_has_the_same_answer(both, file):
    """The whole JSON object of each case of a file, steps and articles included."""
    for case in CASES:
        about, asked = case.values
        if about == file:
            before = both.asked
            doors.http(asked.get("system", about), asked)
            assert both.asked > before, asked["name"]


@pytest.mark.parametrize("language", languages()[1:])
def test_every_language_has_the_same_answer(both, client, language, monkeypatch):
    """In its own words, which are no part of the bundle; other languages change nothing in it."""
    query = PAGES["rate"].query
    both.get(f"/{language}/rate.json?{query}")
    monkeypatch.setitem(templates().globals, "can_draw", lambda: False)
    monkeypatch.setitem(templates().globals, "build", "site")
    found = both.node.ask(f"/{language}/rate.part", query)["body"]
    assert found == client.get(f"/{language}/rate.part?{query}").text
    assert both.node.ask(f"/words/{language}")["body"] == client.get(f"/words/{language}").text
    assert found != both.node.ask("/rate.part", query)["body"]


def test_the_address_alone_says_the_language(node):
    """A header asks for no words that were not loaded."""
    german = node.ask("/api/v1/event", method="POST", body="{}", headers=[["accept-language", "de"]])
    assert json.loads(german["body"])["ok"] is False  # with a sentence that says why
    assert german["body"] == node.ask("/api/v1/event", method="POST", body="{}")["body"]


@pytest.mark.parametrize("question", ["event", "norms", "standings"])
@pytest.mark.parametrize("file", ["open.trf", "norms.trf", "last-round.trf"])
def test_a_tournament_file_has_the_same_answer(both, question, file):
    """A report, norms and standings of a file."""
    data = b64encode((EXAMPLES / file).read_bytes()).decode()
    both.post(f"/api/v1/{question}", json={"data": data, "file": file})


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if page.asks])
def test_every_page_has_the_same_answer(client, both, name, monkeypatch):
    """What the page's script asks for, byte for byte, and the same as JSON; a server has pictures too, or says how."""
    monkeypatch.setitem(templates().globals, "can_draw", lambda: False)
    monkeypatch.setitem(templates().globals, "build", "site")
    query = PAGES[name].query
    assert both.node.ask(f"/{name}.part", query)["body"] == client.get(f"/{name}.part?{query}").text
    both.get(f"/{name}.json?{query}")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/chart/rate/change.svg", PAGES["rate"].query),
        ("/chart/rate/change.json", PAGES["rate"].query),
        ("/script/vega.js", ""),
    ],
)
def test_what_a_browser_cannot_draw_is_refused_in_words(node, path, query):
    """Charts as files need libraries that the site does not have; the pages draw theirs without."""
    found = node.ask(path, query)
    assert json.loads(found["body"])["code"] == "missing-extra"
