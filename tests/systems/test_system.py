"""What every system says about itself: its name, its settings, and the facts about players that it uses."""

from dataclasses import fields
from pathlib import Path

import pytest

import arpad
from arpad.systems import SYSTEMS, systems_using

CLUB = Path(__file__).parents[2] / "docs" / "examples" / "riverside.toml"
OF_A_STANDING = ("k", "games", "peak", "standard", "deviation", "volatility", "idle", "dwz_index")
SPELT = {"dwz_index": "index"}  # the standing's own name for the field


@pytest.mark.parametrize("name", arpad.system_names())
def test_a_system_is_shown_on_one_line(name):
    """The text of a system names its class and itself."""
    system = arpad.system(name)
    assert repr(system) == f"<{type(system).__name__} {name!r}>"
    assert isinstance(system, arpad.System)


def test_a_club_s_own_system_shows_its_base():
    """A rule file makes a system of the same class, under the name of the file."""
    club = arpad.system_from(CLUB, k=20)
    assert repr(club) == "<Elo 'riverside', based on 'elo'>"
    assert (club.name, club.base, club.title) == ("riverside", "elo", "Riverside ladder")
    assert type(club) is type(arpad.system("elo"))


def test_settings_are_those_of_the_constructor():
    """The rule file is no setting, although the constructor takes it."""
    assert type(arpad.system("elo")).settings() == ("k", "scale")
    assert type(arpad.system("glicko")).settings() == ("c", "floor", "rating", "deviation")
    assert type(arpad.system("chesscom")).settings() == ()


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_registry_agrees_with_the_standing(name):
    """What the registry says a system uses of a standing is a field of its standing."""
    known = {field.name for field in fields(arpad.system(name).standing)}
    used = {SPELT.get(fact, fact) for fact in OF_A_STANDING if name in systems_using(fact)}
    assert used <= known
