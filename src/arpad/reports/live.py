"""The page that follows an event: its state after each change to the file, and any problem with the file now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages import voice
from arpad.reports.page import TEMPLATES, templates, whole_style

if TYPE_CHECKING:
    from arpad.reports.norms import Norms
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.next_round import NextRound
    from arpad.tournaments.standings import EventStandings


@dataclass(frozen=True, slots=True)
class LiveState:
    """What a live page shows: the event's name, a body, the time it was made, and any problem since."""

    title: str = ""
    body: str = ""
    time: str = ""
    problem: str = ""
    version: int = 0


def live_page(state: LiveState) -> str:
    """The whole page."""
    return (
        templates()
        .get_template("live.html")
        .render(
            title=state.title,
            shown=state.body,
            time=state.time,
            problem=state.problem,
            version=state.version,
            style=whole_style(),
            language=voice().language,
        )
    )


def live_body(
    *,
    player: PlayerReport | None = None,
    standings: EventStandings | None = None,
    norms: Norms | None = None,
    ahead: NextRound | None = None,
    why: str = "",
) -> str:
    """Those given of a player, standings, norms and the next round; `why` says why that round is not shown."""
    made = templates().get_template("live_body.html")
    return made.render(player=player, found=standings, norms=norms, ahead=ahead, why=why)


def live_script() -> str:
    """The script that looks for a new state."""
    return (TEMPLATES / "live.js").read_text(encoding="utf-8")
