"""Every place that shows a chance names the model that it is by."""

import json

import pytest

from arpad.cli import main

ON = ["--on", "2026-11-15"]
EVENTS = "".join(f"[[event]]\non = 2027-{month}-10\nagainst = [2350, 2400]\n" for month in ("01", "03"))
LINES = {
    "one game": ["expect", "1780", "1700"],
    "a score needed": ["need", "1780", "--reach", "1785", "--against", "1700", "1750"],
    "an outlook": ["outlook", "1780", "--against", "1700", "1750"],
    "results so far": ["outlook", "1780", "1700:win", "1750"],
    "an open": ["outlook", "1780", "--field", "1800", "--rounds", "3"],
    "a norm": ["outlook", "2460", "--norm", "gm", "--federation", "GER", "--against", "2550gm/FRA", "2480im/POL"],
    "strength": ["strength", "1780", "1700:win", "1750:draw"],
    "strength of an unrated player": ["strength", "unrated", "1700:win", "1750:draw"],
}


@pytest.fixture(params=[*LINES, "a season", "plans"])
def line(request, tmp_path):
    """A command that shows chances."""
    if request.param in LINES:
        return [*LINES[request.param], *ON]
    paths = [tmp_path / name for name in ("open.toml", "league.toml")[: 1 if request.param == "a season" else 2]]
    for path in paths:
        path.write_text(f"rating = 2380\nborn = 1990\n{EVENTS}", encoding="utf-8")
    return ["outlook", *(word for path in paths for word in ("--plan", str(path))), *ON]


@pytest.mark.parametrize("form", [[], ["--brief"], ["--explain"]])
@pytest.mark.parametrize(("asked", "model"), [([], "calibrated"), (["--draws", "labelle"], "labelle")])
def test_the_command_names_the_model(line, form, asked, model, capsys):
    """In full, in brief and with its working; one game has no chances in brief, and no other model."""
    if line[0] == "expect" and (asked or form == ["--brief"]):
        return
    assert main([*line, *form, *asked]) == 0
    assert model in capsys.readouterr().out.casefold()


def test_json_names_the_model(line, capsys):
    """The value has the model beside the chances."""
    assert main([*line, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    found = [value, *value.get("plans", [])][-1]
    assert (found["draws"]["name"] if "draws" in found else found["chances"]["model"]) == "calibrated"
