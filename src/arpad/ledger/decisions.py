"""A decision: what was decided, by whom, when, why, and on which state; and what came in, by its hash.

The log of decisions is the only truth of a ledger. A decision is never changed or removed: a later one corrects it or
undoes it. Each has a digest of itself and of the one before it, so that a log that was tampered with does not verify.

kind      what the body has
settings  the ledger's name, the policy for published lists, from which age people are shown to search engines
pool      a new pool: name, system, settings, start, period
people    new people, with their ratings at the start if they have any
person    new facts about a person
rating    a rating set by hand, from a day on
accept    an event: entries as reported and as identified, games, and the people who were new
event     new facts about an event, or that it does not count
game      a game added to an event, changed, or removed
entry     an entry identified as somebody else
merge     a person who is somebody else
split     the end of a merge
publish   a list, frozen
undo      the number of a decision that no longer counts
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

KINDS = (
    "settings", "pool", "people", "person", "rating", "accept", "event", "game", "entry", "merge", "split", "publish",
    "undo",
)  # fmt: skip


class Decision(NamedTuple):
    """One line of the log, as it is stored."""

    number: int
    kind: str
    who: str
    at: str  # day and time with its zone, ISO 8601
    why: str
    based_on: int
    body: str  # JSON
    submission: str | None = None  # the hash of what it accepts
    digest: str = ""

    @property
    def content(self) -> dict[str, Any]:
        """The body as values."""
        content: dict[str, Any] = json.loads(self.body)
        return content

    def sealed(self, before: str) -> Decision:
        """The decision with its digest, behind the one with the digest `before`."""
        return self._replace(digest=digest_of(self, before))


class Submission(NamedTuple):
    """What came in: the hash of its bytes, its name, and the bytes."""

    hash: str
    name: str
    data: bytes

    @classmethod
    def of(cls, data: bytes, name: str) -> Submission:
        """A submission with its hash."""
        return cls(sha256(data).hexdigest(), name, data)


def canonical(value: Mapping[str, Any] | list[Any]) -> str:
    """A value as JSON, always in the same way: without blanks, the keys in order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def digest_of(decision: Decision, before: str) -> str:
    """The digest of a decision and of everything before it."""
    return sha256(canonical([before, *decision._replace(digest="")]).encode()).hexdigest()
