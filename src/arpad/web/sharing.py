"""What people share: a picture of a calculation, and a small calculator for other websites."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arpad.calculation.answer import Answer
from arpad.charts.chart import card
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import say
from arpad.web.api import pairs_of, today
from arpad.web.charts import charts_of
from arpad.web.forms import read_form
from arpad.web.hero_parts import plain
from arpad.web.pages import ASKING, root_of, shown
from arpad.web.replies import GOOD, NOT_FOUND, REFUSED, answering, refusal, sent_by
from arpad.web.site import PAGES, Page, named
from arpad.web.view import View, view_of

if TYPE_CHECKING:
    from arpad.web.rows import Query

CALCULATOR = Page("rate", "", at="/embed")  # the small calculator, which other sites show in a frame


async def _as_picture(request: Request) -> Response:
    with answering(request.scope, "page"):
        try:
            question = request.path_params["question"][:100]
            if question not in ASKING:
                raise UnknownName("question_with_charts", question, known=ASKING, at="chart")
            drawn = _picture(question, pairs_of(await sent_by(request)))
        except ArpadError as error:
            return refusal(error, NOT_FOUND if error.at == "chart" else REFUSED)
    return Response(drawn, media_type="image/png", headers={"cache-control": "max-age=300"})


def _picture(question: str, pairs: Query) -> bytes:
    """An answer as a PNG: its headline, what it means in words, and its first chart if it has one."""
    view = view_of(PAGES[question], pairs)
    if not isinstance(view.answer, Answer):
        raise view.error or BadInput(say("pages.nothing_to_draw"), at="query")
    rules = say("answers.by_the_rules", system=named("system", view.answer.system), on=view.answer.on)
    words = [*([plain(view.hero.sentence)] if view.hero is not None and view.hero.sentence else []), str(rules)]
    charts = charts_of(question, view.asked, view.answer)
    return card(view.headline, words, charts[0] if charts else None)


async def _embed(request: Request) -> Response:
    template = "embed_answer.html" if request.url.path.endswith(".part") else "embed.html"
    root = root_of(request)
    with answering(request.scope, "page"):
        try:
            return _calculator(root, pairs_of(await sent_by(request)), template)
        except ArpadError as error:
            return shown(template, View(CALCULATOR, read_form([], today=today()), error=error), root, full=f"{root}/")


def _calculator(root: str, pairs: Query, template: str) -> Response:
    """The small calculator, or its answer; a form's address is redirected to the clean one."""
    view = view_of(CALCULATOR, pairs)
    rewritten = not view.form.clean and view.form.error is None and view.form.pairs and not view.form.left_out
    if template == "embed.html" and rewritten:
        return RedirectResponse(f"{root}{view.address}", status_code=303)
    full = f"{root}/?{urlencode(view.form.pairs, safe=':')}" if view.form.pairs else f"{root}/"
    return shown(template, view, root, status=GOOD if template != "embed.html" else None, full=full)


ROUTES = [
    Route("/picture/{question}.png", _as_picture),
    Route("/embed", _embed),
    Route("/embed.part", _embed),
]
