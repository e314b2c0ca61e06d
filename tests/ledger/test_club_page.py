"""The ledger as a page: results, files, corrections and publishing over HTTP, and whose requests it refuses."""

import html
import re
from dataclasses import replace
from datetime import date
from threading import Event, Thread

import pytest
from ledgers import club, games, members, ratings
from starlette.testclient import TestClient

from arpad.reports.publishing import Published
from arpad.web.ledger import LedgerPage
from arpad.web.ledger_guard import MOST_TRIES, Guard

GAMES = b"White,Black,Result\nBaker Ann,Dorn Carl,1-0\nEvans Eve,Dorn Carl,1-0\n"


class Visitor:
    """Somebody at a ledger's page, in a browser without scripts."""

    def __init__(self, book, where="127.0.0.1", *, guard=None, site=None):
        self.page = LedgerPage(book, guard or Guard("Ann"), site)
        self.http = self.another(where)

    def another(self, where="127.0.0.1", host="127.0.0.1:8000"):
        return TestClient(self.page.application(), base_url=f"http://{host}", client=(where, 50000))

    def see(self, path):
        """A page that is there, and its form's hidden fields."""
        reply = self.http.get(path)
        assert reply.status_code == 200, reply.text
        hidden = dict(re.findall(r'<input type="hidden" name="(form|seen)" value="([^"]*)">', reply.text))
        return html.unescape(reply.text), hidden

    def send(self, path, seen_at=None, **fields):
        """A form with the fields of the page it is on; `file` is the bytes of one."""
        hidden = self.see(seen_at)[1] if seen_at else {}
        files = {"file": ("games.csv", fields.pop("file"))} if "file" in fields else None
        return self.http.post(path, data={**hidden, **fields}, files=files)


@pytest.fixture
def visitor(tmp_path):
    return Visitor(members(club(tmp_path)), site=str(tmp_path / "site"))


def test_a_result_is_tapped(visitor):
    """Two names and a result: the game is in the log under the user's name, and the answer says who moved."""
    reply = visitor.send("/add/game", "/add", white="Baker Ann", black="Dorn Carl", result="win", on="2026-11-10")
    assert reply.url.path == "/add"
    assert "Decision 3 is in the log" in reply.text
    book = visitor.page.ledger
    assert [(one.who, one.kind) for one in book.log()][-1] == ("Ann", "accept")
    assert f">{ratings(book)['Baker Ann']}<" in reply.text


def test_what_cannot_be_a_game_is_said_beside_what_was_typed(visitor):
    """A name nobody has, no result, or one player twice: refused in words, with the fields as they were."""
    for fields, says in (
        ({"white": "Nobody Here", "black": "Dorn Carl", "result": "win"}, "Nobody is called"),
        ({"white": "Baker Ann", "black": "Dorn Carl"}, "Tap how the game ended"),
        ({"white": "Baker Ann", "black": "Baker Ann", "result": "draw"}, "against themselves"),
    ):
        reply = visitor.send("/add/game", "/add", **fields)
        assert reply.status_code == 422
        assert says in html.unescape(reply.text)
        assert f'value="{fields["white"]}"' in reply.text
    assert visitor.page.ledger.book.last == 2


def test_namesakes_are_offered_with_their_numbers(visitor):
    """Two people of one name are told apart by their numbers, and the choice is taken as it is."""
    book = visitor.page.ledger
    preview = book.preview_members(b"Name,Born,Rating\nBaker Ann,1999,\nHill Ida,2001,1300\n")
    book.accept_members(replace(preview, settled={1: "new"}), who="Ann")
    text, _ = visitor.see("/add")
    assert 'value="Baker Ann (P1)"' in text
    assert 'value="Baker Ann (P4)"' in text
    visitor.send("/add/game", "/add", white="Baker Ann (P4)", black="Dorn Carl", result="win")
    (event,) = book.book.events.values()
    assert {entry.person for entry in event.entries.values()} == {"P2", "P4"}


def test_a_decision_on_an_older_state_is_refused_and_shown_again(visitor):
    """Two tabs: the second one's game, undo, edit and list are refused; the game's preview is of the newest state."""
    _, old = visitor.see("/add")
    visitor.send("/add/game", "/add", white="Baker Ann", black="Dorn Carl", result="win", on="2026-11-10")
    game = {"white": "Dorn Carl", "black": "Evans Eve", "result": "win", "on": "2026-11-11"}
    reply = visitor.http.post("/add/game", data={**old, **game})
    assert reply.status_code == 409
    assert "Somebody else has decided something meanwhile" in reply.text
    for path, fields in (("/undo/3", {}), ("/person/P1", {"name": "Baker Ann"}), ("/publish/list", {}),
                         ("/event/3", {"act": "exclude"})):  # fmt: skip
        assert visitor.http.post(path, data={**old, **fields}).status_code == 409, path
    assert visitor.page.ledger.book.last == 3
    preview = re.search(r'action="(/preview/\d+)"', reply.text)[1]
    assert visitor.send(preview, preview, act="accept").status_code == 200
    assert visitor.page.ledger.book.last == 4


