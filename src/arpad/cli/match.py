"""`arpad match`: what a match between two engines says."""

from __future__ import annotations

from arpad.cli import show
from arpad.errors import BadInput
from arpad.matches import match
from arpad.matches.rules import PROGRAMS, Sprt

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "an engine match: Elo difference, error bars, LOS, SPRT"
EXAMPLES = (
    "arpad match --wins 120 --losses 95 --draws 300",
    "arpad match --pairs 10 40 100 45 12 --sprt 0 5",
    "arpad match --wins 136 --losses 96 --draws 111 --sprt 0 10 --program cutechess",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad match`."""
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
    return show.Reply.to(match(**counts, pairs=options.pairs, sprt=_sprt(options), program=options.program))


def _sprt(options: argparse.Namespace) -> Sprt | None:
    given = {name: value for name in ("alpha", "beta", "model") if (value := getattr(options, name)) is not None}
    if options.sprt is None:
        if given:
            raise BadInput(f"--{next(iter(given))} belongs to a test; give its bounds (`--sprt 0 5`).", at="--sprt")
        return None
    return Sprt(*options.sprt, **given)
