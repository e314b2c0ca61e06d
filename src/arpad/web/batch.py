"""Several questions in one request: each is answered or refused by itself, in the order asked."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.calculation.serialise import failure
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import say
from arpad.questions import questions_at
from arpad.web.api import MOST_AT_ONCE, ROOT, answer_of, body_read
from arpad.web.replies import Json, refusal
from arpad.web.runner import run
from arpad.web.voices import answering


async def _batch(request: Request) -> Response:
    with answering(request.scope, "api"):
        try:
            asked = _asked(body_read(await request.body()))
            return await run(partial(_reply, asked))
        except ArpadError as error:
            return refusal(error)


def _asked(body: dict[str, Any]) -> list[Any]:
    asked = body.get("questions")
    if not isinstance(asked, list) or set(body) != {"questions"}:
        raise BadInput(say("web.batch_shape"), at="questions")
    if len(asked) > MOST_AT_ONCE:
        raise BadInput(say("web.too_many_questions", count=len(asked), most=MOST_AT_ONCE), at="questions")
    return asked


def _reply(asked: list[Any]) -> Json:
    return Json({"ok": True, "answers": [_answer(one) for one in asked]})


def _answer(asked: Any) -> dict[str, Any]:
    """One of the answers, or why there is none."""
    try:
        if not isinstance(asked, dict) or not isinstance(asked.get("question"), str):
            raise BadInput(say("web.batch_shape"), at="question")
        name = asked["question"]
        known = questions_at("api")
        if name not in known:
            raise UnknownName("question", name[:100], known=known, at="question")
        return answer_of(name, {field: value for field, value in asked.items() if field != "question"})
    except ArpadError as error:
        return failure(error)


ROUTES = [Route(f"{ROOT}/batch", _batch, methods=["POST"], name="api.batch")]