def test_a_preview_that_grew_old_is_made_again(visitor):
    """A file that was looked at before somebody else decided something: refused once, shown again, then accepted."""
    path = visitor.send("/add/file", "/add", file=GAMES, on="2026-11-12").url.path
    visitor.send("/add/game", "/add", white="Baker Ann", black="Dorn Carl", result="win", on="2026-11-10")
    reply = visitor.send(path, path, same_names="1", act="accept")
    assert reply.status_code == 409
    assert visitor.page.ledger.book.last == 3
    assert visitor.send(path, path, act="accept").url.path == "/log"
    assert visitor.page.ledger.book.last == 4


def test_a_file_is_looked_at_first(visitor):
    """Nothing is written before it is accepted, doubts have candidates and reasons, and each choice is taken over."""
    reply = visitor.send("/add/file", "/add", file=GAMES, on="2026-11-12", called="Evening")
    assert visitor.page.ledger.book.last == 2
    assert "3 in doubt" in reply.text
    assert "no year of birth to be sure" in reply.text
    path = reply.url.path
    reply = visitor.send(path, path, act="accept")
    assert reply.status_code == 422
    assert "It is not clear who this is" in reply.text
    numbers = sorted(set(re.findall(r'name="is-(\d+)"', reply.text)))
    chosen = dict(zip((f"is-{no}" for no in numbers), ("P1", "P2", "P3"), strict=True))
    assert "What it would do" in visitor.send(path, path, **chosen).text
    assert visitor.send(path, path, act="accept").url.path == "/log"
    (event,) = visitor.page.ledger.book.events.values()
    assert {entry.reported.name: entry.person for entry in event.entries.values()} == {
        "Baker Ann": "P1", "Dorn Carl": "P2", "Evans Eve": "P3"
    }  # fmt: skip
    again = visitor.send("/add/file", "/add", file=GAMES, on="2026-11-12")
    assert "This file was accepted already" in again.text


def test_members_are_pasted(visitor):
    """A table of members: a preview, then new people with their ratings."""
    pasted = "Name,Born,Rating\nFord Fay,1970,1444\nBaker Ann,1980,1700\n"
    path = visitor.send("/add/members", "/people", paste=pasted, pool="main", on="2026-11-01").url.path
    assert "1 new" in visitor.see(path)[0]
    visitor.send(path, path, act="accept")
    assert ratings(visitor.page.ledger)["Ford Fay"] == 1444


def test_who_has_no_event_yet_has_no_day_of_one(visitor):
    """A rating set by hand puts somebody on the list; the day of the last event stays empty."""
    visitor.page.ledger.set_rating("Baker Ann", rating=1600, day=date(2026, 9, 1), who="Ann")
    page, _ = visitor.see("/")
    assert "Baker Ann" in page
    assert "None" not in page


def test_corrections_and_undo(visitor):
    """A result the wrong way round, an event left out, a person's year, and each taken back again."""
    book = visitor.page.ledger
    games(book, [("Baker Ann", "Dorn Carl", "1-0")], "Evening", date(2026, 11, 10))
    before = book.list().content
    for path, fields in (
        ("/event/3", {"game": "1", "result": "loss", "act": "result"}),
        ("/event/3", {"game": "1", "act": "remove"}),
        ("/event/3", {"act": "exclude"}),
        ("/person/P1", {"name": "Baker Ann", "born": "1981", "sex": "w"}),
    ):
        reply = visitor.send(path, path, **fields)
        assert reply.status_code == 200, reply.text
        number = book.book.last
        assert f"/undo/{number}" in reply.text
        assert visitor.send(f"/undo/{number}", f"/undo/{number}", why="a test").status_code == 200
        assert book.list().content == before
    assert book.find("P1").born == 1980


def test_lists_and_pages_are_published(visitor, tmp_path):
    """A list is frozen with its number, and the static pages go into the folder that the command named."""
    visitor.send("/publish/list", "/publish", on="2026-11-01")
    assert [(one.number, one.day) for one in visitor.page.ledger.book.published] == [(1, date(2026, 11, 1))]
    reply = visitor.send("/publish/pages", "/publish")
    assert "written into" in reply.text
    assert (tmp_path / "site" / "index.html").exists()
    assert "--site" in Visitor(visitor.page.ledger).see("/publish")[0]


