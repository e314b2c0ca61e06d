"""Compile the modules in /modules and pack them, without their sources; pack the standard library; runs inside Pyodide.

An archive compressed as a whole is half the size of a ZIP file with the same modules.
"""

import compileall
import io
import tarfile
from pathlib import Path
from py_compile import PycInvalidationMode
from zipfile import ZIP_DEFLATED, ZipFile

from compression import zstd

MODULES = Path("/modules")
MESSAGES, ORIGINAL = MODULES / "arpad" / "messages", "en"
NAMES = "locale.txt"  # what a language is called: pages offer all of them
LIBRARY = Path("/runtime/python_stdlib.zip")
SITE = Path("/site")
WITHOUT_DOCSTRINGS = 2
READS_ITSELF = "install_lazy_importer()"  # anyio reads its own source to see what it may import later
SMALLEST = {zstd.CompressionParameter.compression_level: 19, zstd.CompressionParameter.window_log: 24}

# Parts of the standard library for terminals, developers, mail and other processes; nothing here imports them.
UNUSED = {
    "_pyrepl", "bdb", "cProfile", "doctest", "imaplib", "mailbox", "modulefinder", "multiprocessing", "optparse", "pdb",
    "pickletools", "poplib", "profile", "pstats", "pydoc", "trace", "unittest", "wsgiref", "xmlrpc",
}  # fmt: skip


def _compile(path: Path, optimize: int) -> None:
    compiled = compileall.compile_dir if path.is_dir() else compileall.compile_file
    # Without the source's timestamp, so that the same source gives the same bytes.
    done = compiled(
        path,
        quiet=1,
        force=True,
        legacy=True,  # next to the source
        optimize=optimize,
        stripdir=MODULES,
        prependdir="/modules",
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
    if not done:
        raise SystemExit(1)


def _packed(paths: list[Path]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in paths:
            content = path.read_bytes()
            entry = tarfile.TarInfo(path.relative_to(MODULES).as_posix())
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return zstd.compress(packed.getvalue(), options=SMALLEST)


for package in sorted(MODULES.iterdir()):
    # Arpad's schema uses its docstrings as descriptions; those of the libraries are not needed.
    _compile(package, 0 if package.name == "arpad" else WITHOUT_DOCSTRINGS)
files: dict[str, list[Path]] = {"python": []}
for path in sorted(MODULES.rglob("*")):
    if path.is_file() and (path.suffix != ".py" or READS_ITSELF in path.read_text(encoding="utf-8")):
        is_translated = path.parent.parent == MESSAGES and path.parent.name != ORIGINAL and path.name != NAMES
        files.setdefault(f"words-{path.parent.name}" if is_translated else "python", []).append(path)
(SITE / "pyodide").mkdir(parents=True)
for name, paths in files.items():
    (SITE / f"{name}.tar.zst").write_bytes(_packed(paths))
with ZipFile(LIBRARY) as whole, ZipFile(SITE / "pyodide" / LIBRARY.name, "w", ZIP_DEFLATED, compresslevel=9) as library:
    for part in whole.infolist():
        if part.filename.partition("/")[0].removesuffix(".py") not in UNUSED and not part.is_dir():
            library.writestr(part, whole.read(part), ZIP_DEFLATED, 9)
