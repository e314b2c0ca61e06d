"""The HTTP API: every question under `/api/v1`, by query or by JSON body, or several at once (`/api/v1/batch`).

The pages read a query and answer a question with the same functions.
"""

from __future__ import annotations

import json
import re
import signal
import threading
from base64 import b64encode
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.calculation.serialise import success, to_json
from arpad.errors import ArpadError, BadFile, BadInput, Busy, MissingExtra, UnknownName
from arpad.messages import FieldName, say, section
from arpad.questions import by_name, given_fields, questions_at, read_question, spec_of
from arpad.questions.read import yes_or_no
from arpad.questions.rules import rules
from arpad.systems import system, system_names
from arpad.web.answers import own_lists
from arpad.web.replies import (
    BUSY,
    GOOD,
    LARGEST_ANSWER,
    NOT_FOUND,
    REFUSED,
    WRONG_METHOD,
    Json,
    answering,
    dumps,
    problem,
    refusal,
    sent_by,
    status_of,
)

if TYPE_CHECKING:
    from arpad.questions import Spec

ROOT = "/api/v1"
JSON_TYPE, FORM, OCTETS = "application/json", "multipart/form-data", "application/octet-stream"
ADDRESS_FORM = "application/x-www-form-urlencoded"
LONGEST_NAME = 80  # characters of a file's name, whose end says what kind of file it is
LONG = 2 * 1024  # characters; a longer question is heavy work
QUICK = ("rate", "expect")  # about a game or two, they are answered in less than a millisecond
STEPS = "steps"  # asks for the working too
MOST_FIELDS = 5000  # more than the largest period has
MOST_AT_ONCE = 100  # questions in one request
ALMOST = 0.9  # of the time for a request, after which a batch replies with what it has
FIELD = re.compile(r"\w+(\[\d+\])*(\.\w+(\[\d+\])*)*", re.ASCII)  # the path of a field
NAMES = ("rating", "opponent", "game", "row", "against", "event")  # fields that may name a player; `row` is a form's


def routes() -> list[Route]:
    """A route for several questions at once, one for each question, and one for unknown questions."""
    return [
        Route(ROOT, _index, methods=["GET"], name="api"),
        Route(f"{ROOT}/batch", _batch, methods=["POST"], name="api.batch"),
        *(
            Route(f"{ROOT}{path_of(spec)}", _endpoint(spec), methods=methods_of(spec), name=f"api.{spec.name}")
            for spec in questions_at("api").values()
        ),
        Route(f"{ROOT}/{{system}}/{{question}}", _no_such_question, methods=["GET", "POST"]),
    ]


async def _index(request: Request) -> Response:
    """Where to begin: every question with its address, the systems, and the documents that describe them."""
    return Json(index_of(request.scope.get("root_path", "")))


def index_of(root: str) -> dict[str, Any]:
    """The index of the API, for a prefix of the server's addresses."""
    about = section("en", "questions.about")
    questions = [
        QuestionLine(
            name=spec.name, about=about[spec.name], path=f"{root}{ROOT}{path_of(spec)}", methods=methods_of(spec)
        )
        for spec in questions_at("api").values()
    ]
    batch = f"{root}{ROOT}/batch"
    found = ApiIndex(f"{root}/openapi.json", f"{root}/api", batch, tuple(system_names()), tuple(questions))
    return {"ok": True, "value": to_json(found)}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLine:
    """A question of the API."""

    name: str
    about: str
    path: str
    methods: list[str]


@dataclass(frozen=True, slots=True)
class ApiIndex:
    """Where the questions are, and what describes them."""

    openapi: str
    docs: str
    batch: str
    systems: tuple[str, ...]
    questions: tuple[QuestionLine, ...]
    kind: Literal["ApiIndex"] = "ApiIndex"


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
            given: dict[str, Any] = {}
            try:
                given = await _given(spec, request)
                return Json(answer_of(spec.name, given))
            except ArpadError as error:
                kind = _content_type(request)
                if error.at == "player" and "id" in request.path_params:
                    error.at = "id"  # the name of the player's field in the address
                if error.at == "data" and not _is_json(kind):
                    error.at = "file" if kind == FORM else "body"  # as it was sent
                in_body = request.method == "POST" and _is_json(kind)
                beside = ("query", *request.path_params, *request.query_params)
                pointer = _pointer(spec, error, given, beside) if in_body else None
                return refusal(error, NOT_FOUND if _is_missing(spec, error) else REFUSED, pointer=pointer)

    return endpoint


