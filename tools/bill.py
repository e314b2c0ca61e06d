"""The wheel's bill of materials: every package its extras can bring in, as CycloneDX JSON, made by the build."""

from __future__ import annotations

import json
import re
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


class BillHook(BuildHookInterface):
    """Puts the bill into the wheel's metadata folder, as PEP 770 requires."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the bill, except for an editable installation, which uses the packages of its environment."""
        if version == "editable":
            return
        lock = (Path(self.root) / LOCK).read_text(encoding="utf-8")
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "arpad.cdx.json"
        file.write_text(json.dumps(bill(lock, self.metadata.version), indent=1) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(file))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the file, which the wheel has now."""
        if version != "editable":
            self.folder.cleanup()
