"""A program that is killed at work leaves the ledger as it was before, or as it is after; never between."""

import multiprocessing
import signal

import pytest
from ledgers import club, decide_and_die, members, play

from arpad import ledger

PROCESSES = multiprocessing.get_context("forkserver")  # each is a copy of one that has everything loaded already
PROCESSES.set_forkserver_preload(["ledgers", "arpad.ledger.ledger"])
MOST = 60  # calls of the database that one decision makes at most


@pytest.mark.parametrize("what", ["accept", "correct", "undo", "freeze"])
def test_nothing_is_lost_and_nothing_is_half_there(tmp_path, what):
    """Killed at every call of the database in turn: the log is the old one, or has one decision more, and verifies.

    The moment is counted in calls, so that it cannot be missed however slow the machine is.
    """
    book = members(club(tmp_path))
    play(book, "Ann Baker 1-0 Carl Dorn, 2026-05-01")
    before, old = (tmp_path / "club.arpad").read_bytes(), book.decisions()
    ended = set()
    for moment in range(1, MOST):
        path = tmp_path / f"{moment}.arpad"
        path.write_bytes(before)
        process = PROCESSES.Process(target=decide_and_die, args=(str(path), what, moment))
        process.start()
        process.join()
        after = ledger.open(str(path))
        log = after.store.log()
        assert log[: len(old)] == old
        assert len(log) - len(old) in (0, 1)
        assert after.verify().whole
        ended.add((process.exitcode, len(log) - len(old)))
        if process.exitcode == 0:
            break
    assert ended >= {(-signal.SIGKILL, 0), (0, 1)}
