"""The pages: each has a form, its answer and its charts, as a whole page, as part of one, and as JSON."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Awaitable, Callable
from datetime import date
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from arpad import __version__
from arpad.calculation.answer import Answer
from arpad.calculation.explain import SIGNED, doubt, label_of, lines
from arpad.calculation.serialise import to_json
from arpad.charts.drawing import can_draw, can_specify
from arpad.core import TITLES
from arpad.errors import ArpadError
from arpad.forecast.norm_chances import KINDS
from arpad.forecast.targets import percent, rating_or_unrated, signed
from arpad.messages import figure, say, section, voice
from arpad.questions import by_name, questions_at, spec_of
from arpad.questions.declare import field_help
from arpad.questions.fields import WITH_DEVIATION
from arpad.systems import family, system_names
from arpad.systems.answers import ending, opponent_of
from arpad.systems.chances import MODELS
from arpad.systems.comparison import Comparison
from arpad.systems.performance import METHODS
from arpad.tournaments.norms.rules import NORMS
from arpad.web.answers import lists_there
from arpad.web.api import LONG, ROOT, answer_of, by_field, kind_of, pairs_of, path_of, today
from arpad.web.charts import BESIDE, DRAWN, charts_of
from arpad.web.forms import EventFields, Form, for_page, read_form
from arpad.web.replies import GOOD, Json, answering, refusal
from arpad.web.rows import blank_row, read_opponent, read_result
from arpad.web.site import (
    PAGES,
    PARTS,
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
from arpad.web.view import (
    View,
    between,
    change_of,
    day_before,
    figures_of,
    in_words,
    k_of,
    other_calculators,
    said,
    side_by_side,
    view_of,
    with_code,
)
from arpad.web.workers import run

if TYPE_CHECKING:
    from arpad.web.rows import Query

Endpoint = Callable[[Request], Awaitable[Response]]
HERE = Path(__file__).parent
STATIC = HERE / "static"
WITH_EVENTS = {"outlook": "season", "rate": "period"}  # forms without events, and the pages that take them instead
ASKING = ("rate", "expect", "need", "outlook", "season", "first", "performance", "period", "compare", "diary")


def _endpoint(page: Page, work: Callable[..., Response], template: str) -> Endpoint:
    """An endpoint of a page: it reads the query and does the work, with messages worded as the page says them."""

    async def endpoint(request: Request) -> Response:
        root = root_of(request)
        base = str(request.base_url).removesuffix("/").removesuffix(root)
        with answering(request.scope, "page"):
            typed: Query = []  # what the form shows again without an answer; long input is dropped
            try:
                posted = request.method == "POST"  # only whole pages are posted to
                sent = await request.body() if posted else request.scope["query_string"]
                pairs = pairs_of(sent)
                typed = pairs if len(sent) < LONG else []
                kind = kind_of(spec_of(page.question), by_field(pairs), len(sent))
                how = {"base": base, **({"posted": True} if posted else {})}
                return await run(partial(work, page, root, pairs, template, **how), kind)
            except ArpadError as error:
                form = read_form(typed, today=today(), question=page.question)
                return shown(template, View(page, form, error=error), root, base=base, charts=[])

    return endpoint


def _page(page: Page, root: str, pairs: Query, template: str, *, posted: bool = False, base: str = "") -> Response:
    """A whole page, or a redirect to its clean address."""
    if dict(pairs).get("from") in PAGES:  # a link of the navigation, with what was typed on another page
        pairs = [("from", page.question), *for_page([pair for pair in pairs if pair[0] != "from"], page.question)]
        if not read_form(pairs, today=today(), question=page.question).left_out:
            return RedirectResponse(f"{root}{page.path}?{urlencode(pairs[1:], safe=':')}", status_code=303)
    view = view_of(page, pairs)
    with_events = PAGES.get(WITH_EVENTS.get(page.question, ""))
    if with_events and view.form.events and not (page.question == "rate" and view.form.rows):
        return RedirectResponse(f"{root}{with_events.path}?{view.form.query}", status_code=303)
    something_to_say = posted or view.form.left_out or not all(paste.is_plain for paste in view.form.pastes)
    if not view.form.clean and view.form.error is None and view.form.pairs and not something_to_say:
        return RedirectResponse(f"{root}{view.address}", status_code=303)
    return shown(template, view, root, base=base, charts=charts_of(page.question, view.asked, view.answer))


def _part(page: Page, root: str, pairs: Query, template: str, *, base: str = "") -> Response:
    """A part of a page: the answer, or its charts."""
    view = view_of(page, pairs)
    made = charts_of(page.question, view.asked, view.answer) if template == "charts.html" else []
    return shown(template, view, root, status=GOOD, base=base, charts=made)


def _twin(page: Page) -> Endpoint:
    """The endpoint that answers a page's query as JSON."""

    async def endpoint(request: Request) -> Response:
        with answering(request.scope, "api"):
            try:
                query = request.scope["query_string"]
                form = read_form(pairs_of(query), today=today(), question=page.question)
                if form.error is not None:
                    return refusal(form.error)
                spec = spec_of(page.question)
                given = by_name(spec, form.asked)
                return await run(partial(_json, page.question, given, form), kind_of(spec, given, len(query)))
            except ArpadError as error:
                return refusal(error)

    return endpoint


