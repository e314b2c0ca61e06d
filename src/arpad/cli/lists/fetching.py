"""`arpad list fetch`: download FIDE's list, and import it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.lists import add_data, progress
from arpad.cli.lists.importing import add_told, imported
from arpad.core.model import number
from arpad.lists.download import ADDRESS, TIMEOUT, download_list

if TYPE_CHECKING:
    import argparse

SUMMARY = "download FIDE's list and import it"
EXAMPLES = ("arpad list fetch --url https://ratings.fide.com/download/players_list.zip",)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad list fetch`."""
    parser.add_argument("--url", default=ADDRESS, help=f"the address (default {ADDRESS})")
    parser.add_argument("--timeout", default=TIMEOUT, metavar="SECONDS", help="how long to wait for the next byte")
    add_told(parser)
    add_data(parser, name=False)


def run(options: argparse.Namespace) -> show.Reply:
    """Download, then import; the file stays in the data folder."""
    from os.path import join

    from arpad.lists import folder

    step, end = progress(None, "fetching")
    seconds = float(number(options.timeout, "a number of seconds", "give seconds, for example 30", at="--timeout"))
    try:
        path = download_list(options.url, join(folder(options.data), "files"), timeout=seconds, progress=step)
    finally:
        end()
    return imported(options, path)