async def _given(spec: Spec, request: Request) -> dict[str, Any]:
    """The fields from query or body, together with those in the path."""
    sent = await sent_by(request)
    given = await _posted(spec, request, sent) if request.method == "POST" else by_name(spec, pairs_of(sent))
    for name, text in request.path_params.items():
        if name == "system":
            (rules if spec.name == "rules" else system)(text[:100])
        if name in given:
            raise BadInput(say("web.in_path", field_name=FieldName(name)), at=name)
        given[name] = text
    return given


async def _posted(spec: Spec, request: Request, sent: bytes) -> dict[str, Any]:
    """The fields of a body: a JSON object, or a tournament file, in a form with other fields or by itself.

    The query may have fields too; none may be in both.
    """
    kind, takes_file = _content_type(request), "data" in spec.fields
    if not _is_json(kind) and (kind == ADDRESS_FORM or not takes_file):
        raise _wrong_type(kind, JSON_TYPE, *((FORM, OCTETS) if takes_file else ()))
    given = by_name(spec, pairs_of(request.scope["query_string"]))
    if _is_json(kind):
        more = body_read(sent)
    else:
        more = await _form(spec, request) if kind == FORM else {"data": b64encode(sent).decode("ascii")}
    for name in given:
        if name in more:
            raise BadInput(say("questions.given_twice", field_name=FieldName(name[:100])), at=name[:100])
    return {**given, **more}


def _content_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_json(kind: str) -> bool:
    return kind in ("", JSON_TYPE) or kind.endswith("+json")


def _wrong_type(kind: str, *taken: str) -> BadInput:
    return BadInput(say("web.content_type", given=kind[:100], taken=list(taken)), at="content-type")


async def _form(spec: Spec, request: Request) -> dict[str, Any]:
    """The fields of a form, with the file in it."""
    try:
        async with request.form(max_files=1, max_fields=MOST_FIELDS) as form:
            given = by_name(spec, [(name, value) for name, value in form.multi_items() if isinstance(value, str)])
            for file in form.values():
                if isinstance(file, UploadFile):
                    given["data"] = b64encode(await file.read()).decode("ascii")
                    given.setdefault("file", (file.filename or "")[-LONGEST_NAME:])
            return given
    except HTTPException:  # raised by Starlette for a form it cannot read
        raise BadInput(say("pages.bad_form"), at="body") from None


def _is_missing(spec: Spec, error: ArpadError) -> bool:
    """Whether the address itself is wrong: no such system, list or player."""
    if spec.path:
        return error.at in ("list", "id") or isinstance(error, MissingExtra)
    return isinstance(error, UnknownName) and error.at == "system" and "system" in spec.fields


def _pointer(spec: Spec | None, error: ArpadError, sent: object, beside: Sequence[str] = ()) -> str | None:
    """The JSON pointer to what an error is about: `event[1].game[0]` is `/event/1/game/0`.

    None if that is no field, or one that was given beside the body. Of several games in one text each has a number, but
    the body has only the text: there the pointer ends.
    """
    parts = re.findall(r"\w+", error.at) if error.at is not None and FIELD.fullmatch(error.at) else []
    if not parts or parts[0] in beside:
        return None
    pointer, fields, split = "", {} if spec is None else spec.fields, None
    for part in parts:
        if isinstance(sent, Mapping):
            if part.isdigit() and pointer:
                continue  # a single object, where a list of them may be
            given = fields.get(part)
            split = None if given is None else given.split
            fields = given_fields(given.nested) if given is not None and given.nested is not None else {}
            sent = sent.get(part)
        else:
            texts = [one for one in sent if isinstance(one, str)] if isinstance(sent, list) else []
            counted = part.isdigit() and (split is None or len(split(texts)) == len(texts))
            if not isinstance(sent, list) or not counted or int(part) >= len(sent):
                break
            sent = sent[int(part)]
        pointer = f"{pointer}/{part}"
    return pointer


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
    """The JSON object that answers a question with the fields of a door; an ArpadError if there is no answer.

    The API has the steps only if they are asked for: they take as long as the rest.
    """
    steps = door != "api" or (given.get(STEPS) not in (None, "") and yes_or_no(given[STEPS], STEPS))
    with own_lists():
        fields = {name: value for name, value in given.items() if name != STEPS or door != "api"}
        asked = read_question(spec_of(question), fields, today=today(), door=door)
        try:
            reply = success(asked.answer(), steps=steps)
        except BadFile as error:
            raise (_at_field(error, fields) if door == "api" else error) from None
        reply["notes"] += map(str, asked.notes)
        beside = {} if asked.reading is None else {"reading": to_json(asked.reading)}
        return {**reply, "people": to_json(asked.people.found), **beside}


