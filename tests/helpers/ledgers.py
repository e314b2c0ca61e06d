"""Ledgers of an invented club, and a PostgreSQL server for as long as a test needs one."""

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from datetime import UTC, date, datetime
from glob import glob
from itertools import count as numbers
from pathlib import Path
from threading import Thread

import pytest
from hosts import free_port

from arpad import ledger
from arpad.ledger import store

NUMBERS = numbers(1)
AT = datetime(2026, 11, 18, 12, tzinfo=UTC)
MEMBERS = b"Name,Born,Sex,Rating\nBaker Ann,1980,w,1600\nDorn Carl,1990,m,1500\nEvans Eve,2012,w,\n"


def club(place, system="elo", *, start=1500, **more):
    """A new ledger in a folder, or at a URL."""
    where = str(place) if "://" in str(place) else str(place / "club.arpad")
    return ledger.new(where, system=system, start=start, who="Ann", clock=lambda: AT, **more)


def members(book):
    """The ledger with three members, of whom two have a rating since the beginning of the year."""
    preview = book.preview_members(MEMBERS, pool=next(iter(book.book.pools)), day=date(2026, 1, 1), name="members.csv")
    book.accept_members(preview, who="Ann")
    return book


def play(book, text, **more):
    """One game, accepted."""
    return book.accept(book.preview_game(text, **more), who="Ann")


def games(book, rows, name, day, *, end=None, pool=None, who="Ann"):
    """A table of games, accepted; names are those of members, or new."""
    table = "White,Black,Result\n" + "".join(f"{white},{black},{result}\n" for white, black, result in rows)
    preview = book.preview(table.encode(), name=f"{name}.csv", called=name, start=day, end=end, pool=pool)
    return book.accept(preview.settle(same_names=True, anyway=True), who=who)


def ratings(book, pool=None):
    """The ratings of the list of the ledger's day, by name."""
    return {line.name: line.rating for line in book.list(pool=pool, live=True).players}


@contextmanager
def database():
    """The URL of an empty database of a PostgreSQL server that runs as long as this; skips if none is installed."""
    found = sorted(glob("/usr/lib/postgresql/*/bin/initdb")) or [shutil.which("initdb")]
    if found[-1] is None:
        if os.environ.get("CI") and "postgresql" not in os.environ.get("ARPAD_WITHOUT", "").split(","):
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed")
    programs = Path(found[-1]).parent
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="arpad-pg-") as folder:
        if user:
            shutil.chown(folder, "postgres")
        data = f"{folder}/data"

        def run(*words):
            subprocess.run([*user, *words], check=True, stdout=subprocess.DEVNULL, cwd=folder)

        line = ["-D", data, "-U", "arpad", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        run(str(programs / "initdb"), *line)
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        control = [str(programs / "pg_ctl"), "-D", data, "-w", "-l", f"{folder}/log"]
        run(*control, "-o", options, "start")
        try:
            yield f"postgresql+psycopg://arpad@127.0.0.1:{port}/postgres"
        finally:
            run(*control, "-m", "immediate", "stop")


def new_database(url):
    """The URL of an empty database of a server."""
    from sqlalchemy import create_engine, text

    name = f"club{next(NUMBERS)}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return f"{url.rpartition('/')[0]}/{name}"


def second_version(folder):
    """The scripts of the migration, with a second version of the tables that is made up."""
    scripts = folder / "migrations"
    shutil.copytree(store.SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "v0002_more.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\nrevision = '0002'\ndown_revision = '0001'\n\n"
        "def upgrade():\n    with op.batch_alter_table('decision') as table:\n"
        "        table.add_column(sa.Column('note', sa.Text, nullable=True))\n",
        encoding="utf-8",
    )
    return str(scripts)


def decide_and_die(path, what, moment, scripts, report):
    """Do something in a process of its own, which is killed at a moment; if it is not, it reports how many there were.

    A moment is a call of the database, or a step of SQLite's machine, so that none can be missed on a slow one.
    """
    from sqlalchemy import Engine, event

    book = None if what == "migrate" else ledger.open(path, clock=lambda: AT)
    preview = book and book.preview_game("Ann Baker 1-0 Eve Evans, 2026-06-01")
    people = book and book.preview_members(b"Name,Born,Rating\nHill Rose,1970,1500\n", name="more.csv")
    seen = 0

    def count(*_):
        nonlocal seen
        seen += 1
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    if what != "publish":  # which only reads the ledger
        for name in ("begin", "before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(Engine, name, count)
        event.listen(Engine, "connect", lambda connection, _: connection.set_progress_handler(count, 1))
    {
        "add": lambda: book.accept_members(people, who="Ann"),
        "accept": lambda: book.accept(preview, who="Ann"),
        "correct": lambda: book.change_event(3, excluded=True, who="Ann"),
        "freeze": lambda: book.publish(date(2026, 7, 1), who="Ann"),
        "publish": lambda: publish_counting(book, f"{path}-site", count),
        "migrate": lambda: store.open_store(path, scripts=scripts),
    }[what]()
    Path(report).write_text(str(seen), encoding="utf-8")


def publish_counting(book, folder, count):
    """Publish the pages; each file that gets its name is a moment more."""
    from arpad.formats import saving
    from arpad.reports.ledger_site import publish_ledger

    rename = saving.os.replace

    def replace(*given):
        count()
        rename(*given)
        count()

    saving.os.replace = replace
    publish_ledger(book, folder)


@contextmanager
def on_a_page(book, site=None):
    """The address of a ledger's page, served as `arpad ledger open` does."""
    from arpad.cli.ledger_open import server_of
    from arpad.cli.serve import listen
    from arpad.web.ledger import LedgerPage
    from arpad.web.ledger_guard import Guard

    listening = listen("127.0.0.1", 0)
    server = server_of(LedgerPage(book, Guard("Ann"), site))
    serving = Thread(target=server.run, kwargs={"sockets": [listening]})
    serving.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        serving.join()
