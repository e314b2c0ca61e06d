"""Charts over HTTP: SVG for every browser, a specification for the script, and the script that draws it."""

from __future__ import annotations

import asyncio
import gc
import gzip
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.charts import Chart, chart_of
from arpad.charts.curves import Mark, marks_of_game, marks_of_games, rating_charts
from arpad.charts.drawing import THEMES, ThemeName, can_draw
from arpad.errors import ArpadError, Busy, MissingExtra, UnknownName
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import PlanComparison
from arpad.forecast.season import Season
from arpad.messages import Voice, say, voice
from arpad.questions import Asked, by_name, spec_of
from arpad.questions.ratings import Expect, Rate
from arpad.systems.answers import Expectation, RatingChange
from arpad.systems.diary import Diary
from arpad.web.answers import ask, lists_version
from arpad.web.api import pairs_of, today
from arpad.web.forms import read_form
from arpad.web.replies import NOT_FOUND, REFUSED, Json, answering, refusal, sent_by

if TYPE_CHECKING:
    from arpad.web.workers import WorkerPool

WIDTHS = {"wide": 520, "middle": 660, "narrow": 290}  # `middle` is for broad charts on a medium screen
DRAWN = ("rate", "period", "diary", "expect", "outlook", "season")
BESIDE = ("diary", "season")  # pages whose form is so long that the charts go next to it
FOREVER = "public, max-age=31536000, immutable"
MOST_REMEMBERED = 256  # charts
# The program that writes the script. If Ctrl+C reaches it, or nobody reads it any more, it ends without a traceback.
BUNDLE_PROGRAM = """
import signal, sys
for ending in ("SIGINT", "SIGPIPE"):
    if hasattr(signal, ending):
        signal.signal(getattr(signal, ending), signal.SIG_DFL)
from arpad.charts.drawing import script
sys.stdout.write(script())
"""
_BUNDLING = Lock()


def charts_of(question: str, asked: Asked | None, answer: object) -> list[Chart]:
    """The charts of an answer; none if there is nothing to draw."""
    if isinstance(answer, Outlook | Season | PlanComparison | Diary):
        chart = chart_of(answer)
        return [replace(part, broad=part.broad and question not in BESIDE) for part in chart.parts or (chart,)]
    if asked is None or not isinstance(answer, RatingChange | Expectation):
        return []
    of = asked.question
    if not isinstance(of, Rate | Expect):
        return []
    try:
        chosen = of.rating_system()
        return rating_charts(
            chosen,
            of.player(chosen),
            _marks(of, answer),
            on=answer.on,
            pace=of.time,
            change=answer if isinstance(answer, RatingChange) else None,
        )
    except ArpadError:
        return []


def _marks(question: Rate | Expect, answer: RatingChange | Expectation) -> list[Mark]:
    """The games to mark on the curves, with the same figures as in the table."""
    if isinstance(answer, RatingChange):
        return marks_of_games(answer)
    opponent = question.opponent.rating if isinstance(question, Expect) else None
    return marks_of_game(answer, question.rating.rating_used, opponent)


async def _as_svg(request: Request) -> Response:
    with answering(request.scope, "page"):
        try:
            picture = drawn(*await _asked_for(request))
        except ArpadError as error:
            return refusal(error, NOT_FOUND if error.at == "chart" else REFUSED)
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "max-age=300"})


async def _as_specification(request: Request) -> Response:
    with answering(request.scope, "page"):
        try:
            return Json(_specification(*await _asked_for(request)))
        except ArpadError as error:
            return refusal(error, NOT_FOUND if error.at == "chart" else REFUSED)


