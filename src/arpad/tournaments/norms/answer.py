"""The answer to `norms`: the norms of a player and of a whole tournament, in a few words, and with their working."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, NamedTuple

from arpad.calculation.answer import Answer, Figure, Text, derived, hidden
from arpad.calculation.explain import label_of
from arpad.calculation.step import Step, known, ruled
from arpad.core import Rating
from arpad.core.tournaments import Entrant, named_kind, numbered
from arpad.errors import BadInput
from arpad.messages import Message, apart, figure, say
from arpad.systems.performance import Scored, by_table
from arpad.tournaments.event.player import lazy_trail
from arpad.tournaments.norms.conditions import AT_LEAST, AT_MOST, FID, Condition, Verdict, in_points, raised
from arpad.tournaments.norms.games import Foreigners, LeftOut, Scoresheet
from arpad.tournaments.norms.needed import RESULTS, UNKNOWN, Needs
from arpad.tournaments.norms.rules import Edition, RatingTitle

if TYPE_CHECKING:
    from arpad.tournaments.norms.needed import Demand, Trial
    from arpad.tournaments.norms.rules import TitleRules


# How the words compare what was found with what is needed.
JUDGED = {AT_LEAST: "least", AT_MOST: "most", "": "exactly"}
SYSTEM = "fide-titles"
STANDS = MADE, POSSIBLE, NOT_KNOWN, MISSED = "made", "possible", "unknown", "missed"
NEAR = 2  # half points; a norm missed by more has no line


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
        return (norms, Figure("event_kind", named_kind(self.event_kind), source))


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
    sex: Annotated[str, ("m", "w")] | None
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
            *(Figure("rating_title", title.title, _why_rated(title)) for title in self.rating_titles),
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


def _why_rated(title: RatingTitle) -> Text:
    key = "games_unknown" if title.games is None else "games_enough" if title.met else "games_few"
    values = {"rating": title.rating, "needed": title.needed, "games": title.games, "least": title.least_games}
    return say(f"tournaments.norms.by_rating.{key}", **values)


class NormLine(NamedTuple):
    """A line: a player and a norm."""

    player: PlayerNorms
    norm: Norm

    @property
    def stands(self) -> str:
        """The state of the norm: made, possible, unknown, or missed by one condition."""
        norm = self.norm
        return MADE if norm.met else POSSIBLE if norm.possible else NOT_KNOWN if norm.undecided else MISSED


def norm_lines(report: NormsReport) -> list[NormLine]:
    """The lines of all players, in their order; titles already held have no line.

    A player has lines for the best norm achieved and those still possible above it, otherwise for the highest one
    nearly made or not known. If the file has no titles or no federations, `unlisted` has the undecided players instead.
    """
    lines = []
    for player in report.players:
        wanted = [norm for norm in player.norms if not norm.held]
        best = next((place for place, norm in enumerate(wanted) if norm.met), len(wanted))
        possible = [norm for norm in wanted[: best + 1] if norm.possible]
        # If no titles or no federations are known, most players would have a line for a norm that is not known.
        close = [norm for norm in wanted if _near(norm) or (norm.undecided and not report.unknown)][:1]
        lines += [NormLine(player, norm) for norm in possible or close]
    return lines


def unlisted(report: NormsReport) -> Message | None:
    """The message besides the lines: that there are none, or that norms cannot be judged."""
    what = ".".join(report.unknown)
    undecided = [player.no for player in report.undecided]
    if what and undecided:
        return say(f"tournaments.norms.cannot_judge.{what}", players=len(undecided), numbers=undecided)
    if norm_lines(report):
        return None
    of_one = "one" if len(report.players) == 1 else ""
    return say(".".join(filter(None, ("tournaments.norms.nobody", what or of_one))))


def _near(norm: Norm) -> bool:
    """Whether only one condition is missing, even after the best last round; a performance only by a little."""
    verdict = norm.final
    if len(verdict.failed) != 1 or verdict.unknown or not verdict.condition("sex").met:
        return False
    if verdict.failed[0].name != "performance":
        return True
    return norm.needs is None and verdict.short is not None and verdict.short <= NEAR


def in_words(norm: Norm) -> str:
    """A norm in a few words: how it was achieved, what is still needed, or what is missing."""
    if norm.met:
        exemptions = (part for part in norm.beside if part.name == "exemption" and part.found is not None)
        return _joined(
            [
                _performance(norm.verdict),
                say("tournaments.norms.covers", games=norm.games_covered),
                *_dropped(norm.verdict),
                *(
                    say("tournaments.norms.exempted", name=condition_name(part), letter=part.found)
                    for part in exemptions
                ),
            ]
        )
    if norm.possible and norm.needs is not None:
        return _joined(_needed(norm.needs))
    if norm.undecided:
        return _joined(_undecided(norm))
    missing = _joined(_missing(norm.final))
    if norm.needs is None or norm.needs.opponent is None:
        return missing
    return str(say("tournaments.norms.not_by_a_win", opponent=norm.needs.opponent, missing=missing))


def _joined(parts: list[Message]) -> str:
    return apart(parts)


def _performance(verdict: Verdict) -> Message:
    return say("tournaments.norms.performance", performance=verdict.performance)


def _dropped(verdict: Verdict) -> list[Message]:
    """The rounds left out."""
    rounds = verdict.dropped
    key = "tournaments.norms.without_round" if len(rounds) == 1 else "tournaments.norms.without_rounds"
    return [say(key, rounds=rounds)] if rounds else []


def _needed(needs: Needs) -> list[Message]:
    """What is still needed."""
    if needs.made:
        return [say("tournaments.norms.complete")]
    if needs.opponent is not None:
        enough = next(trial for trial in needs.results if trial.result == needs.result)
        return [_last_game(enough, needs.opponent, "makes")]
    return [_demand(demand) for demand in needs.scores]


def _last_game(least: Trial, opponent: int, key: str) -> Message:
    """The lowest result of the last game, and the performance after it."""
    result = "any" if least.result == RESULTS[0] else least.result
    return say(f"tournaments.norms.{key}.{result}", opponent=opponent, performance=least.performance)


def _demand(demand: Demand) -> Message:
    """A score in the games to come, and the opponents it requires."""
    games = "one" if demand.games == 1 else "many"
    whom = "anybody" if demand.rating is None else "rated"
    values = {"score": demand.score, "games": demand.games, "rating": demand.rating}
    said = say(f"tournaments.norms.demand.{games}.{whom}", **values)
    if not demand.opponent:
        return said
    # A word in capitals is a title; the others are `titled`, `foreign` and what is not known.
    wanted = [
        say("answers.as_said", text=word)
        if word.isupper()
        else say(f"tournaments.norms.demand.{'unknown' if word == UNKNOWN else word}")
        for word in demand.opponent
    ]
    return say("tournaments.norms.demand.being", said=said, wanted=wanted)


def _undecided(norm: Norm) -> list[Message]:
    """A norm that depends on unknown facts: what is known, and what is not."""
    verdict, needs = norm.verdict, norm.needs
    if verdict.met is None or needs is None:
        return [_performance(verdict), *_dropped(verdict), *_not_known(verdict)]
    if needs.opponent is None:
        return [_demand(demand) for demand in needs.scores]
    trial = next(result for result in needs.results if result.met is None)
    return [_last_game(trial, needs.opponent, "may_make"), *_not_known(trial.verdict)]


def _not_known(verdict: Verdict) -> list[Message]:
    names = [condition_name(condition) for condition in verdict.unknown]
    return [say("tournaments.norms.unknown_conditions", names=names)] if names else []


def _missing(verdict: Verdict) -> list[Message]:
    """The conditions that are not met, and those not known."""
    parts, title = [], verdict.title
    for condition in verdict.failed:
        key = "same_title.GM" if (condition.name, title) == ("same_title", "GM") else condition.name
        values = {"found": compared(condition), "needed": condition.needed, "title": title}
        parts.append(say(f"tournaments.missed.{key}", **values))
    if verdict.short is not None:
        parts.append(say("tournaments.norms.short", points=in_points(verdict.short)))
    return [*parts, *_not_known(verdict)]


def condition_name(condition: Condition | NormCondition) -> str:
    """The label of a condition."""
    return label_of(f"norm.{condition.name}")


def compared(condition: Condition | NormCondition) -> str:
    """What was found, as far as it is known."""
    if condition.found is None:
        return str(say("tournaments.norms.not_known"))
    partly = condition.met is None and not condition.information
    return str(say("tournaments.norms.known", found=condition.found)) if partly else figure(condition.found)


def norm_step(norm: Norm, sheet: Scoresheet, edition: Edition, who: Message) -> Step:
    """A norm as a step that rests on its conditions."""
    verdict = norm.verdict
    performance = performance_step(verdict, edition)
    left_out = []
    for played in sheet.left_out:
        if played.rule is not None:
            left_out.append(ruled("norm.left_out", played.rule, None, words={"round": played.round}))
        else:
            says = say("tournaments.norms.not_in_file")
            left_out.append(Step("norm.left_out", None, words={"round": played.round, "says": says}))
    conditions = (*verdict.conditions, *norm.beside)
    covers = []
    if verdict.met:
        most, extra = edition.titles.most_games, {"extra": verdict.extra}
        if verdict.counts_as > most.value:
            covers.append(ruled("norm.most", most, most.value))
        covers.append(ruled("norm.covers", edition.titles.extra_games, norm.games_covered, words=extra))
    given = {
        "left_out": tuple(left_out),
        "chosen": tuple(_chosen(verdict, edition.titles)),
        "conditions": tuple(_condition(condition, verdict.title, performance) for condition in conditions),
        "covers": tuple(covers),
    }
    return Step("norm", verdict.met, given, words={"title": verdict.title, "who": who})


def _chosen(verdict: Verdict, rules: TitleRules) -> list[Step]:
    """The articles by which games were left out, one game less is enough, or an opponent has no federation."""
    steps = [] if verdict.by is None else [ruled("norm.short", verdict.by, len(verdict.games))]
    flagged = sum(game.federation == FID for game in verdict.games)
    if flagged:
        steps.append(ruled("norm.fid", rules.fid, flagged))
    if verdict.dropped:
        last = max((game.round for game in verdict.games), default=0)
        for rule, rounds in (
            (rules.later_rounds, [number for number in verdict.dropped if number > last]),
            (rules.won_games, [number for number in verdict.dropped if number < last]),
        ):
            if rounds:
                steps.append(ruled("norm.dropped", rule, ", ".join(map(str, rounds))))
    return steps


def _condition(condition: Condition, title: str, performance: Step | None) -> Step:
    """A condition as a step; average and performance with the arithmetic behind them."""
    key, rule = f"norm.{condition.name}", condition.rule
    if rule is None:  # open to all, or no exemption used
        if condition.found is None:
            return known(key, None)
        return Step(key, condition.met, words={"says": condition.found})
    given: dict[str, Step] = {}
    if performance is not None and condition.name == "performance":
        given["performance"] = performance
    elif performance is not None and condition.name == "average":
        average = performance.given["average"]
        if isinstance(average, Step):
            given["average"] = average
    if condition.needed is None:
        says = say("tournaments.norms.judged.found", found=condition.found, rule=rule.says)
    else:
        judged = f"tournaments.norms.judged.{JUDGED[condition.bound]}{'.lifted' * condition.lifted}"
        found = say("tournaments.norms.not_known") if condition.found is None else condition.found
        says = say(judged, found=found, needed=condition.needed, rule=rule.says)
    return ruled(key, rule, condition.met, words={"says": says, "title": title}, **given)


def performance_step(verdict: Verdict, edition: Edition) -> Step | None:
    """The performance from the ratings that count; None without a game."""
    rules, games = edition.titles, verdict.games
    if not games:
        return None
    ratings = raised(verdict.title, games, rules)
    before = [rules.unrated.value if game.rating is None else game.rating for game in games]
    result = Scored(tuple(ratings), known("score", in_points(verdict.halves)), known("games", len(games)))
    step = by_table(result, edition.performances)
    average = step.given["average"]
    changed = {}
    if any(game.rating is None for game in games):
        changed["unrated"] = ruled("norm.unrated", rules.unrated, rules.unrated.value)
    if ratings != before:
        floor = rules.floor.value[verdict.title]
        changed["floor"] = ruled("norm.floor", rules.floor, floor, words={"lowest": min(before)})
    if isinstance(average, Step) and changed:
        step = step._replace(given={**step.given, "average": average._replace(given={**changed, **average.given})})
    return step


def rating_title_step(title: RatingTitle, rules: TitleRules) -> Step:
    """A title whose rating was reached, and whether there were enough games."""
    return ruled(
        "rating_title",
        rules.title_ratings,
        title.title,
        rating=known("rating", Decimal(title.rating)),
        games=ruled("rating_title.games", rules.rated_games, title.met),
    )
