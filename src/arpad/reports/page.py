"""A report as one self-contained page: no script, no network, light or dark as the reader's browser prefers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import label_of
from arpad.core.tournaments import by_kind, grouped
from arpad.errors import ArpadError, MissingExtra
from arpad.messages import figure, say, voice
from arpad.reports.charts import charts
from arpad.reports.order import Order
from arpad.tournaments.next_round import MOST_RESULTS, NextRound, next_round, norm_words, round_to_come
from arpad.tournaments.standings import difference_lines

if TYPE_CHECKING:
    from decimal import Decimal

    from jinja2 import Environment

    from arpad.messages import Message
    from arpad.reports.norms import Norms
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.event.report import EventReport

TEMPLATES = Path(__file__).parent / "templates"


def page(rated: EventReport, norms: Norms | None = None, order: Order | None = None, *, cards: bool = True) -> str:
    """The complete page, with or without a card for each player."""
    shown = _shown(rated, norms, order, cards=cards)
    return templates().get_template("page.html").render(**shown, style=whole_style())


def body(
    rated: EventReport, norms: Norms | None = None, order: Order | None = None, ahead: NextRound | None = None
) -> str:
    """The report alone, for a page that has its own head; it needs `stylesheet`.

    The next round, if there is one, is worked out unless it is given.
    """
    shown = _shown(rated, norms, order, cards=True, ahead=ahead)
    return templates().get_template("report.html").render(**shown)


def whole_style() -> str:
    """The CSS of a page of its own, including the report's."""
    return (TEMPLATES / "page.css").read_text(encoding="utf-8") + stylesheet()


def stylesheet() -> str:
    """The CSS of a report, in the colours that the page around it defines."""
    return (TEMPLATES / "report.css").read_text(encoding="utf-8")


def _shown(
    rated: EventReport, norms: Norms | None, order: Order | None, *, cards: bool, ahead: NextRound | None = None
) -> dict[str, Any]:
    try:
        drawn, undrawn = charts(rated), None
    except ArpadError as missing:  # the charts are an extra
        drawn, undrawn = [], missing.message
    return {
        "rated": rated,
        "event": rated.event,
        "norms": norms,
        "order": order or Order(None),
        "ahead": ahead or _ahead_of(rated),
        "cards": cards,
        "charts": drawn,
        "undrawn": undrawn,
        "language": voice().language,
    }


@cache
def templates() -> Environment:
    """The templates, with the filters and functions they use."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingExtra(say("reports.needs_jinja"), at="to") from None
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.filters.update(
        figure=lambda value: "" if value is None else figure(value),
        signed=lambda value: "" if value is None else figure(value, signed=True),
        way=_way,
        score=_score,
    )
    made.globals.update(
        label=label_of,
        words=words,
        facts=_facts,
        by_the_rules=_by_the_rules,
        card_line=_card_line,
        why_line=_why_line,
        reasons=_reasons,
        grouped=grouped,
        by_kind=by_kind,
        not_ahead=_not_ahead,
        norm_words=norm_words,
        difference_lines=difference_lines,
    )
    return made


def _ahead_of(rated: EventReport) -> NextRound | None:
    """The next round; None if every pairing has a result, or the event is too large."""
    return None if round_to_come(rated.event) is None or _not_ahead(rated) else next_round(rated)


def _not_ahead(rated: EventReport) -> str:
    """Says that an event is too large for a page to show its next round; empty for all others."""
    number, results = round_to_come(rated.event), len(rated.event.entrants) * rated.event.rounds
    if number is None or results <= MOST_RESULTS:
        return ""
    return words("next_left_out", round=number, results=results, most=MOST_RESULTS)


def words(key: str, **values: object) -> str:
    """A text of the report by its key."""
    return str(say(f"reports.{key}", **values))


def _facts(rated: EventReport) -> str:
    """Where and when the event was, in one line."""
    event = rated.event
    days = None if event.start is None else str(event.start)
    if event.start is not None and event.end not in (None, event.start):
        days = words("days", start=event.start, end=event.end)
    facts = (
        event.city,
        event.federation,
        days,
        words("rounds", rounds=event.rounds) if event.rounds else None,
        event.kind,
        event.time_control,
        words("arbiter", arbiter=event.arbiter) if event.arbiter else None,
    )
    return " · ".join(filter(None, facts))


def _card_line(player: PlayerReport) -> str:
    """The figures on a player's card in one line."""
    if not player.calculated:
        return ""
    parts = [words("score", score=_score(player.score), games=player.games)]
    if player.expected is not None:
        parts.append(words("expected", expected=player.expected))
    if player.performance is not None:
        parts.append(words("performance", performance=player.performance))
    if player.k is not None:
        parts.append(words("k", k=player.k) if player.k_why is None else words("k_why", k=player.k, why=player.k_why))
    return "; ".join(parts)


def _why_line(player: PlayerReport) -> str:
    """Why a player has no calculation or no new rating, as a sentence."""
    parts = [str(player.why)]
    if player.missing:
        parts.append(words("missing", missing=", ".join(map(str, player.missing))))
    if player.so_far:
        parts.append(words("so_far", so_far=player.so_far))
    line = "; ".join(parts)
    return f"{line[:1].upper()}{line[1:]}"


def _by_the_rules(rated: EventReport) -> Message:
    return say("answers.by_the_rules", system=rated.system, on=rated.on)


def _way(change: Decimal | None) -> str:
    """`up` or `down`, for the style of a change; empty for none."""
    return "" if not change else "up" if change > 0 else "down"


def _score(score: Decimal | None) -> str:
    """A score as in a crosstable: `½`, `3½`."""
    if score is None:
        return ""
    points, half, _ = figure(score).partition(".5")
    return f"{'' if half and points == '0' else points}{'½' * bool(half)}"


def _reasons(player: PlayerReport) -> list[Message]:
    """Each reason given for a player's games once, with the rounds."""
    found: dict[str, list[int]] = {}
    for board, line in player.played():
        if line is not None and line.why is not None:
            found.setdefault(str(line.why), []).append(board.round)
    return [
        say("reports.in_round" if len(rounds) == 1 else "reports.in_rounds", rounds=rounds, why=why)
        for why, rounds in found.items()
    ]
