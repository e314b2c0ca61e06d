"""The command and its surroundings: exit codes, odd characters, and standard output that is closed or full."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from arpad.errors import BadInput
from arpad.messages import say
from conftest import ROOT
from doors import run

GAME = ["rate", "1750", "1950:win", "--k", "40", "--on", "2026-11-15"]
EVIL = "Evil\x1b[2J\x07\x9b31m\u202ename"


def in_a_shell(words, redirect):
    """The command in a process of its own, with its standard output redirected."""
    line = " ".join([sys.executable, "-m", "arpad", *words])
    return subprocess.run(["/bin/sh", "-c", f"{line} {redirect}"], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [GAME, [*GAME, "--json"], ["--help"]], ids=["answer", "json", "help"])
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only some systems have a full device")
def test_a_full_standard_output_is_said_in_a_sentence(words):
    """What cannot be written is said once, on standard error, with exit code 2."""
    ran = in_a_shell(words, "> /dev/full")
    assert ran.returncode == 2
    assert ran.stderr == "arpad: The answer could not be written to standard output: there is no space left.\n"


def test_a_closed_standard_output_is_said_in_a_sentence():
    """Before any work, because nobody could read what it gives."""
    ran = in_a_shell(GAME, ">&-")
    assert ran.returncode == 2
    assert ran.stderr == "arpad: Standard output is closed, so there is nowhere to print.\n"


def test_a_reader_who_has_seen_enough_is_no_error():
    """`arpad … | head -1` is quiet."""
    ran = in_a_shell([*GAME, "--explain"], "| head -1")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_an_interrupted_command_ends_quietly(monkeypatch, capsys):
    """Ctrl+C ends with the code that shells know, 128 + 2."""

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("arpad.questions.ratings.Rate.answer", interrupted)
    assert run(capsys, *GAME) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_long_simulation_shows_progress_and_stops():
    """`arpad chances` draws a bar on a terminal; Ctrl+C after its first line ends it with 130 and no traceback."""
    pytest.importorskip("tqdm")
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    words = [
        sys.executable,
        "-m",
        "arpad",
        "chances",
        "docs/examples/last-round.trf",
        "--round",
        "3",
        "--runs",
        "100000",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT) as command:
        os.close(theirs)
        shown = os.read(ours, 4096).decode()  # waits for the bar
        command.send_signal(signal.SIGINT)
        out = command.communicate()[0]
        with suppress(OSError):  # everything was read
            shown += os.read(ours, 4096).decode()
    os.close(ours)
    assert (command.returncode, out) == (130, b"")
    assert "0/100000" in shown
    assert "Traceback" not in shown


def test_an_error_that_cannot_be_said_is_a_bug_without_a_traceback(monkeypatch, capsys):
    """A refusal whose sentence is missing from the message files is our fault, and is said like one."""

    def refused(_):
        raise BadInput(say("nowhere.to_be_found"))

    monkeypatch.setattr("arpad.questions.ratings.Rate.answer", refused)
    monkeypatch.delenv("ARPAD_DEBUG", raising=False)
    code, out, err = run(capsys, *GAME)
    assert (code, out) == (70, "")
    assert "internal error: this is a bug in Arpad" in err


def test_control_characters_never_reach_the_terminal(tmp_path, capsys):
    """Names, typed texts and JSON show what could command a terminal as its number."""
    table = tmp_path / "open.csv"
    table.write_text(f"No;Name;Rtg;R1\n1;{EVIL};1900;2w1\n2;Bob;1800;1b0\n", encoding="utf-8")
    lines = [
        ["event", table, "--on", "2026-11-15"],
        ["event", table, "--on", "2026-11-15", "--json"],
        ["event", table, "--on", "2026-11-15", "--player", "2"],
        ["ties", table, "--on", "2026-11-15"],
        ["check", table, "--json"],
        ["rate", "1750", f"{EVIL}:win"],
        ["rate", "1750", f"{EVIL}:win", "--json"],
        ["rate", "1750", "--event", "1950:win", "--event", "1900:1", "--name", EVIL, "--k", "20"],
        [EVIL],
    ]
    for line in lines:
        _, out, err = run(capsys, *line)
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(out + err), line


def test_json_gives_names_back_as_they_are(capsys):
    """What is escaped for a terminal is the same text for a program."""
    _, out, _ = run(capsys, *GAME[:2], "--event", "1950:win", "--name", EVIL, "--k", "20", "--json")
    assert json.loads(out)["value"]["events"][0]["name"] == EVIL


def test_colours_are_the_only_commands_to_a_terminal(monkeypatch, capsys):
    """On a terminal our own colours stay, and a name cannot bring others."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    _, out, _ = run(capsys, *GAME[:2], "--event", "1950:win", "--event", "1900:1", "--name", EVIL, "--k", "20")
    assert "\x1b[32m" in out
    assert "\x1b[2J" not in out


def test_an_answer_that_needs_a_look_has_its_own_exit_code(tmp_path, capsys):
    """0 for a clean file, 1 for one that is inconsistent or was not read completely, 2 for none."""
    example = ROOT / "docs" / "examples" / "open.trf"
    wrong = tmp_path / "wrong.trf"
    wrong.write_bytes(example.read_bytes().replace(b"  5.0    1     6 w 1", b"  5.5    1     6 w 1"))
    assert wrong.read_bytes() != example.read_bytes()
    for command in ("check", "event"):
        assert run(capsys, command, example)[0] == 0
        assert run(capsys, command, wrong)[0] == 1
        assert run(capsys, command, tmp_path / "nowhere.trf")[0] == 2
