"""The answer to `norms`: the norms of one player, and of a whole tournament."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure, Text, derived, hidden
from arpad.calculation.step import Step
from arpad.core import Rating
from arpad.core.tournaments import Entrant, numbered
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.tournaments.lazy import lazy_trail
from arpad.tournaments.norms.conditions import Condition, Verdict, in_points
from arpad.tournaments.norms.field import Foreigners
from arpad.tournaments.norms.forecast import Needs
from arpad.tournaments.norms.games import LeftOut, Scoresheet
from arpad.tournaments.norms.ratings import RatingTitle
from arpad.tournaments.norms.rules import Edition
from arpad.tournaments.norms.working import norm_step, rating_title_step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

SYSTEM = "fide-titles"


@dataclass(frozen=True, slots=True, kw_only=True)
class NormCondition:
    """One condition of a norm: whether it is met (None if unknown), what was found and what is needed."""

    name: str
    met: bool | None
    found: int | Decimal | str | Message | None
    needed: int | Decimal | str | Message | None
    bound: str | None  # "at least" or "at most"
    article: str | None
    lifted: bool  # met only because of an exemption
    information: bool  # needed for the application, but not judged

    @classmethod
    def of(cls, condition: Condition) -> NormCondition:
        """A condition as it was judged."""
        return cls(
            name=condition.name,
            met=condition.met,
            found=condition.found,
            needed=condition.needed,
            bound=condition.bound or None,
            article=None if condition.rule is None else condition.rule.article,
            lifted=condition.lifted,
            information=condition.information,
        )


@dataclass(frozen=True)
class Norm:
    """One title of one player: the conditions, and what is still needed."""

    verdict: Verdict = field(repr=False, metadata={"hidden": True})
    beside: tuple[Condition, ...] = field(repr=False, metadata={"hidden": True})  # the exemption, and information
    held: bool | None  # whether the player has this title or a higher one; None if no titles are known
    games_covered: int = hidden()  # of an application, if the norm is achieved
    needs: Needs | None = None

    @derived
    def title(self) -> str:
        """The title."""
        return self.verdict.title

    @derived
    def met(self) -> bool | None:
        """Whether the norm is achieved; None if unknown."""
        return self.verdict.met

    @derived
    def games(self) -> int:
        """How many games were judged."""
        return len(self.verdict.games)

    @derived
    def score(self) -> Decimal:
        """The score in these games."""
        return in_points(self.verdict.halves)

    @derived
    def covers(self) -> int | None:
        """How many games of an application the norm covers; None if it is not achieved."""
        return self.games_covered if self.verdict.met else None

    @derived
    def extra(self) -> int:
        """Games added for whole points above the norm."""
        return self.verdict.extra

    @derived
    def short(self) -> Decimal | None:
        """The missing points, if nothing else is missing."""
        return None if self.verdict.short is None else in_points(self.verdict.short)

    @derived
    def dropped(self) -> tuple[int, ...]:
        """The rounds left out."""
        return self.verdict.dropped

    @derived
    def by(self) -> str | None:
        """The rule by which one game less is enough."""
        return None if self.verdict.by is None else self.verdict.by.name

    @derived
    def conditions(self) -> tuple[NormCondition, ...]:
        """All conditions, then the exemption and what an application requires."""
        return tuple(NormCondition.of(condition) for condition in (*self.verdict.conditions, *self.beside))

    @property
    def final(self) -> Verdict:
        """The verdict after the best result against the last opponent, if known; otherwise the current one."""
        return (self.needs and self.needs.best) or self.verdict

    @property
    def possible(self) -> bool:
        """Whether the norm is achieved or still possible."""
        return bool(self.verdict.met) or (self.needs is not None and self.needs.possible)

    @property
    def undecided(self) -> bool:
        """Whether a norm, achieved or still possible, depends on unknown titles or federations."""
        if self.possible or not self.verdict.condition("sex").met:
            return False
        return self.verdict.met is None or (self.needs is not None and self.needs.undecided)


def _player_trail(player: PlayerNorms) -> tuple[Step, ...]:
    who = say("tournaments.who" if player.name else "tournaments.who.nameless", no=player.no, name=player.name)
    norms = (norm_step(norm, player.sheet, player.edition, who) for norm in player.norms)
    titles = (rating_title_step(title, player.edition.titles) for title in player.rating_titles)
    return (*norms, *titles)


@dataclass(frozen=True, kw_only=True)
class PlayerNorms(Answer):
    """The norms of one player."""

    trail: tuple[Step, ...] = lazy_trail(_player_trail)
    no: int
    name: str | None
    title: str | None
    rating: Rating | None
    federation: str | None
    sex: str | None
    left_out: tuple[LeftOut, ...]  # rounds that do not count
    norms: tuple[Norm, ...]
    rating_titles: tuple[RatingTitle, ...]
    entrant: Entrant = hidden()
    sheet: Scoresheet = hidden()
    edition: Edition = hidden()

    @classmethod
    def of(
        cls,
        entrant: Entrant,
        sheet: Scoresheet,
        norms: tuple[Norm, ...],
        rating_titles: tuple[RatingTitle, ...],
        edition: Edition,
        *,
        on: date,
        remarks: Callable[[], Iterable[Message]],
    ) -> PlayerNorms:
        """The norms of an entrant."""
        player = entrant.player
        return cls(
            system=SYSTEM,
            on=on,
            remarks=remarks,
            no=entrant.no,
            name=player.name,
            title=player.title,
            rating=player.rating,
            federation=player.federation,
            sex=player.sex,
            left_out=sheet.left_out,
            norms=norms,
            rating_titles=rating_titles,
            entrant=entrant,
            sheet=sheet,
            edition=edition,
        )

    @derived
    def games(self) -> int:
        """How many games count."""
        return len(self.sheet.games)

    @derived
    def score(self) -> Decimal:
        """The score in the games that count."""
        return in_points(sum(game.halves for game in self.sheet.games))

    @property
    def called(self) -> str:
        """The name; without one, the FIDE ID or else the starting number."""
        return self.entrant.called

    def norm(self, title: str) -> Norm:
        """The norm of a title."""
        for norm in self.norms:
            if norm.title == title:
                return norm
        asked = [norm.title for norm in self.norms]
        raise BadInput(say("tournaments.norms.not_asked", title=title, asked=asked), at="title")

    @property
    def best(self) -> Norm | None:
        """The highest norm achieved, otherwise the highest still possible; titles already held do not count."""
        wanted = [norm for norm in self.norms if not norm.held]
        made = (norm for norm in wanted if norm.met)
        return next(made, None) or next((norm for norm in wanted if norm.possible), None)

    def summary(self) -> Sequence[Figure]:
        titled = " ".join(filter(None, (self.title, self.called)))
        score = say("answers.score_of", score=self.score, games=self.games)
        return (
            Figure("player", self.no, say("answers.as_said", text=titled)),
            Figure(
                "rating",
                say("answers.unrated") if self.rating is None else self.rating,
                say("answers.as_said", text=self.federation) if self.federation else None,
            ),
            Figure("score", score, say("tournaments.norms.counted_games")),
            *(Figure("rating_title", title.title, _rating_remark(title)) for title in self.rating_titles),
        )


def _rating_remark(title: RatingTitle) -> Text:
    key = "games_unknown" if title.games is None else "games_enough" if title.met else "games_few"
    values = {"rating": title.rating, "needed": title.needed, "games": title.games, "least": title.least_games}
    return say(f"tournaments.norms.by_rating.{key}", **values)


def _report_trail(report: NormsReport) -> tuple[Step, ...]:
    """The norms achieved or still possible; each player's answer has the working of all."""
    return tuple(step for player in report.players if player.best is not None for step in player.trail)


