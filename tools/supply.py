"""The packages that Arpad is installed with: versions, hashes and licences.

supply.py lock [SET …]       writes locks/SET.txt from pyproject.toml and constraints.txt, for every Python and system
supply.py licences [SET]     lists the packages of a set that are installed here, with their licences
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ROOT / "locks"
SERVER = "web,charts,lists,metrics,speed"  # as in deploy/Containerfile
SETS = ("web", "web,charts,lists", SERVER, "all", "docs", "dev", "supply")  # `make serve EXTRAS=web,charts,lists`
HEADER = "# The packages of the extras {extras}, with what builds Arpad; `make lock` makes it.\n"
NAME = re.compile(r"^([\w.-]+)==", re.MULTILINE)
OLDEST = "3.11.5"  # needed by the package that makes the website; everything else runs on any 3.11


def lock(extras: str) -> None:
    """Write the lock of a set of extras, with the versions that `constraints.txt` pins."""
    file = LOCKS / f"{extras}.txt"
    options = [word for name in extras.split(",") for word in ("--extra", name)]
    line = [
        "uv", "pip", "compile", "pyproject.toml", "--group", "build", *options, "--constraint", "constraints.txt",
        "--universal", "--python-version", OLDEST, "--generate-hashes", "--no-header", "--no-annotate", "--quiet",
        "--no-emit-index-url", "--output-file", str(file),
    ]  # fmt: skip
    file.unlink(missing_ok=True)
    subprocess.run(line, cwd=ROOT, check=True)
    file.write_text(HEADER.format(extras=extras) + file.read_text(encoding="utf-8"), encoding="utf-8")


def licence_of(package: str) -> str:
    """The licence that a package declares: an expression, a classifier, or a short text."""
    try:
        about = metadata(package)
    except PackageNotFoundError:
        return "not installed here"
    declared = about.get("License-Expression") or ""
    classes = [
        classifier.rpartition(" :: ")[2]
        for classifier in about.get_all("Classifier") or []
        if classifier.startswith("License ::")
    ]
    text = (about.get("License") or "").strip().partition("\n")[0]
    return declared or ", ".join(classes) or text or "not declared"


def main(what: str, *sets: str) -> None:
    """Lock, or list licences."""
    if what == "lock":
        LOCKS.mkdir(exist_ok=True)
        for extras in sets or SETS:
            lock(extras)
    elif what == "licences":
        names = NAME.findall((LOCKS / f"{sets[0] if sets else 'all'}.txt").read_text(encoding="utf-8"))
        for name in sorted(set(names)):
            print(f"{name:<32} {licence_of(name)}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:] or ["help"])
