"""Pictures over HTTP: SVG for every reader, a specification for the script, and the script that draws it."""

from __future__ import annotations

import gc
import gzip
import os
import subprocess
import sys
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.calculation.answers import Expectation, RatingChange
from arpad.calculation.explain import figure, words
from arpad.charts import curves
from arpad.charts.chances import chances_pictures
from arpad.charts.chart import Picture, specification, svg
from arpad.charts.theme import MISSING, THEMES, can_draw
from arpad.errors import ArpadError, UnknownName
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import Plans
from arpad.forecast.season import Season
from arpad.questions.asking import Asked
from arpad.questions.questions import answer as answer_question
from arpad.questions.questions import by_name, read_question
from arpad.web.api import pairs_of, today
from arpad.web.forms import read_form
from arpad.web.kept import kept
from arpad.web.people import read_people
from arpad.web.replies import NOT_FOUND, REFUSED, Json, refusal, refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

WIDTHS = {"wide": 520, "narrow": 290}
DRAWN = ("rate", "period", "expect", "outlook", "season")
BESIDE = ("season",)  # pages with so long a form that the pictures stand beside it
KEPT = "public, max-age=31536000, immutable"


def pictures_of(question: str, asked: Asked | None, answer: Any) -> list[Picture]:
    """The pictures of a calculation; none where there is nothing to draw."""
    if isinstance(answer, Outlook | Season | Plans):
        return [one._replace(broad=one.broad and question not in BESIDE) for one in chances_pictures(answer)]
    if asked is None or not isinstance(answer, RatingChange | Expectation):
        return []
    try:
        return curves.pictures(
            asked.system(),
            asked.player(),
            list(_marks(asked, answer)),
            on=answer.on,
            pace=asked.pace(),
            change=answer if isinstance(answer, RatingChange) else None,
        )
    except ArpadError:
        return []


def _marks(asked: Asked, answer: RatingChange | Expectation) -> Iterator[curves.Mark]:
    """The games to mark on the curves, with the figures of the table beside them."""
    if isinstance(answer, Expectation):
        from arpad.reading.notation import parse_opponent

        opponent, own = parse_opponent(asked.texts["opponent"]).rating, asked.player()
        rating = own.rating or own.standard
        if opponent is not None and rating is not None and answer.expected is not None:
            changes = {result: getattr(answer, result) for result in curves.RESULTS}
            yield curves.Mark(int(opponent), int(rating - opponent), float(answer.expected), changes)
        return
    for game in answer.per_game:
        if game.rated and game.opponent is not None and game.expected is not None:
            changes = {words()["score"][figure(game.score)]: game.change}
            yield curves.Mark(int(game.opponent), int(game.difference or 0), float(game.expected), changes)


@lru_cache(maxsize=256)
def _picture(question: str, name: str, query: str, day: date) -> Picture:
    """One picture of a calculation by its address, which may leave the day to the clock."""
    form = read_form(parse_qsl(query, keep_blank_values=True), today=day, question=question)
    asked, _ = read_people(question, by_name(question, form.asked), today=day)
    made = {picture.name: picture for picture in pictures_of(question, asked, kept(question, asked))}
    if name not in made:
        raise UnknownName("picture", name, known=made, at="picture")
    return made[name]


@lru_cache(maxsize=256)
def _svg(question: str, name: str, query: str, day: date, theme: str, width: str) -> str:
    return svg(specification(_picture(question, name, query, day), theme=theme, width=WIDTHS[width]))


def _look(request: Request) -> tuple[str, str, str]:
    """Theme, width and the calculation's own query."""
    look = {"theme": "light", "width": "wide"}
    rest = []
    for name, text in pairs_of(request.scope["query_string"]):
        if name in look:
            look[name] = text
        else:
            rest.append((name, text))
    for name, known in (("theme", THEMES), ("width", WIDTHS)):
        if look[name] not in known:
            raise UnknownName(name, look[name][:100], known=known, at=name)
    from urllib.parse import urlencode

    return look["theme"], look["width"], urlencode(rest)


def _names(request: Request) -> tuple[str, str]:
    question, name = (request.path_params[part][:100] for part in ("question", "name"))
    if question not in DRAWN:
        raise UnknownName("question with pictures", question, known=DRAWN, at="picture")
    return question, name


async def _as_svg(request: Request) -> Response:
    try:
        theme, width, query = _look(request)
        question, name = _names(request)
        drawn = await run_in_threadpool(_svg, question, name, query, today(), theme, width)
    except ArpadError as error:
        return refusal(error, NOT_FOUND if error.at == "picture" else REFUSED)
    return Response(
        drawn.encode("utf-8", "replace"), media_type="image/svg+xml", headers={"cache-control": "max-age=300"}
    )


async def _as_specification(request: Request) -> Response:
    try:
        theme, width, query = _look(request)
        question, name = _names(request)
        found = await run_in_threadpool(_picture, question, name, query, today())
        return Json(specification(found, theme=theme, width=WIDTHS[width], pointer=True))
    except ArpadError as error:
        return refusal(error, NOT_FOUND if error.at == "picture" else REFUSED)


def bundle() -> tuple[bytes, bytes]:
    """The script that draws, plain and packed; it is made once, and whoever asks meanwhile waits for it."""
    with _making:
        return _bundle()


_making = Lock()
# Ctrl+C reaches this process as well, which then ends without a word.
MAKING = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
from arpad.charts.chart import script
sys.stdout.write(script())
"""


@cache
def _bundle() -> tuple[bytes, bytes]:
    # By a process of its own: the library that makes it lets nothing else run meanwhile, and readers would wait.
    making = [sys.executable, "-c", MAKING]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"}
    plain = subprocess.run(making, stdout=subprocess.PIPE, check=True, env=environment).stdout  # noqa: S603
    return plain, gzip.compress(plain, 6)


def warm() -> None:
    """Make what the first reader would otherwise wait for."""
    given = {"rating": "1750", "opponent": "1950", "k": "20"}
    asked = read_question("expect", given, today=today())
    drawn = pictures_of("expect", asked, answer_question("expect", asked))
    if can_draw():
        bundle()
        for picture in drawn:
            svg(specification(picture))
    # What was made by now lives as long as the server: no collection need look at it again, and an answer, which is
    # many small tuples that go as they came, need not set one off.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


async def _script(request: Request) -> Response:
    if not can_draw():
        return refused(MISSING, "chart", NOT_FOUND)
    plain, packed = await run_in_threadpool(bundle)
    headers = {"cache-control": KEPT, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="text/javascript", headers={**headers, "content-encoding": "gzip"})
    return Response(plain, media_type="text/javascript", headers=headers)


ROUTES = [
    Route("/picture/{question}/{name}.svg", _as_svg),
    Route("/picture/{question}/{name}.json", _as_specification),
    Route("/script/vega.js", _script),
]
