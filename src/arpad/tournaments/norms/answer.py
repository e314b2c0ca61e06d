"""What norms answer: the verdicts of one player, and of a whole tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answers import plain
from arpad.calculation.contract import Calculation, Figure
from arpad.core.counting import counted
from arpad.core.tournament import WRITTEN, numbered
from arpad.errors import BadInput
from arpad.messages import figure
from arpad.tournaments.norms.conditions import in_points
from arpad.tournaments.norms.working import norm_step, rating_title_step

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.calculation.contract import Notes
    from arpad.calculation.step import Step
    from arpad.core.tournament import Entrant
    from arpad.tournaments.norms.conditions import Condition, Verdict
    from arpad.tournaments.norms.field import Foreigners
    from arpad.tournaments.norms.forecast import Needs
    from arpad.tournaments.norms.games import Scoresheet
    from arpad.tournaments.norms.ratings import RatingTitle
    from arpad.tournaments.norms.rules import Edition

SYSTEM = "fide-titles"


class Norm(NamedTuple):
    """One title of one player: the verdict, what stands beside the conditions, and what is still needed."""

    verdict: Verdict
    beside: tuple[Condition, ...]  # the exemption used, and what is only told
    held: bool | None  # the player has this title or a better one; None where nobody's title is known
    covers: int  # games that the norm counts as
    needs: Needs | None = None

    @property
    def title(self) -> str:
        """The title."""
        return self.verdict.title

    @property
    def final(self) -> Verdict:
        """The verdict after the best result against the last opponent, where one is known; else that of now."""
        return (self.needs and self.needs.best) or self.verdict

    @property
    def possible(self) -> bool:
        """Whether the norm is made, or can still be."""
        return bool(self.verdict.met) or (self.needs is not None and self.needs.possible)

    @property
    def hangs(self) -> bool:
        """Whether a norm, made or still possible, hangs on something that nobody knows: titles, federations."""
        if self.possible or not self.verdict.condition("sex").met:
            return False
        return self.verdict.met is None or (self.needs is not None and self.needs.hangs)

    def value(self) -> dict[str, Any]:
        """The norm by the names of the public contract."""
        verdict = self.verdict
        return {
            "title": self.title,
            "met": verdict.met,
            "held": self.held,
            "games": len(verdict.games),
            "score": plain(in_points(verdict.halves)),
            "covers": self.covers if verdict.met else None,
            "extra": verdict.extra,
            "short": plain(None if verdict.short is None else in_points(verdict.short)),
            "dropped": list(verdict.dropped),
            "by": verdict.by and verdict.by.name,
            "conditions": [_condition(one) for one in (*verdict.conditions, *self.beside)],
            "needs": None if self.needs is None else _needs(self.needs),
        }


def _condition(one: Condition) -> dict[str, Any]:
    return {
        "name": one.name,
        "met": one.met,
        "found": plain(one.found),
        "needed": plain(one.needed),
        "bound": one.bound or None,
        "article": one.rule and one.rule.article,
        "lifted": one.lifted,
        "information": one.information,
    }


def _needs(needs: Needs) -> dict[str, Any]:
    trials = [
        {
            "result": one.result,
            "met": one.verdict.met,
            "performance": one.verdict.performance,
            "failed": [part.name for part in one.verdict.failed],
        }
        for one in needs.trials
    ]
    demands = [
        {"games": one.games, "score": plain(one.score), "rating": one.rating, "opponent": list(one.opponent)}
        for one in needs.demands
    ]
    return {
        "rounds_left": needs.left,
        "made": needs.made,
        "opponent": needs.opponent and needs.opponent.opponent,
        "result": needs.result,
        "results": trials,
        "scores": demands,
    }


class PlayerNorms(Calculation):
    """The norms of one player."""

    def __init__(
        self,
        on: date,
        entrant: Entrant,
        sheet: Scoresheet,
        norms: tuple[Norm, ...],
        rating_titles: tuple[RatingTitle, ...],
        edition: Edition,
        notes: Notes = tuple,
    ) -> None:
        super().__init__(SYSTEM, on, self._working, notes)
        self.entrant = entrant
        self.sheet = sheet
        self.norms = norms
        self.rating_titles = rating_titles
        self._edition = edition

    def _working(self) -> tuple[Step, ...]:
        player = self.entrant.player
        who = f"no. {self.entrant.no}" + (f", {player.name}" if player.name else "")
        norms = (norm_step(one, self.sheet, self._edition, who) for one in self.norms)
        titles = (rating_title_step(one, self._edition.titles) for one in self.rating_titles)
        return (*norms, *titles)

    def norm(self, title: str) -> Norm:
        """The norm of a title."""
        for one in self.norms:
            if one.title == title:
                return one
        raise BadInput(f"{title} was not asked for.", at="title")

    @property
    def best(self) -> Norm | None:
        """The highest norm made; else the highest that can still be; else None. Titles held do not count."""
        wanted = [one for one in self.norms if not one.held]
        made = (one for one in wanted if one.verdict.met)
        return next(made, None) or next((one for one in wanted if one.possible), None)

    def value(self) -> dict[str, Any]:
        player = self.entrant.player
        return {
            "no": self.entrant.no,
            "name": player.name,
            "title": player.title,
            "rating": plain(player.rating),
            "federation": player.federation,
            "sex": player.sex,
            "games": len(self.sheet.games),
            "score": plain(in_points(sum(game.halves for game in self.sheet.games))),
            "left_out": [{"round": one.round, "article": one.rule and one.rule.article} for one in self.sheet.left_out],
            "norms": [one.value() for one in self.norms],
            "rating_titles": [one._asdict() for one in self.rating_titles],
        }

    def figures(self) -> list[Figure]:
        player, value = self.entrant.player, self.value()
        who = " ".join(filter(None, (player.title, self.entrant.called)))
        return [
            Figure("player", self.entrant.no, who),
            Figure("rating", "unrated" if player.rating is None else plain(player.rating), player.federation or ""),
            Figure("score", f"{figure(value['score'])} of {value['games']}", "in games that count for a norm"),
            *(
                Figure("rating_title", one.title, f"rating {one.rating}, needed {one.needed}{_games(one)}")
                for one in self.rating_titles
            ),
        ]


def _games(one: RatingTitle) -> str:
    if one.games is None:
        return f"; whether {one.least_games} games were rated is not known"
    return f"; {one.games} rated games" + ("" if one.met else ", too few")


class NormReport(Calculation):
    """The norms of everybody in a tournament."""

    def __init__(
        self,
        on: date,
        players: Sequence[PlayerNorms],
        *,
        kind: str,
        kind_from: str,
        written: str | None,
        host: str | None,
        foreigners: Foreigners | None,
        unknown: tuple[str, ...],
        notes: Notes,
    ) -> None:
        super().__init__(SYSTEM, on, self._working, notes)
        self.players = tuple(players)
        self.kind = kind
        self.kind_from = kind_from  # given, written in the file, or assumed
        self.written = written
        self.host = host
        self.foreigners = foreigners
        self.unknown = unknown  # what the file says of nobody: titles, federations

    def _working(self) -> tuple[Step, ...]:
        """The norms that are made or can still be; `player` has the working of anybody."""
        return tuple(root for player in self.players if player.best is not None for root in player.roots)

    @property
    def hanging(self) -> list[PlayerNorms]:
        """Those of whom it hangs on something unknown whether they made a norm, or can."""
        return [player for player in self.players if any(norm.hangs for norm in player.norms if not norm.held)]

    def player(self, no: int) -> PlayerNorms:
        """The norms of a starting number."""
        return numbered(self.players, no, lambda one: one.entrant.no)

    def value(self) -> dict[str, Any]:
        return {
            "on": self.on.isoformat(),
            "event_kind": self.kind,
            "event_kind_from": self.kind_from,
            "unknown": list(self.unknown),
            "host": self.host,
            "foreigners": None if self.foreigners is None else self.foreigners._asdict(),
            "players": [player.value() for player in self.players],
        }

    def figures(self) -> list[Figure]:
        made = sum(bool(norm.verdict.met) and not norm.held for player in self.players for norm in player.norms)
        among = f"among {counted(len(self.players), 'player')}"
        known = made or not self.hanging
        return [
            Figure("norms", made, f"made, {among}") if known else Figure("norms", "not known", among),
            Figure("event_kind", self.kind, f"from '{self.written}'" if self.kind_from == WRITTEN else self.kind_from),
        ]
