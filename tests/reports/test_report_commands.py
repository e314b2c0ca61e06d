"""`arpad event`: the table on a terminal, one player, tables of players, and reports written to a file."""

import json

from arpad.cli import main
from conftest import ROOT

OPEN = ROOT / "docs" / "examples" / "open.trf"


def typed(capsys, *words):
    code = main([*words])
    return code, capsys.readouterr().out


def test_the_command_fits_a_terminal(capsys):
    """The table has FIDE's columns in 80 characters, however long a name is, and the warnings of the file below."""
    code, printed = typed(capsys, "event", str(OPEN))
    assert code == 0
    assert max(map(len, printed.splitlines())) <= 80
    head = next(line for line in printed.splitlines() if "Rc" in line)
    assert head.split() == ["no", "name", "Rc", "Ro", "w", "n", "chg", "K", "K×chg", "new", "Rp"]
    assert "FIDE 5.1" in printed


def test_the_command_for_one_player(capsys):
    """--player gives one player's games by name; with --explain every number has its article; --json the steps."""
    code, printed = typed(capsys, "event", str(OPEN), "--player", "7")
    assert code == 0
    assert "Petersen, Jonas" in printed
    assert "1809" in printed
    assert "[FIDE 8.3.3]" in typed(capsys, "event", str(OPEN), "--player", "7", "--explain")[1]
    value = json.loads(typed(capsys, "event", str(OPEN), "--player", "7", "--json")[1])["value"]
    assert (value["no"], value["new_rating"]) == (7, 1809)
    assert main(["event", str(OPEN), "--player", "77"]) == 2
    assert main(["event", str(OPEN), "--player", "x"]) == 2


def test_the_command_takes_a_table_of_players(capsys, tmp_path):
    """--table gives K and what K rests on, by number or FIDE ID; a wrong line is named."""
    table = tmp_path / "players.csv"
    table.write_text("no,fide_id,k,games\n9,,40,\n,90000082,,3\n")
    players = json.loads(typed(capsys, "event", str(OPEN), "--table", str(table), "--json")[1])["value"]["players"]
    assert [players[8]["k"], players[7]["k"], players[0]["k"]] == [40, 40, 10]
    for text, place in (
        ("no,k\n1,x\n", "line 2, k"),
        ("who,k\n", "line 1"),
        ("no,k\n1,20\n1,20\n", "line 3"),
        ("no\nx\n", "line 2"),
    ):
        table.write_text(text)
        assert main(["event", str(OPEN), "--table", str(table)]) == 2
        assert place in capsys.readouterr().err


def test_the_command_writes_and_says_so(capsys, tmp_path):
    """--to writes the form that the name asks for, and refuses before any work what it cannot write."""
    path = tmp_path / "report.xlsx"
    code, printed = typed(capsys, "event", str(OPEN), "--to", str(path))
    assert code == 0
    assert f"Written to {path}." in " ".join(printed.split())
    assert path.stat().st_size > 5000
    assert main(["event", "no-such-file.trf", "--to", str(path)]) == 2
    assert "exists already" in capsys.readouterr().err
