"""`arpad ties`: tie-breaks by ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.options import add_reading, given_day, readings_of
from arpad.cli.tournaments import add_file, add_rating_list, the_tournament, with_list
from arpad.core import rating_of
from arpad.core.tournament import EVENT_KINDS
from arpad.messages import figure
from arpad.tournaments.tiebreaks.report import tie_breaks

if TYPE_CHECKING:
    import argparse

    from arpad.tournaments.tiebreaks.report import TieBreaks

SUMMARY = "tie-breaks by ratings: ARO, TPR, PTP, APRO, APPO, RTNG"
EXAMPLES = (
    "arpad ties docs/examples/open.trf --by ARO/C1,TPR --unrated 1400",
    "arpad ties docs/examples/norms.trf --by APRO,PTP,RTNG",
    "arpad ties docs/examples/norms.trf",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad ties`."""
    add_file(parser)
    parser.add_argument(
        "--by",
        metavar="LIST",
        help="the tie-breaks in order, for example ARO/C1,TPR,APRO (default: all, without order)",
    )
    parser.add_argument("--unrated", metavar="RATING", help="what an unrated player counts as by the event's own rule")
    parser.add_argument("--event-kind", metavar="KIND", help=f"one of {', '.join(EVENT_KINDS)} (default: as written)")
    parser.add_argument("--on", metavar="DATE", help="the day the event began (default: as written)")
    add_reading(parser)
    add_rating_list(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Work the tie-breaks out."""
    tournament, people = with_list(options, the_tournament(options))
    ties = tie_breaks(
        tournament,
        [name for name in (options.by or "").split(",") if name.strip()],
        on=given_day(options),
        unrated=None if options.unrated is None else rating_of(options.unrated, at="--unrated"),
        kind=options.event_kind,
        readings=readings_of(options),
    )
    return people.noted(show.Reply.to(ties, lambda _: _table(ties)) if ties.criteria else show.Reply.to(ties))


def _table(ties: TieBreaks) -> str:
    """Everybody in the order that points and tie-breaks give."""
    value = ties.value()
    rows = [
        [
            str(one["place"]),
            str(one["no"]),
            of.entrant.called,
            "" if one["rating"] is None else figure(one["rating"]),
            "" if one["points"] is None else figure(one["points"]),
            *("" if one["values"][name] is None else figure(one["values"][name]) for name in value["criteria"]),
        ]
        for of, one in zip(ties.players, value["players"], strict=True)
    ]
    return show.fitted(["place", "no", "name", "rating", "points", *value["criteria"]], rows, "name", left=["name"])
