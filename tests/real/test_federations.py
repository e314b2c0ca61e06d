"""FIDE's federation codes against those on its lists (../shared/data/lists)."""

import csv
import lzma

import pytest

from arpad.core.players import FEDERATIONS, FORMER
from conftest import shared


@pytest.mark.parametrize("pace", ["standard", "rapid", "blitz"])
def test_every_federation_on_the_lists_of_2025_is_known(pace):
    """Thailand and Greenland among them."""
    with lzma.open(shared(f"data/lists/fide_{pace}_2025-08_2025-09.csv.xz"), "rt") as file:
        listed = {row["fed"] for row in csv.DictReader(file)}
    assert listed - FEDERATIONS == set()
    assert "THA" in listed


def test_a_former_code_has_a_present_one():
    """Codes of the Irish federation's table of about 2012 that FIDE has changed since."""
    assert set(FORMER.values()) <= FEDERATIONS
    assert not set(FORMER) & FEDERATIONS
