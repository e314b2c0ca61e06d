"""The pages: each is a form, its answer and its pictures, as a page, as a part of one, and as JSON."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from arpad.calculation.contract import Calculation
from arpad.calculation.explain import SIGNED, doubt, ending, figure, lines, note, opponent_of, words
from arpad.charts.theme import MISSING, can_draw
from arpad.errors import ArpadError, BadInput
from arpad.forecast.chances import percent, signed
from arpad.forecast.outlook import Outlook
from arpad.questions.asking import DEFAULT_SYSTEM, NAMES, Asked
from arpad.questions.questions import QUESTIONS, US_CHESS, answer, by_name, lacks
from arpad.systems import system_names
from arpad.systems.draw_models import MODELS
from arpad.systems.performance import METHODS
from arpad.web import rules
from arpad.web.api import SLOW, answered, pairs_of, today
from arpad.web.forms import EventFields, Form, GameRow, read_form
from arpad.web.kept import kept
from arpad.web.lists import addresses, lists_there
from arpad.web.people import People, read_people, somebody_named
from arpad.web.pictures import BESIDE, DRAWN, pictures_of
from arpad.web.places import Place, place_of
from arpad.web.replies import GOOD, Json, refusal, status_of
from arpad.web.showing import change_of, figures_of, side_by_side
from arpad.web.wording import (
    BODIES,
    CHOICES,
    HERE,
    PAGES,
    WITH_DEVIATION,
    Page,
    as_query,
    field_label,
    named,
    on_page,
    questions,
    rule_name,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

STATIC = HERE / "static"


ASKING = ("rate", "expect", "need", "outlook", "season", "first", "performance", "period", "compare")


@cache
def templates() -> Environment:
    """The templates, with the words they use."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.filters.update(figure=figure, signed=lambda value: figure(value, signed=True), doubt=doubt)
    made.filters.update(on_page=on_page, opponent=opponent_of, result=ending)
    made.filters.update(change=change_of, rule_name=rule_name)
    made.filters["signed_text"] = lambda text: figure(Decimal(str(text)), signed=True)
    made.globals.update(
        pages=list(PAGES.values()),
        choices=CHOICES,
        names=NAMES,
        label=lambda key: words()["label"].get(key, key),
        signed_keys=SIGNED,
        working=lambda calculation: list(lines(*calculation.roots)),
        systems=system_names,
        system_options=lambda: [(name, named("system", name)) for name in system_names()],
        methods=lambda: [(name, named("method", name)) for name in METHODS],
        draw_models=lambda: [(name, named("draws", name)) for name in MODELS],
        percent=percent,
        signed=signed,
        copied=copied,
        side_by_side=side_by_side,
        figures_of=figures_of,
        field_label=field_label,
        with_deviation=WITH_DEVIATION,
        day_before=rules.day_before,
        as_query=as_query,
        named=named,
        example_system=_example_system,
        static=static,
        version=_version(),
        lists_there=lists_there,
        can_draw=can_draw,
        no_charts=MISSING,
        list_addresses=addresses,
        drawn=DRAWN,
        beside=BESIDE,
    )
    return made


@cache
def static(name: str) -> str:
    """The address of a file of our own, with its fingerprint, so that browsers may keep it."""
    return f"/static/{name}?v={fingerprint((STATIC / name).read_bytes())}"


def fingerprint(content: bytes) -> str:
    """A few characters that change when the content does."""
    return hashlib.sha256(content).hexdigest()[:12]


def _example_system(question: str) -> str:
    """The system in the address of an example: one that has the question, or none."""
    if "system" not in QUESTIONS[question].names:
        return ""
    return f"{US_CHESS if question in ('start', 'floor') else DEFAULT_SYSTEM}/"


def _version() -> str:
    from arpad import __version__

    return __version__


def copied(view: View) -> str:
    """The result as a line or two to paste into a message."""
    if view.page.question == "compare":
        found = [f"{line.systems} {line.new_rating}" for line in side_by_side(view.answer) if line.why is None]
        before = "unrated" if view.answer.player.rating is None else figure(view.answer.player.rating)
        return f"From {before} to: {'; '.join(found)}. By the rules in force on {view.answer.on}."
    shown_figures = [
        f"{words()['label'].get(one.key, one.key)} {figure(one.value, signed=one.key in SIGNED)}"
        + (f" ({one.remark})" if one.remark else "")
        for one in figures_of(view.answer)
    ]
    system = named("system", view.answer.system)
    return f"{'; '.join(shown_figures)}. By the rules of {system} in force on {view.answer.on}."