def test_other_sites_cannot_decide(visitor):
    """A form of another site, a foreign name for this address, no secret, or too much: refused, and nothing changes."""
    _, hidden = visitor.see("/add")
    game = {**hidden, "white": "Baker Ann", "black": "Dorn Carl", "result": "win"}
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert visitor.http.post("/add/game", data=game, headers=headers).status_code == 403
    assert visitor.http.post("/add/game", data={**game, "form": "guessed"}).status_code == 403
    assert visitor.http.post("/add/game", data=game, headers={"host": "evil.example"}).status_code == 421
    assert visitor.http.get("/", headers={"host": "evil.example:8000"}).status_code == 421
    assert visitor.http.get("/", headers={"host": "192.168.1.20:8000"}).status_code == 421
    assert visitor.http.post("/add/game", data={**game, "white": "x" * 9_000_000}).status_code == 413
    assert visitor.http.get("/undo/2").status_code == 200
    assert visitor.page.ledger.book.last == 2


def test_a_page_says_what_a_browser_may_do(visitor):
    """No script or frame of elsewhere, nothing cached, and no page that search engines keep."""
    reply = visitor.http.get("/")
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
    assert "form-action 'self'" in reply.headers["content-security-policy"]
    assert reply.headers["cache-control"] == "no-store"


def test_a_phone_needs_the_code(tmp_path):
    """A device in the network sees nothing before the code, decides under its own name, and cannot try for ever."""
    guard = Guard("Ann", network=True)
    visitor = Visitor(members(club(tmp_path)), guard=guard)
    phone = visitor.another("192.168.1.33", "192.168.1.20:8000")
    for path in ("/", "/people", "/log"):
        assert "Baker" not in phone.get(path).text
    form = {"form": guard.form, "name": "Bob"}
    wrong = f"{(int(guard.code) + 1) % 10**6:06}"
    assert phone.post("/you", data={**form, "code": wrong}).status_code == 403
    assert "Baker" in phone.post("/you", data={**form, "code": guard.code}).text
    reply = phone.post("/add/game", data={"form": guard.form, "seen": "2", "white": "Baker Ann", "black": "Dorn Carl",
                                          "result": "draw"})  # fmt: skip
    assert "Decision 3" in reply.text
    assert visitor.page.ledger.log()[-1].who == "Bob"
    other = visitor.another("192.168.1.66", "192.168.1.20:8000")
    for _ in range(MOST_TRIES):
        other.post("/you", data={**form, "code": wrong})
    assert other.post("/you", data={**form, "code": guard.code}).status_code == 403
    assert phone.get("/").status_code == 200


def test_the_page_speaks_the_language_of_the_command(tmp_path):
    """Started in German, the page is German."""
    from arpad.messages import speaking

    with speaking("de"):
        visitor = Visitor(members(club(tmp_path)))
    text, _ = visitor.see("/add")
    assert '<html lang="de">' in text
    assert "Speichern" in text


def test_the_page_has_a_language_switch(visitor):
    """Every page leads to itself in the other languages, links and forms stay in one; a phone's is taken."""
    text, _ = visitor.see("/people")
    assert '<a href="/de/people" hreflang="de"' in text
    text, _ = visitor.see("/de/people")
    assert '<html lang="de">' in text
    assert 'href="/de/person/P1"' in text
    reply = visitor.send("/de/add/game", "/de/add", white="Baker Ann", black="Dorn Carl", result="win", on="2026-11-10")
    assert reply.url.path == "/de/add"
    assert "Entscheidung 3" in reply.text
    phone = {"accept": "text/html", "accept-language": "es-MX,es;q=0.9"}
    assert visitor.http.get("/", headers=phone).url.path == "/es/"


def test_a_long_request_keeps_nobody_waiting(visitor, monkeypatch):
    """While the pages are written, somebody else sees the list and saves a game."""
    begun, released, waited = Event(), Event(), []

    def publish(*_, **__):
        begun.set()
        waited.append(released.wait(60))
        return Published((), (), 0)

    monkeypatch.setattr("arpad.reports.ledger_site.publish_ledger", publish)
    other = visitor.another()
    _, hidden = visitor.see("/publish")
    writing = Thread(target=other.post, args=("/publish/pages",), kwargs={"data": hidden})
    writing.start()
    begun.wait(60)
    visitor.send("/add/game", "/add", white="Baker Ann", black="Dorn Carl", result="win", on="2026-11-10")
    assert "Baker Ann" in visitor.see("/")[0]
    released.set()
    writing.join()
    assert waited == [True]
    assert visitor.page.ledger.book.last == 3