def _json(question: str, given: dict[str, Any], form: Form) -> Json:
    """The page's answer as JSON: with its fields, and what it says of them."""
    reply = answer_of(question, given, door="page")
    reply["notes"] = [*map(str, form.notes), *reply["notes"]]
    pasted = [paste.reading for paste in form.pastes if paste.at == "paste"]
    return Json({**reply, "reading": to_json(pasted[0])} if pasted else reply)


async def _help(request: Request) -> Response:
    with answering(request.scope, "page"):
        empty = View(PAGES["help"], read_form([], today=today()))
        language = voice().language
        ranges = section(language, "pages.variable_range")  # the usual range of each variable in the formulas
        return shown(
            "help.html",
            empty,
            root_of(request),
            examples=examples(today(), language),
            variables=[(says, ranges[name]) for name, says in section(language, "pages.variable").items()],
        )


@cache
def examples(day: date, language: str) -> dict[str, list[Example]]:  # noqa: ARG001  # part of the cache key
    """The questions with their examples, calculated once a day."""
    asks, answers, shows = (section(language, f"pages.{kind}") for kind in ("asks", "answer", "shows"))
    found: dict[str, list[Example]] = {}
    # For beginners and for experienced readers: the page and query of each question's example, by name.
    asked = tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8"))
    for whom, questions in asked.items():
        for name, address in questions.items():
            view = view_of(PAGES[address["page"]], parse_qsl(address["query"]))
            answer = view.answer if address["page"] in ASKING else None
            example = Example(name, asks[name], answers[name], shows[name], view.address, answer)
            found.setdefault(whom, []).append(example)
    return found


class Example(NamedTuple):
    """A question with its answer, and an example calculated now."""

    name: str
    asks: str
    answer: str
    shows: str
    address: str
    answer_now: Answer | None


async def _api(request: Request) -> Response:
    with answering(request.scope, "page"):
        empty = View(PAGES["api"], read_form([], today=today()))
        root = root_of(request)
        base = f"{request.url.scheme}://{request.url.netloc}{root}"
        return shown("api.html", empty, root, questions=described(voice().language), base=base, api=ROOT)


@cache
def described(language: str) -> list[Described]:
    """Every question, for the API page."""
    about = section(language, "questions.about")
    return [
        Described(
            spec.name, about[spec.name], f"{ROOT}{path_of(spec)}", tuple(spec.fields_at("api")), dict(spec.examples[0])
        )
        for spec in questions_at("api").values()
    ]


class Described(NamedTuple):
    """A question as the API page shows it."""

    name: str
    says: str
    path: str
    fields: tuple[str, ...]
    example: dict[str, Any]


