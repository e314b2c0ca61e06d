"""What tests share: the outside material and programs that CI must have and others may lack."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "helpers")]

# How long one example takes says more about the machine than about the code; what CI finds, everybody can find again.
settings.register_profile(
    "arpad", deadline=None, derandomize=bool(os.environ.get("CI")), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arpad")

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"


def require(what, *, there, line):
    """Skip with a clear line where something is not there; with CI set fail instead, unless ARPAD_WITHOUT names it."""
    if there:
        return
    if os.environ.get("CI") and what not in os.environ.get("ARPAD_WITHOUT", "").split(","):
        pytest.fail(line, pytrace=False)
    pytest.skip(line, allow_module_level=True)


def shared(name):
    """A file of the folder of outside material."""
    path = SHARED / name
    require("shared", there=path.exists(), line=f"the outside material ../shared/{name} is not here")
    return path


@pytest.fixture(scope="session", autouse=True)
def _patient():
    """On a busy machine a heavy question may take longer than a user should wait."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("arpad.web.workers.LONGEST_REQUEST", 60.0)
        yield


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
    if shutil.which("java") is None and not os.environ.get("CI"):
        pytest.skip("Java is missing; `make java` installs it where it may")
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
    """Debian's Chromium; as long as it is open no other event loop can run, so each module has its own."""
    import chromium

    require("chromium", there=chromium.CHROMIUM, line="Chromium is not installed; try `make browser`")
    with chromium.browser() as found:
        yield found


@pytest.fixture
def open_page(opened, address):
    """A page by its path, in a browser that remembers nothing yet."""
    import chromium

    with chromium.pages(opened, address) as make:
        yield make


@pytest.fixture
def data(tmp_path):
    """A folder for rating lists, with none in it yet."""
    return str(tmp_path / "data")
