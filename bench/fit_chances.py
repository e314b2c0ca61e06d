"""Fit the calibrated model of chances on real games, and test it on games that the fit has not seen.

python bench/fit_chances.py            print the fit and its tests
python bench/fit_chances.py --write    and write src/arpad/systems/calibrated.toml

Needs the bulk extra (NumPy). One pass takes about a minute.
"""

from __future__ import annotations

import csv
import lzma
import re
import sys
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

import arpad

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared/data"
EARLY, LATE = SHARED / "games/twic_1000_1100_standard.csv.xz", SHARED / "games/twic_1293_1311_results.csv.xz"
DATA = ROOT / "src/arpad/systems/calibrated.toml"

SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
FAST = re.compile(
    r"rapid|blitz|bullet|banter|speed|online|titled|lichess|960|blindfold|basque|armageddon", re.IGNORECASE
)

KNOTS = (1800.0, 2150.0, 2600.0)  # ratings at which the slope is a parameter; it is linear in between
POINTS = 200.0  # slopes are per so many points
MIDDLE, SPAN = 2200.0, 400.0  # a level is measured from the middle, in spans
PARTS = 5  # a fifth of the events of 2019 is left out at a time
LOWEST, HIGHEST = 1600.0, 2800.0  # levels beyond these count as these, because there are hardly any games
START = {
    **dict.fromkeys(("slope_1800", "slope_2150", "slope_2600"), 1.2),
    "white": 0.2,
    "white_rise": 0.09,
    "bend": 0.02,
    "width": -0.25,
    "width_rise": 0.43,
    "close": 0.2,
    "close_within": 150.0,
}
# Parameters that differ between 2014-15 and 2019; the model uses those of 2019.
DRIFT = {"slope_1800": 0.1, "slope_2150": 0.0, "slope_2600": 0.0, "bend": 0.0, "width": 0.0}


@dataclass(frozen=True)
class Games:
    """Games from White's side, by column; ratings as published."""

    white: Floats
    black: Floats
    score: Floats
    year: Floats
    event: NDArray[np.int64]  # a number per event; in the earlier file, which has no events, one per game
    fast: NDArray[np.bool_]

    def only(self, rows: NDArray[np.bool_]) -> Games:
        """Some of the games."""
        return Games(*(getattr(self, column.name)[rows] for column in fields(self)))

    @property
    def lifted(self) -> Games:
        """The same games with ratings converted as in March 2024."""
        return replace(self, white=lift(self.white), black=lift(self.black))

    @property
    def result(self) -> NDArray[np.int64]:
        """0 for a win, 1 for a draw, 2 for a loss."""
        return np.asarray(2 - 2 * self.score, dtype=np.int64)


def lift(ratings: Floats) -> Floats:
    """Ratings on the scale since the last conversion of FIDE's standard list, not rounded."""
    rule = arpad.system("fide-standard").rulebook.rules["one_off"][-1].value
    level, share = float(rule.level), float(rule.share)
    return np.where(ratings < level, ratings + share * (level - ratings), ratings)


def read_early() -> Games:
    """Standard games of 2013 to 2015."""
    with lzma.open(EARLY, "rt", encoding="utf-8") as file:
        rows = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    events = np.arange(len(rows))
    return Games(rows[:, 1], rows[:, 2], rows[:, 3], rows[:, 0], events, np.zeros(len(rows), dtype=bool))


def late_rows() -> list[dict[str, str]]:
    """The rows of the games of 2019 that have a result."""
    with lzma.open(LATE, "rt", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["result"] in SCORES]


def read_late() -> Games:
    """All games of 2019; those of rapid, blitz and online events are marked."""
    rows = late_rows()
    white, black, year = np.array(
        [[row["white_elo"], row["black_elo"], row["date"][:4]] for row in rows], dtype=float
    ).T
    fast = [bool(FAST.search(row["event"])) or row["event_type"] in ("blitz", "rapid") for row in rows]
    scores = np.array([SCORES[row["result"]] for row in rows])
    events = np.array([crc32(row["event"].encode()) for row in rows], dtype=np.int64)
    return Games(white, black, scores, year, events, np.array(fast))