@cache
def api_fields(language: str) -> dict[str, DescribedField]:  # noqa: ARG001  # part of the cache key
    """Every field of the API's questions."""
    found: dict[str, DescribedField] = {}
    for spec in questions_at("api").values():
        for name, given in spec.fields_at("api").items():
            found.setdefault(name, DescribedField(field_help(name), given.example, given.many))
    return found


class DescribedField(NamedTuple):
    """A field as the API page shows it."""

    says: str
    example: str
    many: bool


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
            EventFields=EventFields,
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
    made.filters.update(change=change_of, rule_name=rule_name)
    made.filters.update(read_opponent=read_opponent, read_result=read_result)
    made.filters["signed_text"] = lambda text: figure(Decimal(str(text)), signed=True)
    made.globals.update(
        parts=PARTS,
        pages=list(PAGES.values()),
        say_part=lambda name: named("part", name),
        choices=choices,
        blank_row=blank_row,
        titles=TITLES,
        norm_titles=NORMS,
        event_kinds=lambda: [(name, named("event_kind", name)) for name in KINDS],
        label=label_of,
        say=lambda key, **values: str(say(f"pages.text.{key}", **values)),
        api_fields=lambda: api_fields(voice().language),
        fields_left=fields_left,
        field_help=field_help,
        script_words=lambda: dict(section(voice().language, "pages.script")),
        site_words=lambda: dict(section(voice().language, "pages.site")),
        build="",  # the static site's, set by `arpad.web.app`
        language=lambda: voice().language,
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
        copied=copied,
        side_by_side=side_by_side,
        figures_of=figures_of,
        in_words=in_words,
        other_calculators=other_calculators,
        field_label=field_label,
        of_player=of_player,
        with_deviation=WITH_DEVIATION,
        day_before=day_before,
        named=named,
        static=static,
        version=__version__,
        lists_there=lists_there,
        can_draw=can_draw,
        can_specify=can_specify,
        between=between,
        k_of=k_of,
        rating_or_unrated=rating_or_unrated,
        drawn=DRAWN,
        beside=BESIDE,
    )
    return made


@cache
def static(name: str) -> str:
    """The address of one of our files, with its fingerprint, so that browsers can cache it."""
    return f"/static/{name}?v={fingerprint((STATIC / name).read_bytes())}"


def fingerprint(content: bytes) -> str:
    """A few characters that change when the content does."""
    return hashlib.sha256(content).hexdigest()[:12]


def copied(view: View) -> str:
    """The result in a line or two, to paste into a message."""
    if isinstance(view.answer, Comparison):
        found = [f"{line.systems} {line.new_rating}" for line in side_by_side(view.answer) if line.why is None]
        before = say("answers.unrated") if view.answer.rating is None else figure(view.answer.rating)
        return str(say("pages.copied_systems", before=before, found="; ".join(found), on=view.answer.on))
    shown_figures = [
        f"{label_of(fact.key)} {figure(fact.value, signed=fact.key in SIGNED)}"
        + (f" ({fact.remark})" if fact.remark else "")
        for fact in figures_of(view.answer)
    ]
    rules_of = say("answers.by_the_rules", system=named("system", view.answer.system), on=view.answer.on)
    return f"{'; '.join(shown_figures)}. {rules_of}"


def _routes(name: str) -> list[Route]:
    """The routes of a page, of its answer, of its charts, and of its JSON."""
    page = PAGES[name]
    return [
        # A pasted table may be too long for an address.
        Route(page.path, _endpoint(page, _page, "page.html"), methods=["GET", "POST"]),
        Route(f"/{name}.part", _endpoint(page, _part, "answer.html")),
        Route(f"/{name}.charts", _endpoint(page, _part, "charts.html")),
        Route(f"/{name}.json", _twin(page)),
    ]


ROUTES = [
    *(route for name in (*ASKING, "rules") for route in _routes(name)),
    Route("/.json", _twin(PAGES["rate"])),
    Route("/help", _help),
    Route("/api", _api),
]