@dataclass(frozen=True, kw_only=True)
class NormsReport(Answer):
    """The norms of everybody in a tournament."""

    trail: tuple[Step, ...] = lazy_trail(_report_trail)
    event_kind: str
    event_kind_from: str  # given, written in the file, or assumed
    unknown: tuple[str, ...]  # what the file does not have for any player: titles, federations
    host: str | None
    foreigners: Foreigners | None
    players: tuple[PlayerNorms, ...]
    written_kind: str | None = hidden(default=None)

    @property
    def undecided(self) -> Sequence[PlayerNorms]:
        """The players whose norm, achieved or still possible, depends on unknown facts."""
        return [player for player in self.players if any(norm.undecided for norm in player.norms if not norm.held)]

    def player(self, no: int) -> PlayerNorms:
        """The norms of one player, by starting number."""
        return numbered(self.players, no, lambda player: player.no)

    def for_player(self, no: int) -> NormsReport:
        """The report for one player only."""
        return replace(self, players=(self.player(no),))

    def summary(self) -> Sequence[Figure]:
        made = sum(bool(norm.met) and not norm.held for player in self.players for norm in player.norms)
        players = len(self.players)
        norms = Figure("norms", made, say("tournaments.norms.made_among", players=players))
        if not made and self.undecided:
            norms = Figure("norms", say("tournaments.norms.not_known"), say("tournaments.norms.among", players=players))
        source = say(f"tournaments.norms.kind.{self.event_kind_from}", written=self.written_kind)
        return (norms, Figure("event_kind", self.event_kind, source))
