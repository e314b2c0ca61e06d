"""The form of a door as a page shows it: its fields with what is assumed, its games, and the line of words below.

A door has one form. `Sheet` says for a view which fields stand first, which rows and events there are, what each game
brings, what the summary line says, which fields the panel has, and by which buttons the form grows. Which fields the
panel offers follows from the declarations: a field that neither the question nor the system uses is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import walk
from arpad.errors import ArpadError
from arpad.forecast.norm_simulation import KINDS
from arpad.messages import figure, listed, say, section, voice
from arpad.questions import spec_of
from arpad.questions.declare import field_help
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.reading import OPEN, parse_pace
from arpad.systems import family, system
from arpad.systems.chances import MODELS
from arpad.systems.fide.k import list_in_force
from arpad.systems.performance import METHODS
from arpad.tournaments.norms.rules import NORMS
from arpad.web.answers import lists_there
from arpad.web.api import today
from arpad.web.hero_parts import day, long_day
from arpad.web.sheet_games import ButtonShown, SheetGames, date_of, repair_of
from arpad.web.site import (
    DOORS,
    Door,
    field_label,
    fields_left,
    k_choices,
    labels_by_family,
    named,
    needs_approval,
    speeds,
    system_groups,
)

if TYPE_CHECKING:
    from arpad.web.forms import Form
    from arpad.web.view import View

LEAD = ("rating", "born")
# The groups of the panel, and their fields in order; each is shown if the question and the system use it.
PANEL = {
    "rules": ("on", "ended", "speed", "method"),
    "time": ("time", "qc_approved"),
    "you": (
        "born",
        "games",
        "peak",
        "standard",
        "deviation",
        "opponent_deviation",
        "volatility",
        "dwz_index",
        "k",
    ),
    "norm": ("title", "sex", "event_kind"),
    "unpaired": ("rounds", "field", "spread"),
    "chances": ("strength", "by_rating", "uncertain", "lose", "draws", "draw_rate", "white", "inactive"),
}
HINTED = (
    "on",
    "ended",
    "deviation",
    "opponent_deviation",
    "standard",
    "base",
    "dwz_index",
    "strength",
    "lose",
    "draw_rate",
    "white",
    "time",
)
NUMBERS = (
    "born",
    "games",
    "peak",
    "k",
    "standard",
    "base",
    "reach",
    "rounds",
    "field",
    "spread",
    "strength",
    "uncertain",
    "lose",
)
# What a button adds to the form of a door.
GROWS = {"played": ("event",), "ahead": ("target", "norm", "event"), "first": ("event",)}


@dataclass(frozen=True, slots=True)
class FieldShown:
    """A field as the form shows it."""

    name: str
    label: str
    value: str = ""
    placeholder: str = " "
    help: str = ""
    assumed: str = ""
    error: str = ""
    repair: ButtonShown | None = None
    mode: str = ""
    type: str = "text"
    options: Sequence[tuple[str, Any]] = ()
    grouped: bool = False
    chips: bool = False


class SummaryPart(NamedTuple):
    """A part of the summary line."""

    text: str
    strong: str = ""  # what stands before it, in bold
    assumed: bool = False


@dataclass(frozen=True)
class Sheet:
    """The form of a door, as it was filled in."""

    view: View

    @property
    def form(self) -> Form:
        """What was typed."""
        return self.view.form

    @property
    def question(self) -> str:
        """The question that is asked."""
        return self.view.page.question

    @property
    def door(self) -> Door:
        """Where it is asked."""
        return DOORS[self.view.page.door or "played"]

    @property
    def system(self) -> str:
        """The rating system."""
        return self.form.fields.get("system") or DEFAULT_SYSTEM

    @property
    def lists(self) -> bool:
        """Whether events of a month enter one list."""
        return self.door.name == "played" and family(self.system) == "fide"

    @cached_property
    def games(self) -> SheetGames:
        """The rows and events."""
        return SheetGames(self.view)

    def uses(self, name: str) -> bool:
        """Whether the question has a field, and the system uses it."""
        given = spec_of(self.question).fields_at("page").get(name)
        return given is not None and given.used_by(self.system)

    @property
    def title(self) -> str:
        """The heading: the question, which names what is aimed at."""
        target = self.form.fields.get("reach", "")
        if self.question == "outlook" and self.form.fields.get("norm"):
            return _text("title_norm_still" if any(row.result != OPEN for row in self.form.rows) else "title_norm")
        if self.question in ("outlook", "need") and target.isdecimal():
            return _text("title_target", target=target)
        return self.view.page.title

    # ---- what stands first: who, and what is aimed at ----

    @property
    def asks_target(self) -> bool:
        """Whether there is a field for a target: for an event or a season, unless a norm is aimed at."""
        several = self.question in ("outlook", "season") and self.uses("reach") and not self.asks_norm
        return self.door.name == "ahead" and (several or self._grown("target", "reach"))

    @property
    def asks_norm(self) -> bool:
        """Whether there is a field for a norm."""
        return self.door.name == "ahead" and self._grown("norm", "norm")

    def _grown(self, added: str, name: str) -> bool:
        replaced = name == "reach" and "norm" in self.form.added  # an empty target makes room for a norm
        there = name in self.form.there and not replaced
        return bool(self.form.fields.get(name)) or there or added in self.form.added

    @property
    def lead(self) -> list[FieldShown]:
        """The fields that stand first."""
        if self.door.name == "first":
            return []
        by_games = self.uses("games") and not self.uses("k")  # US Chess: how settled a rating is decides
        asks_for = (
            "deviation"
            if self.uses("deviation")
            else "born"
            if self._by_age and not by_games
            else "games"
            if by_games
            else "k"
        )
        names = [
            "rating",
            *(
                ["federation"]
                if self.asks_norm
                else [asks_for]
                if self.uses(asks_for) or self.question == "performance"
                else []
            ),
        ]
        names += [*(["reach"] if self.asks_target else []), *(["norm"] if self.asks_norm else [])]
        return [self.shown(name) for name in names]

    @property
    def _by_age(self) -> bool:
        return self.uses("born") or self.question == "performance"

    def shown(self, name: str) -> FieldShown:
        """A field with its label, its value, and what is below it."""
        value = self.form.fields.get(name, "")
        wrong = self.view.error_at(name)
        listed = self.view.listed.get(name, "")
        assumed = "" if value or wrong else self._assumed(name, listed)
        return FieldShown(
            name,
            self._label(name),
            _target(value) if name == "reach" else value,
            placeholder=self._placeholder(name, listed),
            help="" if assumed else self._help(name),
            assumed=assumed,
            error=f"{wrong} {self._found}".strip() if wrong and name == "rating" else wrong,
            repair=repair_of(value, name) if wrong else None,
            mode="numeric"
            if name in NUMBERS
            else "decimal"
            if name in ("deviation", "volatility", "draw_rate")
            else "",
            type="date" if name in ("on", "ended") else "text",
            options=self._options(name),
            grouped=name == "system",
            chips=name == "k" and family(self.system) == "fide",
        )

    def _label(self, name: str) -> str:
        own = labels_by_family(self.question, name).get(family(self.system))
        return own or field_label(self.question, name) or name

    def _placeholder(self, name: str, listed: str) -> str:
        if listed:
            return listed
        if name in LEAD or name in ("reach", "federation"):
            return "—" if name != "rating" else " "
        key = f"{name}_if_empty"
        return _text(key) if _has(key) and (name != "games" or self.uses("k")) else " "

    def _help(self, name: str) -> str:
        pasted = self.form.pasted_line(name)
        if pasted:
            return _shared("from_paste", line=pasted)
        if name == "rating":
            if self._list_then:
                return self._found or self._list_then
            offered = not (self.asks_target or self.asks_norm)
            usual = "or_name_or_id" if lists_there() else "or_system" if self.system == DEFAULT_SYSTEM else ""
            return self._found or (_text(usual) if offered and usual else "")
        if name == "born" and not (self.asks_target or self.asks_norm) and self.form.fields.get(name):
            return _text("born_decides")
        own = f"{name}_hint_{family(self.system)}"
        key = own if _has(own) else f"{name}_hint"
        return _text(key) if name in HINTED and _has(key) else ""

    @property
    def _list_then(self) -> str:
        """The list that a period's rating is on, or the one before a diary's first event; empty if it could be two."""
        if not self.lists or self.question not in ("period", "diary"):
            return ""
        began = sorted(filter(None, (date_of(one.on) for one in self.form.events)))
        known = [start for start in began if start >= system(self.system).rulebook.covered_from]
        lists = {list_in_force(start, system(self.system).rulebook.at(start)) for start in known}  # type: ignore[arg-type]
        if self.question == "diary":
            lists = {*sorted(lists)[:1]}
        return str(say("hero.on_list", on=long_day(lists.pop()))) if len(lists) == 1 else ""

    @property
    def _found(self) -> str:
        """Whom the rating field names, by the list; empty if nobody was looked up."""
        return self.view.people.said if self.view.people is not None else ""

    def _assumed(self, name: str, listed: str) -> str:
        """What an empty field means, if it decides something."""
        if (
            name == "born"
            and self.uses("born")
            and not listed
            and not self.form.fields.get("k")
            and "k" not in self.view.listed
        ):
            return _text("born_assumed")
        if name == "games" and self._games_decide and not self.uses("k"):
            return str(say("hero.k.games.assumed"))
        if name in ("deviation", "opponent_deviation", "volatility") and listed:
            return _text("value_assumed", value=listed)
        return ""

    def _options(self, name: str) -> Sequence[tuple[str, Any]]:
        """The choices of a field; none for one that is typed into."""
        empty = [("", "–")]
        no_or_yes = [("", _shared("no")), ("yes", _shared("yes"))]
        made: dict[str, Any] = {
            "system": lambda: system_groups(self.question, self.system),
            "norm": lambda: [*empty, *((title, title) for title in NORMS), *self._several_norms()],
            "speed": lambda: [("", _text("speed_usual")), *((one, named("speed", one)) for one in speeds())],
            "method": lambda: [("" if one == "fide" else one, named("method", one)) for one in METHODS],
            "sex": lambda: [*empty, ("w", _text("woman")), ("m", _text("man"))],
            "event_kind": lambda: [("" if one == "swiss" else one, named("event_kind", one)) for one in KINDS],
            "draws": lambda: [("" if one == "calibrated" else one, named("draws", one)) for one in MODELS],
            "by_rating": lambda: [("", _text("typical_strength")), ("yes", _text("rating_strength"))],
            "qc_approved": lambda: no_or_yes,
            "inactive": lambda: no_or_yes,
        }
        if name in made:
            return made[name]()  # type: ignore[no-any-return]
        given = spec_of(self.question).fields.get(name)
        return no_or_yes if given is not None and given.flag else ()

    def _several_norms(self) -> list[tuple[str, str]]:
        """The norms of a link that asks for more than one."""
        asked = self.form.fields.get("norm", "")
        return [(asked, listed(asked.split()))] if " " in asked else []

    @property
    def unpaired(self) -> bool:
        """Whether rounds that are not paired yet stand below the games: for a norm, or if there are some."""
        return self.question == "outlook" and (self.asks_norm or any(map(self.form.fields.get, ("rounds", "field"))))

    # ---- the line of words, and its panel ----

    @property
    def words(self) -> list[SummaryPart]:
        """How it was worked out, in a few words behind the system: the day, and what decides how far a rating moves."""
        return [*self._day_words(), *self._k_words()]

    def _day_words(self) -> Iterator[SummaryPart]:
        on = date_of(self.form.fields.get("on", "")) or today()
        if self.question in ("period", "diary", "season"):
            return
        played = "played" if self.door.name != "ahead" else "ahead"
        yield SummaryPart(_text(f"{played}_today") if on == today() else _text(f"{played}_on", on=day(on)))
        if self.form.fields.get("time"):
            yield SummaryPart(self.form.fields["time"])

    def _k_words(self) -> Iterator[SummaryPart]:
        fields, listed = self.form.fields, self.view.listed
        for name in ("deviation", "opponent_deviation"):
            if self.uses(name):
                value = fields.get(name)
                yield SummaryPart(_text(f"words_{name}", value=value or listed.get(name, "")), assumed=not value)
        if self._games_decide and not self.uses("k"):
            yield SummaryPart(str(say("hero.k.games.assumed")), assumed=True)
        answer = self.view.answer
        k = getattr(answer, "k_used", None) or getattr(answer, "k", None) or fields.get("k") or _k_in(answer)
        if not self.uses("k") or self.door.name == "first" or k is None:
            return
        said = _text("k_is", k=figure(k))
        if fields.get("k"):
            yield SummaryPart(_text("k_given"), said)
        elif "k" in listed:
            yield SummaryPart(_text("k_listed"), said)
        elif not fields.get("born") and "born" not in listed and self.uses("born"):
            yield SummaryPart(
                _text("adult_assumed") if not fields.get("games") else _text("games_given", games=fields["games"]),
                said,
                assumed=not fields.get("games"),
            )
        else:
            born = fields.get("born") or listed.get("born", "")
            knows = fields.get("games") or not self.uses("games") or not self._games_decide
            yield SummaryPart(_text("born_given", born=born) if born else "", said)
            if not knows:
                yield SummaryPart(_text("games_assumed"), assumed=True)
            elif fields.get("games"):
                yield SummaryPart(_text("games_given", games=fields["games"]))

    @property
    def _games_decide(self) -> bool:
        """Whether the answer rests on 30 games or more, or on an established rating."""
        return any(
            "games" in getattr(note, "key", "") and "assumed" in note.key
            for note in getattr(self.view.answer, "notes", ())
        )

    @property
    def panel(self) -> list[tuple[str, list[FieldShown]]]:
        """The groups of fields behind the line of words."""
        first = {one.name for one in self.lead}
        made = []
        for group, names in PANEL.items():
            paired = group == "unpaired" and (self.unpaired or self.games.events)
            if paired or (group == "norm" and not self.asks_norm):
                continue
            there = [name for name in names if name not in first and self._offers(name)]
            if there:
                made.append((_text(f"panel_{group}"), [self.shown(name) for name in there]))
        return made

    def _offers(self, name: str) -> bool:
        """Whether the panel has a field: the question and the system use it, and here it can change something."""
        if name == "standard" and self.system == "fide-standard":
            return False  # it stands in for a rapid or blitz rating
        if name == "qc_approved" and not self.form.fields.get(name):
            return self.uses(name) and self.asks_approval(self.form.fields.get("time", ""))
        return self.uses(name) or (name == "speed" and self.system == "lichess")

    def asks_approval(self, time: str) -> bool:
        """Whether an event at this time control counts only if FIDE has approved it."""
        pace = None
        with suppress(ArpadError):
            pace = parse_pace(time) if time else None
        return needs_approval(pace, self.system, date_of(self.form.fields.get("on", "")) or today())

    def in_panel(self, name: str) -> bool:
        """Whether a field is behind the line of words."""
        return any(name == one.name for _, group in self.panel for one in group)

    @property
    def experts(self) -> list[FieldShown]:
        """The fields that nothing else has shown, so that a field added to a question appears without further work."""
        there = {one.name for one in self.lead} | {one.name for _, group in self.panel for one in group}
        left = fields_left(
            self.question, {*there, "system", "qc_approved", "reach", "norm", "opponent", "rounds", "field", "spread"}
        )
        return [self.shown(given.name) for given in left if given.used_by(self.system)]

    def help_of(self, name: str) -> str:
        """What a field means, in a sentence."""
        return field_help(name)

    @property
    def k_chips(self) -> list[ButtonShown]:
        """The values of K to choose from, and the one that is worked out."""
        found = getattr(self.view.answer, "k_used", None)
        worked_out = (
            _text("k_worked_out", k=figure(found))
            if found is not None and not self.form.fields.get("k")
            else _text("k_calculated")
        )
        return [ButtonShown("", worked_out), *(ButtonShown(one, one) for one in k_choices())]

    @property
    def grows(self) -> list[ButtonShown]:
        """The buttons by which the form grows."""
        there = {"target": self.asks_target, "norm": self.asks_norm or family(self.system) != "fide"}
        key = {"event": "add_event"}
        return [
            ButtonShown(one, _text(key.get(one, f"add_{one}"))) for one in GROWS[self.door.name] if not there.get(one)
        ]


def _k_in(answer: Any) -> Any:
    """The K in the working of an answer that has none of its own, such as the score that is needed."""
    steps = walk(*getattr(answer, "trail", ()))
    return next((step.value for step in steps if step.key.partition(".")[0] == "k"), None)


def _target(value: str) -> str:
    return value.replace(" ", ", ")


def _has(key: str) -> bool:
    return key in section(voice().language, "pages.sheet")


def _text(key: str, **values: object) -> str:
    return str(say(f"pages.sheet.{key}", **values))


def _shared(key: str, **values: object) -> str:
    """A text that the templates have too."""
    return str(say(f"pages.text.{key}", **values))
