"""Every exception Arpad raises on purpose, and the code by which a program tells them apart.

ArpadError (a ValueError)
├── UnknownName     no system, format or engine of that name (with "did you mean")
├── UncoveredDate   the rulebook does not cover that day
├── BadRulebook     a rule file breaks its schema
├── BadFile         a file cannot be read: path, line, column
├── BadInput        a value the regulation does not allow
├── Unsupported     this system or engine cannot do that
├── MissingExtra    an optional library is needed: which, and how to install it
└── Busy            a file is locked or the server is overloaded; try again

A message says what was asked, what is allowed and what to do; where it happened is in `at`. Messages are for people and
may be reworded; `code` is for programs and stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from errno import errorcode
from functools import cache
from typing import TYPE_CHECKING

from arpad.messages import AsTyped, Message, say, voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


MANY = 8  # if there is a good guess, a longer list of names is left out
LIKENESS = 0.65  # of two names, by difflib: `ptr` is like `tpr`, `year` is not like `player`


SYSTEM_ERRORS = frozenset((
    "EACCES", "EADDRINUSE", "ECONNREFUSED", "EEXIST", "EISDIR", "ENAMETOOLONG", "ENETUNREACH", "ENOENT", "ENOSPC",
    "ENOTDIR", "EPERM", "EROFS", "ETIMEDOUT",
))  # fmt: skip


def cause(problem: BaseException | str) -> Message | str:
    """What went wrong outside: in our words where the operating system's own are known, else in its own."""
    name = errorcode.get(getattr(problem, "errno", None) or 0, "")
    return say(f"errors.os.{name}") if name in SYSTEM_ERRORS else getattr(problem, "strerror", None) or str(problem)


class ArpadError(ValueError):
    """The base of every error Arpad raises on purpose; `at` is the place: an argument, the path of a field, a line."""

    def __init__(self, said: Message, *, at: str | None = None) -> None:
        super().__init__(said)
        self.said = said
        self.at = at

    @property
    def message(self) -> str:
        """The message, worded for the door that shows it."""
        return str(self.said)

    @property
    def code(self) -> str:
        """What went wrong in one word for a program, such as `not-a-rating`; it stays when the message is reworded."""
        # A wrapped message, or the kind of name that is not known, says more than the sentence around it.
        keys = [self.said.key, *(value.key for value in self.said.values.values() if isinstance(value, Message))]
        names = [kind.__name__ for kind in type(self).__mro__]
        of_class = next(CODES_OF_CLASSES[name] for name in names if name in CODES_OF_CLASSES)
        return next(filter(None, map(_code_of, keys)), of_class)

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickled, (type(self), self.said, self.at)

    def __str__(self) -> str:
        return str(say("errors.at", message=self.message, at=voice().place(self.at))) if self.at else self.message


