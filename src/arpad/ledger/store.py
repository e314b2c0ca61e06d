"""The file of a ledger: its tables, how it is made, opened and migrated, and how a decision gets into it.

The truth is two tables to which rows are only added: `decision`, the log, and `submission`, the bytes that came in.
A third, `frozen_list`, has the lists that were published; each can be made again from the log up to its decision.

SQLite is used with a write-ahead log, foreign keys and full synchronisation: a decision is in the file completely or
not at all, whatever ends the program. The same tables work in PostgreSQL, by URL.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    create_engine,
    event,
    func,
    insert,
    select,
)
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError
from sqlalchemy.pool import NullPool

from arpad.errors import BadFile, BadInput, Busy, cause
from arpad.formats.saving import beside
from arpad.ledger.decisions import Decision, Submission, digest_of
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

APPLICATION = 0x41525044  # what SQLite's header says about the file: "ARPD"
SCRIPTS = os.path.join(os.path.dirname(__file__), "migrations")
WAIT = 5000  # milliseconds that a writer waits for another
URL = "://"

TABLES = MetaData()
SUBMISSION = Table(
    "submission",
    TABLES,
    Column("hash", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
DECISION = Table(
    "decision",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("based_on", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("submission", Text, ForeignKey("submission.hash")),
    Column("digest", Text, nullable=False, unique=True),
)
FROZEN = Table(
    "frozen_list",
    TABLES,
    Column("decision", Integer, ForeignKey("decision.number"), primary_key=True, autoincrement=False),
    Column("fingerprint", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Store:
    """An open ledger file, or database."""

    place: str
    engine: Engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state, whatever others write meanwhile."""
        with _explained(self.place), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection whose changes are made completely or not at all; one program at a time has it."""
        with (
            _explained(self.place),
            self.engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            yield connection

    def log(self, *, since: int = 0) -> list[Decision]:
        """The decisions in their order, from the one after a number on."""
        query = select(DECISION).where(DECISION.c.number > since).order_by(DECISION.c.number)
        with self.reading() as connection:
            return [Decision(*row) for row in connection.execute(query)]

    def last(self) -> int:
        """The number of the last decision; 0 in an empty ledger."""
        with self.reading() as connection:
            return _last(connection)

    def submission(self, digest: str) -> Submission | None:
        """What came in with that hash."""
        with self.reading() as connection:
            row = connection.execute(select(SUBMISSION).where(SUBMISSION.c.hash == digest)).first()
        return None if row is None else Submission(*row)

    def submissions(self) -> Iterator[Submission]:
        """Everything that came in, in the order of the hashes."""
        with self.reading() as connection:
            for row in connection.execute(select(SUBMISSION).order_by(SUBMISSION.c.hash)):
                yield Submission(*row)

    def frozen(self, number: int) -> bytes | None:
        """The content of the list that a decision published."""
        query = select(FROZEN.c.content).where(FROZEN.c.decision == number)
        with self.reading() as connection:
            content: bytes | None = connection.execute(query).scalar()
        return content

    def add(
        self,
        decisions: Sequence[Decision],
        *,
        submissions: Sequence[Submission] = (),
        frozen: tuple[str, bytes] | None = None,
    ) -> None:
        """Add decisions to the log, if nobody else has added one since the state that they were based on.

        `frozen` is the fingerprint and the content of the list that the last of them publishes.
        """
        with self.writing() as connection:
            last = _last(connection)
            if last != decisions[0].based_on:
                raise stale(decisions[0].based_on, last)
            try:
                known = set(connection.execute(select(SUBMISSION.c.hash)).scalars())
                new = [one for one in submissions if one.hash not in known]
                if new:
                    connection.execute(insert(SUBMISSION), [one._asdict() for one in new])
                connection.execute(insert(DECISION), [one._asdict() for one in decisions])
            except IntegrityError:  # two writers at once, in a database that lets both begin
                raise stale(decisions[0].based_on, last + 1) from None
            if frozen is not None:
                row = {"decision": decisions[-1].number, "fingerprint": frozen[0], "content": frozen[1]}
                connection.execute(insert(FROZEN), [row])


def stale(based_on: int, last: int) -> Busy:
    """The refusal of a decision that was made on an older state."""
    return Busy(say("ledger.stale", based_on=based_on, last=last), at="based_on")


def _last(connection: Connection) -> int:
    return int(connection.execute(select(func.max(DECISION.c.number))).scalar() or 0)


def broken_chain(log: Sequence[Decision]) -> int | None:
    """The number of the first decision that was changed, left out or put in afterwards; None if the log is whole."""
    before = ""
    for place, decision in enumerate(log, start=1):
        if decision.number != place or digest_of(decision, before) != decision.digest:
            return place
        before = decision.digest
    return None


def create(place: str) -> Store:
    """A new, empty ledger; raises BadInput if there is one already."""
    if URL in place:
        store = Store(place, _engine(place))
        with store.writing() as connection:
            if MigrationContext.configure(connection).get_current_revision() is not None:
                raise BadInput(say("ledger.exists"), at=_shown(place))
        migrate(store.engine)
        return store
    with beside(place) as (part,):
        engine = _engine(part)
        with _explained(place):
            migrate(engine)
        engine.dispose()
        mark = sqlite3.connect(part)
        try:
            mark.execute(f"PRAGMA application_id = {APPLICATION}")
            mark.execute("PRAGMA journal_mode = DELETE")  # everything is in the file itself when it gets its name
        finally:
            mark.close()
    return Store(place, _engine(place))


def open_store(place: str, *, scripts: str = SCRIPTS) -> Store:
    """The ledger at a place; one of an earlier version is copied, then migrated.

    Raises BadFile if there is none, or if a newer Arpad made it.
    """
    if URL not in place:
        _check_file(place)
    store = Store(place, _engine(place))
    with store.reading() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
    directory = ScriptDirectory(scripts)
    newest = directory.get_current_head()
    if revision == newest:
        return store
    if revision is None:
        raise BadFile(say("ledger.not_one"), at=_shown(place))
    try:
        directory.get_revision(revision)
    except CommandError:
        raise BadFile(say("ledger.newer", version=revision, known=newest), at=_shown(place)) from None
    if URL not in place:
        _copy(place, f"{place}.{revision}.copy")
    with _explained(place):
        migrate(store.engine, scripts)
    return store


def migrate(engine: Engine, scripts: str = SCRIPTS) -> None:
    """Bring the tables to the newest version, all steps in one transaction."""
    from alembic import command

    config = Config()
    config.set_main_option("script_location", scripts.replace("%", "%%"))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _check_file(place: str) -> None:
    """Refuse what is no ledger before SQLite would make a file of that name."""
    try:
        with open(place, "rb") as file:
            head = file.read(100)
    except OSError as problem:
        key = "ledger.none" if isinstance(problem, FileNotFoundError) else "formats.file.unreadable"
        raise BadFile(say(key, why=cause(problem)), at=place) from None
    if not head.startswith(b"SQLite format 3\0") or int.from_bytes(head[68:72], "big") != APPLICATION:
        raise BadFile(say("ledger.not_one"), at=place)


def _copy(place: str, to: str) -> None:
    """A copy of the file as it is, with what its write-ahead log has; an earlier copy of the same version stays."""
    if os.path.exists(to):
        return
    with beside(to) as (part,):
        before, after = sqlite3.connect(place), sqlite3.connect(part)
        try:
            before.backup(after)
        finally:
            before.close()
            after.close()


def _engine(place: str) -> Engine:
    if URL in place:
        return create_engine(place, poolclass=NullPool, isolation_level="SERIALIZABLE")
    engine = create_engine(f"sqlite+pysqlite:///{place}", poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin and end as this module says
        for pragma in (f"busy_timeout = {WAIT}", "foreign_keys = ON", "journal_mode = WAL", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def _explained(place: str) -> Iterator[None]:
    """Errors of the database as ours: somebody else is writing, the disk is full, or the file is damaged."""
    try:
        yield
    except OperationalError as problem:
        why = str(problem.orig)
        if "locked" in why or "could not serialize" in why:
            raise Busy(say("ledger.busy"), at=_shown(place)) from None
        raise BadFile(say("ledger.full" if "full" in why else "ledger.unusable", why=why), at=_shown(place)) from None
    except DatabaseError as problem:
        raise BadFile(say("ledger.unusable", why=str(problem.orig)), at=_shown(place)) from None


def _shown(place: str) -> str:
    """A place as errors name it: of an address only what is behind the password."""
    return place.rpartition("@")[2] if URL in place else place
