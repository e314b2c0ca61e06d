"""A page as PDF, printed by the browser that is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from arpad.errors import Unsupported

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
LONGEST = 180  # seconds


def browser() -> str | None:
    """The browser that can print, or None."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def printed(page: bytes) -> bytes:
    """A page of ours as PDF; it asks nothing of the network, and the browser is told not to either."""
    program = browser()
    if program is None:
        raise Unsupported(
            "A PDF is printed by Chromium or Chrome, and none is installed here; write report.html and print that, "
            "or install Chromium.",
            at="to",
        )
    with TemporaryDirectory(prefix="arpad-") as folder:
        source, target = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_bytes(page)
        line = [
            program,
            "--headless",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/browser",
            f"--print-to-pdf={target}",
            *(["--no-sandbox"] if _root() else []),  # Chromium refuses to run as root otherwise
            source.as_uri(),
        ]
        try:
            ran = subprocess.run(line, capture_output=True, timeout=LONGEST, check=False)  # noqa: S603  # our own page
        except subprocess.TimeoutExpired:
            raise Unsupported(
                f"The browser needed longer than {LONGEST} seconds to print; write report.html.", at="to"
            ) from None
        if not target.exists():
            said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
            raise Unsupported(f"The browser could not print: {said[-1] if said else 'it did not say why'}.", at="to")
        return target.read_bytes()


def _root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
