"""The pages: each has a form, its answer and its charts, as a whole page, as part of one, and as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from arpad import __version__
from arpad.calculation.explain import SIGNED, doubt, label_of, lines
from arpad.calculation.serialise import to_json
from arpad.charts.drawing import can_draw
from arpad.core import TITLES
from arpad.errors import ArpadError
from arpad.forecast.norm_simulation import KINDS
from arpad.forecast.targets import percent, rating_or_unrated, signed
from arpad.messages import apart, figure, locale_of, say, section, voice
from arpad.questions import by_name, spec_of
from arpad.questions.declare import field_help
from arpad.questions.fields import WITH_DEVIATION
from arpad.systems import family, system_names
from arpad.systems.answers import ending, opponent_of
from arpad.systems.chances import MODELS
from arpad.systems.performance import METHODS
from arpad.tournaments.norms.rules import NORMS
from arpad.web.answers import lists_there
from arpad.web.api import LONG, answer_of, pairs_of, today
from arpad.web.details_parts import begins_with_symbol, by_heading
from arpad.web.doors import brought_to, fitted, question_of, unrated
from arpad.web.forms import Form, read_form
from arpad.web.hero_parts import day
from arpad.web.languages import offered
from arpad.web.replies import GOOD, Json, answering, here, origin, plain_root, refusal, sent_by
from arpad.web.rows import read_opponent, read_result
from arpad.web.sheet import Sheet
from arpad.web.site import (
    DOORS,
    MOVED,
    PAGES,
    Page,
    choices,
    families_using,
    field_label,
    fields_left,
    k_choices,
    labels_by_family,
    named,
    of_player,
    rule_name,
    shortcuts,
    speeds,
    system_groups,
)
from arpad.web.view import View, as_assumed, day_before, emphasised, figures_of, said, unbroken, view_of, with_code

if TYPE_CHECKING:
    from arpad.web.rows import Query

Endpoint = Callable[[Request], Awaitable[Response]]
HERE = Path(__file__).parent
STATIC = HERE / "static"
FIRST_ASKED = {"played": "rate", "ahead": "expect", "first": "first"}  # whose example a first visit shows
ASKING = ("rate", "expect", "need", "outlook", "season", "first", "performance", "period", "compare", "diary")


def _endpoint(work: Callable[..., Response], template: str, *, door: str = "", question: str = "") -> Endpoint:
    """An endpoint of a door, or of one question: it reads the query and does the work, worded as a page says it."""

    async def endpoint(request: Request) -> Response:
        root = root_of(request)
        base = str(request.base_url).removesuffix("/").removesuffix(root)
        with answering(request.scope, "page"):
            query: bytes = request.scope["query_string"]
            typed = pairs_of(query) if len(query) < LONG else []  # what the form shows again without an answer
            try:
                posted = {"posted": True} if request.method == "POST" else {}  # only whole pages are posted to
                given = pairs_of(await sent_by(request))
                return work(door, question, root, given, template, base=base, **posted)
            except ArpadError as error:
                page = PAGES[question or FIRST_ASKED[door]]
                form = read_form(typed, today=today(), question=page.question)
                return shown(template, View(page, form, error=error), root, base=base)

    return endpoint


def _page(
    door: str, question: str, root: str, pairs: Query, template: str, *, posted: bool = False, base: str = ""
) -> Response:
    """A whole page, or a redirect to its clean address."""
    if dict(pairs).get("from") in PAGES:  # a link of the navigation, with what was typed at another door
        brought = brought_to(door, pairs)
        page = PAGES[question_of(door, brought)]
        pairs = [("from", page.question), *brought]
        if not read_form(pairs, today=today(), question=page.question).left_out:
            return RedirectResponse(f"{root}{page.path}?{urlencode(brought, safe=':')}", status_code=303)
    if door == "first" and question_of(door, pairs) == "rate":
        return RedirectResponse(f"{root}/?{urlencode(unrated(pairs), safe=':')}", status_code=303)
    view = _viewed(door, question, pairs)
    something_to_say = posted or view.form.left_out or view.form.added or view.form.pastes
    if not view.form.clean and view.form.error is None and view.form.pairs and not something_to_say:
        return RedirectResponse(f"{root}{view.address}", status_code=303)
    return shown(template, view, root, base=base)


def _viewed(door: str, question: str, pairs: Query) -> View:
    """What a door shows for its form or link: the example on a first visit, otherwise the question that is asked."""
    if question:
        return view_of(PAGES[question], pairs)
    if not pairs:
        example = [pair for pair in parse_qsl(PAGES[FIRST_ASKED[door]].query) if pair[0] != "on"]
        return view_of(PAGES[FIRST_ASKED[door]], example)._replace(example=True)
    asked = question_of(door, pairs)
    return view_of(PAGES[asked], fitted(door, asked, pairs))


def _part(door: str, question: str, root: str, pairs: Query, template: str, *, base: str = "") -> Response:
    """What changes on a page while somebody types; an empty form is not a first visit."""
    return shown(template, _viewed(door, question, pairs or [("row", "")]), root, status=GOOD, base=base)


def _twin(page: Page) -> Endpoint:
    """The endpoint that answers a page's query as JSON."""

    async def endpoint(request: Request) -> Response:
        with answering(request.scope, "api"):
            try:
                form = read_form(pairs_of(await sent_by(request)), today=today(), question=page.question)
                if form.error is not None:
                    return refusal(form.error)
                return _json(page.question, by_name(spec_of(page.question), form.asked), form)
            except ArpadError as error:
                return refusal(error)

    return endpoint


