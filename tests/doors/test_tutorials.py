"""The tutorials: the blocks of a page, one after another, are a program that runs and passes strict type checks."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, library

FOLDER = ROOT / "docs" / "tutorials"
PAGES = [page for page in sorted(FOLDER.glob("*.md")) if page.name != "README.md"]
BIN = Path(sys.executable).parent
UNUSED = "reportUnusedExpression=false, reportUnusedCallResult=false"  # a notebook shows what a cell ends with
MYPY = ["--strict", "--disallow-any-expr", "--follow-imports=silent", "--python-executable", sys.executable]


CHECKS = {"mypy": MYPY, "basedpyright": ["--pythonpath", sys.executable]}


def program_of(page):
    """The Python blocks of a page, with empty lines for the prose, so that an error names the page's own line.

    A block below a mark such as `<!-- django -->` is the same for another library, which has a test of its own.
    """
    lines, inside, before = [], False, ""
    for line in page.read_text(encoding="utf-8").splitlines():
        before, above = line, before
        if line.startswith("```"):
            inside = line == "```python" and not above.startswith("<!--")
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join([*lines, ""])


def test_there_are_five():
    """A bot, a monthly job, an upload, a notebook and a class of juniors; the index names each."""
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\((\w+\.md)\)", index)) == [page.name for page in PAGES]
    assert len(PAGES) == 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_runs(page, tmp_path):
    """Every block runs in its order, in a folder of its own with the example files."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path, dirs_exist_ok=True)
    scope = {"__name__": page.stem}  # a module, for the dataclasses in it
    with contextlib.chdir(tmp_path), pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, page.stem, type(sys)(page.stem))
        exec(compile(program_of(page), str(page), "exec"), scope)  # noqa: S102  # our own documentation


def marked(page, mark):
    """What a page's program has, and the block below a mark."""
    text = page.read_text(encoding="utf-8")
    block = re.search(rf"<!-- {mark} -->\n```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1]
    scope = {"__name__": page.stem}
    exec("from html import escape\nimport arpad\nLARGEST = 5_000_000\n" + block, scope)  # noqa: S102  # our own page
    return scope


OPEN = (ROOT / "docs" / "examples" / "open.trf").read_bytes()
BROKEN = "The file is empty. (at empty.trf)"


def test_the_upload_in_django():
    """The view gets requests as Django makes them; each mistake has its answer."""
    conf = library("django.conf")
    if not conf.settings.configured:
        conf.settings.configure(DEFAULT_CHARSET="utf-8", USE_I18N=False)
    factory = library("django.test").RequestFactory()
    upload = library("django.core.files.uploadedfile").SimpleUploadedFile
    scope = marked(FOLDER / "upload.md", "django")
    view = scope["upload_view"]
    shown = view(factory.post("/", {"file": upload("open.trf", OPEN)}))
    assert (shown.status_code, "Lindqvist, Aron 2413" in shown.content.decode()) == (200, True)
    empty = view(factory.post("/", {"file": upload("broken.trf", b"nothing")}))
    assert (empty.status_code, "broken.trf" in empty.content.decode()) == (400, True)
    assert view(factory.post("/")).status_code == 400
    assert view(factory.get("/")).status_code == 405
    scope["LARGEST"] = 100  # a file larger than the page's limit would be left open
    assert view(factory.post("/", {"file": upload("open.trf", OPEN)})).status_code == 413


def test_the_upload_in_flask():
    """The same with Flask's."""
    library("flask")
    site = marked(FOLDER / "upload.md", "flask")["site"]
    client = site.test_client()

    def post(**files):
        return client.post("/", data=files)

    shown = post(file=(io.BytesIO(OPEN), "open.trf"))
    assert (shown.status_code, "Lindqvist, Aron 2413" in shown.text) == (200, True)
    empty = post(file=(io.BytesIO(b""), "empty.trf"))
    assert (empty.status_code, empty.text) == (400, BROKEN)
    assert post().status_code == 400
    site.config["MAX_CONTENT_LENGTH"] = 100  # for the same reason
    assert post(file=(io.BytesIO(OPEN), "open.trf")).status_code == 413


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """A folder with every program."""
    folder = tmp_path_factory.mktemp("programs")
    for page in PAGES:
        marked = f"# pyright: strict, reportAny=error, {UNUSED}\n" + program_of(page)
        (folder / f"{page.stem}.py").write_text(marked, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT / "src"}"]}}', encoding="utf-8")
    return folder


@pytest.mark.parametrize("tool", CHECKS)
def test_the_tutorials_pass_strict_checks(tool, programs):
    """No `Any` comes out of the library, and no literal or argument is wrong."""
    where = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    names = [f"{page.stem}.py" for page in PAGES]
    line = [str(BIN / tool), *CHECKS[tool], *names]
    ran = subprocess.run(line, cwd=programs, env=where, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
