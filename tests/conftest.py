"""What tests share: the outside material and programs that CI must have and others may lack."""

import importlib
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "helpers")]

import examples  # noqa: E402, F401  # the profiles of Hypothesis, before a test file is read

# A shell turns interrupts off for what it starts in the background; tests send them to processes of their own.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

# What `make test` leaves to `make test-slow`, by the beginning of a test's name below this folder.
SLOW = (
    "browser/",
    "bulk/test_cluster.py",
    "bulk/test_spark.py",
    "bulk/test_spark_files.py",
    "doors/test_client.py",
    "doors/test_docs_site.py",
    "doors/test_release.py",
    "doors/test_supply.py",
    "doors/test_typescript.py",
    "doors/test_wheel.py",
    "forecast/test_season.py::test_the_work_is_bounded",
    "fuzz/",
    "house/test_patterns.py",
    "ledger/test_killed.py",
    "ledger/test_log.py::test_any_undo_in_a_long_history",
    "questions/test_declarations.py::test_notes_name_fields_that_the_question_has[outlook-icu]",
    "real/",
    "static_site/",
    "web/test_deploy.py",
    "web/test_event_loop.py::test_the_dearest_question_of_every_route_leaves_the_loop_alone",
)
SLOW_ENGINE = "postgresql"  # the half of the ledger's tests that needs a server
# What `make test` keeps of it, so that a broken door is seen at once.
KEPT = (
    "browser/test_accessible.py::test_every_page[calculator]",
    "browser/test_names.py::test_a_name_is_completed[marchet]",
    "browser/test_page.py::test_keyboard_only",
    "browser/test_page.py::test_outlook_by_typing",
    "browser/test_page.py::test_without_javascript",
    "browser/test_page.py::test_worked_figures_by_typing",
    "browser/test_paste.py::test_a_german_card_on_a_phone_with_a_keyboard",
    "bulk/test_spark.py::test_a_small_period_is_that_of_one_machine",
    "static_site/test_site_python.py::test_every_case_has_the_same_answer[elo]",
)
# What one worker process does alone, because it has the only browser, build or session; other files stay whole too.
TOGETHER = {
    "browser/": "browser",
    "bulk/test_cluster.py": "spark",
    "bulk/test_spark.py": "spark",
    "bulk/test_spark_files.py": "spark",
    "static_site/": "static site",
}
BROWSED = ("browser/", "static_site/test_site_browser.py")  # where the browser stays open from test to test


def name_of(item):
    """The name of a test below this folder."""
    return item.nodeid.removeprefix("tests/")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what is slow; the marker is in the tables above and nowhere else."""
    for item in items:
        name = name_of(item)
        if (name.startswith(SLOW) or SLOW_ENGINE in name.partition("[")[2]) and not name.startswith(KEPT):
            item.add_marker("slow")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each worker process a whole file or group at a time.

    The marker `xdist_group` has no effect with pytest 9.2 (pytest-xdist issue 1386): two workers had a session each.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            name = file.removeprefix("tests/")
            return next((group for beginning, group in TOGETHER.items() if name.startswith(beginning)), file)

    return Together(config, log)


def require(what, *, there, line):
    """Skip with a clear line where something is not there; with CI set fail instead, unless ARPAD_WITHOUT names it."""
    if there:
        return
    if os.environ.get("CI") and what not in os.environ.get("ARPAD_WITHOUT", "").split(","):
        pytest.fail(line, pytrace=False)
    pytest.skip(line, allow_module_level=True)


def library(name):
    """A library that an extra brings, by its dotted name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        require(name, there=False, line=f"{name} is not installed")


def shared(name):
    """A file of the folder of outside material."""
    path = SHARED / name
    require("shared", there=path.exists(), line=f"the outside material ../shared/{name} is not here")
    return path


@pytest.fixture(scope="session", autouse=True)
def _patient():
    """On a busy machine a heavy question may take longer than a user should wait."""
    from arpad.web.settings import EMBEDDED

    object.__setattr__(EMBEDDED, "seconds", 300)  # which is frozen


@pytest.fixture(scope="session")
def client():
    """The web application without a network; it sees faults as answers, as a browser would."""
    from starlette.testclient import TestClient

    from arpad.web.app import create_app

    with TestClient(create_app(), raise_server_exceptions=False) as found:
        yield found


@pytest.fixture(scope="session")
def spark():
    """A Spark session on two cores; Java is required in CI and its lack is a clear skip elsewhere."""
    require("java", there=shutil.which("java"), line="Java is missing; `make java` installs it where it may")
    from arpad.bulk.engines.spark import session

    found = session("local[2]")
    yield found
    found.stop()


@pytest.fixture(scope="session")
def address():
    """Where `arpad serve` listens, for all browser tests of a process."""
    import chromium

    with chromium.server() as found:
        yield found


@pytest.fixture(scope="module")
def opened():
    """Debian's Chromium, which the tests of a process share; it is closed when others follow (see below)."""
    import chromium

    require("chromium", there=chromium.CHROMIUM, line="Chromium is not installed; try `make browser`")
    return chromium.opened()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem):
    """Close the browser before a test that needs none, because that may need an event loop of its own."""
    if "chromium" in sys.modules and (nextitem is None or not name_of(nextitem).startswith(BROWSED)):
        sys.modules["chromium"].closed()


@pytest.fixture(scope="module")
def usual(opened, address):
    """The usual visitor of a module's pages, who forgets everything after each test."""
    import chromium

    context = chromium.visitor(opened, address)
    yield context
    context.close()


@pytest.fixture
def open_page(opened, address, usual):
    """A page by its path, in a browser that remembers nothing yet."""
    import chromium

    with chromium.pages(opened, address, usual) as make:
        yield make


@pytest.fixture
def data(tmp_path):
    """A folder for rating lists, with none in it yet."""
    return str(tmp_path / "data")


@pytest.fixture(scope="session")
def database_server():
    """The URL of a PostgreSQL server, started when the first test needs it."""
    from ledgers import database

    with database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """Where a ledger may be: a folder for its file, or the URL of an empty database."""
    from ledgers import new_database

    return tmp_path if request.param == "sqlite" else new_database(request.getfixturevalue("database_server"))
