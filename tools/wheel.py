"""What the build adds to the wheel: its bill of materials, the manual page, and completions for shells.

The bill has every package that an extra can bring in, as CycloneDX JSON.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PINNED = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)
LOCK = Path("locks") / "all.txt"


def bill(lock: str, version: str) -> dict[str, Any]:
    """The packages in a lock; always the same for the same lock and version."""
    about = {"type": "library", "name": "arpad", "version": version, "bom-ref": f"pkg:pypi/arpad@{version}"}
    parts = [
        {"type": "library", "name": name, "version": pinned, "purl": purl, "bom-ref": purl}
        for name, pinned in sorted(set(PINNED.findall(lock)))
        for purl in [f"pkg:pypi/{name}@{pinned}"]
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**about, "purl": about["bom-ref"]}},
        "components": parts,
    }


# Where an installation has what belongs to the shell, below its prefix.
MANUAL = "share/man/man1/arpad.1"
COMPLETIONS = {
    "bash": "share/bash-completion/completions/arpad",
    "zsh": "share/zsh/site-functions/_arpad",
    "tcsh": "share/tcsh/completions/arpad.csh",
}


def shell_files(source: Path, version: str) -> dict[str, str]:
    """The manual page and the completions, by their places, made from the commands in this source."""
    sys.path.insert(0, str(source))
    try:
        from arpad.cli.completion import script_for
        from arpad.cli.manual import manual
    finally:
        sys.path.remove(str(source))
    return {MANUAL: manual(version), **{place: script_for(shell) for shell, place in COMPLETIONS.items()}}


class WheelHook(BuildHookInterface):
    """Puts the bill into the wheel's metadata folder, as PEP 770 requires, and the rest where shells look for it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files, except for an editable installation, which uses the packages of its environment."""
        if version == "editable":
            return
        lock = (Path(self.root) / LOCK).read_text(encoding="utf-8")
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "arpad.cdx.json"
        file.write_text(json.dumps(bill(lock, self.metadata.version), indent=1) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(file))
        for number, (place, text) in enumerate(shell_files(Path(self.root) / "src", self.metadata.version).items()):
            made = Path(self.folder.name) / str(number)
            made.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(made)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the files, which the wheel has now."""
        if version != "editable":
            self.folder.cleanup()
