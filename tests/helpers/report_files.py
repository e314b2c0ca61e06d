"""What the tests of tournament files share: real files, an invented one, and a tournament's content."""

from dataclasses import replace

import pytest

from arpad.formats import read_bytes
from conftest import ROOT, shared

EXAMPLE = ROOT / "docs" / "examples" / "open.trf"
DAMAGED = "tornelo_trfx_sample.trf"


def folder():
    """The folder of real tournament files."""
    return shared("data/tournaments")


def reports():
    """Every real report."""
    return [pytest.param(path, id=path.stem) for path in sorted(folder().glob("*.trf"))]


def content(tournament):
    """A tournament without line numbers, source and oddities, so that contents can be compared."""
    return replace(
        tournament,
        oddities=(),
        source=None,
        entrants=tuple(replace(entrant, line=None) for entrant in tournament.entrants),
        records=tuple(replace(record, line=None) for record in tournament.records),
    )


def edited(old, new, times=1):
    """The invented open with a piece changed, as bytes."""
    data = EXAMPLE.read_bytes()
    assert old in data
    return data.replace(old, new, times)


def read_edited(old, new, times=1, name="open.trf"):
    """The same, read."""
    return read_bytes(edited(old, new, times), name)


def said(tournament, part):
    """The oddities whose sentence contains these words."""
    return [oddity for oddity in tournament.oddities if part in str(oddity.says)]
