"""How the commands about tournaments show progress and fit a terminal."""

from made import opened

from arpad.cli import show


def test_progress_is_for_terminals_and_long_events(monkeypatch):
    """A bar goes round the entrants on a terminal if they are many, and gives everybody back in order."""
    import io

    from arpad.cli import event as command

    many = opened(500, rounds=1).entrants
    assert command.watched(many) is many
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    assert command.watched(many[:10]) == many[:10]
    assert tuple(command.watched(many)) == many
    assert "500" in terminal.getvalue()


def test_long_names_give_way():
    """A table of tie-breaks stays within 80 columns: the longest name that a report holds is cut, and says so."""
    rows = [["1", "1", "N" * 33, "2412", "5.5", *["2143"] * 6]]
    head = ["place", "no", "name", "rating", "points", "ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO"]
    lines = show.fitted(head, rows, "name", left=["name"]).splitlines()
    assert max(map(len, lines)) == 80
    assert "N… " in lines[1]
