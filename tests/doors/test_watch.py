"""`--watch`: a file that grows, is replaced, goes away, comes back; a folder; a page; and Ctrl+C."""

import json
import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import httpx
import pytest

from arpad.cli import main
from arpad.cli.show import Style
from arpad.cli.watch import changes, state_of
from arpad.questions import read_question, spec_of
from arpad.tournaments import event
from arpad.tournaments.event.report import EventReport

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
OPEN, LAST = EXAMPLES / "open.trf", EXAMPLES / "last-round.trf"
PATIENCE = 300  # seconds; only a very busy machine ever waits this long


def seen(path, *acts):
    """What is seen of a path while somebody acts on it, one act between two looks."""
    left = iter(acts)

    class End(Exception):
        pass

    def sleep(_):
        act = next(left, None)
        if act is None:
            raise End
        act()

    found = []
    with pytest.raises(End):
        found.extend(one and Path(one).name for one in changes(str(path), sleep))
    return found


def nothing():
    pass


def test_a_file_is_read_once_it_rests(tmp_path):
    """A file that grows is read when it has stopped growing; what is replaced at once is one change."""
    file, other = tmp_path / "a.trf", tmp_path / "b"
    file.write_text("1")
    other.write_text("whole")
    grows = [lambda n=n: file.write_text("1" * n) for n in range(2, 6)]
    assert seen(file, nothing, *grows, nothing, nothing) == ["a.trf", "a.trf"]
    assert seen(file, lambda: os.replace(other, file), nothing, nothing) == ["a.trf", "a.trf"]


def test_a_file_that_goes_away(tmp_path):
    """Gone for a moment is nothing; gone for longer is said once, and it is read again when it is back."""
    file = tmp_path / "a.trf"
    file.write_text("1")
    write = lambda: file.write_text("22")  # noqa: E731
    assert seen(file, file.unlink, write, nothing, nothing) == ["a.trf", "a.trf"]
    assert seen(file, file.unlink, nothing, nothing, write, nothing, nothing) == ["a.trf", None, "a.trf"]


def test_a_folder(tmp_path):
    """The newest report of a folder counts, and an older one does not come back when it goes; tables are second.

    What programs keep beside a file that is open is no tournament file.
    """
    for age, name in enumerate(["~$new.trf", "new.trf", "old.trf", "newer.csv", "notes.doc", "._old.trf"]):
        (tmp_path / name).write_text("1")
        os.utime(tmp_path / name, (1_700_000_000 - age, 1_700_000_000 - age))
    os.utime(tmp_path / "newer.csv")
    assert seen(tmp_path, (tmp_path / "new.trf").unlink, nothing, nothing) == ["new.trf", None]
    (tmp_path / "old.trf").unlink()
    assert seen(tmp_path, nothing) == ["newer.csv"]
    assert seen(tmp_path / "nowhere", nothing) == [None]


