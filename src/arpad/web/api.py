"""The HTTP API: the questions of the command line under `/api/v1`, by query or by JSON body."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from arpad.calculation.explain import success
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.questions.asking import DEFAULT_SYSTEM
from arpad.questions.questions import QUESTIONS, answer, by_name
from arpad.questions.rulebooks import rules as rules_of
from arpad.systems import system
from arpad.web import _json, lists, rules
from arpad.web.guard import in_time
from arpad.web.openapi import ROOT, methods_of, path_of
from arpad.web.people import read_people, somebody_named
from arpad.web.replies import NOT_FOUND, Json, not_possible, refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

LONG = 1000  # characters from which on a question leaves the event loop for a thread
SLOW = ("outlook", "season", "strength")  # a short question about the future may take long to answer
MOST_FIELDS = 5000


def today() -> date:
    """The server's day: the clock is read here and nowhere below."""
    return date.today()  # noqa: DTZ011  # the user's own day is meant


def pairs_of(query: bytes) -> list[tuple[str, str]]:
    """A query as it was written, in its order."""
    text = query.decode("utf-8", "replace").replace("+", " ")
    if text.count("&") >= MOST_FIELDS:
        raise BadInput(f"The query has too many fields; at most {MOST_FIELDS} are taken.", at="query")
    split = [part.partition("=") for part in text.split("&") if part]
    if "%" not in text:
        return [(name, value) for name, _, value in split]
    return [(unquote(name), unquote(value)) for name, _, value in split]


def reply(question: str, given: Mapping[str, Any]) -> Json:
    """The one JSON object that answers a question, or what was refused."""
    try:
        if question == "rules":
            return Json(rules.read(given, today=today()).answer())
        asked, people = read_people(question, given, today=today())
        return Json(people.entered(success(answer(question, asked))))
    except ArpadError as error:
        return refusal(error)


async def answered(question: str, given: Mapping[str, Any], *, size: int) -> Json:
    """The reply to a question; a long one does not hold up the others."""
    if size < LONG and question not in SLOW and not somebody_named(given.items()):
        return reply(question, given)
    async with in_time():
        return await run_in_threadpool(reply, question, given)


def with_system(name: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """The system of the path among what was given; it has no second place."""
    if name is None:
        return given
    if "system" in given:
        raise BadInput("The system stands in the path; leave it out here.", at="system")
    return {**given, "system": name}


def body_read(sent: bytes) -> dict[str, Any]:
    """The JSON object that was sent."""
    try:
        given = _json.loads(sent)
    except ValueError as problem:
        raise BadInput(f"The body is not JSON: {problem}.", at="body") from None
    if not isinstance(given, dict):
        raise BadInput('The body must be one JSON object, for example {"rating": 1750}.', at="body")
    return given


class Api:
    """What stands under the root of the API, as an application around the pages.

    Reading arguments by their types is what `asking` does for every door, and a request that went through the layers
    of a framework first would wait longer for them than for its answer. `openapi` describes it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _place(scope["path"]) if scope["type"] == "http" else None
        answering = self.app if found is None else await _reply(*found, scope, receive)
        await answering(scope, receive, send)


def _place(path: str) -> tuple[str | None, str] | None:
    """The system, if the path has one, and the question; None for a path of the pages, or of the rating lists."""
    if not path.startswith(BELOW) or path.startswith(LISTS):
        return None
    system, slash, question = path[len(BELOW) :].partition("/")
    if slash:
        return (system, question) if question and "/" not in question else None
    return (None, system) if system in ALONE else None


async def _reply(name: str | None, question: str, scope: Scope, receive: Receive) -> Json:
    """The reply to a request, or why there is none."""
    try:
        (rules_of if question == "rules" else system)(DEFAULT_SYSTEM if name is None else name[:100])
    except UnknownName as error:
        return refusal(error, NOT_FOUND)
    if question not in METHODS or (question in ALONE) != (name is None):
        known = [one for one in METHODS if one not in ALONE]
        return refusal(UnknownName("question", question[:100], known=known, at="question"), NOT_FOUND)
    method = scope["method"]
    if method not in METHODS[question]:
        return not_possible(method, METHODS[question])
    if question == "systems":
        return Json(rules.systems())
    try:
        if method == "POST":
            async with in_time():
                sent = await Request(scope, receive).body()
            given = body_read(sent)
        else:
            sent = scope["query_string"]
            given = by_name(question, pairs_of(sent))
        given = with_system(name, given)
    except ArpadError as error:
        return refusal(error)
    return await answered(question, given, size=len(sent))


BELOW = f"{ROOT}/"
LISTS = f"{lists.PATHS}/"
METHODS = {
    name: [method for one in methods_of(name) for method in ((one, "HEAD") if one == "GET" else (one,))]
    for name in (*QUESTIONS, "rules", "systems")
}
ALONE = {name for name in METHODS if path_of(name) == f"/{name}"}
