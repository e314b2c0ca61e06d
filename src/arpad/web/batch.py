"""Several questions in one request: each is answered or refused on its own, in the order asked."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.calculation.serialise import failure
from arpad.errors import ArpadError, BadInput, Busy, UnknownName
from arpad.messages import say
from arpad.questions import questions_at
from arpad.web.api import MOST_AT_ONCE, ROOT, answer_of, body_read
from arpad.web.replies import dumps, refusal
from arpad.web.runner import LARGEST_ANSWER, bounded, run
from arpad.web.voices import answering
from arpad.web.workers import QueueFull, longest_here


async def _batch(request: Request) -> Response:
    with answering(request.scope, "api"):
        try:
            asked = _asked(body_read(await request.body()))
            return bounded(await _reply(asked))
        except ArpadError as error:
            return refusal(error)


def _asked(body: dict[str, Any]) -> list[Any]:
    asked = body.get("questions")
    if not isinstance(asked, list) or set(body) != {"questions"}:
        raise BadInput(say("web.batch_shape"), at="questions")
    if len(asked) > MOST_AT_ONCE:
        raise BadInput(say("web.too_many_questions", count=len(asked), most=MOST_AT_ONCE), at="questions")
    return asked


async def _reply(asked: list[Any]) -> Response:
    """The answers in the order asked; together they have as much time as a single question."""
    answers = []
    until = asyncio.get_running_loop().time() + longest_here()
    for question in asked:
        answers.append(await _in_time(question, until))
        if sum(map(len, answers)) > LARGEST_ANSWER:
            break  # the reply will be refused as too large
    return Response(b'{"ok":true,"answers":[' + b",".join(answers) + b"]}", media_type="application/json")


async def _in_time(asked: Any, until: float) -> bytes:
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


def _answer(asked: Any) -> bytes:
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


ROUTES = [Route(f"{ROOT}/batch", _batch, methods=["POST"], name="api.batch")]
