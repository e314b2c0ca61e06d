"""How the commands about tournaments fit a terminal."""

import pytest

from arpad.cli import main, show


def test_long_names_give_way():
    """A table of tie-breaks stays within 80 columns: the longest name that a report holds is cut, and says so."""
    rows = [["1", "1", "N" * 33, "2412", "5.5", *["2143"] * 6]]
    head = ["place", "no", "name", "rating", "points", "ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO"]
    lines = show.fitted(head, rows, "name", left=["name"]).splitlines()
    assert max(map(len, lines)) == 80
    assert "N… " in lines[1]


@pytest.mark.parametrize("command", ["next", "certificate"])
def test_what_is_wrong_with_a_file_is_said_of_the_file(command, capsys):
    """No round to come, no norm: the place is the file, not the name of the argument."""
    assert main([command, "docs/examples/open.trf"]) == 2
    assert "(at docs/examples/open.trf)" in capsys.readouterr().err
