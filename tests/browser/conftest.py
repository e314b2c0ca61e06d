"""One server and one Chromium for all browser tests of a worker; without Chromium they are skipped, in CI they fail."""

import os

import chromium
import pytest


def _have(what, there):
    if there:
        return
    message = f"{what}; `make browser` installs it where it may"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def address():
    """Where `arpad serve` listens."""
    with chromium.server() as found:
        yield found


@pytest.fixture(scope="session")
def opened():
    """Debian's Chromium."""
    _have("Chromium is not installed", chromium.CHROMIUM)
    with chromium.browser() as found:
        yield found


@pytest.fixture
def new_page(opened, address):
    """A page by path; every request it makes must stay on its own origin, and nothing may go wrong in its console."""
    contexts, requests, problems = [], [], []

    def make(path="/", **options):
        context = opened.new_context(base_url=address, locale="en-GB", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.set_default_timeout(10_000)
        if path is not None:
            page.goto(path)
        return page

    make.requests, make.problems = requests, problems
    yield make
    for context in contexts:
        context.close()
    strangers = [url for url in requests if not url.startswith((address, "data:", "blob:"))]
    assert strangers == []
    assert [problem for problem in problems if "status of 4" not in problem] == []