def read_recent() -> Games:
    """Standard games of six opens of 2026, between rated players."""
    rows = []
    for path in sorted((SHARED / "tournaments").glob("*_2026*.trf")):
        entrants = arpad.read(path).entrants
        ratings = {entrant.no: entrant.player.rating for entrant in entrants}
        rows += [
            (ratings[entrant.no], ratings.get(game.opponent), float(game.score))
            for entrant in entrants
            for game in entrant.rounds
            if game.kind == "played" and game.colour == "white" and game.score is not None
        ]
    rated = np.array([row for row in rows if row[0] and row[1]], dtype=float)
    none = np.zeros(len(rated))
    return Games(rated[:, 0], rated[:, 1], rated[:, 2], none, np.arange(len(rated)), none > 0)


def ability(ratings: Floats, slopes: tuple[float, ...]) -> Floats:
    """The integral of a slope that is linear between the knots and constant outside them."""
    total = slopes[0] * (np.minimum(ratings, KNOTS[0]) - KNOTS[0])
    for low, high, first, last in zip(KNOTS, KNOTS[1:], slopes, slopes[1:], strict=False):
        into = np.clip(ratings, low, high) - low
        total = total + first * into + (last - first) * into**2 / (2 * (high - low))
    return np.asarray((total + slopes[-1] * np.maximum(ratings - KNOTS[-1], 0.0)) / POINTS)


def chances(p: dict[str, float], games: Games) -> Floats:
    """White's chances of win, draw and loss, a row per game; the same formula as in arpad.systems.chances."""
    slopes = tuple(p[f"slope_{knot:.0f}"] for knot in KNOTS)
    level = (np.clip((games.white + games.black) / 2, LOWEST, HIGHEST) - MIDDLE) / SPAN
    edge = ability(games.white, slopes) - ability(games.black, slopes) + p["white"] + p["white_rise"] * level
    edge = edge / (1 + p["bend"] * np.abs(edge))
    close = np.exp(-(((games.white - games.black) / p["close_within"]) ** 2))
    width = np.exp(p["width"] + p["width_rise"] * level + p["close"] * close)
    win, loss = 1 / (1 + np.exp(width - edge)), 1 / (1 + np.exp(width + edge))
    return np.stack([win, 1 - win - loss, loss], axis=1)


def log_chances(values: Floats, parts: list[tuple[Games, bool]]) -> Floats:
    """The logarithm of the chance of each result; for games of the earlier years, drift is added."""
    names = list(START)
    p, drift = dict(zip(names, values, strict=False)), dict(zip(DRIFT, values[len(names) :], strict=False))
    found = []
    for games, earlier in parts:
        used = {name: value + drift.get(name, 0.0) for name, value in p.items()} if earlier else p
        found.append(np.log(np.maximum(chances(used, games)[np.arange(len(games.score)), games.result], 1e-300)))
    return np.concatenate(found)


def fit(parts: list[tuple[Games, bool]]) -> tuple[dict[str, float], dict[str, float]]:
    """The maximum-likelihood parameters and their standard errors, by Fisher scoring with damped steps."""
    drift = DRIFT if any(earlier for _, earlier in parts) else {}
    values = np.array([*START.values(), *drift.values()])
    before, damping = log_chances(values, parts).sum(), 1e-3
    for _ in range(60):
        slopes = np.stack([_slope(values, place, parts) for place in range(len(values))], axis=1)
        information = slopes.T @ slopes
        while True:
            step = np.linalg.solve(information + damping * np.diag(np.diag(information)), slopes.sum(axis=0))
            after = log_chances(values + step, parts).sum()
            if after > before or np.abs(step).max() < 1e-9:
                break
            damping *= 10
        gained, values, before, damping = after - before, values + step, max(before, after), max(damping / 10, 1e-9)
        if gained < 1e-6:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    return dict(zip(START, values.tolist(), strict=False)), dict(zip(START, errors.tolist(), strict=False))


def _slope(values: Floats, place: int, parts: list[tuple[Games, bool]]) -> Floats:
    """The derivative of every log chance with respect to one parameter, by central differences."""
    step = np.zeros_like(values)
    step[place] = 1e-5 * max(1.0, abs(values[place]))
    return (log_chances(values + step, parts) - log_chances(values - step, parts)) / (2 * step[place])


