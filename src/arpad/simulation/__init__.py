"""Whole events played to their end many times: what can still happen, for everybody in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from arpad.core.tournaments import day_of
from arpad.errors import BadInput, Unsupported, extra_needed
from arpad.messages import say
from arpad.systems import system as system_of
from arpad.systems.fide import LISTS, Fide
from arpad.tournaments.prizes import PLACES

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.core.tournaments import EventKind, Tournament
    from arpad.simulation.answer import EventChances
    from arpad.systems.base import System
    from arpad.tournaments.prizes import Prize, Share

RUNS, MOST_RUNS, SEED = 10_000, 100_000, 1


def chances(
    tournament: Tournament,
    *,
    system: str | System = "fide-standard",
    on: date | None = None,
    by: Sequence[str] = (),
    kind: EventKind | None = None,
    after: int | None = None,
    withdrawn: Sequence[int] = (),
    prizes: Sequence[Prize] = (),
    share: Share = PLACES,
    several: bool = False,
    runs: int = RUNS,
    seed: int = SEED,
    k: Rating | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> EventChances:
    """What can still happen to everybody in a running individual event, a Swiss or a round robin.

    Accepts a tournament that has begun. `by` are the tie-breaks, otherwise those of the file; `after` is the last round
    to count, to look back; `withdrawn` are starting numbers of players who have left; `prizes`, `share` and `several`
    are as for standings. `progress` is called with the runs done and all runs.

    Gives EventChances: for each player the score, place, rating, norms, prizes and opponents to come. Raises
    Unsupported for teams and for systems other than FIDE's, BadInput for an event that is finished, and
    MissingExtra without the extra `bulk`.
    """
    with extra_needed("chances.extra"):
        from arpad.simulation.event import Simulation
        from arpad.simulation.position import position_of
    if not 1 <= runs <= MOST_RUNS:
        raise BadInput(say("chances.refused.runs", most=MOST_RUNS), at="runs")
    fide = system_of(system) if isinstance(system, str) else system
    if not isinstance(fide, Fide):
        raise Unsupported(say("chances.refused.system", systems=sorted(LISTS.values())), at="system")
    position = position_of(tournament, kind=kind, after=after, withdrawn=withdrawn)
    return Simulation(position, fide, day_of(tournament, on), by, k).answer(
        runs, seed, progress, (tuple(prizes), share, several)
    )
