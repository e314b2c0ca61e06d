"""What a program does with answers and files: keep them in sets, complete their names, read from anything."""

import io
import shutil
from datetime import date
from pathlib import Path

import pytest

import arpad
from arpad import Event, Game, Pairing, PlannedEvent, Sprt, draw, loss, win

ON = date(2026, 11, 15)
FIDE = arpad.system("fide-standard")
OPEN = Path(__file__).parents[2] / "docs" / "examples" / "open.trf"
PLANNED = [PlannedEvent((Pairing(1850),), on=date(2027, 1, 10))]
FIRST_GAMES = [win(1902), win(1877), draw(1884), loss(2012), draw(1832)]
ANSWERS = {
    "rate": lambda: FIDE.rate(1750, [win(1950), Game(1800, 1, "forfeit")], on=ON),
    "glicko-2": lambda: arpad.system("glicko-2").rate(1500, win(1500), on=ON),
    "lichess": lambda: arpad.system("lichess").rate(1500, win(1500), on=ON),
    "uschess": lambda: arpad.system("uschess-regular").rate(1500, win(1500), on=ON),
    "game": lambda: FIDE.game(1750, 1950, "1-0", on=ON),
    "expect": lambda: FIDE.expect(1500, 1700, on=ON),
    "first": lambda: FIDE.first_rating(FIRST_GAMES, on=ON),
    "conversion": lambda: FIDE.conversion(1500, on=date(2024, 3, 1)),
    "performance": lambda: arpad.performance([win(1950)], on=ON),
    "need": lambda: arpad.score_needed(FIDE, 1750, [1700, 1750], reach=1760, on=ON),
    "outlook": lambda: arpad.look_ahead(FIDE, 1750, [1700, 1800], on=ON, reach=1760),
    "season": lambda: arpad.look_ahead_season(FIDE, 1750, PLANNED, on=ON),
    "strength": lambda: arpad.likely_strength(FIDE, 1780, [Pairing(1700, 1), Pairing(1750, 0)], on=ON),
    "compare": lambda: arpad.compare(1750, win(1950), on=ON),
    "match": lambda: arpad.match(wins=120, losses=95, draws=300, sprt=Sprt(0, 5)),
    "diary": lambda: arpad.keep_diary(FIDE, 1750, [Event((win(1950),), on=date(2026, 10, 3))], on=ON),
    "direct": lambda: arpad.direct_title("continental", on=ON, peak=2300, games=40),
    "event": lambda: arpad.rate_event(arpad.read(OPEN)),
    "norms": lambda: arpad.find_norms(arpad.read(OPEN)),
    "ties": lambda: arpad.tie_breaks(arpad.read(OPEN), ["BH"]),
    "standings": lambda: arpad.standings(arpad.read(OPEN), ["BH"]),
    "tournament": lambda: arpad.read(OPEN),
    "paste": lambda: arpad.read_paste("1950 win"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_can_be_kept_in_a_set(name):
    """Answers are frozen, so equal ones are one element of a set."""
    assert len({ANSWERS[name](), ANSWERS[name]()}) == 1


def test_an_editor_completes_what_a_reader_uses():
    """The fields and methods that only make an answer are not offered; those that are read are."""
    offered = dir(ANSWERS["rate"]())
    assert not {"enter", "trail", "remarks", "find_performance", "read_games", "k_step"} & set(offered)
    assert {"new_rating", "change", "k_used", "explain", "notes", "steps", "per_game", "performance"} <= set(offered)
    assert dir(arpad.bulk) == sorted(arpad.bulk.__all__)


def test_a_tournament_is_read_from_a_path_from_bytes_and_from_an_open_file():
    """The same tournament, however its file is given."""
    known = arpad.read(OPEN)
    assert arpad.read(str(OPEN)) == arpad.read(OPEN.read_bytes()) == known
    with OPEN.open("rb") as file:
        assert arpad.read(file) == known
    with OPEN.open(encoding="utf-8") as file:
        assert arpad.read(file).entrants == known.entrants


@pytest.mark.parametrize(("source", "name", "at"), [
    (b"", "upload.trf", "upload.trf"),
    (b"", None, "the bytes that were given"),
    (io.BytesIO(b""), None, "the file that was given"),
])  # fmt: skip
def test_an_error_names_what_was_given(source, name, at):
    """Not a temporary path, of which the caller knows nothing."""
    with pytest.raises(arpad.BadFile) as refused:
        arpad.read(source, name=name)
    assert refused.value.at == at


def test_an_open_file_has_its_own_name(tmp_path):
    """An error in an open file names that file."""
    damaged = Path(shutil.copy(OPEN, tmp_path / "damaged.xlsx"))
    damaged.write_bytes(b"PK\x03\x04 is no workbook")
    with damaged.open("rb") as file, pytest.raises(arpad.BadFile) as refused:
        arpad.read(file)
    assert "damaged.xlsx" in refused.value.at


def test_anything_else_is_no_file():
    """The sentence says what to give."""
    with pytest.raises(arpad.BadInput, match="give a path, the bytes of a file, or an open file"):
        arpad.read(3)