class View(NamedTuple):
    """What a page shows: the form as filled in, and the answer, what is lacking, or what was refused."""

    page: Page
    form: Form
    answer: Any = None
    asked: Asked | None = None
    lacking: str | None = None
    error: ArpadError | None = None
    people: People | None = None

    @property
    def status(self) -> int:
        """The page of a refused input says so in its status too."""
        return GOOD if self.error is None else status_of(self.error)

    @property
    def place(self) -> Place | None:
        """Where the page was refused something, if it has that place."""
        return None if self.error is None else place_of(self.error.at, self.page.question, self.form)

    @property
    def at(self) -> str:
        """The field that was refused, or nothing."""
        return self.place.field if self.place is not None else ""

    @property
    def notes(self) -> list[str]:
        """What the reader should know beside the figures."""
        found = [on_page(note(one)) for one in self.answer.notes]
        return found if self.people is None else [*found, *self.people.shown]

    def names(self, within: str = "") -> list[str]:
        """The opponents' names in the order of the games, or of an event's: as the form has them, or as a list does."""
        games = [(path, who) for path, who in self.form.opponents if path.startswith(within)]
        return [who or (self.people.name(path) if self.people else "") for path, who in games]

    def in_line(self, line: str) -> str:
        """A line of several as its field shows it: whoever was named by ID has the name before it."""
        return line if self.people is None else self.people.in_line(line)

    @property
    def k(self) -> str:
        """Where K comes from, for the fold that has its fields."""
        given = self.form.fields.get("k")
        if given:
            return f"K: {given} given"
        found, listed = getattr(self.answer, "k_used", None), self.listed.get("k")
        if listed is not None and found in (None, int(listed)):
            return f"K: {listed} from the rating list"
        return "K: worked out" if found is None else f"K: {figure(found)} worked out"

    @property
    def listed(self) -> dict[str, str]:
        """What a rating list has for fields of the form that were left empty."""
        return {} if self.people is None else self.people.listed

    @property
    def peek(self) -> str:
        """The answer in a few words, for the line at the foot of a small screen."""
        if self.error is not None:
            return "That cannot be worked out"
        if not isinstance(self.answer, Calculation) or self.page.question == "compare":
            return ""
        first = figures_of(self.answer)[0]
        return f"{words()['label'].get(first.key, first.key)} {figure(first.value)} {change_of(self.answer)}".strip()

    @property
    def address(self) -> str:
        """The address that gives this answer again."""
        return f"{self.page.path}?{self.form.query}" if self.form.pairs else self.page.path

    @property
    def twin(self) -> str:
        """The address of the same as JSON."""
        return f"/{self.page.question}.json?{self.form.query}"

    @property
    def strength(self) -> Calculation | None:
        """The strength that the results so far look like, beside an outlook; None without results."""
        if self.asked is None or not isinstance(self.answer, Outlook) or self.answer.so_far is None:
            return None
        try:
            return answer("strength", self.asked)
        except ArpadError:
            return None

    @property
    def readings(self) -> list[tuple[str, str, list[str]]]:
        """The rules in force that can be read in more than one way: name, what it says, the other readings."""
        if self.asked is None:
            return []
        try:
            in_force = self.asked.system().rulebook.in_force(self.asked.day())
        except ArpadError:
            return []
        return [
            (rule.name, rule.says, sorted({*rule.others, *filter(None, [rule.reading])}))
            for rule in in_force
            if rule.others or rule.reading
        ]


def view_of(page: Page, pairs: list[tuple[str, str]]) -> View:
    """Answer what a form or a link asks."""
    try:
        form = read_form(pairs, today=today(), question=page.question)
    except BadInput as error:
        return View(page, read_form([], today=today()), error=error)
    if form.error is not None:
        return View(page, form, error=form.error)
    people = None
    try:
        given = by_name(page.question, form.asked)
        if page.question == "rules":
            return View(page, form, answer=rules.read(given, today=today()))
        asked, people = read_people(page.question, given, today=today())
        lacking = lacks(page.question, asked, in_form=True)
        if lacking is not None:
            return View(page, form, asked=asked, lacking=lacking, people=people)
        return View(page, form, asked=asked, answer=kept(page.question, asked), people=people)
    except ArpadError as error:
        return View(page, form, error=error, people=people)