def _json(question: str, given: dict[str, Any], form: Form) -> Json:
    """The page's answer as JSON: with its fields, and what it says of them."""
    reply = answer_of(question, given, door="page")
    reply["notes"] = [*map(str, form.notes), *reply["notes"]]
    pasted = [paste.reading for paste in form.pastes if paste.at == "paste"]
    return Json({**reply, "reading": to_json(pasted[0])} if pasted else reply)


def shown(template: str, view: View, root: str, *, status: int | None = None, **more: Any) -> HTMLResponse:
    """A template filled with a view."""
    text = (
        templates()
        .get_template(template)
        .render(
            view=view,
            page=view.page,
            form=view.form,
            root=root,
            files=plain_root(root),
            sheet=Sheet(view),
            today=today(),
            rendered=set(),
            **more,
        )
    )
    # Half of a surrogate pair cannot be sent; it becomes a question mark.
    return HTMLResponse(text.encode("utf-8", "replace"), view.status if status is None else status)


def root_of(request: Request) -> str:
    """The prefix of the server's addresses."""
    root: str = request.scope.get("root_path", "")
    return root


@cache
def templates() -> Environment:
    """The templates, with the filters and functions they use."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.filters.update(figure=figure, signed=lambda value: figure(value, signed=True), doubt=doubt)
    made.filters.update(opponent=opponent_of, result=ending, said=said, with_code=with_code)
    made.filters["rule_name"] = rule_name
    made.filters.update(emphasised=emphasised, as_assumed=as_assumed, unbroken=unbroken)
    made.filters.update(day=day, by_heading=by_heading, begins_with_symbol=begins_with_symbol)
    made.filters["has_digits"] = lambda text: any(sign.isdigit() for sign in text)
    made.filters.update(read_opponent=read_opponent, read_result=read_result)
    made.filters["apart"] = apart
    made.filters["pair"] = lambda value: (value, value)
    made.filters["signed_text"] = lambda text: figure(Decimal(str(text)), signed=True)
    made.globals.update(
        doors=DOORS,
        choices=choices,
        titles=TITLES,
        norm_titles=NORMS,
        event_kinds=lambda: [(name, named("event_kind", name)) for name in KINDS],
        label=label_of,
        say=lambda key, **values: str(say(f"pages.text.{key}", **values)),
        told=lambda key, **values: str(say(key, **values)),  # a text of another subject, by its whole key
        fields_left=fields_left,
        field_help=field_help,
        script_words=lambda: dict(section(voice().language, "pages.script")),
        site_words=lambda: dict(section(voice().language, "pages.site")),
        build="",  # the static site's, set by `arpad.web.app`
        language=lambda: locale_of(voice().language),
        offered=offered,
        here=here,
        origin=origin,
        signed_keys=SIGNED,
        working=lambda answer: list(lines(*answer.trail)),
        systems=system_names,
        system_groups=system_groups,
        labels_by_family=labels_by_family,
        family=family,
        families_using=families_using,
        k_choices=k_choices,
        speeds=speeds,
        shortcuts=shortcuts,
        methods=lambda: [(name, named("method", name)) for name in METHODS],
        draw_models=lambda: [(name, named("draws", name)) for name in MODELS],
        percent=percent,
        signed=signed,
        figures_of=figures_of,
        field_label=field_label,
        of_player=of_player,
        with_deviation=WITH_DEVIATION,
        day_before=day_before,
        named=named,
        static=static,
        version=__version__,
        scripts=_scripts,
        readings_of=lambda name, others: [(f"{name}={other}", voice().reading(other)) for other in others],
        lists_there=lists_there,
        can_draw=can_draw,
        rating_or_unrated=rating_or_unrated,
    )
    return made


def _scripts(asks: bool, own: str) -> list[str]:
    """The scripts of a page, in the order they run: a page with a form has more, and some pages have their own."""
    names = ["people.js"] if lists_there() else []
    return ["tools.js", *([*names, "arpad.js", "paste.js", "memory.js"] if asks else []), *([own] if own else [])]


@cache
def static(name: str) -> str:
    """The address of one of our files, with its fingerprint, so that browsers can cache it."""
    return f"/static/{name}?v={fingerprint((STATIC / name).read_bytes())}"


def fingerprint(content: bytes) -> str:
    """A few characters that change when the content does."""
    return hashlib.sha256(content).hexdigest()[:12]


def _routes(name: str) -> list[Route]:
    """The routes of a question: its answer as a part of a page, and its JSON."""
    page = PAGES[name]
    return [
        Route(f"/{name}.part", _endpoint(_part, "part.html", question=name)),
        Route(f"/{name}.json", _twin(page)),
    ]


def _door_routes(name: str) -> list[Route]:
    """The routes of a door: the page, and what changes on it while somebody types."""
    return [
        Route(DOORS[name].path, _endpoint(_page, "calc.html", door=name), methods=["GET", "POST"]),
        *([] if name in PAGES else [Route(f"/{name}.part", _endpoint(_part, "part.html", door=name))]),
    ]


def _moved(path: str) -> Endpoint:
    """The endpoint of an address that moved: it leads to the new one, with its query."""

    async def endpoint(request: Request) -> Response:
        query = request.url.query
        return RedirectResponse(f"{root_of(request)}{path}{f'?{query}' if query else ''}", status_code=308)

    return endpoint


ROUTES = [
    *(route for name in FIRST_ASKED for route in _door_routes(name)),
    *(Route(old, _moved(new)) for old, new in MOVED.items()),
    *(route for name in (*ASKING, "rules") for route in _routes(name)),
    Route("/.json", _twin(PAGES["rate"])),
    Route("/learn/rules", _endpoint(_page, "learn_rules.html", question="rules")),
]
