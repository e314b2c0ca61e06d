"""`arpad check` and `arpad convert`: what a person types and sees, and what another program gets."""

import json
import re

import pytest
from report_files import EXAMPLE, edited, folder

from arpad.cli import convert, main
from conftest import ROOT
from doors import run


@pytest.fixture
def wrong(tmp_path):
    """The open with a wrong score, an opponent who does not exist, and a line that cannot be read."""
    path = tmp_path / "wrong.trf"
    data = edited(b"  5.0    1     6 w 1", b"  5.5    1    66 w 1").replace(b"001   10", b"001    x")
    path.write_bytes(data)
    return path


def test_check(capsys, wrong):
    """Each finding has its line and column, and a player whose line is unreadable does not stop the rest."""
    code, out, _ = run(capsys, "check", wrong, "--plain")
    assert code == 1
    joined = " ".join(out.split())
    assert "line 15, column 92: player 1, round 1: the opponent 66 does not exist." in joined
    assert "line 15: player 1: the file says 5.5 points, the results make 5." in joined
    assert "line 24, column 5: 'x' is not a starting number" in joined
    assert all(len(line) <= 80 for line in out.splitlines())


def test_check_json(capsys, wrong):
    """The same for programs: findings and oddities as lists, with places."""
    _, out, _ = run(capsys, "check", wrong, "--json")
    reply = json.loads(out)
    assert reply["ok"] is True
    value = reply["value"]
    assert (value["players"], value["rounds"], value["consistent"], value["format"]) == (9, 6, False, "trf16")
    first = value["findings"][0]
    assert (first["kind"], first["no"], first["round"], first["line"], first["column"]) == ("opponent", 1, 1, 15, 92)
    assert [(one["line"], one["lost"]) for one in value["oddities"]] == [(6, False), (24, True)]


def test_check_is_silent_about_nothing(capsys):
    """A clean file is one line."""
    assert run(capsys, "check", EXAMPLE)[1] == "Harbour Open: 10 players, 6 rounds; no inconsistencies\n"


def test_a_truncated_table_is_one_line(capsys, tmp_path):
    """Opponents who are not in the file any more are one line with a count, at the top; --all has every one."""
    whole = (folder() / "graz_open_2026_A_after_r8.trf").read_text(encoding="utf-8").splitlines()
    table = tmp_path / "cut.trf"
    table.write_text("\n".join(["042 2026/02/20", *whole[:40]]), encoding="utf-8")
    missing = sum(int(line[91 + 10 * n : 95 + 10 * n] or 0) > 40 for line in whole[:40] for n in range(8))
    code, out, _ = run(capsys, "check", table)
    assert code == 1
    assert f"; {missing} findings\n" in out
    assert f"does not exist. And {missing - 1} more like it." in " ".join(out.split())
    code, out, _ = run(capsys, "event", table)
    assert code == 1
    assert out.startswith(
        f"The figures may be wrong, because parts of the file are inconsistent or were left out: {missing} "
    )
    assert out.count("does not exist") < 60
    assert run(capsys, "check", table, "--all")[1].count("does not exist") == missing


def test_a_time_control_that_is_not_understood_is_said(capsys, tmp_path):
    """Report and check say it and name the option, in JSON too; the report's exit code is 1."""
    table = tmp_path / "unclear.trf"
    table.write_bytes(re.sub(rb"(?m)^122 .*$", b"122 as the club does it", EXAMPLE.read_bytes()))
    for command, expected in (("event", 1), ("check", 0)):
        code, out, _ = run(capsys, command, table)
        said = " ".join(out.split())
        assert code == expected
        assert "The time control “as the club does it” is not understood" in said
        assert "(--system)" in said
        assert "as the club does it” is not understood" in run(capsys, command, table, "--json")[1]


def test_rounds_beyond_those_announced_are_a_finding(capsys, tmp_path):
    """Results in round 6 of an event of five rounds: the report begins with it, and the exit code is 1."""
    table = tmp_path / "five.trf"
    table.write_bytes(edited(b"XXR 6", b"XXR 5"))
    code, out, _ = run(capsys, "event", table)
    assert code == 1
    assert "announces 5 rounds" in out.partition("\n\n")[0]


@pytest.mark.parametrize("format", ["trf16", "trf26", "csv", "json"])
def test_convert_prints(capsys, format):
    """`-` prints the file."""
    code, out, _ = run(capsys, "convert", EXAMPLE, "-", "--to", format)
    assert code == 0
    assert "Lindqvist, Aron" in out


def test_convert_writes(capsys, tmp_path):
    """A file by its ending, what the format has no place for, and no file written over without --force."""
    code, out, err = run(capsys, "convert", EXAMPLE, tmp_path / "open.csv")
    assert (code, "10 players, 6 rounds" in out) == (0, True)
    assert "The format has no place for these facts about the event: name, city, federation" in err
    code, _, err = run(capsys, "convert", EXAMPLE, tmp_path / "open.csv")
    assert (code, "exists already" in err) == (2, True)
    assert run(capsys, "convert", EXAMPLE, tmp_path / "open.csv", "--force")[0] == 0
    assert run(capsys, "convert", tmp_path / "open.csv", tmp_path / "again.trf")[0] == 0
    assert (tmp_path / "again.trf").read_text(encoding="utf-8").count("\n001 ") == 10


