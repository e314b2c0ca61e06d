"""A ledger as a page on one's own machine: the list, people, results, files with a preview, the log, undo, publishing.

Everything is asked of the library and shown; nothing is worked out here. A form brings along the number of the decision
that its page showed, so that whoever decides on an older state sees the newest one first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from arpad.errors import ArpadError, BadInput, Busy
from arpad.ledger.incoming import scores_of
from arpad.messages import say, voice
from arpad.reading.days import parse_date
from arpad.web.languages import Languages
from arpad.web.ledger_guard import FORBIDDEN, Guard, NotAnswered, cookie
from arpad.web.middleware import HEADERS
from arpad.web.monitoring import FAULTS
from arpad.web.pages import STATIC, root_of, templates
from arpad.web.replies import answering

if TYPE_CHECKING:
    from starlette.requests import Request

    from arpad.ledger import Effect, GameResult, Ledger, MembersPreview, Preview

PAGES = ("list", "add", "people", "events", "log", "publish")
# White's, as the three buttons send it
RESULTS: Mapping[str, GameResult] = {"win": "1-0", "draw": "1/2-1/2", "loss": "0-1"}
MOST_FIELDS = 5000  # of a form: everybody of a large event may be in doubt
REMEMBERED = 50  # previews and answers of decisions that are kept to be shown
SEE, STALE, NOT_FOUND, WRONG_METHOD, REFUSED, BROKEN = 303, 409, 404, 405, 422, 500


@dataclass
class Pending:
    """A preview that waits for somebody to accept it, and how it is made again on the newest state."""

    preview: Preview | MembersPreview
    again: Callable[[Ledger, Any], Preview | MembersPreview]

    @property
    def members(self) -> bool:
        """Whether it is a table of members."""
        return hasattr(self.preview, "submission")


@dataclass
class LedgerPage:
    """The page of one ledger. Each request works with a ledger of its own, so that a long one keeps nobody waiting."""

    ledger: Ledger
    guard: Guard
    site: str | None = None  # the folder for the published pages
    address: str = ""  # where they will be on the web
    pending: dict[int, Pending] = field(default_factory=dict)
    effects: dict[int, Effect] = field(default_factory=dict)  # what decisions did, by their numbers
    numbers: Iterator[int] = field(default_factory=lambda: count(1))  # of previews
    choosing: Lock = field(default_factory=Lock)  # which ledger knows the newest state
    writing: Lock = field(default_factory=Lock)  # into the folder

    def application(self) -> Starlette:
        """The application, in the current language, and in the others by path."""

        def answered(work: Callable[[Visit], Response]) -> Callable[[Request], Awaitable[Response]]:
            async def endpoint(request: Request) -> Response:
                with answering(request.scope, "page"):
                    try:
                        self.guard.check(request)
                        given = await _given(request)
                        if request.method == "POST":
                            self.guard.check_form(given)
                    except NotAnswered as refused:
                        return self._problem(request, refused.status, str(refused.said))
                    visit = Visit(self, request, given, self._newest())
                    return await run_in_threadpool(self._answer, visit, work)

            return endpoint

        routes = [
            Route("/", answered(show_list)),
            Route("/you", answered(show_you)),
            Route("/you", answered(enter), methods=["POST"]),
            Route("/add", answered(show_add)),
            Route("/add/game", answered(add_game), methods=["POST"]),
            Route("/add/file", answered(add_file), methods=["POST"]),
            Route("/add/members", answered(add_members), methods=["POST"]),
            Route("/preview/{number:int}", answered(show_preview)),
            Route("/preview/{number:int}", answered(settle), methods=["POST"]),
            Route("/people", answered(show_people)),
            Route("/person/{id}", answered(show_person)),
            Route("/person/{id}", answered(edit_person), methods=["POST"]),
            Route("/events", answered(show_events)),
            Route("/event/{number:int}", answered(show_event)),
            Route("/event/{number:int}", answered(correct), methods=["POST"]),
            Route("/log", answered(show_log)),
            Route("/undo/{number:int}", answered(show_undo)),
            Route("/undo/{number:int}", answered(undo), methods=["POST"]),
            Route("/publish", answered(show_publish)),
            Route("/publish/list", answered(freeze), methods=["POST"]),
            Route("/publish/pages", answered(write_pages), methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        app = Starlette(
            routes=routes,
            middleware=[Middleware(Languages)],
            exception_handlers=dict.fromkeys((NOT_FOUND, WRONG_METHOD), self._nothing),
        )
        app.state.language = voice().language
        return app

    def _nothing(self, request: Request, _: Exception) -> Response:
        with answering(request.scope, "page"):
            return self._problem(request, NOT_FOUND, str(say("ledger.page.nothing")))

    def _newest(self) -> Ledger:
        with self.choosing:
            return self.ledger.another()

    def _answer(self, visit: Visit, work: Callable[[Visit], Response]) -> Response:
        """One answer; an unknown device is asked for the code first."""
        if visit.who is None and work not in (show_you, enter):
            return visit.go("/you")
        try:
            return work(visit)
        except ArpadError as error:
            return self._problem(visit.request, _status(error), str(error.said))
        except Exception as fault:  # noqa: BLE001  # whatever it is, it is logged and said
            FAULTS.error("A bug in Arpad at %r", visit.request.url.path, exc_info=fault)
            return self._problem(visit.request, BROKEN, str(say("web.bug", kind=type(fault).__name__)))
        finally:
            with self.choosing:
                if visit.ledger.seen >= self.ledger.seen:
                    self.ledger = visit.ledger

    def _problem(self, request: Request, status: int, said: str) -> Response:
        template = templates().get_template("ledger_problem.html")
        text = template.render(**self.common(request, "", self._newest()), said=said)
        return _headed(HTMLResponse(text, status))

    def common(self, request: Request, here: str, ledger: Ledger) -> dict[str, Any]:
        """What every page shows."""
        return {
            "words": _words, "here": here, "pages": PAGES, "form_key": self.guard.form, "who": "",
            "root": root_of(request), "club": ledger.book.settings.name or _words("title"),
        }  # fmt: skip

    def keep(self, pending: Pending) -> int:
        """Remember a preview, and give its number."""
        number = next(self.numbers)
        self.pending[number] = pending
        self.pending.pop(number - REMEMBERED, None)
        return number


@dataclass(frozen=True)
class Visit:
    """One request: the page it came to, and what it brought."""

    page: LedgerPage
    request: Request
    given: Mapping[str, Any]
    ledger: Ledger

    @property
    def who(self) -> str | None:
        """Who decides."""
        return self.page.guard.who(self.request)

    @property
    def pool(self) -> str | None:
        """The pool that was chosen, by default the first."""
        return self.text("pool") or next(iter(self.ledger.book.pools), None)

    def text(self, name: str) -> str:
        """What a field brought."""
        value = self.given.get(name, "")
        return value.strip() if isinstance(value, str) else ""

    def day(self, name: str) -> date | None:
        """The day in a field; None if it is empty."""
        return parse_date(self.text(name), at=name) if self.text(name) else None

    def path(self, name: str) -> Any:
        """A part of the address."""
        return self.request.path_params[name]

    @property
    def by(self) -> dict[str, Any]:
        """Who decides, why, and on which state."""
        seen = self.text("seen")
        return {
            "who": self.who or "", "why": self.text("why"), "based_on": int(seen) if seen.isdecimal() else -1
        }  # fmt: skip

    def go(self, to: str) -> Response:
        """Go on to another page, in the same language."""
        return _headed(RedirectResponse(root_of(self.request) + to, SEE))

    def did(self, effect: Effect, to: str = "/log") -> Response:
        """Go on to a page that says what a decision did."""
        self.page.effects[effect.decision] = effect
        self.page.effects.pop(effect.decision - REMEMBERED, None)
        return self.go(f"{to}?{urlencode({'did': effect.decision})}")

    def show(self, here: str, template: str = "", status: int = 200, **values: Any) -> Response:
        """A page of the ledger, with what the decision before did."""
        book = self.ledger.book
        did = self.text("did")
        effect = self.page.effects.get(int(did)) if did.isdecimal() else None
        common = {
            **self.page.common(self.request, here, self.ledger),
            "error": None,
            "who": self.who,
            "seen": book.last,
            "book": book,
            "effect": effect,
        }
        common |= {
            "pool": self.pool,
            "given": defaultdict(str, self.given),
            "error": None,
            "today": self.ledger.today(),
        }
        text = templates().get_template(template or f"ledger_{here}.html").render(**{**common, **values})
        return _headed(HTMLResponse(text, status))


def _headed(response: Response) -> Response:
    """A reply with the headers that keep other sites out of the page."""
    for name, value in HEADERS.items():
        response.headers[name.decode()] = value.decode()
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "same-origin"  # without a referrer a browser sends forms without their origin
    return response


async def _given(request: Request) -> dict[str, Any]:
    """The fields of a form or of an address; a file as its name and bytes."""
    if request.method != "POST":
        return dict(request.query_params)
    found: dict[str, Any] = {}
    async with request.form(max_files=1, max_fields=MOST_FIELDS) as form:
        for name, value in form.items():
            if isinstance(value, UploadFile):
                found[name] = (value.filename or "", await value.read())
            else:
                found[name] = value
    return found


def _words(key: str, **values: object) -> str:
    return str(say(f"ledger.page.{key}", **values))


def _status(error: ArpadError) -> int:
    return STALE if isinstance(error, Busy) else REFUSED


# who uses the page ---------------------------------------------------------------------------------------------------


def show_you(visit: Visit, error: str = "", status: int = 200) -> Response:
    """Who decides on this device, and the code if it is not known yet."""
    return visit.show("you", status=status, error=error)


def enter(visit: Visit) -> Response:
    """Let a device in, or take another name."""
    try:
        device = visit.page.guard.enter(visit.request, visit.text("name"), visit.text("code"))
    except NotAnswered as refused:
        return show_you(visit, str(refused.said), FORBIDDEN)
    response = visit.go("/add")
    response.set_cookie(cookie(visit.request), device, httponly=True, samesite="strict")
    return response


# what is read --------------------------------------------------------------------------------------------------------


def show_list(visit: Visit) -> Response:
    """The list of today or of any day, whole or in part."""
    day = visit.day("on") or visit.ledger.today()
    listed = visit.ledger.list(day, visit.pool, live=bool(visit.text("live")))
    born = visit.text("born")
    chosen = listed.only(
        women=bool(visit.text("women")),
        born_since=int(born) if born.isdecimal() else None,
        active_since=visit.day("active"),
    )
    return visit.show("list", listed=chosen, day=day)


def show_people(visit: Visit, error: str = "", status: int = 200) -> Response:
    """Everybody, and a table of members to take over."""
    histories = {pool: visit.ledger.list(pool=pool) for pool in visit.ledger.book.pools}
    ratings = {pool: {line.id: line.rating for line in listed.players} for pool, listed in histories.items()}
    people = sorted(visit.ledger.book.persons().values(), key=lambda one: (one.name, one.id))
    return visit.show("people", status=status, people=people, ratings=ratings, error=error)


def show_person(visit: Visit, error: str = "", status: int = 200) -> Response:
    """A person with every event and game, and the facts to change."""
    person = visit.ledger.find(visit.path("id"))
    found = visit.ledger.person(person.id, visit.pool)
    return visit.show("person", status=status, person=person, found=found, error=error)


def show_events(visit: Visit) -> Response:
    """Every event, the newest first."""
    events = sorted(visit.ledger.book.events.values(), key=lambda event: event.order, reverse=True)
    return visit.show("events", events=events)


def show_event(visit: Visit, error: str = "", status: int = 200) -> Response:
    """An event with its games, each of which can be corrected."""
    event = visit.ledger.event(visit.path("number"))
    people, book = visit.ledger.book.persons(), visit.ledger.book
    names = {no: people[book.who(entry.person)].name for no, entry in event.entries.items()}
    return visit.show("event", status=status, event=event, names=names, error=error)


def show_log(visit: Visit) -> Response:
    """Every decision, the newest first."""
    return visit.show("log", lines=visit.ledger.log()[::-1])


def show_undo(visit: Visit, error: str = "", status: int = 200) -> Response:
    """A decision, and the button that undoes it."""
    lines = {line.number: line for line in visit.ledger.log()}
    number = visit.path("number")
    if number not in lines:
        raise BadInput(say("ledger.no_decision", decision=number, last=visit.ledger.book.last), at="decision")
    return visit.show("undo", status=status, line=lines[number], error=error)


def show_publish(visit: Visit, error: str = "", status: int = 200) -> Response:
    """The published lists, the next one, and the pages for the web."""
    wrote = visit.request.query_params.get("wrote", "").split("-")
    return visit.show(
        "publish",
        status=status,
        published=visit.ledger.book.published[::-1],
        site=visit.page.site,
        error=error,
        wrote=[int(count) for count in wrote if count.isdecimal()],
    )


# what comes in -------------------------------------------------------------------------------------------------------


def show_add(visit: Visit, error: ArpadError | None = None, status: int = 200) -> Response:
    """The form for a game, and the one for a file."""
    return visit.show("add", status=status, names=visit.ledger.names(), error=error)


def add_game(visit: Visit) -> Response:
    """One game of two people; if there is something to look at first, its preview."""
    try:
        preview = visit.ledger.preview_result(
            visit.text("white"), visit.text("black"), _result(visit), pool=visit.pool, on=visit.day("on")
        )
        if preview.problems:
            return _previewed(visit, preview, _look_again)
        by = visit.by
        seen = replace(preview, based_on=by.pop("based_on"))  # by whoever pressed the button
        return visit.did(visit.ledger.accept(seen, **by), "/add")
    except Busy as busy:
        return _previewed(visit, preview, _look_again, str(busy.said))
    except ArpadError as error:
        return show_add(visit, error, _status(error))


def _result(visit: Visit) -> GameResult:
    """The result that was tapped."""
    if visit.text("result") not in RESULTS:
        raise BadInput(say("ledger.page.no_result"), at="result")
    return RESULTS[visit.text("result")]


def _sent(visit: Visit) -> tuple[str, bytes]:
    """The file that was sent, or what was pasted."""
    name, data = visit.given.get("file", ("", b""))
    if data:
        return name, data
    text = visit.text("paste")
    if not text:
        raise BadInput(say("ledger.page.no_file"), at="file")
    return "paste.txt", text.encode()


def add_file(visit: Visit) -> Response:
    """The preview of a tournament file, a table of games, or a paste."""
    try:
        name, data = _sent(visit)
        called = visit.text("called") or (_words("pasted") if visit.text("paste") else None)
        preview = visit.ledger.preview(
            data, name=name, pool=visit.pool, called=called, start=visit.day("on"), end=visit.day("until")
        )
    except ArpadError as error:
        return show_add(visit, error, _status(error))
    return _previewed(visit, preview, _look_again)


def add_members(visit: Visit) -> Response:
    """The preview of a table of members."""
    try:
        name, data = _sent(visit)
        pool, day = visit.text("pool") or None, visit.day("on")

        def again(ledger: Ledger, before: Any) -> MembersPreview:
            found = ledger.preview_members(data, name=name, pool=pool, day=day)
            return replace(found, settled=before.settled, same_names=before.same_names)

        preview = visit.ledger.preview_members(data, name=name, pool=pool, day=day)
    except ArpadError as error:
        return show_people(visit, str(error.said), _status(error))
    return _previewed(visit, preview, again)


def _look_again(ledger: Ledger, before: Preview) -> Preview:
    return ledger.look_again(before)


def _previewed(visit: Visit, preview: Any, again: Callable[[Ledger, Any], Any], stale: str = "") -> Response:
    """Keep a preview and go on to it; or show it at once, where it was decided on an older state."""
    number = visit.page.keep(Pending(preview, again))
    if stale:
        return show_preview(visit, stale, STALE, number=number)
    return visit.go(f"/preview/{number}")


def _pending(visit: Visit, number: int) -> Pending:
    found = visit.page.pending.get(number)
    if found is None:
        raise BadInput(say("ledger.page.no_preview"), at="preview")
    return found


def show_preview(visit: Visit, error: str = "", status: int = 200, *, number: int | None = None) -> Response:
    """Who is known, new or in doubt, what is odd, and who would change."""
    place = visit.path("number") if number is None else number
    pending = _pending(visit, place)
    preview: Any = pending.preview
    odd = preview.problems if pending.members else (*preview.draft.problems, *preview.doubled)
    about = {"preview": preview, "members": pending.members, "odd": odd, "number": place}
    return visit.show("preview", status=status, names=visit.ledger.names(), error=error, **about)


def settle(visit: Visit) -> Response:
    """Take over what was said about who is who; then accept, or show what it would do now."""
    pending = _pending(visit, visit.path("number"))
    people = {
        int(name.removeprefix("is-")): value
        for name, value in visit.given.items()
        if name.startswith("is-") and name.removeprefix("is-").isdecimal() and value
    }
    anyway = bool(visit.text("anyway"))
    try:
        pending.preview = _settled(visit, pending.preview, people, anyway=anyway)
        if visit.text("act") != "accept":
            return show_preview(visit)
        return visit.did(_accepted(visit, pending.preview, anyway=anyway), "/log")
    except Busy as busy:
        pending.preview = pending.again(visit.ledger, pending.preview)
        return show_preview(visit, str(busy.said), STALE)
    except ArpadError as error:
        return show_preview(visit, str(error.said), REFUSED)


def _settled(visit: Visit, preview: Any, people: Mapping[int, str], *, anyway: bool) -> Any:
    same_names = bool(visit.text("same_names"))
    if hasattr(preview, "submission"):
        return replace(preview, settled={**preview.settled, **people}, same_names=same_names)
    return visit.ledger.effect_of(preview.settle(people, same_names=same_names, anyway=anyway))


def _accepted(visit: Visit, preview: Any, *, anyway: bool) -> Effect:
    who, why = visit.who or "", visit.text("why")
    if hasattr(preview, "submission"):
        return visit.ledger.accept_members(preview, who=who, why=why, anyway=anyway)
    return visit.ledger.accept(preview, who=who, why=why)


# corrections ---------------------------------------------------------------------------------------------------------


def edit_person(visit: Visit) -> Response:
    """New facts about a person: those fields that are different."""
    person = visit.ledger.find(visit.path("id"))
    before = {**{name: getattr(person, name) or "" for name in ("name", "born", "sex", "federation", "pseudonym")},
              **{scheme: person.ids.get(scheme, "") for scheme in ("fide", "club")}}  # fmt: skip
    try:
        facts: Any = {
            name: visit.text(name) or None for name, value in before.items() if visit.text(name) != str(value)
        }
        return visit.did(visit.ledger.change_person(person.id, **facts, **visit.by), f"/person/{person.id}")
    except ArpadError as error:
        return show_person(visit, str(error.said), _status(error))


def correct(visit: Visit) -> Response:
    """A game with another result, a game or the whole event left out, or the event counted again."""
    number, game, act = visit.path("number"), visit.text("game"), visit.text("act")
    try:
        if game.isdecimal() and act == "remove":
            effect = visit.ledger.remove_game(number, int(game), **visit.by)
        elif game.isdecimal():
            white, black, how = scores_of(_result(visit))
            effect = visit.ledger.change_game(number, int(game), scores=(white, black), how=how, **visit.by)
        else:
            effect = visit.ledger.change_event(number, excluded=act == "exclude", **visit.by)
    except ArpadError as error:
        return show_event(visit, str(error.said), _status(error))
    return visit.did(effect, f"/event/{number}")


def undo(visit: Visit) -> Response:
    """Undo a decision."""
    try:
        return visit.did(visit.ledger.undo(visit.path("number"), **visit.by))
    except ArpadError as error:
        return show_undo(visit, str(error.said), _status(error))


# out -----------------------------------------------------------------------------------------------------------------


def freeze(visit: Visit) -> Response:
    """Freeze the list of a day."""
    try:
        visit.ledger.publish(visit.day("on"), visit.pool, **visit.by)
    except ArpadError as error:
        return show_publish(visit, str(error.said), _status(error))
    return visit.go("/publish")


def write_pages(visit: Visit) -> Response:
    """Write the static pages into the folder that was named when the page was started."""
    from arpad.reports.ledger_site import publish_ledger

    if visit.page.site is None:
        return show_publish(visit, _words("no_site"), REFUSED)
    try:
        with visit.page.writing:
            done = publish_ledger(visit.ledger, visit.page.site, address=visit.page.address)
    except ArpadError as error:
        return show_publish(visit, str(error.said), _status(error))
    return visit.go(f"/publish?wrote={len(done.written)}-{done.files}")
