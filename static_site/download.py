"""What the static site takes from elsewhere: named, with version and hash, in `lock.toml`; nothing else gets in."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
# MarkupSafe has wheels with a compiled part alone. That part is left out, and its Python takes over.
PLATFORM = (
    "--platform",
    "any",
    "--platform",
    "manylinux2014_x86_64",
    "--python-version",
    "3.14",
    "--implementation",
    "cp",
)


class Pinned(NamedTuple):
    """A package of a registry."""

    kind: str  # npm or wheel
    name: str
    version: str
    sha256: str


def locked(file: Path = HERE / "lock.toml") -> list[Pinned]:
    """Every package of the lock file."""
    kinds = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Pinned(kind, name, **about) for kind, packages in kinds.items() for name, about in packages.items()]


def downloaded(packages: list[Pinned], cache: Path) -> dict[str, Path]:
    """The files by the names of their packages; what is in the cache already is not asked for again."""
    cache.mkdir(parents=True, exist_ok=True)
    missing = [one for one in packages if _found(one, cache) is None]
    for one in missing:
        if one.kind == "npm":
            command = ["npm", "pack", f"{one.name}@{one.version}", "--silent", "--pack-destination", str(cache)]
        else:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            command += ["--only-binary", ":all:", *PLATFORM, "--dest", str(cache), f"{one.name}=={one.version}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = {one.name: _found(one, cache) for one in packages}
    wrong = [name for name, path in found.items() if path is None]
    if wrong:
        raise SystemExit(f"No download of {', '.join(wrong)} has the hash that static_site/lock.toml gives.")
    return {name: path for name, path in found.items() if path is not None}


def _found(package: Pinned, cache: Path) -> Path | None:
    """The file with the package's hash, whatever it is called."""
    start = package.name.replace("-", "_").lower()
    for path in sorted(cache.iterdir()):
        if path.name.lower().startswith(f"{start}-{package.version}") and digest(path.read_bytes()) == package.sha256:
            return path
    return None


def digest(content: bytes) -> str:
    """The SHA-256 of some content."""
    return hashlib.sha256(content).hexdigest()
