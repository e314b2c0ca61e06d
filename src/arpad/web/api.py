"""The HTTP API: every question under `/api/v1`, by query or by JSON body, or several at once (`/api/v1/batch`).

The pages read a query and answer a question with the same functions.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.calculation.serialise import failure, success, to_json
from arpad.errors import ArpadError, BadInput, Busy, MissingExtra, UnknownName
from arpad.messages import FieldName, say
from arpad.questions import by_name, questions_at, read_question, spec_of
from arpad.questions.rules import rules
from arpad.reading import names_a_player
from arpad.systems import system
from arpad.web.answers import own_lists
from arpad.web.replies import NOT_FOUND, REFUSED, WRONG_METHOD, Json, answering, dumps, refusal
from arpad.web.workers import LARGEST_ANSWER, QueueFull, bounded, longest_here, run

if TYPE_CHECKING:
    from arpad.questions import Spec
    from arpad.web.workers import Kind

ROOT = "/api/v1"
LONG = 1000  # characters; a longer question is not answered in the event loop
MOST_FIELDS = 5000  # more than the largest period has
MOST_AT_ONCE = 100  # questions in one request
NAMES = ("rating", "opponent", "game", "row", "against", "event")  # fields that may name a player; `row` is a form's


def routes() -> list[Route]:
    """A route for several questions at once, one for each question, and one for unknown questions."""
    return [
        Route(f"{ROOT}/batch", _batch, methods=["POST"], name="api.batch"),
        *(
            Route(f"{ROOT}{path_of(spec)}", _endpoint(spec), methods=methods_of(spec), name=f"api.{spec.name}")
            for spec in questions_at("api").values()
        ),
        Route(f"{ROOT}/{{system}}/{{question}}", _no_such_question, methods=["GET", "POST"]),
    ]


def path_of(spec: Spec) -> str:
    """The address of a question below the root; most contain the system."""
    if spec.path:
        return spec.path
    return f"/{{system}}/{spec.name}" if "system" in spec.fields else f"/{spec.name}"


def methods_of(spec: Spec) -> list[str]:
    """The methods for a question: a query cannot hold a file, or objects other than events."""
    fields = spec.fields_at("api")
    in_body = "data" in fields or any(given.nested is not None and given.name != "event" for given in fields.values())
    return ["POST"] if in_body else ["GET", "POST"]


def _endpoint(spec: Spec) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        with answering(request.scope, "api"):
            try:
                given, size = await _given(spec, request)
                return await run(partial(_reply, spec.name, given), kind_of(spec, given, size))
            except ArpadError as error:
                if error.at == "player" and "id" in request.path_params:
                    error.at = "id"  # the name of the player's field in the address
                return refusal(error, NOT_FOUND if _is_missing(spec, error) else REFUSED)

    return endpoint


async def _given(spec: Spec, request: Request) -> tuple[dict[str, Any], int]:
    """The fields from query or body, together with those in the path, and the size of what was sent."""
    if request.method == "POST":
        sent = await request.body()
        given = body_read(sent)
    else:
        sent = request.scope["query_string"]
        given = by_name(spec, pairs_of(sent))
    for name, text in request.path_params.items():
        if name == "system":
            (rules if spec.name == "rules" else system)(text[:100])
        if name in given:
            raise BadInput(say("web.in_path", field_name=FieldName(name)), at=name)
        given[name] = text
    return given, len(sent)


def _is_missing(spec: Spec, error: ArpadError) -> bool:
    """Whether the address itself is wrong: no such system, list or player."""
    if spec.path:
        return error.at in ("list", "id") or isinstance(error, MissingExtra)
    return isinstance(error, UnknownName) and error.at == "system" and "system" in spec.fields


def _reply(question: str, given: Mapping[str, Any]) -> Json:
    """The answer as it is sent: a worker also writes its JSON."""
    return Json(answer_of(question, given))


async def _no_such_question(request: Request) -> Response:
    """A path with the form of a question's: how that question is asked, or which questions there are."""
    name = request.path_params["question"]
    known = {spec.name: spec for spec in questions_at("api").values() if not spec.path}
    if name in known and "system" in known[name].fields:
        raise HTTPException(WRONG_METHOD, headers={"Allow": ", ".join(methods_of(known[name]))})
    with answering(request.scope, "api"):
        error: ArpadError = UnknownName("question", name[:100], known=known, at="question")
        if name in known:
            error = BadInput(say("web.without_system", address=f"{ROOT}{path_of(known[name])}"), at="question")
        return refusal(error, NOT_FOUND)


