"""The documentation as a website: nothing comes from another host, and no script of ours is published."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from offenders import none_of

from conftest import ROOT, library

# What makes a browser fetch something: not a link that somebody may follow.
ELSEWHERE = r"[\"']?((?:https?:)?//[^\"' >]+)"
RELATIONS = "stylesheet|preconnect|preload|icon|dns-prefetch|modulepreload"
FETCHED = re.compile(
    rf"<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc={ELSEWHERE}"
    rf"|<link\b(?=[^>]*\brel=[\"']?(?:{RELATIONS}))[^>]*\bhref={ELSEWHERE}"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make docs-site` builds it."""
    library("zensical")
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "zensical.toml", folder)
    line = [str(Path(sys.executable).parent / "zensical"), "build", "--clean", "--strict"]
    ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder / "site"


def test_nothing_comes_from_another_host(site):
    """No font, script, picture or style, and no connection prepared for one; the styles fetch nothing either."""
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 50
    none_of(f"{page.name}: {found}" for page in pages for found in FETCHED.findall(page.read_text("utf-8")))
    styles = "".join(style.read_text("utf-8") for style in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)]+", styles) == []


def test_the_scripts_that_make_the_pages_are_not_published(site):
    """Nor the list of words for codespell; the example files are."""
    published = {path.name for path in site.rglob("*") if path.is_file()}
    assert not {name for name in published if name.endswith(".py")}
    assert "words-we-do-not-use.txt" not in published
    assert {"open.trf", "calculator.png"} <= published


def test_the_site_begins_with_an_install_line_and_a_tour(site):
    """What a visitor sees first."""
    text = (site / "index.html").read_text("utf-8")
    words = re.sub(r"<[^>]+>", "", text[text.index("<article") :])
    assert words.index("pip install arpad") < words.index("Two minutes") < words.index("you want")
