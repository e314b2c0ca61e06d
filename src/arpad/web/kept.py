"""Answers that take long, kept for a while: a page, its part, its pictures and its twin all ask for the same."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from arpad.questions.questions import answer, read_question
from arpad.web.api import SLOW

if TYPE_CHECKING:
    from datetime import date

    from arpad.calculation.contract import Calculation
    from arpad.core import Player
    from arpad.questions.asking import Asked


def kept(question: str, asked: Asked) -> Calculation:
    """The calculation that answers what was read, a short one anew."""
    if question not in SLOW:
        return answer(question, asked)
    return _kept(question, json.dumps(asked.texts, sort_keys=True), asked.today, asked.listed)


@lru_cache(maxsize=32)
def _kept(question: str, texts: str, today: date, listed: Player | None) -> Calculation:
    return answer(question, read_question(question, json.loads(texts), today=today)._replace(listed=listed))