def _at_field(error: BadFile, given: Mapping[str, Any]) -> BadFile:
    """The error of a file that was sent, at the field it came in; the line in the file goes into the sentence."""
    sent = "data" if given.get("data") else "text"
    fields = {
        str(say("questions.the_table")): "table" if given.get("table") else sent,
        str(given.get("file") or say("questions.the_file")): sent,
    }
    for name, field in fields.items():
        if error.at and error.at.startswith(name):
            return BadFile(say("errors.at", message=error.said, at=error.at), at=field)
    return error  # a file of the server's


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


async def _batch(request: Request) -> Response:
    """Several questions in one request: each is answered or refused on its own, in the order asked."""
    with answering(request.scope, "api"):
        try:
            kind = _content_type(request)
            if not _is_json(kind):
                raise _wrong_type(kind, JSON_TYPE)
            body = body_read(await sent_by(request))
            asked = body.get("questions")
            if not isinstance(asked, list) or set(body) != {"questions"}:
                raise BadInput(say("web.batch_shape"), at="questions")
            if len(asked) > MOST_AT_ONCE:
                raise BadInput(say("web.too_many_questions", count=len(asked), most=MOST_AT_ONCE), at="questions")
            return Response(batch_reply(asked, request.app.state.settings.seconds), media_type=JSON_TYPE)
        except ArpadError as error:
            return refusal(error, pointer="/questions" if error.at == "questions" else None)


def batch_reply(asked: Sequence[object], seconds: float) -> bytes:
    """The answers in the order asked; together they have as much time as a single question."""
    answers = []
    no_time = Busy(say("web.no_time_left", seconds=int(seconds)))
    end = monotonic() + ALMOST * seconds
    for number, question in enumerate(asked):
        place = f"/questions/{number}"
        try:
            with until(end):
                answers.append(_answer(question, place))
        except TimeoutError:
            answers.append(dumps(problem(no_time, BUSY, pointer=place)))
        if sum(map(len, answers)) > LARGEST_ANSWER:
            break  # the reply will be refused as too large
    return b'{"ok":true,"answers":[' + b",".join(answers) + b"]}"


@contextmanager
def until(end: float) -> Iterator[None]:
    """Raise TimeoutError when the time has come; outside the main thread, only if it has come before."""
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, left)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(*_: object) -> None:
    raise TimeoutError


def _answer(asked: object, place: str) -> bytes:
    """One answer with its status, or why there is none; `place` points to the question in the body."""
    known = questions_at("api")
    spec = None
    try:
        if not isinstance(asked, dict) or not isinstance(asked.get("question"), str):
            raise BadInput(say("web.batch_shape"), at="question")
        spec = known.get(asked["question"])
        if spec is None:
            raise UnknownName("question", asked["question"][:100], known=known, at="question")
        answer = answer_of(spec.name, {field: value for field, value in asked.items() if field != "question"})
        return dumps({"status": GOOD, **answer})
    except ArpadError as error:
        missing = isinstance(error, UnknownName) if spec is None else _is_missing(spec, error)
        status = status_of(error, NOT_FOUND if missing else REFUSED)
        return dumps(problem(error, status, pointer=f"{place}{_pointer(spec, error, asked) or ''}"))
