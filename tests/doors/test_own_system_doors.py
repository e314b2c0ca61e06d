"""A system of one's own at the command, in events and in bulk."""

from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest

import arpad
from arpad import Event, Player, bulk, win
from arpad.cli import main
from doors import asked

ROOT = Path(__file__).parents[2]
CLUB = ROOT / "docs" / "examples" / "riverside.toml"
BROKEN = sorted((Path(__file__).parents[1] / "cases" / "broken").glob("club-*.toml"))
SUMMER, AUTUMN = date(2026, 6, 1), date(2026, 10, 1)


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.stem)
def test_a_broken_file_is_refused_without_a_traceback(file, capsys):
    """The command refuses each broken file with exit code 2."""
    assert main(["rate", "1500", "1500:win", "--rules", str(file)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_every_door_has_it():
    """The command answers as the library does."""
    typed = asked(["rate", "1500", "1700:win", "--rules", str(CLUB), "--on", str(SUMMER), "--json"])["value"]
    club = arpad.system_from(CLUB)
    assert typed == club.rate_period(Player(1500), Event((win(1700),), on=SUMMER), on=SUMMER).value()


def test_the_base_decides_what_the_system_can_do(tmp_path):
    """A club's system by FIDE's rules rates events and whole periods, whatever its file is called: K 30, 22.8."""
    file = tmp_path / "glicko-club.toml"
    file.write_text(
        'title = "Club"\nbased_on = "fide-standard"\ncovered_from = 2026-01-01\nchecked = 2026-11-15\n'
        '[document.L]\nshort = "Club"\ntitle = "Club rules"\neffective = 2026-01-01\nlink = ""\n'
        '[[rule.k]]\nsince = 2026-01-01\narticle = "L 1"\nsays = "K is 30"\nsure = "confirmed"\n'
        'value = [{k = 30, name = "other", says = "K is 30 for everybody"}]\n',
        encoding="utf-8",
    )
    club = arpad.system_from(file)
    assert (club.name, club.base) == ("glicko-club", "fide-standard")
    event = arpad.read(ROOT / "docs" / "examples" / "open.trf")
    assert {one.k for one in arpad.rate_event(event, club, on=AUTUMN).players if one.k is not None} == {30}
    rated = bulk.rate(
        pa.table({"white": [1], "black": [2], "result": [1.0], "date": [AUTUMN], "event": ["a"]}),
        pa.table({"id": [1, 2], "rating": [1750, 1950]}),
        period="2026-11",
        system=club,
    )
    assert [float(row["change"]) for row in rated.players.to_pylist()] == [22.8, -22.8]


@pytest.mark.parametrize("line", [
    ["rate", "1500", "1500:win", "--rules", "nowhere.toml"],
    ["rate", "1500", "1500:win", "--rules", "."],
    ["rate", "1500", "1500:win", "--rules", str(CLUB), "--system", "elo"],
    ["first", "1500:win", "--rules", str(CLUB), "--on", "2026-06-01"],
])  # fmt: skip
def test_refused_in_one_sentence(line, capsys):
    """An absent file, a folder, two systems at once, or what the base cannot do: one sentence, exit code 2."""
    assert main(line) == 2
    err = capsys.readouterr().err
    assert err.startswith("arpad: ")
    assert err.count("\n") == 1