def crossed(early: Games, late: Games) -> Floats:
    """The chances in the games of 2019, each from a fit without any game of the same event."""
    found = np.zeros((len(late.score), 3))
    for part in range(PARTS):
        mine = late.event % PARTS == part
        p, _ = fit([(early.lifted, True), (late.only(~mine & ~late.fast).lifted, False)])
        found[mine] = chances(p, late.only(mine).lifted)
    return found


def other_year(early: Games) -> Iterator[tuple[int, Games, Floats]]:
    """The games of 2015 by a fit on the earlier ones, and the earlier ones by a fit on those of 2015."""
    last = early.year == early.year.max()
    for year, rows in ((2015, last), (2014, ~last)):
        p, _ = fit([(early.only(~rows).lifted, False)])
        tested = early.only(rows)
        yield year, tested, chances(p, tested.lifted)


@dataclass(frozen=True)
class Band:
    """Games in a band of rating differences: what was predicted for the favourite, and what happened."""

    low: int
    high: int | None
    games: int
    says: float
    scored: float
    draws: float
    drawn: float
    error: float  # the standard errors of score and draws; games of one event count together
    drawn_error: float


def bands(found: Floats, games: Games, edges: tuple[int, ...]) -> Iterator[Band]:
    """The bands between the edges, and one beyond the last."""
    gap = games.white - games.black
    expected, drawn = found[:, 0] + found[:, 1] / 2, games.score == 0.5
    says, scored = (np.where(gap >= 0, score, 1 - score) for score in (expected, games.score))
    for low, high in zip(edges, (*edges[1:], None), strict=True):
        rows = (np.abs(gap) >= low) & (np.abs(gap) < (high or np.inf))
        if rows.any():
            means = (float(column[rows].mean()) for column in (says, scored, found[:, 1], drawn))
            errors = (standard_error(off[rows], games.event[rows]) for off in (says - scored, found[:, 1] - drawn))
            yield Band(low, None if high is None else high - 1, int(rows.sum()), *means, *errors)


def standard_error(values: Floats, events: NDArray[np.int64]) -> float:
    """The standard error of a mean, with values clustered by event."""
    _, place = np.unique(events, return_inverse=True)
    sums = np.bincount(place, values - values.mean())
    return float(np.sqrt((sums**2).sum()) / len(values))


def log_loss(found: Floats, games: Games) -> float:
    """−ln of the chance of the actual result, per game."""
    return float(-np.log(found[np.arange(len(games.score)), games.result]).mean())


def show(name: str, found: Floats, games: Games) -> None:
    """Print how well chances fit games: log loss, then by rating difference, then by level."""
    print(f"\n{name}: {len(games.score)} games, log loss {log_loss(found, games):.4f}")
    head = ("scored", "model", "off", "± s.e.", "drawn", "model", "off", "± s.e.")
    print(f"{'favourite by':<14}{'games':>7}" + "".join(f"{heading:>8}" for heading in head))
    for band in bands(found, games, tuple(range(0, 601, 50))):
        _line(f"{band.low}+" if band.high is None else f"{band.low} to {band.high}", band)
    level = (games.white + games.black) / 2
    for title, low, high in (("below 2000", 0, 2000), ("2000 to 2399", 2000, 2400), ("2400 and over", 2400, 9999)):
        rows = (level >= low) & (level < high)
        for band in bands(found[rows], games.only(rows), (0,)):
            _line(title, band)
        if rows.any():
            white = found[rows, 0] + found[rows, 1] / 2
            print(f"{'  White':<14}{'':>7}{games.score[rows].mean():8.3f}{white.mean():8.3f}")


def _line(title: str, band: Band) -> None:
    print(
        f"{title:<14}{band.games:>7}{band.scored:8.3f}{band.says:8.3f}{band.says - band.scored:+8.3f}{band.error:8.3f}"
        f"{band.drawn:8.3f}{band.draws:8.3f}{band.draws - band.drawn:+8.3f}{band.drawn_error:8.3f}"
    )


