"""The HTTP API: the questions of the command line under `/api/v1`, by query or by JSON body."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import unquote

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import Route

from arpad.asking import DEFAULT_SYSTEM, from_pairs
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.questions import QUESTIONS, ask
from arpad.render import answer
from arpad.systems import system
from arpad.web import rules
from arpad.web.openapi import ROOT, by_body_alone, methods_of, path_of
from arpad.web.replies import NOT_FOUND, Json, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    Endpoint = Callable[[Request], Awaitable[Json]]

MANY = 60  # values from which a calculation leaves the event loop for a thread
MOST_FIELDS = 5000
LINE = 100  # characters of a file that are about one value


def today() -> date:
    """The server's day: the clock is read here and nowhere below."""
    return date.today()  # noqa: DTZ011  # the user's own day is meant


def pairs_of(request: Request) -> list[tuple[str, str]]:
    """The query as it was written, in its order."""
    text = request.scope["query_string"].decode("utf-8", "replace").replace("+", " ")
    if text.count("&") >= MOST_FIELDS:
        raise BadInput(f"The query has too many fields; at most {MOST_FIELDS} are taken.", at="query")
    split = [part.partition("=") for part in text.split("&") if part]
    if "%" not in text:
        return [(name, value) for name, _, value in split]
    return [(unquote(name), unquote(value)) for name, _, value in split]


def reply(question: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The one JSON object that answers a question."""
    if question == "rules":
        return rules.read(given, today=today()).answer()
    return answer(ask(question, given, today=today()))


async def answered(question: str, given: Mapping[str, Any]) -> Json:
    """A question's reply, or what was refused; a long one does not hold up the others."""
    try:
        if _size(given) > MANY:
            return await run_in_threadpool(lambda: Json(reply(question, given)))
        return Json(reply(question, given))
    except ArpadError as error:
        return refusal(error)


def _size(given: Mapping[str, Any]) -> int:
    """About how many values were given, those of events and of a file included."""
    events = given.get("event")
    listed = sum(len(value) for value in given.values() if isinstance(value, list))
    inside = sum(len(event) for event in events if isinstance(event, dict)) if isinstance(events, list) else 0
    long = sum(len(value) for value in given.values() if isinstance(value, str)) // LINE
    return listed + inside + long


def with_system(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """The system of the path among what was given; it has no second place."""
    name = request.path_params.get("system")
    if name is None:
        return given
    if "system" in given:
        raise BadInput("The system stands in the path; leave it out here.", at="system")
    return {**given, "system": name}


def not_found(request: Request) -> Json | None:
    """That the system of the path does not exist, whatever else is wrong; None if it does."""
    try:
        system(request.path_params.get("system", DEFAULT_SYSTEM)[:100])
    except UnknownName as error:
        return refusal(error, NOT_FOUND)
    return None


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object that was sent."""
    try:
        given = orjson.loads(await request.body())
    except orjson.JSONDecodeError as problem:
        raise BadInput(f"The body is not JSON: {problem}.", at="body") from None
    if not isinstance(given, dict):
        raise BadInput('The body must be one JSON object, for example {"rating": 1750}.', at="body")
    return given


def _by_query(question: str) -> Endpoint:
    async def endpoint(request: Request) -> Json:
        if (missing := not_found(request)) is not None:
            return missing
        try:
            given = with_system(request, from_pairs(pairs_of(request)))
        except ArpadError as error:
            return refusal(error)
        return await answered(question, given)

    return endpoint


def _by_body(question: str) -> Endpoint:
    async def endpoint(request: Request) -> Json:
        if (missing := not_found(request)) is not None:
            return missing
        try:
            given = with_system(request, await body_of(request))
        except ArpadError as error:
            return refusal(error)
        return await answered(question, given)

    return endpoint


async def _systems(_: Request) -> Json:
    return Json(rules.systems())


async def _unknown(request: Request) -> Json:
    """A question nobody knows, or a system nobody knows."""
    if (missing := not_found(request)) is not None:
        return missing
    asked = request.path_params["question"][:100]
    return refusal(UnknownName("question", asked, known=[*QUESTIONS, "rules"], at="question"), NOT_FOUND)


def _both(question: str) -> Endpoint:
    by_query, by_body = _by_query(question), _by_body(question)

    async def endpoint(request: Request) -> Json:
        return await (by_body(request) if request.method == "POST" else by_query(request))

    return endpoint


# Routes of Starlette's, which FastAPI stands on: what FastAPI adds, reading arguments by their types, is done by
# `asking` for every door, and doing it twice would cost as much as the calculation. `openapi` describes them.
ROUTES = [
    *(
        Route(
            f"{ROOT}{path_of(name)}",
            _by_body(name) if by_body_alone(name) else _both(name),
            methods=methods_of(name),
        )
        for name in QUESTIONS
    ),
    Route(f"{ROOT}{path_of('rules')}", _by_query("rules"), methods=methods_of("rules")),
    Route(f"{ROOT}{path_of('systems')}", _systems, methods=methods_of("systems")),
    Route(f"{ROOT}/{{system}}/{{question}}", _unknown, methods=["GET", "POST"]),
]
