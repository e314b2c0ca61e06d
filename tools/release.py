"""Whether this source may be released under a tag, and what the release says.

release.py check v1.0.0      refuses, with the reasons, if the tag, the version, the changelog and the address disagree
release.py notes             prints the changelog of this version
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEADING = re.compile(r"^## (\S+?), (.+)$", re.MULTILINE)
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def faults(tag: str, version: str, changelog: str, repository: str, here: Mapping[str, str]) -> Iterator[str]:
    """What keeps a tag from being released, by the version and address in the metadata; `here` is the environment."""
    if tag != f"v{version}":
        yield f"The tag is {tag}, but src/arpad/__init__.py says {version}."
    newest = HEADING.search(changelog)
    if not newest or newest[1] != version:
        yield f"CHANGELOG.md does not begin with version {version}."
    elif not DAY.fullmatch(newest[2]):
        yield f"CHANGELOG.md has no day for {version}: write '## {version}, 2026-12-01' instead of '{newest[2]}'."
    building = "/".join(here.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY"))
    if not repository:
        yield "The address of the repository is empty: set it in pyproject.toml, [tool.hatch.metadata.hooks.custom]."
    elif building not in {"/", repository}:
        yield f"pyproject.toml has the address {repository}, but this is {building}."


def notes(changelog: str) -> str:
    """The newest part of the changelog, without its heading."""
    return re.split(r"^## .*\n", changelog, flags=re.MULTILINE)[1].strip() + "\n"


def main(what: str, *words: str) -> int:
    """Check a tag, or print the notes."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if what == "notes":
        print(notes(changelog), end="")
        return 0
    from hatchling.metadata.core import ProjectMetadata
    from hatchling.plugin.manager import PluginManager

    project = ProjectMetadata(str(ROOT), PluginManager())
    found = [*faults(words[0], project.version, changelog, project.core.urls.get("Source", ""), os.environ)]
    print("\n".join(found) or f"{words[0]} may be released.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
