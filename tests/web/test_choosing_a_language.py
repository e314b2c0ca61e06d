"""The language of a page is in its path; a first visit follows the browser, and so do the API's sentences."""

import re

import pytest
from message_files import german_that_ships
from starlette.testclient import TestClient

from arpad.messages import shipped
from arpad.web.app import create_app
from arpad.web.settings import ServerSettings

QUERY = "system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"
HTML = {"accept": "text/html"}
GERMAN = {"accept-language": "de-DE,de;q=0.9,en;q=0.5"}
API = f"/api/v1/fide-standard/rate?{QUERY.partition('&')[2]}&steps=true"


@pytest.fixture
def client(tmp_path, monkeypatch):
    """A server that has German."""
    with german_that_ships(tmp_path, monkeypatch):
        yield TestClient(create_app(), follow_redirects=False)


def lang_of(page):
    return re.search(r'<html lang="(\w+)">', page)[1]


def test_the_path_says_the_language_and_every_address_stays_below_it(client):
    """Links, forms and what the script asks for; files are the same for all languages."""
    page = client.get(f"/de/?{QUERY}", headers=HTML).text
    assert lang_of(page) == "de"
    assert "+30,40" in page
    addresses = re.findall(r'\s(?:href|action|data-address|data-live|data-root)="(/[^"]*)"', page)
    shared = ("/de", "/en/", "/static/", "/words/")
    assert [one for one in addresses if not one.startswith(shared)] == []
    assert not any(one.startswith("/de/static") for one in addresses)


def test_the_switch_keeps_what_was_typed(client):
    """The same page in the other language, with the same form."""
    page = client.get(f"/de/?{QUERY}", headers=HTML).text
    (address,) = re.findall(r'<a href="(/en/[^"]*)" hreflang="en"', page)
    other = client.get(address.replace("&amp;", "&"), headers=HTML)
    assert other.status_code == 200
    assert lang_of(other.text) == "en"
    assert 'value="2010"' in other.text
    assert "+30.40" in other.text


def test_search_engines_find_every_language(client):
    """Each language with its address, and the address that leads to the browser's language."""
    page = client.get("/de/ahead", headers=HTML).text
    found = dict(re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]*)"', page))
    host = "http://testserver"
    assert found == {"en": f"{host}/en/ahead", "de": f"{host}/de/ahead", "x-default": f"{host}/ahead"}


@pytest.mark.parametrize("path", ["/", f"/?{QUERY}", "/ahead", "/learn"])
def test_a_first_visit_leads_to_the_browser_s_language(client, path):
    """Only where the address names no language; what was chosen stays."""
    reply = client.get(path, headers=HTML | GERMAN)
    assert (reply.status_code, reply.headers["location"]) == (302, f"/de{path}")
    assert "Accept-Language" in reply.headers["vary"]
    assert {"x-request-id", "content-security-policy"} <= set(reply.headers)  # as with every reply
    assert client.get(f"/en{path}", headers=HTML | GERMAN).status_code == 200
    english = client.get(path, headers=HTML | {"accept-language": "en-GB,de;q=0.5"})
    assert english.status_code == 200
    assert "accept-language" in english.headers["vary"].lower()


def test_a_language_alone_leads_to_its_first_page(client):
    """`/de` is `/de/`; the reply is complete, and another host is refused there too."""
    reply = client.get("/de?rating=1750", headers=HTML)
    assert (reply.status_code, reply.headers["location"]) == (308, "/de/?rating=1750")
    assert {"x-request-id", "content-security-policy"} <= set(reply.headers)
    guarded = TestClient(create_app(settings=ServerSettings(processes=0)), follow_redirects=False)
    assert guarded.get("/de", headers={"host": "evil.example"}).status_code == 421


def test_programs_and_forms_are_not_led_elsewhere(client):
    """A script, a form that is sent, a file."""
    assert client.get("/", headers=GERMAN).status_code == 200
    assert client.post("/", headers=HTML | GERMAN, data={"rating": "1750"}).status_code != 302
    assert client.get("/static/arpad.css", headers=HTML | GERMAN).status_code == 200


def test_the_api_words_its_sentences_as_its_client_prefers(client):
    """Sentences change, codes and figures do not."""
    english, german = client.get(API).json(), client.get(API, headers=GERMAN).json()
    assert english != german
    assert english["value"] == german["value"]
    refused = "/api/v1/fide-standard/rate?rating=1750&game=1950:maybe"
    codes = [client.get(refused, headers=headers).json() for headers in ({}, GERMAN)]
    assert codes[0]["code"] == codes[1]["code"]
    assert codes[0]["at"] == codes[1]["at"]


def test_the_openapi_document_stays_english(client):
    """Generators read it."""
    assert client.get("/openapi.json").json() == client.get("/openapi.json", headers=GERMAN).json()


def test_a_page_says_whether_a_native_speaker_has_read_its_words(client):
    """In its language, with a link to the words, which are there."""
    page = client.get("/de/", headers=HTML).text
    assert "No native speaker has read this translation yet." in page
    (address,) = re.findall(r'<a href="(/words/\w+)"', page)
    words = client.get(address)
    assert words.headers["content-type"].startswith("text/plain")
    assert "neue Elo-Zahl" in words.text
    assert "native speaker" not in client.get("/en/", headers=HTML).text


def test_a_server_with_one_language_has_no_switch():
    """English alone: the page is as it was; a language in the making has an address, but nobody is led there."""
    client = TestClient(create_app(), follow_redirects=False)
    page = client.get("/", headers=HTML | {"accept-language": "xx"}).text
    assert ("data-language" in page) == (len(shipped()) > 1)