def answer_of(question: str, given: Mapping[str, Any], *, door: str = "api") -> dict[str, Any]:
    """The JSON object that answers a question with the fields of a door; an ArpadError if there is no answer."""
    with own_lists():
        asked = read_question(spec_of(question), given, today=today(), door=door)
        reply = success(asked.question.answer())
        reply["notes"] += map(str, asked.notes)
        beside = {} if asked.reading is None else {"reading": to_json(asked.reading)}
        return {**reply, "people": to_json(asked.people.found), **beside}


def today() -> date:
    """Today on the server, for the pages and the API; the command reads the clock itself."""
    return date.today()  # noqa: DTZ011  # local time is what users mean


def pairs_of(query: bytes) -> list[tuple[str, str]]:
    """The names and values of a query, in order."""
    text = query.decode("utf-8", "replace").replace("+", " ")
    if text.count("&") >= MOST_FIELDS:
        raise BadInput(say("web.too_many_fields", most=MOST_FIELDS), at="query")
    split = [part.partition("=") for part in text.split("&") if part]
    return [(unquote(name), unquote(value)) for name, _, value in split]


def by_field(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The values of each field, which may be given more than once."""
    found: dict[str, list[str]] = {}
    for name, text in pairs:
        found.setdefault(name, []).append(text)
    return found


def body_read(sent: bytes) -> dict[str, Any]:
    """The JSON object in a request; a name that appears twice is refused."""
    try:
        given = json.loads(sent, object_pairs_hook=without_duplicates, parse_constant=_refuse_constant)
    except ArpadError:
        raise  # a name that appears twice
    except (ValueError, RecursionError) as problem:
        raise BadInput(say("web.not_json", reason=problem), at="body") from None
    if not isinstance(given, dict):
        raise BadInput(say("web.not_an_object"), at="body")
    return given


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these names and values; BadInput if a name appears twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise BadInput(say("questions.given_twice", field_name=FieldName(twice[:100])), at=twice[:100])
    return found


def _refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, which Python accepts but JSON does not have."""
    raise ValueError(f"{name} is not JSON")


def kind_of(spec: Spec, given: Mapping[str, Any], size: int) -> Kind:
    """The kind of work a question is: heavy if it is slow or long, waiting if a player has to be looked up."""
    if spec.slow or size >= LONG:
        return "heavy"
    return "waiting" if spec.looks_up or any(_names_player(given.get(name)) for name in NAMES) else "quick"


def _names_player(value: object) -> bool:
    """Whether a value, or one inside it, names a player who has to be looked up."""
    if isinstance(value, list):
        return any(map(_names_player, value))
    if isinstance(value, dict):
        return any(map(_names_player, value.values()))
    return isinstance(value, str) and names_a_player(value)


async def _batch(request: Request) -> Response:
    """Several questions in one request: each is answered or refused on its own, in the order asked."""
    with answering(request.scope, "api"):
        try:
            body = body_read(await request.body())
            asked = body.get("questions")
            if not isinstance(asked, list) or set(body) != {"questions"}:
                raise BadInput(say("web.batch_shape"), at="questions")
            if len(asked) > MOST_AT_ONCE:
                raise BadInput(say("web.too_many_questions", count=len(asked), most=MOST_AT_ONCE), at="questions")
            return bounded(await _batch_reply(asked))
        except ArpadError as error:
            return refusal(error)


async def _batch_reply(asked: list[object]) -> Response:
    """The answers in the order asked; together they have as much time as a single question."""
    answers = []
    until = asyncio.get_running_loop().time() + longest_here()
    for question in asked:
        answers.append(await _in_time(question, until))
        if sum(map(len, answers)) > LARGEST_ANSWER:
            break  # the reply will be refused as too large
    return Response(b'{"ok":true,"answers":[' + b",".join(answers) + b"]}", media_type="application/json")


async def _in_time(asked: object, until: float) -> bytes:
    """One answer, or an error that there was no time left for it."""
    none_left = Busy(say("web.no_time_left", seconds=int(longest_here())))
    if asyncio.get_running_loop().time() >= until:
        return dumps(failure(none_left))
    try:
        async with asyncio.timeout_at(until):
            return await run(partial(_answer, asked))
    except TimeoutError:
        return dumps(failure(none_left))
    except QueueFull:
        raise  # better to send the whole batch again than parts of it
    except Busy as error:
        return dumps(failure(error))


def _answer(asked: object) -> bytes:
    """One answer, or why there is none."""
    try:
        if not isinstance(asked, dict) or not isinstance(asked.get("question"), str):
            raise BadInput(say("web.batch_shape"), at="question")
        name = asked["question"]
        known = questions_at("api")
        if name not in known:
            raise UnknownName("question", name[:100], known=known, at="question")
        return dumps(answer_of(name, {field: value for field, value in asked.items() if field != "question"}))
    except ArpadError as error:
        return dumps(failure(error))
