"""Pasted samples with their expected games, kept outside the repository."""

import json
from dataclasses import dataclass
from pathlib import Path

from conftest import shared

COMPARED = ("round", "opponent", "name", "title", "result", "colour")
PLAYED = ("win", "draw", "loss")


@dataclass(frozen=True)
class Sample:
    """A pasted text, whose games are meant, and how it should be read."""

    number: str
    text: str
    player: str | None
    games: list[dict]
    ignored: list[str]
    remarks: list[dict]

    def silent(self, paste) -> set[str]:
        """The lines without a game that tell nothing about the player or the event, without the blanks around them."""
        return {line.strip() for line in self.ignored} - told(self, paste)


def _sample(path: Path) -> Sample:
    expected = json.loads(path.with_suffix("").with_suffix(".expected.json").read_text(encoding="utf-8"))
    games = [{key: game[key] for key in COMPARED} for game in expected["games"]]
    text = path.read_text(encoding="utf-8")
    return Sample(path.name[:2], text, expected.get("player"), games, expected["ignored_lines"], expected["games"])


def told(sample: Sample, paste) -> set[str]:
    """The lines that tell something about the player or the event, without the blanks around them."""
    numbers = {one.line for one in paste.about.stated.values()}
    numbers |= {number for event in paste.events for number in range(event.line, event.line + event.lines)}
    lines = sample.text.split("\n")
    return {lines[number - 1].strip() for number in numbers}


SAMPLES = {sample.number: sample for sample in map(_sample, sorted(shared("data/pastes").glob("*.txt")))}


def compared(paste) -> list[dict]:
    """The games of a paste, with the keys that the samples give."""
    return [{key: getattr(game, key) for key in COMPARED} for game in paste.games]
