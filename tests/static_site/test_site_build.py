"""The build of the static site: what goes in is pinned, what comes out is always the same and asks nobody else."""

import json
import re
import tomllib

import built_site
import pytest
from download import Pinned, downloaded, locked

from arpad.messages import languages, shipped
from conftest import ROOT


def test_wheels_have_the_versions_that_everything_else_is_tested_with():
    """The lock file and the constraints name the same versions."""
    pinned = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if "==" in line
    )
    wheels = {one.name: one.version for one in locked() if one.kind == "wheel"}
    assert wheels == {name: pinned[name] for name in wheels}


def test_lock_file_names_no_host():
    """Names, versions and hashes are all it has."""
    text = (built_site.SOURCE / "lock.toml").read_text(encoding="utf-8")
    kinds = tomllib.loads(text)
    assert {frozenset(about) for packages in kinds.values() for about in packages.values()} == {
        frozenset({"version", "sha256"})
    }
    assert "://" not in text


def test_a_download_with_another_hash_is_refused(tmp_path, monkeypatch):
    """Whatever a registry sends, it must be what was locked."""
    (tmp_path / "pyodide-1.0.tgz").write_bytes(b"something else")
    monkeypatch.setattr("download.subprocess.run", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="pyodide"):
        downloaded([Pinned("npm", "pyodide", "1.0", "0" * 64)], tmp_path)


def test_two_builds_are_equal(tmp_path):
    """The same files with the same bytes."""
    first = built_site.built()
    built_site.build_into(tmp_path / "site")
    one, other = (_files(folder) for folder in (first, tmp_path / "site"))
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def _files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_pages_are_there_without_a_script():
    """Each has a form or a text, an example's answer, and a sentence for readers without scripts."""
    site = built_site.built()
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "<noscript>" in page
    assert "+30.40" in page  # 40 × (1 − 0.24), FIDE 8.1.2 and 8.3.3
    assert "8.3.3" in (site / "rules" / "index.html").read_text(encoding="utf-8")
    for path in site.rglob("index.html"):
        assert "<main" in path.read_text(encoding="utf-8"), path


def test_every_language_has_its_pages_and_one_file_of_words():
    """English is at the top; each page leads to its twins."""
    site = built_site.built()
    for language in languages():
        start = site if language == "en" else site / language
        page = (start / "learn" / "rules" / "index.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}">' in page
        assert re.findall(r'rel="alternate" hreflang="([\w-]+)"', page) == [
            *dict.fromkeys([*shipped(), language]),
            "x-default",
        ]
        for address in re.findall(r'hreflang="[\w-]+" href="([^"]*)"', page):
            assert (start / "learn" / "rules" / address / "index.html").is_file(), address
    words = {path.name for path in site.glob("words-*")}
    assert words == {f"words-{language}.tar.zst" for language in languages()[1:]}


def test_pages_name_their_files_from_where_they_are():
    """No address begins at the root of a host, so that the folder can be anywhere; every file is there."""
    site = built_site.built()
    for path in site.rglob("index.html"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r'(?:href|src|action)="/[^"]*"', text) == [], path
        for name in re.findall(r'(?:href|src)="(\.[^"?#]*\.(?!json)\w+)', text):  # an answer as JSON is calculated
            assert (path.parent / name).is_file(), (path, name)


def test_the_page_states_a_strict_policy():
    """No inline script or style, no eval, nobody else's files; WebAssembly is for the worker alone."""
    page = (built_site.built() / "index.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy


def test_manifest_can_be_installed():
    """Name, start, display and icons as browsers ask for."""
    site = built_site.built()
    manifest = json.loads((site / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    for icon in manifest["icons"]:
        png = (site / icon["src"]).read_bytes()
        assert f"{int.from_bytes(png[16:20], 'big')}x{int.from_bytes(png[20:24], 'big')}" == icon["sizes"]
