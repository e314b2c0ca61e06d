"""Build Arpad as a folder of static files that the reader's own browser runs: `make site`.

It is the same Python as on the server: Pyodide runs `arpad.web` in a worker. Two builds of the same sources are equal.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from fnmatch import fnmatch
from pathlib import Path

from download import digest, downloaded, locked
from prerender import PLACEHOLDER, files, icons, manifest, pages

HERE = Path(__file__).parent
ROOT = HERE.parent
CACHE = ROOT / ".cache" / "static-site"
OUT = ROOT / "dist" / "site"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
UNUSED_ENDINGS = (".so", ".pyi", ".c", "/RECORD")
# Not needed in a browser: the command with its manual, arrays, fonts (a PDF's, and the page's, which are files of the
# site), tests, other event loops.
UNUSED = (
    "arpad/cli/", "arpad-*.data/", "arpad/bulk/", "arpad/reports/fonts/", "arpad/web/static/fonts/",
    *(f"arpad/simulation/{name}.py" for name in ("games", "pairing", "places", "playing", "position", "ratings")),
    "anyio/_backends/_trio", "anyio/pytest_", "starlette/testclient",
)  # fmt: skip
SCRIPTS = ("page.js", "engine.js", "python.mjs")


def build(out: Path, cache: Path = CACHE) -> str:
    """Write the site to a folder and return the name of the build."""
    packages = locked()
    found = downloaded(packages, cache)
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        runtime = _unpacked(found["pyodide"], Path(scratch) / "npm")
        for name in RUNTIME:
            _write(out / "pyodide" / name, (runtime / name).read_bytes())
        lock = json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8"))
        # The lock names Pyodide's own packages, and the site has none of them.
        _write(out / "pyodide" / "pyodide-lock.json", json.dumps({**lock, "packages": {}}, sort_keys=True).encode())
        wheels = [found[package.name] for package in packages if package.kind == "wheel"]
        _pack([*wheels, _own_wheel(Path(scratch))], runtime, Path(scratch) / "modules", out)
    for name in SCRIPTS:
        _write(out / name, (HERE / name).read_bytes())
    for path, content in {**files(), **icons(), "manifest.webmanifest": manifest(), **asyncio.run(pages())}.items():
        _write(out / path, content)
    return named(out)


def _own_wheel(folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        check=True, cwd=ROOT, capture_output=True,
    )  # fmt: skip
    return next(folder.glob("arpad-*.whl"))


def _unpacked(package: Path, folder: Path) -> Path:
    with tarfile.open(package) as file:
        file.extractall(folder, filter="data")
    return folder / "package"


def _pack(wheels: list[Path], runtime: Path, folder: Path, out: Path) -> None:
    """All modules that a browser can use, compiled, in one file, and the standard library in another."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as file:
            file.extractall(folder, [name for name in file.namelist() if _is_used(name)])  # noqa: S202  # its hash was checked
    subprocess.run(["node", str(HERE / "pack.mjs"), str(runtime), str(folder), str(out)], check=True)


def _is_used(name: str) -> bool:
    return not name.endswith(UNUSED_ENDINGS) and not any(fnmatch(name, f"{start}*") for start in UNUSED)


def named(out: Path) -> str:
    """Name the build after its content, and write the service worker with the list of files."""
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    worker = (HERE / "service-worker.js").read_text(encoding="utf-8")
    build = digest("".join(f"{name} {digest(content)}\n" for name, content in files.items()).encode() + worker.encode())
    build = build[:12]
    listed = {}
    for name, content in files.items():
        final = content.replace(PLACEHOLDER.encode(), build.encode()) if name.endswith(".html") else content
        _write(out / name, final)
        listed[name] = {"size": len(final), "sha256": digest(final)}
    worker = worker.replace('"@build@"', json.dumps(build)).replace('"@files@"', json.dumps(listed))
    _write(out / "service-worker.js", worker.encode())
    return build


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    made = build(target)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target}: build {made}, {size / 1e6:.1f} MB. Try it: python -m http.server --directory {target}")
