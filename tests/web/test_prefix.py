"""Below a prefix, as a reverse proxy or another application gives it: no address leaves it."""

import re
from html import unescape

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from arpad.messages import shipped
from arpad.web.app import create_app
from arpad.web.site import PAGES

PREFIX = "/ratings"
ADDRESS = re.compile(r'\s(href|src|action|srcset|data-address|data-live|data-root|data-chart)="([^"]*)"')
REFUSED = "/first?system=elo&on=2026-11-15&game=1902:1"
PATHS = [f"{page.path}?{page.query}" if page.query else page.path for page in PAGES.values()]


def mounted():
    """Arpad as a part of another application."""
    return TestClient(Starlette(routes=[Mount(PREFIX, app=create_app())]))


def behind_proxy():
    """Arpad behind a proxy that leaves the prefix in the path."""
    return TestClient(create_app(), root_path=PREFIX)


@pytest.fixture(scope="module", params=[mounted, behind_proxy])
def below(request):
    return request.param()


def addresses(text):
    """The addresses of a page that are on this server; the script asks for parts of the page at `data-live`."""
    found = {f"{unescape(one)}.part" if name == "data-live" else unescape(one) for name, one in ADDRESS.findall(text)}
    return {one for one in found if not one.startswith(("#", "http"))}


@pytest.mark.parametrize("path", [*PATHS, REFUSED])
def test_every_address_of_a_page_has_the_prefix_and_answers(below, path):
    """Links, forms, scripts, styles and charts; the address of what was refused is refused again, in all languages."""
    found = addresses(below.get(f"{PREFIX}{path}", headers={"accept": "text/html"}).text)
    assert len(found) > 8
    assert {one for one in found if not one.startswith(PREFIX)} == set()
    answers = {one: below.get(one).status_code for one in found}
    refused = {one for one, status in answers.items() if status != 200}
    again = {f"{PREFIX}{tongue}{REFUSED}" for tongue in ("", *(f"/{one}" for one in shipped()))}
    assert refused == (again if path == REFUSED else set())


def test_where_there_is_nothing_the_links_have_the_prefix(below):
    """The page for a wrong address too."""
    reply = below.get(f"{PREFIX}/nonsense", headers={"accept": "text/html"})
    assert reply.status_code == 404
    assert all(one.startswith(PREFIX) for one in addresses(reply.text))


def test_a_clean_address_has_the_prefix(below):
    """A form is answered below the prefix."""
    reply = below.get(f"{PREFIX}/?rating=1750&row=1950&result=win&on=2026-11-15", follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"].startswith(f"{PREFIX}/?")
    assert below.get(reply.headers["location"]).status_code == 200


def test_a_report_has_the_prefix(below):
    """The page of a tournament posts its downloads below the prefix."""
    from conftest import ROOT

    file = (ROOT / "docs" / "examples" / "open.trf").read_bytes()
    page = below.post(f"{PREFIX}/tournament", files={"file": ("open.trf", file)})
    assert page.status_code == 200
    assert all(one.startswith(PREFIX) for one in addresses(page.text))


def test_the_api_and_its_document_have_the_prefix(below):
    """The document names the prefix as its server, and its addresses answer there."""
    document = below.get(f"{PREFIX}/openapi.json").json()
    assert document["servers"] == [{"url": PREFIX}]
    server = document["servers"][0]["url"]
    rate = f"{server}/api/v1/fide-standard/rate?rating=1750&born=2010&game=1950:win&on=2026-11-15"
    assert below.get(rate).json()["value"]["change"] == "30.40"  # 40 × (1 − 0.24), FIDE 8.1.2 and 8.3.3
    assert f"http://testserver{PREFIX}/api/v1/fide-standard/rate?" in below.get(f"{PREFIX}/api").text
