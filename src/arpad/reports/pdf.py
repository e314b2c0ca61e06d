"""A page as PDF, printed by the browser installed on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from arpad.errors import Unsupported
from arpad.messages import say

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
LONGEST = 180  # seconds


def browser() -> str | None:
    """A browser that can print, or None."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def printed(page: bytes) -> bytes:
    """A page as PDF; neither the page nor the browser uses the network."""
    program = browser()
    if program is None:
        raise Unsupported(say("reports.no_browser"), at="to")
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
            raise Unsupported(say("reports.slow_browser", seconds=LONGEST), at="to") from None
        if not target.exists():
            lines = ran.stderr.decode("utf-8", "replace").strip().splitlines()
            why = say("reports.browser_failed", why=lines[-1]) if lines else say("reports.browser_silent")
            raise Unsupported(why, at="to")
        return target.read_bytes()


def _root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
