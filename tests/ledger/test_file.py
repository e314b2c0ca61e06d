"""The file of a ledger: made, opened, migrated after a copy, shared by two writers, and never half written."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from ledgers import AT, club, database, members, second_version

from arpad import ledger
from arpad.errors import BadFile, BadInput, Busy
from arpad.ledger import store


def test_a_new_ledger_is_one_file(tmp_path):
    club(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["club.arpad"]
    connection = sqlite3.connect(tmp_path / "club.arpad")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_the_file_has_a_write_ahead_log_and_foreign_keys(tmp_path):
    book = club(tmp_path)
    with book.store.reading() as connection:
        settings = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "foreign_keys")]
    assert settings == ["wal", 1]


def test_an_existing_file_is_not_overwritten(tmp_path):
    club(tmp_path)
    with pytest.raises(BadInput, match="exists"):
        ledger.new(str(tmp_path / "club.arpad"), system="glicko-2", who="Ann")


@pytest.mark.parametrize("content", [None, b"", b"001 not a ledger", b"SQLite format 3\0" + b"\0" * 200])
def test_what_is_no_ledger_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "other.arpad"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadFile, match="ledger"):
        ledger.open(str(path))
    assert (path.read_bytes() if path.exists() else None) == content


def test_a_pool_that_cannot_be_makes_no_file(tmp_path):
    """Plain Elo has no first rating, so newcomers need one."""
    with pytest.raises(BadInput, match="newcomers"):
        ledger.new(str(tmp_path / "club.arpad"), system="elo", who="Ann")
    assert not (tmp_path / "club.arpad").exists()


def test_a_migration_makes_a_copy_first_and_keeps_everything(tmp_path):
    """A second version of the tables, made up here, is reached from the first; the copy still has the first."""
    before = members(club(tmp_path)).export()
    scripts = second_version(tmp_path)
    path = str(tmp_path / "club.arpad")
    migrated = store.open_store(path, scripts=scripts)
    with migrated.reading() as connection:
        columns = [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(decision)")]
    assert columns[-1] == "note"
    assert ledger.open(f"{path}.0001.copy").export() == before
    with pytest.raises(BadFile, match="newer Arpad"):
        ledger.open(path)


def test_a_migration_that_fails_leaves_the_old_state(tmp_path):
    before = members(club(tmp_path)).export()
    scripts = tmp_path / "migrations"
    shutil.copytree(store.SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "v0002_wrong.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\nrevision = '0002'\ndown_revision = '0001'\n\n"
        "def upgrade():\n    op.create_table('more', sa.Column('id', sa.Integer))\n    op.execute('SELECT nothing')\n",
        encoding="utf-8",
    )
    path = str(tmp_path / "club.arpad")
    with pytest.raises(BadFile):
        store.open_store(path, scripts=str(scripts))
    assert ledger.open(path).export() == before


def test_of_two_writers_one_is_told_to_look_again(tmp_path):
    one = members(club(tmp_path))
    other = ledger.open(str(tmp_path / "club.arpad"), clock=lambda: AT)
    seen = other.preview_game("Ann Baker 1-0 Carl Dorn")
    one.accept(one.preview_game("Eve Evans 1-0 Carl Dorn"), who="Ann")
    with pytest.raises(Busy, match="decided something"):
        other.accept(seen, who="Carl")
    assert [event.name for event in other.book.events.values()] == ["Eve Evans – Carl Dorn"]


def test_a_decision_that_meets_another_in_the_same_moment_is_refused(tmp_path):
    """Both have read the same state; the file itself keeps the second one out."""
    one = members(club(tmp_path))
    decision = one.decisions()[-1]
    again = decision._replace(number=decision.number, based_on=decision.number - 1)
    with pytest.raises(Busy):
        one.store.add([again])


def test_a_full_disk_leaves_the_old_state(tmp_path):
    """The database may grow no further: what is written then is refused, and nothing of it is there."""
    book = members(club(tmp_path))
    before = book.export()
    with book.store.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    from sqlalchemy import event

    @event.listens_for(book.store.engine, "connect")
    def full(connection, _record):
        connection.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(BadFile, match="disk is full"):
        book.change_person("P1", pseudonym="x" * 50_000, who="Ann")
    assert ledger.open(str(tmp_path / "club.arpad")).export() == before


def test_the_same_in_postgresql(tmp_path):
    """The same decisions give the same log and the same list in both engines, byte for byte."""
    with database() as url:
        here, there = members(club(tmp_path)), members(club(url))
        for book in (here, there):
            book.accept(book.preview_game("Ann Baker 1-0 Carl Dorn"), who="Ann", why="club night")
            book.publish(who="Ann")
        assert here.export() == there.export()
        assert here.list().content == there.list().content
        assert there.verify().whole
        stale = there.preview_game("Eve Evans 1-0 Carl Dorn")
        there.accept(there.preview_game("Ann Baker 0-1 Carl Dorn"), who="Ann")
        with pytest.raises(Busy):
            there.accept(stale, who="Ann")
        with pytest.raises(BadInput, match="already"):
            club(url)


def test_the_scripts_are_in_the_package():
    assert os.path.commonpath([store.SCRIPTS, ledger.__file__]) == str(Path(ledger.__file__).parent)
