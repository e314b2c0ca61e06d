"""docs/typing.md runs: what its tables promise is what the readers give."""

import re

import pytest

from arpad.errors import BadInput
from arpad.reading import parse_date, read_pace, read_paste
from conftest import ROOT

PAGE = (ROOT / "docs" / "typing.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(.+?)` \| (.+) \|$", re.MULTILINE)
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def rows(section):
    """The rows of a section: what is typed, and what is read."""
    return ROW.findall(SECTIONS[section])


def as_game(game):
    """A game as the page writes it."""
    shown = f"{game.notation} to come" if game.result == "to-come" else game.notation
    return ", ".join(filter(None, (shown, game.name, game.title)))


@pytest.mark.parametrize(("typed", "shown"), rows("Games"))
def test_game(typed, shown):
    """A typed line gives the games of the table, or is left out for the reason it has."""
    paste = read_paste(typed)
    games = "; ".join(map(as_game, paste.games))
    if re.search(r", round \d$", shown):
        games += f", round {paste.games[0].round}"
    assert (games or f"left out: {paste.left_out[0].why}") == shown


@pytest.mark.parametrize(("typed", "shown"), rows("Time controls"))
def test_time_control(typed, shown):
    """A time control gives its periods, its seconds and its minutes for 60 moves."""
    reading = read_pace(typed)
    periods = [f"{one.minutes} minutes{f' for {one.moves} moves' if one.moves else ''}" for one in reading.periods]
    increment = [f"{reading.increment} seconds a move"] if reading.increment else []
    delay = [f"{reading.delay} seconds of delay"] if reading.delay else []
    read = f"{', '.join([*periods, *increment, *delay])}: {reading.minutes}"
    assert (f"unclear: {reading.why}" if reading.unclear else read) == shown


@pytest.mark.parametrize(("typed", "shown"), rows("Days"))
def test_day(typed, shown):
    """A day in words, or both days that it could be."""
    if not shown.startswith("refused: "):
        assert str(parse_date(typed)) == shown
        return
    with pytest.raises(BadInput, match=re.escape(shown.removeprefix("refused: "))):
        parse_date(typed)


def test_the_page_has_twenty_inputs():
    """Each section has rows, and there are twenty games or more."""
    assert len(rows("Games")) >= 20
    assert all(map(rows, ("Time controls", "Days")))
