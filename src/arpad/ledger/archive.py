"""Everything out and in again, and the check that a ledger is what its log says, byte for byte."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from arpad.errors import BadFile
from arpad.ledger.book import Book, book_after, book_of
from arpad.ledger.decisions import Decision, Submission
from arpad.ledger.history import PoolHistory
from arpad.ledger.rating import replay
from arpad.ledger.store import Store, broken_chain, create
from arpad.ledger.views import LedgerList, list_of
from arpad.messages import Message, say

EXPORT = "arpad-ledger"


def exported(store: Store) -> bytes:
    """Everything: the log and what came in, as JSON that `restored` reads."""
    submissions = [
        {"hash": one.hash, "name": one.name, "data": base64.b64encode(one.data).decode()} for one in store.submissions()
    ]
    log = [one._asdict() for one in store.log()]
    whole = {"format": EXPORT, "version": 1, "decisions": log, "submissions": submissions}
    return (json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def restored(data: bytes, place: str) -> Store:
    """A ledger from what `exported` gave, with the same log, the same lists and the same ratings."""
    try:
        whole = json.loads(data)
        if whole["format"] != EXPORT or whole["version"] != 1:
            raise KeyError("format")  # noqa: TRY301  # one answer for everything that is not an export
        log = [Decision(**one) for one in whole["decisions"]]
        submissions = [
            Submission(one["hash"], one["name"], base64.b64decode(one["data"], validate=True))
            for one in whole["submissions"]
        ]
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise BadFile(say("ledger.not_an_export"), at="export") from None
    broken = broken_chain(log)
    if broken is not None:
        raise BadFile(say("ledger.wrong.chain", number=broken), at="export")
    store = create(place)
    known = {one.hash: one for one in submissions}

    def add(decisions: Sequence[Decision], frozen: tuple[str, bytes] | None = None) -> None:
        hashes = dict.fromkeys(one.submission for one in decisions if one.submission is not None)
        store.add(decisions, submissions=[known[hash] for hash in hashes], frozen=frozen)

    written = 0
    for decision, made in published_in(log):
        add(log[written : decision.number], (made.fingerprint, made.content))
        written = decision.number
    if written < len(log):
        add(log[written:])
    return store


def published_in(log: Sequence[Decision]) -> Iterator[tuple[Decision, LedgerList]]:
    """The lists that a log published, each made again from the log up to it; what two lists share is rated once."""
    book, histories = Book(), dict[str, PoolHistory]()
    for place, decision in enumerate(log):
        if decision.kind == "publish":
            body = decision.content
            pool, day = body["pool"], date.fromisoformat(body["day"])
            histories[pool] = replay(book, pool, until=day, base=histories.get(pool))
            yield decision, list_of(histories[pool], book, day)
        book = book_after(book, decision, log[:place] if decision.kind == "undo" else ())


def list_at(log: Sequence[Decision], pool: str, day: date) -> LedgerList:
    """The list of a day by a log, or by the beginning of one."""
    book = book_of(log)
    return list_of(replay(book, pool, until=day), book, day)


class Verified(NamedTuple):
    """What a check of a ledger found; it is `whole` if nothing is wrong."""

    decisions: int
    lists: int
    wrong: tuple[Message, ...]

    @property
    def whole(self) -> bool:
        """Whether everything is as it was written."""
        return not self.wrong


def verified(store: Store) -> Verified:
    """Check the log, what came in, and every published list by replaying the log up to it."""
    log = store.log()
    wrong = []
    broken = broken_chain(log)
    if broken is not None:
        wrong.append(say("ledger.wrong.chain", number=broken))
    wrong += [
        say("ledger.wrong.submission", name=one.name)
        for one in store.submissions()
        if Submission.of(one.data, one.name).hash != one.hash
    ]
    lists = 0
    for decision, made in published_in(log):
        lists += 1
        wrong += _wrong_list(decision, made, store.frozen(decision.number))
    return Verified(len(log), lists, tuple(wrong))


def _wrong_list(decision: Decision, made: LedgerList, stored: bytes | None) -> Iterator[Message]:
    body = decision.content
    if stored is None:
        yield say("ledger.wrong.no_content", number=decision.number)
    elif stored != made.content or made.fingerprint != body["fingerprint"]:
        yield say("ledger.wrong.list", number=body["number"], pool=body["pool"], decision=decision.number)
