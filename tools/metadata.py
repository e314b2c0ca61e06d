"""What the packages say that depends on the address of the project: links, and the README as a package index shows it.

The address stands once, in pyproject.toml, and is empty until the repository has one. An index shows a README far from
the files beside it, so its links and pictures get whole addresses; without one, words stay and pictures go.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^]]*)\]\((?!\w+:)([^)]+)\)\n*")
LINK = re.compile(r"(?<!!)\[([^]]*)\]\((?!\w+:|#)([^)]+)\)")


def readme(text: str, repository: str, version: str) -> str:
    """The README with whole addresses of the release's own files."""
    if not repository:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    shown = PICTURE.sub(lambda found: found[0].replace(found[2], f"{repository}/raw/v{version}/{found[2]}"), text)
    return LINK.sub(rf"[\1]({repository}/blob/v{version}/\2)", shown)


def links(repository: str) -> dict[str, str]:
    """The links beside the description on an index."""
    places = {"Source": "", "Documentation": "/blob/main/docs/README.md", "Changes": "/blob/main/CHANGELOG.md"}
    return {name: repository + place for name, place in {**places, "Issues": "/issues"}.items()} if repository else {}


class AddressHook(MetadataHookInterface):
    """Fills in `urls` and `readme`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set what pyproject.toml calls dynamic."""
        repository = self.config["repository"].rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        shown = readme(text, repository, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
        metadata["urls"] = links(repository)
