"""Caches slow answers, because a page, its part, its charts and its JSON all need the same one."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arpad.messages import Voice, voice
from arpad.questions import Asked, read_question, spec_of
from arpad.web.lists import lists_version

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from arpad.calculation.answer import Answer


def ask(question: str, given: Mapping[str, Any], *, today: date) -> tuple[Asked, Answer]:
    """The question and its answer; only slow answers are cached."""
    if spec_of(question).slow:
        return _remembered(question, json.dumps(given, sort_keys=True), today, voice(), lists_version())
    return _answered(question, given, today)


@lru_cache(maxsize=32)
def _remembered(
    question: str,
    given: str,
    today: date,
    speaker: Voice,  # noqa: ARG001  # answers contain texts
    lists: int,  # noqa: ARG001  # and ratings that were looked up
) -> tuple[Asked, Answer]:
    return _answered(question, json.loads(given), today)


def _answered(question: str, given: Mapping[str, Any], today: date) -> tuple[Asked, Answer]:
    asked = read_question(spec_of(question), given, today=today, door="page")
    return asked, asked.question.answer()
