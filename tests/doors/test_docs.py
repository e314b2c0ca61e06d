"""The documentation is true: every block runs, and everything public is in it."""

import ast
import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import pytest
from offenders import none_of

import arpad
from arpad import errors
from arpad.cli import command_spec, commands, main
from arpad.cli.help import examples_of
from conftest import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
# The reference is made from all public names, so being in it proves nothing.
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES if page.name != "reference.md")
# A block that is marked belongs to a package that tests/doors/test_outside_system.py builds.
BLOCK = re.compile(r"^(?<!-->\n)```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


EXAMPLE_FILES = ROOT / "docs" / "examples"


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """Where the pages are followed: a folder with the example files, and their lists imported as the pages say."""
    from arpad.lists import import_list, recognise

    folder = tmp_path_factory.mktemp("here")
    shutil.copytree(EXAMPLE_FILES, folder, dirs_exist_ok=True)
    club = (folder / "riverside.toml").read_text(encoding="utf-8")
    for name, since in {"undated": "", "late": "since = 2026-03-01"}.items():  # the mistakes that a page shows
        changed = club.replace("since   = 2026-01-01", since, 1)
        (folder / f"{name}.toml").write_text(changed, encoding="utf-8")
    data = str(tmp_path_factory.mktemp("lists"))
    for month in ("oct26", "nov26"):
        import_list(recognise(str(EXAMPLE_FILES / f"standard_{month}frl.txt")), data=data)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ARPAD_DATA", data)
        patched.chdir(folder)
        yield folder


def blocks(kind):
    """The blocks of a kind; the Python of a tutorial is one program, which tests/doors/test_tutorials.py runs."""
    return [
        pytest.param(match[2], id=f"{page.relative_to(ROOT)}#{number}")
        for page in PAGES
        for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")), start=1)
        if match[1] == kind and not (kind == "python" and page.parent.name == "tutorials")
    ]


def typed(line):
    """What a command prints, on either stream."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(shlex.split(line)[1:])
    return code, out.getvalue()


@pytest.mark.parametrize("block", blocks("console"))
def test_console_block(block):
    """What the documentation shows is what the command prints; a command without output shown is only run."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        if not line.startswith("arpad "):
            continue
        code, printed = typed(f"{line} --force" if line.startswith("arpad example") else line)
        refused = shown.startswith("arpad: ") and "\n" not in shown.strip()
        assert code == (2 if refused else 1 if "\nrejected rows  1" in shown else 0), printed
        if shown.strip():
            assert printed.rstrip() == shown.rstrip()


@pytest.mark.parametrize("block", blocks("python"))
def test_python_block(block):
    """Every Python example runs, and what its comments promise holds."""
    scope = {}
    lines = block.splitlines()
    for node in ast.parse(block).body:
        promised = lines[node.end_lineno - 1].partition("  # ")[2]
        code = ast.get_source_segment(block, node)
        if isinstance(node, ast.Expr) and promised and not code.startswith("print("):
            assert repr(eval(code, scope)) == promised.strip()  # noqa: S307  # our own documentation
        else:
            exec(code, scope)  # noqa: S102  # our own documentation


# What an example of the help needs that is not at hand: a server that runs on, FIDE's own list, or files of the user's.
NOT_RUN = (
    "arpad serve", "arpad desk", "arpad mcp", "arpad ledger", "arpad list fetch", "arpad list find", "arpad list show",
    "arpad list import players_list.zip", "arpad list import club.csv", "arpad bulk 'november/*.csv'",
)  # fmt: skip
EXAMPLES = [line for name in commands() for line in examples_of(command_spec(name))]


def test_few_examples_of_the_help_are_not_run():
    """The list above has nothing that is gone."""
    assert [line for line in NOT_RUN if not any(example.startswith(line) for example in EXAMPLES)] == []


@pytest.mark.parametrize("line", [line for line in EXAMPLES if not line.startswith(NOT_RUN)])
def test_example_of_the_help(line, folder, tmp_path, monkeypatch):
    """Every other example in a command's help works where `arpad example --all` has written the files."""
    shutil.copytree(folder if line.startswith("arpad list") else EXAMPLE_FILES, tmp_path, dirs_exist_ok=True)
    if line.startswith("arpad example"):
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()
    if line.startswith("arpad list"):  # which changes what is imported
        shutil.copytree(os.environ["ARPAD_DATA"], tmp_path / "lists")
        monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "lists"))
    monkeypatch.chdir(tmp_path)
    code, printed = typed(line)
    assert code == (1 if "club-games.csv" in line else 0), printed  # one of those games is rejected
    written = re.findall(r"--(?:to|out|chart|rejected) (\S+\.\w+)", line)
    assert all((tmp_path / name).stat().st_size for name in written)


def named_as_code(name):
    """Whether a page has a name in backquotes, called there or not, behind `arpad.`, in quotes, or imported."""
    word = re.escape(name)
    ways = (rf"`(arpad\.)?{word}(\([^`]*)?`", rf"\barpad\.{word}\b", rf"\bfrom arpad import [^\n]*\b{word}\b")
    return any(re.search(way, TEXT) for way in ways)


def test_everything_public_is_documented():
    """A command that no page mentions fails the build, and a name or a system that none shows as code; so do errors."""
    raised = [name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)]
    none_of(
        [
            *(f"arpad {name}" for name in commands() if f"arpad {name}" not in TEXT),
            *(name for name in (*arpad.__all__, *arpad.system_names()) if not named_as_code(name)),
            *(name for name in raised if name not in TEXT),
        ]
    )


def test_links_lead_somewhere():
    """Every link to another page of ours finds it."""
    none_of(
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    )


def test_generated_pages_are_up_to_date():
    """`make docs` would change nothing."""
    line = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_every_page_is_in_the_navigation_of_the_site():
    """A page that the site's menu forgets fails the build; decisions are reached from their index."""
    with (ROOT / "zensical.toml").open("rb") as file:
        menu = re.findall(r"[\w/-]+\.md", str(tomllib.load(file)["project"]["nav"]))
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert sorted(menu) == sorted(page for page in pages if not re.match(r"decisions/\d", page))


def test_readme_and_changelog():
    """The README is one screen: what, two commands, some output, links. The changelog has this version."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme
    assert len(readme.splitlines()) <= 50
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {arpad.__version__}" in text
    assert "### Rules" in text
