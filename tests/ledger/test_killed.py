"""A program that is killed at work leaves the ledger as it was before, or as it is after; never between."""

import multiprocessing
import shutil
import signal

import pytest
from ledgers import club, decide_and_die, members, play, second_version

from arpad import ledger
from arpad.ledger import store

PROCESSES = multiprocessing.get_context("forkserver")  # each is a copy of one that has everything loaded already
PROCESSES.set_forkserver_preload(["ledgers", "arpad.ledger.ledger", "arpad.reports.ledger_site"])
MOMENTS = 40  # of each of the five works
PAGES = 20  # moments of publishing


def run(*given):
    """How a process of its own ends."""
    process = PROCESSES.Process(target=decide_and_die, args=given)
    process.start()
    process.join()
    return process.exitcode


@pytest.mark.parametrize("what", ["add", "accept", "correct", "freeze", "migrate"])
def test_nothing_is_lost_and_nothing_is_half_there(tmp_path, what):
    """Killed at 40 moments from the first to the last: the log is the old one, or has one more, and verifies."""
    book = members(club(tmp_path))
    play(book, "Ann Baker 1-0 Carl Dorn, 2026-05-01")
    before, old = (tmp_path / "club.arpad").read_bytes(), book.decisions()
    scripts, report = second_version(tmp_path), tmp_path / "report"
    whole = tmp_path / "whole.arpad"
    whole.write_bytes(before)
    assert run(str(whole), what, 0, scripts, str(report)) == 0
    last = int(report.read_text(encoding="utf-8"))
    assert last > MOMENTS
    more = set()
    for place in range(MOMENTS):
        path = tmp_path / f"{place}.arpad"
        path.write_bytes(before)
        moment = 1 + place * (last - 1) // (MOMENTS - 1)
        assert run(str(path), what, moment, scripts, str(report)) == -signal.SIGKILL
        if what == "migrate":
            after = ledger.Ledger(store.open_store(str(path), scripts=scripts))
        else:
            after = ledger.open(str(path))
        log = after.store.log()
        assert log[: len(old)] == old
        assert after.verify().whole
        more.add(len(log) - len(old))
    assert more <= {0, 1}
    assert 0 in more


def test_pages_are_whole_whenever_publishing_ends(tmp_path):
    """Killed at 20 moments of publishing: every page there is a whole one, and publishing again makes the rest.

    The ledger itself is not changed by publishing, and nothing else stays in the folder.
    """
    book = members(club(tmp_path))
    play(book, "Ann Baker 1-0 Carl Dorn, 2026-05-01")
    before = (tmp_path / "club.arpad").read_bytes()
    report, whole = tmp_path / "report", tmp_path / "whole.arpad"
    whole.write_bytes(before)
    assert run(str(whole), "publish", 0, "", str(report)) == 0
    pages = {path.name: path.read_bytes() for path in (tmp_path / "whole.arpad-site").iterdir()}
    last = int(report.read_text(encoding="utf-8"))
    seen = set()
    for place in range(PAGES):
        path = tmp_path / f"{place}.arpad"
        path.write_bytes(before)
        moment = 1 + place * (last - 1) // (PAGES - 1)
        assert run(str(path), "publish", moment, "", str(report)) == -signal.SIGKILL
        site = tmp_path / f"{place}.arpad-site"
        there = {file.name for file in site.iterdir() if not file.name.startswith(".")} if site.exists() else set()
        assert all((site / name).read_bytes() == pages[name] for name in there)
        seen.add(len(there))
        assert run(str(path), "publish", 0, "", str(report)) == 0
        assert {file.name: file.read_bytes() for file in site.iterdir()} == pages
        assert ledger.open(str(path)).export() == book.export()
    assert len(seen) > PAGES // 4


def test_a_write_ahead_log_that_ends_anywhere(tmp_path):
    """A machine that goes off leaves a part of what was written last: the state is the old one or the new one."""
    book = members(club(tmp_path))
    old = book.export()
    folder = tmp_path / "cut"
    folder.mkdir()
    with book.store.reading() as held:  # as long as somebody reads, what is written stays in the log beside the file
        held.exec_driver_sql("SELECT count(*) FROM decision").scalar()
        play(book, "Ann Baker 1-0 Carl Dorn, 2026-05-01")
        new = book.export()
        shutil.copy(tmp_path / "club.arpad", folder / "whole.arpad")
        written = (tmp_path / "club.arpad-wal").read_bytes()
    found = set()
    for place in range(41):
        path = folder / f"{place}.arpad"
        shutil.copy(folder / "whole.arpad", path)
        (folder / f"{place}.arpad-wal").write_bytes(written[: len(written) * place // 40])
        state = ledger.open(str(path)).export()
        assert state in (old, new)
        found.add(state == new)
    assert found == {False, True}
