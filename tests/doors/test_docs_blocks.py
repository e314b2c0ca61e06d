"""Blocks of the documentation that are neither console nor Python: each is run or read here, or is named as a picture.

tests/doors/test_docs.py runs the console and Python blocks, tests/doors/test_tutorials.py the tutorials, and
tests/doors/test_outside_system.py the package of docs/add-a-system.md.
"""

import json
import re
import shlex
import tomllib
from configparser import ConfigParser
from datetime import date

import duckdb
import pytest

import arpad
import arpad.lists
from arpad.cli import command_spec, commands, main
from arpad.cli.words import split
from arpad.messages import subject_texts
from arpad.questions import read_question
from conftest import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^(<!-- [^\n]* -->\n)?```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = ROOT / "docs" / "examples"
# What is no code, by the words it begins with: drawings and tables of measurements.
SHOWN = {
    "docs/add-a-system.md": ["pyproject.toml\narpad_bramble"],
    "docs/architecture.md": [" doors "],
    "docs/chances.md": ["2019, standard"],
    "docs/outlook.md": ["58560 games", "                 exact"],
}


def blocks():
    """Page, language and text of every block that another test does not run."""
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        if name not in {"docs/commands.md", "docs/reference.md"}:  # made by docs/generate.py, compared in test_docs
            for marked, kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
                if kind not in {"console", "python"} and not marked.startswith(("<!-- file", "<!-- in")):
                    yield name, kind, text


def ask(client, path, **body):
    """The answer to a question over HTTP."""
    found = client.post(path, json=body["json"]) if body else client.get(path)
    assert found.status_code == 200, found.text
    return found


def followed(name, kind, text, client, tmp_path, monkeypatch):  # noqa: C901, PLR0912  # a branch for each kind of block
    """Do what a block says; false if nobody knows how."""
    monkeypatch.chdir(tmp_path)
    if kind == "sh":
        for line in shlex_lines(text):
            shell_line(line, client)
    elif kind == "toml" and name == "docs/add-a-system.md":
        assert text == (EXAMPLES / "riverside.toml").read_text(encoding="utf-8")
    elif kind == "toml":
        (tmp_path / "given.toml").write_text(text, encoding="utf-8")
        line = (
            ["rate", "--period", "given.toml"] if "base" in tomllib.loads(text) else ["outlook", "--plan", "given.toml"]
        )
        assert main(line) == 0
    elif kind == "json" and "mcpServers" in text:
        assert json.loads(text)["mcpServers"]["arpad"]["args"] == ["mcp"]
        assert "mcp" in commands()
    elif kind == "json" and name == "docs/api.md":
        body = {"rating": 1750, "event": [{"game": ["1950:win"]}, {"game": ["1950:foo"]}]}
        given = client.post("/api/v1/fide-standard/period", json=body)
        shown, real = json.loads(text), given.json()
        assert shown.keys() == real.keys()
        assert all(
            re.fullmatch(re.escape(str(value)).replace("…", ".*"), str(real[key])) for key, value in shown.items()
        )
    elif kind == "json":
        assert ask(client, "/api/v1/fide-standard/season", json=json.loads(text)).json()["ok"]
    elif kind == "ini":  # a piece of a message file
        assert message_lines(text) <= subject_texts("en", "hero").items()
    elif kind == "csv":
        assert text in {path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.csv")}
    elif kind == "sql":
        nov = arpad.lists.recognise(str(EXAMPLES / "standard_nov26frl.txt"))
        arpad.lists.import_list(nov, data=str(tmp_path))
        with duckdb.connect(str(next(tmp_path.glob("*.duckdb"))), read_only=True) as database:
            rows = database.execute(text).fetchall()
        assert sum(count for _, count, _ in rows) == 9  # one of the ten has no rating
    elif kind == "html":
        ask(client, re.search(r'src="https://[^/]+(/\w+)"', text)[1])
    elif kind == "text" and text.startswith("Content-Security-Policy"):
        for line in text.splitlines():
            value = line.partition(": ")[2]
            assert all(
                value in (ROOT / "deploy" / place).read_text() for place in ("site-nginx.conf", "site.Caddyfile")
            )
    elif kind == "text" and text.startswith("/api/v1/fide-standard/rate  "):
        for line in text.splitlines():
            path, _, body = line.partition("  ")
            if "lists" not in path:  # of which there are none here
                ask(client, path, json=json.loads(body))
    elif kind == "text" and text.startswith("/"):
        ask(client, re.sub(r"\n\s+", "", text.strip()))
    elif kind == "text" and text.startswith("1950 win"):
        found = arpad.read_paste(text)
        assert (len(found.games), found.left_out) == (len(text.splitlines()), ())
    elif kind == "text" and text.startswith("arpad "):
        shell_line(text.strip(), client)
    else:
        return any(text.startswith(beginning) for beginning in SHOWN.get(name, ()))
    return True


def message_lines(text):
    """The keys of a piece of a message file with their texts."""
    given = ConfigParser(interpolation=None)
    given.read_string(text)
    return {(f"{part}.{key}", said) for part in given.sections() for key, said in given[part].items()}


def shlex_lines(text):
    """The lines of a shell block, with those that go on in the next put together."""
    return text.replace("\\\n", " ").splitlines()


def shell_line(line, client):
    """Read a command of ours as the command reads it, ask what curl asks, and find the targets of make."""
    words = shlex.split(line, comments=True)
    if words[0] == "arpad":
        length = 2 if " ".join(words[1:3]) in commands() else 1
        spec = command_spec(" ".join(words[1 : 1 + length]))
        rest = words[1 + length :]
        given = split(spec, rest[: rest.index("<")] if "<" in rest else rest).given
        read_question(spec, given, today=date(2026, 11, 15), door="command")
    elif words[0] == "curl":
        path = re.sub(r"^http://[\w.:]+", "", next(word for word in words if word.startswith("http")))
        ask(client, path, **({"json": json.loads(words[words.index("-d") + 1])} if "-d" in words else {}))
    elif words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    elif words[:2] == ["pip", "install"]:
        extras = re.fullmatch(r"arpad(?:\[([\w,]+)\])?", words[2])[1]
        with (ROOT / "pyproject.toml").open("rb") as file:
            known = tomllib.load(file)["project"]["optional-dependencies"]
        assert extras is None or set(extras.split(",")) <= set(known)
    else:
        assert words[0] in {"pre-commit", "python", "export", "sha256sum"}, line


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [pytest.param(*block, id=f"{block[0]}#{number}") for number, block in enumerate(blocks())],
)
def test_a_block_is_true(name, kind, text, client, tmp_path, monkeypatch):
    """A block of a kind that no test knows how to follow fails here."""
    assert followed(name, kind, text, client, tmp_path, monkeypatch), f"{name}: nothing follows this {kind} block"