async def _asked_for(request: Request) -> tuple[AskedChart, ThemeName, str]:
    """The chart, its theme and its width; UnknownName if there is no such question, theme or width."""
    look = {"theme": "light", "width": "wide"}
    rest = []
    for name, text in pairs_of(await sent_by(request)):
        if name in look:
            look[name] = text
        else:
            rest.append((name, text))
    for name, known in (("theme", THEMES), ("width", WIDTHS)):
        if look[name] not in known:
            raise UnknownName(name, look[name][:100], known=known, at=name)
    question, name = (request.path_params[part][:100] for part in ("question", "name"))
    if question not in DRAWN:
        raise UnknownName("question_with_charts", question, known=DRAWN, at="chart")
    theme = next(theme for theme in THEMES if theme == look["theme"])
    return AskedChart.now(question, name, urlencode(rest)), theme, look["width"]


class AskedChart(NamedTuple):
    """A chart that is asked for, and what it depends on."""

    question: str
    name: str
    query: str
    day: date  # counts if the query names no day
    speaker: Voice  # for the titles
    lists: int  # the version of the rating lists, for ratings that are looked up

    @classmethod
    def now(cls, question: str, name: str, query: str) -> AskedChart:
        """A chart as of today, for the reader of this page."""
        return cls(question, name, query, today(), voice(), lists_version())


@lru_cache(maxsize=MOST_REMEMBERED)
def drawn(asked_for: AskedChart, theme: ThemeName, width: str) -> bytes:
    """A chart as SVG; each worker keeps the last ones."""
    return _chart(asked_for).svg(theme=theme, width=WIDTHS[width]).encode("utf-8", "replace")


def _specification(asked_for: AskedChart, theme: ThemeName, width: str) -> dict[str, Any]:
    return _chart(asked_for).specification(theme=theme, width=WIDTHS[width], pointer=True)


@lru_cache(maxsize=32)  # a page requests each chart in several widths and colours
def _chart(asked_for: AskedChart) -> Chart:
    question, name, query, day, *_ = asked_for
    form = read_form(parse_qsl(query, keep_blank_values=True), today=day, question=question)
    asked, answer = ask(question, by_name(spec_of(question), form.asked), today=day)
    made = {chart.name: chart for chart in charts_of(question, asked, answer)}
    if name not in made:
        raise UnknownName("chart", name, known=made, at="chart")
    return made[name]


async def _script(request: Request) -> Response:
    if not can_draw():
        return refusal(MissingExtra(say("pages.text.no_charts"), at="chart"), NOT_FOUND)
    plain, packed = await asyncio.to_thread(bundle)
    headers = {"cache-control": FOREVER, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="text/javascript", headers={**headers, "content-encoding": "gzip"})
    return Response(plain, media_type="text/javascript", headers=headers)


def bundle() -> tuple[bytes, bytes]:
    """The script that draws, plain and gzipped; it is made once, and other requests wait for it."""
    with _BUNDLING:
        return _bundle()


@cache
def _bundle() -> tuple[bytes, bytes]:
    # In a process of its own, because the library blocks everything else meanwhile, and readers would have to wait.
    making = [sys.executable, "-c", BUNDLE_PROGRAM]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"}
    # Ctrl+C is the server's to handle.
    made = subprocess.run(making, stdout=subprocess.PIPE, check=True, env=environment, start_new_session=True)  # noqa: S603
    plain = made.stdout
    return plain, gzip.compress(plain, 6)


async def warm(pool: WorkerPool | None) -> None:
    """Prepare what the first reader would otherwise have to wait for: the script, a page and a picture."""
    if can_draw():
        await asyncio.to_thread(bundle)
    if pool is not None:
        first = {"type": "http", "method": "GET", "headers": [], "query_string": b"rating=1750&game=1950:win&k=20"}
        with suppress(Busy):
            await pool.answer("light", {**first, "path": "/"}, ())
            await pool.answer("heavy", {**first, "path": "/chart/rate/change.svg"}, ())
    # Everything made so far lives as long as the server, so the garbage collector need not look at it again. An answer
    # is many small tuples that are soon freed, so it should not trigger a collection.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


ROUTES = [
    Route("/chart/{question}/{name}.svg", _as_svg),
    Route("/chart/{question}/{name}.json", _as_specification),
    Route("/script/vega.js", _script),
]