class UnknownName(ArpadError):
    """Nothing of that kind has that name; the message suggests the nearest names, or lists them all.

    `kind` is a key of `errors.kind` in the messages, and `of` what it belongs to: a setting of a system.
    `meant` is another name for the same thing, if there is one: for USCF, `uschess`. If there are too many to list,
    `nearest` says how many of the most similar ones to offer.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        *,
        known: Iterable[str],
        of: object = None,
        at: str | None = None,
        meant: str | None = None,
        nearest: int | None = None,
    ) -> None:
        names = sorted(set(known))
        close = _close(meant or str(name), names)
        near = [] if close or len(names) <= MANY else _nearest(str(name), names, nearest)
        said = say(
            f"errors.unknown.{'nearest' if near else _hint_kind(close, names)}",
            nothing=say(f"errors.kind.{kind}", of=of),
            name=str(name),
            meant=[AsTyped(suggestion) for suggestion in close or near],
            known=", ".join(names),
        )
        super().__init__(said, at=at)


def _hint_kind(close: list[str], names: list[str]) -> str:
    """Which hint the message gives: the nearest names, all of them, or both."""
    if close:
        return "meant" if len(names) > MANY else "both"
    return "listed" if names else "none"


def _unpickled(kind: type[ArpadError], said: Message, at: str | None) -> ArpadError:
    """The same error, in another process."""
    error = kind.__new__(kind, said)
    ArpadError.__init__(error, said, at=at)
    return error


def _close(name: str, names: list[str]) -> list[str]:
    """The same name but for case and dashes; otherwise the names that start with it; otherwise the most similar one."""
    # Slow to import, and only needed for a wrong name.
    from difflib import get_close_matches

    typed = name.lower().lstrip("-")
    by_text = {known.lower().lstrip("-"): known for known in names}
    if typed in by_text:
        return [by_text[typed]]
    begun = [known for text, known in by_text.items() if typed and text.startswith(typed)]
    return begun or [by_text[text] for text in get_close_matches(typed, by_text, n=1, cutoff=LIKENESS)]


def _nearest(name: str, names: list[str], most: int | None) -> list[str]:
    """The most similar names, however little they have in common; none if all are listed."""
    if most is None:
        return []
    from difflib import get_close_matches

    return get_close_matches(name, names, n=most, cutoff=0)


class UncoveredDate(ArpadError):
    """The rulebook does not cover that day; Arpad does not guess what earlier rules were."""


class BadRulebook(ArpadError):
    """A rule file breaks its schema; the message names file and rule."""


class BadFile(ArpadError):
    """A file cannot be read; `at` names path, line and column as far as known."""


class Busy(ArpadError):
    """Locked by another process, or too much to do at the moment; try again shortly."""


class BadInput(ArpadError):
    """A value that is not a rating, score, K or date, or that the regulation does not allow."""


class Unsupported(ArpadError):
    """This system or engine cannot do that."""


class MissingExtra(ArpadError):
    """An optional library is needed; the message says which, and how to install it."""


@contextmanager
def extra_needed(key: str, *, at: str | None = None) -> Iterator[None]:
    """Wrap imports that need an extra: a library that is not installed raises MissingExtra with this message.

    A missing module of Arpad itself is a bug, and its error is not changed.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "arpad":
            raise
        raise MissingExtra(say(key, library=missing.name), at=at) from None


