"""`arpad convert`: a tournament file into another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import listing
from arpad.cli import show
from arpad.cli.tournaments import add_file, oddity_lines, oddity_values, size_of, the_tournament
from arpad.cli.writing import add_force
from arpad.errors import BadInput
from arpad.formats.recognise import FORMATS, written
from arpad.formats.saving import check_outputs, save

if TYPE_CHECKING:
    import argparse

SUMMARY = "a tournament file as TRF16, TRF26, CSV, Excel or JSON"
EXAMPLES = (
    "arpad convert open.trf open.csv",
    "arpad convert results.csv open.trf --to trf26 --columns no=Nr,name=Spieler",
    "arpad convert docs/examples/open.trf - --to json",
)
OUT = "-"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad convert`."""
    add_file(parser)
    parser.add_argument("to_file", metavar="output", help="the file to write; - prints it")
    parser.add_argument("--to", metavar="FORMAT", help=f"{', '.join(FORMATS)} (default by the name's ending)")
    add_force(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Convert the file."""
    if options.to_file != OUT:
        check_outputs([options.to_file], [options.file], force=options.force)
    tournament = the_tournament(options)
    if options.to_file == OUT and options.to is None:
        raise BadInput(f"A format is needed to print: --to {', '.join(FORMATS)}.", at="--to")
    data, lost = written(tournament, options.to, options.to_file)
    if options.to_file == OUT:
        if options.to == "xlsx":
            raise BadInput("An Excel file cannot be printed; give it a name.", at="to")
        text = data.decode().replace("\r\n", "\n").rstrip("\n")
    else:
        save(data, options.to_file, force=options.force)
        text = f"{options.to_file}   {size_of(tournament)}"
    value = {
        "file": options.to_file,
        "players": len(tournament.entrants),
        "rounds": tournament.rounds,
        "bytes": len(data),
        **({"text": text} if options.to_file == OUT else {}),
        "left_out": oddity_values(lost),
        "oddities": oddity_values(tournament.oddities),
    }
    notes = [] if options.to_file == OUT else oddity_lines([*lost, *(one for one in tournament.oddities if one.lost)])
    return show.Reply(lambda _: text, lambda: listing([], **value), lambda: notes)
