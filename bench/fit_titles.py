"""Which titles active players of a rating hold, from a FIDE list.

python bench/fit_titles.py LIST.csv …            print the shares by band
python bench/fit_titles.py LIST.csv … --write    and write src/arpad/forecast/titles.toml

A list is a CSV file with FIDE's columns Title, Rating, Gms and Flag. Players count who are not inactive and who
played in the month.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

DATA = Path(__file__).parents[1] / "src/arpad/forecast/titles.toml"
TITLES = ("GM", "IM", "FM", "WGM", "WIM", "WFM")  # those that count for a norm
BAND, LOWEST, HIGHEST = 50, 1900, 2550  # below and above, one band each
HEAD = """# Which titles active players of a rating hold. Written by bench/fit_titles.py --write; see docs/chances.md.

fitted  = {today}
players = {players}
source  = "FIDE's standard list of September 2025, players with a game in the month"

# From this rating on: the share of players with each title that counts for a norm.
bands = [
"""


def main(arguments: list[str]) -> None:
    """Print the shares, and write them if asked to."""
    bands = counted(row for path in arguments if path != "--write" for row in rows(Path(path)))
    lines = [
        f"    {{rating = {band}, players = {total}, shares = {{"
        + ", ".join(f"{title} = {found[title] / total:.3f}" for title in TITLES if found[title])
        + "}},"
        for band, found in sorted(bands.items())
        if (total := sum(found.values()))
    ]
    players = sum(sum(found.values()) for found in bands.values())
    text = HEAD.format(today=datetime.now(tz=UTC).date(), players=players) + "\n".join(lines) + "\n]\n"
    sys.stdout.write(text)
    if "--write" in arguments:
        DATA.write_text(text, encoding="utf-8")


def rows(path: Path) -> Iterable[Mapping[str, str]]:
    """The players of a list."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def counted(players: Iterable[Mapping[str, str]]) -> Mapping[int, Counter[str]]:
    """How many players of each band hold each title; an empty title counts too."""
    bands: dict[int, Counter[str]] = defaultdict(Counter)
    for player in players:
        if player["Rating"].isdecimal() and int(player["Gms"] or 0) and "i" not in player["Flag"]:
            rating = int(player["Rating"])
            band = 0 if rating < LOWEST else min(rating // BAND * BAND, HIGHEST)
            bands[band][player["Title"]] += 1
    return bands


if __name__ == "__main__":
    main(sys.argv[1:])