# The codes, each with the keys of its messages; a key that ends in `.` means all that begin so. What they mean is in
# `errors.code` of the messages, and in the documentation of the API. A key may be renamed, a code may not.
CODES: Mapping[str, str] = {
    # a single value
    "not-a-number": "values.not.number values.not.points values.not.count values.not.scale values.not.gain "
    "values.not.c values.not.tau values.not.tolerance values.not.deviation_floor values.not.seconds values.not.port "
    "values.not.prize values.not.spread values.not.uncertainty values.not.loss values.not.white chances.refused.runs",
    "not-a-rating": "values.not.rating values.not.opponent values.not.standing uschess.start.fide",
    "not-a-whole-rating": "systems.whole_ratings systems.ptp_whole forecast.refused.target_whole "
    "forecast.refused.whole_start forecast.refused.norm_whole tournaments.norms.whole_ratings "
    "tournaments.ties.whole_rating tournaments.ties.unrated_whole",
    "not-a-k": "values.not.k",
    "not-a-deviation": "values.not.deviation",
    "not-a-volatility": "values.not.volatility",
    "not-a-dwz-index": "values.not.dwz_index",
    "not-an-idle-time": "values.not.idle glicko.chesscom.idle",
    "not-a-birth-year": "values.not.birth_year values.not.listed_birth_year values.too.early_birth "
    "uschess.start.unborn",
    "not-an-age": "values.not.age",
    "not-a-sex": "reading.not_a_sex",
    "not-a-federation": "reading.not_a_federation",
    "not-a-count": "values.not.games_before values.not.losses values.not.pairs values.not.players values.not.wins "
    "values.not.draws values.not.events values.not.most values.not.rounds values.not.place matches.refused.five_counts",
    "not-a-score": "values.not.score questions.not_a_score formats.section.score reading.whose_score",
    "not-an-expected-score": "values.not.expected values.not.percentage reading.percent_sign "
    "forecast.refused.expected_high forecast.refused.expected_low",
    "not-a-share": "values.not.share values.not.draw_rate values.not.error_rate matches.refused.rates "
    "reading.not_a_share forecast.refused.shares",
    "not-a-result": "reading.not_a_result formats.section.result values.not.how values.not.printed_result",
    "not-a-colour": "values.not.colour reading.not_a_colour",
    "not-a-game": "reading.not_a_game values.not.game systems.league.oneself",
    "not-a-date": "reading.not_a_date reading.not_in_the_calendar values.not.day",
    "not-a-span": "reading.not_a_span reading.span_turned_round lists.audit.order",
    "not-a-time-control": "reading.not_a_pace reading.unclear_pace",
    "not-a-fide-id": "values.not.fide_id lists.not_an_id reading.somebodys_id",
    "not-a-starting-number": "reading.not_a_number tournaments.no_such_number formats.players.number",
    "not-yes-or-no": "questions.yes_or_no formats.section.adult",
    "not-a-setting": "questions.name_value",
    "not-a-group": "tournaments.standings.condition",
    "not-an-elo-bound": "values.not.elo_bound values.not.elo_bounds questions.sprt_two",
    "not-an-exemption": "tournaments.norms.exemption tournaments.norms.exemption_host",
    "wrong-type": "questions.not_a_text questions.objects questions.list_is_for values.not.event "
    "tournaments.not_a_tournament formats.file.not_a_source",
    "too-long": "questions.too_long reading.long_paste lists.long_query",
    "too-many": "questions.too_many questions.too_many_values questions.too_many_results values.too.many_games "
    "reading.many_games web.too_many_fields web.too_many_questions systems.diary.too_many "
    "forecast.refused.opponents forecast.refused.games forecast.refused.planned_games forecast.refused.field_games "
    "forecast.refused.lists forecast.refused.plans forecast.refused.results forecast.refused.entries lists.too_many "
    "tournaments.norms.many_rounds",
    # fields
    "missing-field": "questions.needed questions.one_needed questions.needed_alone questions.one_needed_alone "
    "command.needed command.one_needed command.no_value "
    "command.requires systems.no_games systems.no_systems systems.empty_event systems.diary.empty "
    "systems.conversion_standard systems.draws.rate_needed "
    "questions.own_rating questions.planned_games forecast.refused.field_rounds "
    "forecast.refused.no_opponents forecast.refused.no_events "
    "forecast.refused.empty_event forecast.refused.typical_born forecast.refused.field_average lists.no_query "
    "tournaments.no_day tournaments.unclear_day tournaments.parts.choose questions.which_rating "
    "tournaments.application.no_events uschess.prize_and_class matches.refused.missing glicko.c_needed "
    "glicko.chesscom.no_games pages.choose_file questions.events_needed questions.plan_rating",
    "unknown-field": "errors.kind.field errors.kind.option errors.kind.player_argument questions.not_taken "
    "command.of_event",
    "unused-field": "questions.unused systems.unused systems.unused_of systems.fact_as_setting "
    "values.not.player_fact systems.plain_elo systems.draws.no_rate glicko.no_pace "
    "glicko.one_rating glicko.lichess.set_position uschess.k_given uschess.base_given "
    "questions.only_with questions.ended_alone forecast.refused.uncertain_season",
    "fields-conflict": "questions.not_together questions.file_alone questions.file_once questions.counted_twice "
    "questions.reach_or_expected questions.typical_or_rating questions.uncertain_or_inactive "
    "questions.rating_sought forecast.refused.typical_strength uschess.start.age_and_born "
    "uschess.section.rated_start matches.refused.disagree matches.refused.bayesian_pairs "
    "matches.refused.pairs_unsupported tournaments.standings.two tournaments.application.twice "
    "web.in_path",
    "given-twice": "questions.given_twice command.given_twice",
    "bad-cursor": "lists.not_a_cursor",
    # names
    "unknown-system": "errors.kind.system errors.kind.system_for_bulk errors.kind.uschess_list",
    "unknown-question": "errors.kind.question errors.kind.command errors.kind.command_of web.without_system",
    "unknown-reading": "errors.kind.reading errors.kind.rule_with_readings systems.no_readings",
    "unknown-setting": "errors.kind.setting errors.kind.lichess_against errors.kind.lichess_colour "
    "errors.kind.lichess_speed errors.kind.lichess_variant errors.kind.lichess_tournament errors.kind.lichess_position",
    "unknown-title": "errors.kind.title errors.kind.title_with_norms tournaments.norms.not_asked",
    "unknown-tie-break": "errors.kind.tie_break tournaments.ties.",
    # players and lists
    "unknown-player": "errors.kind.league_player lists.not_a_player lists.nobody lists.nobody_to_show "
    "lists.unknown_id lists.left reading.player_unknown uschess.section.no_player "
    "tournaments.application.not_there",
    "several-players": "lists.several reading.player_several reading.whose_games",
    "no-lists": "questions.no_lists lists.store.no_list lists.unknown_list lists.too_early lists.no_pace "
    "lists.audit.no_list",
    # what the regulation does not allow
    "unrated-player": "systems.unrated systems.no_first_rating forecast.refused.unrated forecast.refused.rating_below "
    "systems.diary.unrated",
    "unrated-opponent": "forecast.refused.unrated_opponent forecast.refused.unrated_expected uschess.unrated_opponent "
    "glicko.chesscom.unrated",
    "nothing-to-rate": "systems.no_performance forecast.refused.none_rated forecast.refused.no_results "
    "uschess.nothing_rated reading.no_games matches.refused.no_games matches.refused.no_pairs glicko.lichess.nothing "
    "reading.not_rated. questions.only_national.",
    "below-the-floor": "forecast.refused.target_below forecast.refused.field_below",
    "one-event-only": "systems.dwz.one_event systems.icu.one_event",
    "provisional-rating": "systems.icu.provisional",
    "not-a-match": "uschess.match.",
    "event-order": "systems.event_later values.not.ended",
    "no-conversion": "systems.no_conversion",
    "no-round": "tournaments.ties.no_round tournaments.next. tournaments.pairings. chances.refused.round",
    "nobody-fits": "tournaments.standings.nobody certificates.none",
    "bad-event": "tournaments.event. tournaments.no_players uschess.section. chances.refused.finished "
    "chances.refused.twice chances.refused.size",
    # requests
    "not-json": "web.not_json web.not_an_object web.batch_shape",
    "not-base64": "questions.base64",
    "nothing-here": "web.nothing",
    "wrong-method": "web.wrong_method",
    "wrong-content-type": "web.content_type",
    "wrong-host": "web.wrong_host",
    "too-large": "web.too_large pages.file_too_large",
    "answer-too-large": "web.answer_too_large",
    "too-slow": "web.too_slow web.no_time_left",
    "too-much-memory": "web.too_much_memory",
    "internal-error": "web.bug command.bug",
}
# What is left: the exception says it.
CODES_OF_CLASSES = {
    "ArpadError": "refused",
    "UnknownName": "unknown-name",
    "UncoveredDate": "uncovered-date",
    "BadRulebook": "bad-rulebook",
    "BadFile": "bad-file",
    "Busy": "busy",
    "BadInput": "bad-input",
    "Unsupported": "unsupported",
    "MissingExtra": "missing-extra",
}


@cache
def _codes() -> Mapping[str, str]:
    """The code of each key in the table."""
    return {key: code for code, keys in CODES.items() for key in keys.split()}


def _code_of(key: str) -> str | None:
    """The code of a message, by its own key or by the beginning of it; None if the table has neither."""
    return _codes().get(key) or _codes().get(f"{key.rpartition('.')[0]}.")
