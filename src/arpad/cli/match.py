"""`arpad match`: what a match between two engines says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.errors import BadInput
from arpad.matches import match
from arpad.matches.rules import PROGRAMS, Sprt

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

SIGNS = {"+": "wins", "=": "draws", "-": "losses", "−": "losses"}
SUMMARY = "an engine match: Elo difference, error bars, LOS, SPRT"
EXAMPLES = (
    "arpad match --wins 120 --losses 95 --draws 300",
    "arpad match +120 =300 -95",
    "arpad match --pairs 10 40 100 45 12 --sprt 0 5",
    "arpad match --wins 136 --losses 96 --draws 111 --sprt 0 10 --program cutechess",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad match`."""
    parser.add_argument(
        "score", nargs="*", metavar="+W =D -L", help="games won, drawn and lost, as chess players write"
    )
    parser.add_argument("--wins", metavar="N", help="games won")
    parser.add_argument("--losses", metavar="N", help="games lost")
    parser.add_argument("--draws", metavar="N", help="games drawn")
    parser.add_argument("--pairs", nargs="+", metavar="N", help="pairs of games: LL, LD, even, WD, WW")
    parser.add_argument("--program", default="fastchess", help=f"whose conventions: {', '.join(PROGRAMS)}")
    group = parser.add_argument_group("sequential test")
    group.add_argument("--sprt", nargs=2, metavar=("ELO0", "ELO1"), help="test one Elo difference against another")
    group.add_argument("--alpha", metavar="SHARE", help="chance of accepting ELO1 wrongly (default 0.05)")
    group.add_argument("--beta", metavar="SHARE", help="chance of accepting ELO0 wrongly (default 0.05)")
    group.add_argument("--model", metavar="NAME", help="of fastchess: normalized (default), logistic or bayesian")


def run(options: argparse.Namespace) -> show.Reply:
    """Work the figures out."""
    counts = {"wins": options.wins, "losses": options.losses, "draws": options.draws}
    if options.score:
        _alone(counts)
        counts = _counts(" ".join(options.score))
    return show.Reply.to(match(**counts, pairs=options.pairs, sprt=_sprt(options), program=options.program))


def _alone(counts: Mapping[str, str | None]) -> None:
    twice = [f"--{name}" for name, value in counts.items() if value is not None]
    if twice:
        raise BadInput(f"The games are counted twice; leave out {', '.join(twice)}, or +W =D -L.", at="score")


def _counts(score: str) -> dict[str, str | None]:
    """`+5 =2 -1`: who leaves one out has none of those."""
    counts: dict[str, str | None] = dict.fromkeys(SIGNS.values(), "0")
    parts = re.findall(r"([+=−-])\s*([0-9]+)", score)
    signs = [SIGNS[sign] for sign, _ in parts]
    left = re.sub(r"[+=−-]\s*[0-9]+|[\s,;]", "", score)
    if left or not parts or len(set(signs)) < len(signs):
        raise BadInput(f"'{score}' is not a score; write +5 =2 -1 for 5 wins, 2 draws and a loss.", at="score")
    return counts | dict(zip(signs, (count for _, count in parts), strict=True))


def _sprt(options: argparse.Namespace) -> Sprt | None:
    given = {name: value for name in ("alpha", "beta", "model") if (value := getattr(options, name)) is not None}
    if options.sprt is None:
        if given:
            raise BadInput(f"--{next(iter(given))} belongs to a test; give its bounds (`--sprt 0 5`).", at="--sprt")
        return None
    return Sprt(*options.sprt, **given)
