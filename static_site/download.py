"""The packages of the static site, with versions and hashes from `lock.toml`; nothing else gets in."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
# MarkupSafe has only wheels with a compiled part. That part is left out, and its Python code is used instead.
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
    """A package in a registry."""

    kind: str  # npm or wheel
    name: str
    version: str
    sha256: str


def locked(file: Path = HERE / "lock.toml") -> list[Pinned]:
    """Every package of the lock file."""
    kinds = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Pinned(kind, name, **about) for kind, packages in kinds.items() for name, about in packages.items()]


def downloaded(packages: list[Pinned], cache: Path) -> dict[str, Path]:
    """The files by package name; files already in the cache are not downloaded again."""
    cache.mkdir(parents=True, exist_ok=True)
    missing = [package for package in packages if _found(package, cache) is None]
    for package in missing:
        if package.kind == "npm":
            command = ["npm", "pack", f"{package.name}@{package.version}", "--silent", "--pack-destination", str(cache)]
        else:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            command += ["--only-binary", ":all:", *PLATFORM, "--dest", str(cache), f"{package.name}=={package.version}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = {package.name: _found(package, cache) for package in packages}
    wrong = [name for name, path in found.items() if path is None]
    if wrong:
        raise SystemExit(f"No download of {', '.join(wrong)} has the hash that static_site/lock.toml gives.")
    return {name: path for name, path in found.items() if path is not None}


def _found(package: Pinned, cache: Path) -> Path | None:
    """The file with the package's hash; None if it is not in the cache."""
    start = package.name.replace("-", "_").lower()
    for path in sorted(cache.iterdir()):
        if path.name.lower().startswith(f"{start}-{package.version}") and digest(path.read_bytes()) == package.sha256:
            return path
    return None


def digest(content: bytes) -> str:
    """The SHA-256 of some content."""
    return hashlib.sha256(content).hexdigest()