def shown(template: str, view: View, *, status: int | None = None, **more: Any) -> HTMLResponse:
    """A template filled with a view."""
    text = (
        templates()
        .get_template(template)
        .render(
            view=view, page=view.page, form=view.form, GameRow=GameRow, EventFields=EventFields, today=today(), **more
        )
    )
    # Half of a surrogate pair cannot be sent; it becomes a question mark.
    return HTMLResponse(text.encode("utf-8", "replace"), view.status if status is None else status)


async def _made(work: Callable[[], Response], page: Page, pairs: list[tuple[str, str]]) -> Response:
    """A short answer at once, a long one in a thread."""
    short = len(pairs) < 200 and page.question not in SLOW and not somebody_named(pairs)
    return work() if short else await run_in_threadpool(work)


def _page(page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            pairs = pairs_of(request.scope["query_string"])
        except BadInput as error:
            return shown("page.html", View(page, read_form([], today=today()), error=error), pictures=[])

        def work() -> Response:
            view = view_of(page, pairs)
            if page.question == "outlook" and view.form.events:  # its form has no events
                return RedirectResponse(f"{PAGES['season'].path}?{view.form.query}", status_code=303)
            if not view.form.clean and view.form.error is None and view.form.pairs:
                return RedirectResponse(view.address, status_code=303)
            return shown("page.html", view, pictures=pictures_of(page.question, view.asked, view.answer))

        return await _made(work, page, pairs)

    return endpoint


def _part(page: Page, template: str, *, pictures: bool) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            pairs = pairs_of(request.scope["query_string"])
        except BadInput as error:
            return shown(template, View(page, read_form([], today=today()), error=error), status=GOOD, pictures=[])

        def work() -> Response:
            view = view_of(page, pairs)
            made = pictures_of(page.question, view.asked, view.answer) if pictures else []
            return shown(template, view, status=GOOD, pictures=made)

        return await _made(work, page, pairs)

    return endpoint


def _twin(page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Json:
        try:
            query = request.scope["query_string"]
            form = read_form(pairs_of(query), today=today(), question=page.question)
            if form.error is not None:
                return refusal(form.error)
            return await answered(page.question, by_name(page.question, form.asked), size=len(query))
        except ArpadError as error:
            return refusal(error)

    return endpoint


class Example(NamedTuple):
    """A question with its answer, and an example that was worked out now."""

    number: int
    asks: str
    answer: str
    shows: str
    address: str
    calculation: Calculation | None


@cache
def examples(day: Any) -> list[Example]:  # noqa: ARG001  # another day is another page
    """The questions with their examples; they name their days, so that one look a day is enough."""
    from urllib.parse import parse_qsl

    found = []
    for number, question in enumerate(questions(), start=1):
        view = view_of(PAGES[question["page"]], parse_qsl(question["query"]))
        calculation = view.answer if question["page"] in ASKING else None
        found.append(
            Example(number, question["asks"], question["answer"], question["shows"], view.address, calculation)
        )
    return found


async def _help(_: Request) -> Response:
    empty = View(PAGES["help"], read_form([], today=today()))
    return shown("help.html", empty, examples=examples(today()))


async def _api(request: Request) -> Response:
    empty = View(PAGES["api"], read_form([], today=today()))
    listed = {name: (question, BODIES[name]) for name, question in QUESTIONS.items()}
    return shown("api.html", empty, questions=listed, base=str(request.base_url).rstrip("/"))


def _routes(name: str) -> list[Route]:
    """A page, its answer as a part, its pictures, and its twin in JSON."""
    page = PAGES[name]
    return [
        Route(page.path, _page(page)),
        Route(f"/{name}.part", _part(page, "answer.html", pictures=False)),
        Route(f"/{name}.pictures", _part(page, "pictures.html", pictures=True)),
        Route(f"/{name}.json", _twin(page)),
    ]


ROUTES = [
    *(route for name in (*ASKING, "rules") for route in _routes(name)),
    Route("/.json", _twin(PAGES["rate"])),
    Route("/help", _help),
    Route("/api", _api),
]