def write(
    p: dict[str, float], errors: dict[str, float], games: int, held: list[Band], losses: dict[str, float]
) -> None:
    """Write the data file of the model."""
    lines = [
        "# The calibrated model of chances. Written by bench/fit_chances.py --write; see docs/chances.md.",
        "# Ratings are on FIDE's standard scale since March 2024: older ones below 2000 were lifted as that list was.",
        "",
        f"fitted = {date.today().isoformat()}",  # noqa: DTZ011  # the day the script is run
        f"games  = {games}",
        'source = "The Week in Chess 1000 to 1100 (2014-15) and 1293 to 1311 (2019), standard games"',
        'method = "ordered logit by maximum likelihood; slopes, bend and width of 2019, the rest of all years"',
        "",
        "# What games left out of a test fit say of favourites by so many points: predicted, happened.",
        "holds = [",
        *(f"    {{{', '.join(_fields(band))}}}," for band in held),
        "]",
        "",
        "[ability]  # per 200 points, at these ratings; a straight line between them, constant outside",
        f"ratings = [{', '.join(f'{knot:.0f}' for knot in KNOTS)}]",
        f"slopes  = [{', '.join(_figure(p[f'slope_{knot:.0f}']) for knot in KNOTS)}]",
        f"errors  = [{', '.join(_figure(errors[f'slope_{knot:.0f}']) for knot in KNOTS)}]",
        "",
        "[level]  # the average of both ratings: counted from the middle in spans, and held between the ends",
        f"middle  = {MIDDLE:.0f}",
        f"span    = {SPAN:.0f}",
        f"lowest  = {LOWEST:.0f}",
        f"highest = {HIGHEST:.0f}",
        "",
        "[parameters]",
        *(f"{name:<13}= {{value = {_figure(p[name])}, error = {_figure(errors[name])}}}" for name in
          ("white", "white_rise", "bend", "width", "width_rise", "close", "close_within")),
        "",
        "[log_loss]  # on the standard games of 2019, each by a fit that has not seen it; and Labelle's",
        *(f"{name:<11}= {value:.4f}" for name, value in losses.items()),
        "",
    ]  # fmt: skip
    DATA.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _fields(band: Band) -> Iterator[str]:
    """A band as a line of the data file; the last one has no upper end."""
    for name in ("low", "high", "games", "says", "scored", "draws", "drawn"):
        value = getattr(band, name)
        if value is not None:
            yield f"{name} = {value:.3f}" if isinstance(value, float) else f"{name} = {value}"


def _figure(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 10 else f"{value:.1f}"


def labelle_chances(games: Games) -> Floats:
    """White's chances by Labelle's model with 35 points for White."""
    model = arpad.draw_model("labelle", white=35)
    pairs = zip(games.white.tolist(), games.black.tolist(), strict=True)
    return np.array([model.chances(white, black, "white", float) for white, black in pairs])


def main() -> None:
    """Fit, test, and write the data file if asked."""
    early, late = read_early(), read_late()
    standard = late.only(~late.fast)
    everything = crossed(early, late)
    found, crossed_fast = everything[~late.fast], everything[late.fast]
    show("2019, standard, by fits that have not seen the event", found, standard)
    show("2019, rapid, blitz and online events, by the same fits", crossed_fast, late.only(late.fast))
    before, _ = fit([(early.lifted, False)])
    show("2019, standard, by a fit on 2014-15 alone", chances(before, standard.lifted), standard)
    for year, tested, predicted in other_year(early):
        show(f"{year}, by a fit on the other year", predicted, tested)
    recent = read_recent()
    labelle = labelle_chances(standard)
    show("the same by Labelle's model, White 35", labelle, standard)
    p, errors = fit([(early.lifted, True), (standard.lifted, False)])
    show("2026, six opens, by the model", chances(p, recent), recent)
    published, _ = fit([(early, True), (standard, False)])
    show("2026, six opens, by a fit on ratings as published then", chances(published, recent), recent)
    print("\n" + "\n".join(f"{name:<13}{p[name]:9.4f} ± {errors[name]:.4f}" for name in p))
    if "--write" in sys.argv[1:]:
        losses = {"calibrated": log_loss(found, standard), "labelle": log_loss(labelle, standard)}
        held = list(bands(found, standard.lifted, tuple(range(0, 601, 100))))
        write(p, errors, len(early.score) + len(standard.score), held, losses)


if __name__ == "__main__":
    main()