class Watching:
    """`arpad … --watch` as a process, and what it has said so far."""

    def __init__(self, folder, *words):
        self.files = [folder / "out.log", folder / "err.log"]
        with self.files[0].open("w") as out, self.files[1].open("w") as err:
            command = [sys.executable, "-m", "arpad", *map(str, words)]
            self.process = subprocess.Popen(command, stdout=out, stderr=err)
        self.out = self.err = ""

    def read(self):
        self.out, self.err = (file.read_text(encoding="utf-8") for file in self.files)

    def until(self, there):
        """Wait until something has been said, and give all of it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read()
            if there(self):
                return self
            assert self.process.poll() is None, self.err
            time.sleep(0.1)
        raise AssertionError(self.out + self.err)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.code = self.process.wait(PATIENCE)
        self.read()


def replaced(file, text):
    """A file written beside and put in place at once."""
    part = file.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def page_at(address, **more):
    """What the page of a watch replies."""
    return httpx.get(address, timeout=PATIENCE, **more)


def test_the_day_of_an_event(tmp_path):
    """Each state on terminal and page; a file half written, gone or spoilt is said, and the state is kept."""
    whole = LAST.read_text(encoding="utf-8")
    file = tmp_path / "open.trf"
    replaced(file, whole.replace("Radim", "Anton"))
    with Watching(tmp_path, "standings", file, "--by", "BH", "--page", "0") as watching:
        watching.until(lambda said: "Vesely, Anton" in said.out and "a win: IM made" in said.out)
        address = watching.until(lambda said: "The page is at" in said.err).err.rpartition("at ")[2].strip().rstrip(".")
        first, version = page_at(address).text, page_at(f"{address}version").text
        assert "Vesely, Anton" in first
        assert "Round 9: what each result would do" in first
        assert '<meta http-equiv="refresh"' in first
        file.write_text(whole[: len(whole) // 2], encoding="utf-8")
        watching.until(lambda said: "it looks half written" in said.err)
        watching.until(lambda _: "half written" in page_at(address).text)  # said first, shown then
        assert "Vesely, Anton" in page_at(address).text
        file.unlink()
        watching.until(lambda said: "is missing at the moment" in said.err)
        replaced(file, "nothing of use")
        watching.until(lambda said: "No player can be read" in said.err)
        replaced(file, whole)
        watching.until(lambda said: "Vesely, Radim" in said.out)
        after = page_at(address).text
        assert "Vesely, Radim" in after
        assert "No player can be read" not in after
        assert page_at(f"{address}version").text != version
        assert page_at(address, headers={"Host": "elsewhere.example"}).status_code == 400
    assert watching.code == 130
    assert "Traceback" not in watching.err


def state(command, **given):
    """A file as it is seen once."""
    asked = read_question(spec_of(command), given, today=date(2026, 9, 12), door="command")
    return state_of(asked, given["path"])


def test_why_there_is_no_round_to_come(monkeypatch):
    """The page says what was refused of the round to come, below the standings."""
    found = state("standings", path=str(LAST))
    monkeypatch.setattr(found, "next_round", (None, "Not <covered>."))
    assert found.event.name == "Lagoon Masters"
    assert found.body().index("Halvorsen, Eskil") < found.body().index("Not &lt;covered&gt;.")


@pytest.mark.parametrize("command", ["event", "norms", "standings"])
def test_a_state_is_rated_once(command, monkeypatch):
    """Terminal and page share one rating of the event; each of the three results of the next round adds one."""
    made = []

    def counted(**facts):
        made.append(facts["event"])
        return EventReport(**facts)

    monkeypatch.setattr(event, "EventReport", counted)
    found = state(command, path=str(LAST))
    found.text((), Style())
    found.body()
    assert len(made) == 4


@pytest.mark.parametrize("command", ["event", "norms"])
def test_the_page_of_one_player(command):
    """With --player, the page is about that player, as the terminal is."""
    found = state(command, path=str(LAST), player=1)
    names = [one.player.name for one in found.event.entrants]
    paired = found.next_round[0].players[0]
    others = [name for name in names[1:] if name != paired.opponent_name]
    assert names[0] in found.body()
    if command == "norms":
        assert [name for name in others if name in found.body()] == []
    assert "Round 9: what each result would do" in found.body()
    assert found.body().count("<article") == (command == "event")


def test_json_lines(tmp_path):
    """With --json every state is one line, and so is what was refused."""
    file = tmp_path / "open.trf"
    replaced(file, LAST.read_text(encoding="utf-8"))
    with Watching(tmp_path, "event", file, "--watch", "--json") as watching:
        watching.until(lambda said: said.out.count("\n") == 1)
        replaced(file, "nothing of use")
        watching.until(lambda said: said.out.count("\n") == 2)
    states = [json.loads(line) for line in watching.out.splitlines()]
    assert [one["ok"] for one in states] == [True, False]
    assert watching.code == 130


def test_norms_are_watched(tmp_path):
    """The third command, in a folder that is empty at first."""
    with Watching(tmp_path, "norms", tmp_path, "--watch") as watching:
        watching.until(lambda said: "waiting for one" in said.err)
        replaced(tmp_path / "r8.trf", LAST.read_text(encoding="utf-8"))
        watching.until(lambda said: "a win: IM made" in said.out)
    assert watching.code == 130


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["event", "nowhere.trf", "--watch"], "The file cannot be read"),
        (["standings", OPEN, "--by", "BHX", "--watch"], "BHX"),
        (["event", OPEN, "--watch", "--to", "report.html"], "--to writes a single report"),
        (["norms", "-", "--watch"], "--watch needs a file or a folder"),
        (["norms", OPEN, "--page", "70000"], "65535"),
    ],
)
def test_what_cannot_be_watched(words, said, capsys):
    """A wrong path or option is refused before anything is watched."""
    assert main(list(map(str, words))) == 2
    assert said in capsys.readouterr().err


def test_a_port_in_use(capsys):
    """A port that somebody has is refused by its number."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["event", str(OPEN), "--page", str(port)]) == 2
    assert f"Port {port} of this machine cannot be used" in capsys.readouterr().err