def test_convert_says_what_is_lost_before_it_writes(capsys, tmp_path, monkeypatch):
    """The sentence is out before the file is there."""
    seen = []
    monkeypatch.setattr(convert, "save", lambda *_, **__: seen.append(capsys.readouterr().err))
    run(capsys, "convert", EXAMPLE, tmp_path / "open.csv")
    assert "has no place for" in seen[0]


def test_a_table_that_could_not_be_read_back_is_said(capsys, tmp_path):
    """Where games contradict each other, a table's numbers may be ranks; the file is written, and that is said."""
    games = [(1, 1, "2b0"), (2, 4, "3w0"), (3, 3, "2b0"), (4, 2, "1w1")]
    rows = "".join(f"{no},P{no},2000,{rank},{game}\n" for no, rank, game in games)
    table = tmp_path / "damaged.csv"
    table.write_text(f"No,Name,Rating,Rank,R1\n{rows}", encoding="utf-8")
    code, _, err = run(capsys, "convert", table, tmp_path / "again.csv", "--columns", "no=No")
    assert (code, "could not read this file back: The opponents may be given by" in err) == (0, True)
    assert (tmp_path / "again.csv").exists()


def test_convert_to_json_and_back(capsys, tmp_path):
    """JSON keeps everything: the report made from it is the report made from the file itself."""
    run(capsys, "convert", EXAMPLE, tmp_path / "open.json")
    _, direct, said = run(capsys, "convert", EXAMPLE, "-", "--to", "trf26")
    assert said.count("\n") == 1  # player 10 has no FIDE ID
    code, again, err = run(capsys, "convert", tmp_path / "open.json", "-", "--to", "trf26")
    assert (code, again, err) == (0, direct, said)


def test_convert_with_columns(capsys, tmp_path):
    """Columns of other names are given on the command line."""
    table = tmp_path / "t.csv"
    table.write_text("Lfd;Wer;R1\n1;Ann;2w1\n2;Bob;1b0\n", encoding="utf-8")
    _, out, _ = run(capsys, "convert", table, "-", "--to", "trf16", "--columns", "no=Lfd,name=Wer")
    assert "001    1      Ann" in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["convert", EXAMPLE, "x.doc"], "The name 'x.doc' does not show a format"),
        (["convert", EXAMPLE, "-"], "To print the file, name its format with --to"),
        (["convert", EXAMPLE, "-", "--to", "xlsx"], "cannot be printed"),
        (["convert", EXAMPLE, "x.trf", "--to", "trf2"], "Did you mean 'trf26'?"),
        (["check", "nowhere.trf"], "The file cannot be read: there is no such file or folder. (at nowhere.trf)"),
        (["check", EXAMPLE, "--columns", "no"], "write ours=theirs, for example no=Nr"),
    ],
)
def test_refusals(capsys, line, says):
    """What cannot be done is refused in a sentence with exit code 2, and as JSON where that is asked for."""
    code, _, err = run(capsys, *line)
    assert (code, says in err) == (2, True)
    _, out, _ = run(capsys, *line, "--json")
    assert json.loads(out)["ok"] is False


def test_somebody_without_a_name_is_called_by_an_id_or_a_number(tmp_path, capsys):
    """Without a name (columns 15 to 47 of TRF16) tables have the FIDE ID (58 to 68) or the number; JSON has null."""
    nameless = tmp_path / "open.trf"
    lines = (ROOT / "docs" / "examples" / "norms.trf").read_text(encoding="utf-8").splitlines()
    blank = [line[:14] + " " * 33 + line[47:] if line.startswith("001") else line for line in lines]
    blank = [line[:57] + " " * 11 + line[68:] if line.startswith("001   14") else line for line in blank]
    nameless.write_text("\n".join(blank), encoding="utf-8")
    for command, known in [
        (["norms"], r"12  ID 90001084 +FM .*\n.*\n14  player 14 +WIM"),
        (["norms", "--player", "12"], r"player +12   FM ID 90001084"),
        (["ties", "--by", "ARO"], r" 12  ID 90001084 .*(\n.*)* 14  player 14 "),
        (["event"], r"12  ID 90001084 .*\n.*\n14  player 14 "),
        (["event", "--player", "13"], r"14  player 14 "),
    ]:
        assert main([command[0], str(nameless), *command[1:]]) == 0
        assert re.search(known, capsys.readouterr().out), command
    assert main(["ties", str(nameless), "--json"]) == 0
    assert {one["name"] for one in json.loads(capsys.readouterr().out)["value"]["players"]} == {None}
