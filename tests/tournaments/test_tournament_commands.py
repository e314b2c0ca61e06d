"""How the commands about tournaments fit a terminal."""

from arpad.cli import show


def test_long_names_give_way():
    """A table of tie-breaks stays within 80 columns: the longest name that a report holds is cut, and says so."""
    rows = [["1", "1", "N" * 33, "2412", "5.5", *["2143"] * 6]]
    head = ["place", "no", "name", "rating", "points", "ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO"]
    lines = show.fitted(head, rows, "name", left=["name"]).splitlines()
    assert max(map(len, lines)) == 80
    assert "N… " in lines[1]
