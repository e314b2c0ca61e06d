"""What a page shows: the form as filled in, and the answer, what is missing, or an error.

`view_of` answers a page's question. The rest is what its templates need: where an error is, which players were looked
up, the figures of an answer, several systems side by side, and the rules of a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from arpad.calculation.answer import Answer, Figure
from arpad.core import EloStanding, Player
from arpad.core.numbers import decimal, half_up
from arpad.errors import ArpadError, BadInput
from arpad.forecast.outlook import Outlook
from arpad.messages import Message, Part, apart, figure, say, section, voice
from arpad.questions import Asked, People, Place, by_name, missing, read_question, spec_of
from arpad.questions.fields import WITH_DEVIATION, RuleFields
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.questions.rules import RulesOf, rules
from arpad.reading import parse_date
from arpad.rulebooks import Change
from arpad.systems import system
from arpad.systems.answers import RatingChange
from arpad.systems.performance import Performance
from arpad.web.answers import ask, own_lists
from arpad.web.api import today
from arpad.web.details import cards_of, details_of, notes_of
from arpad.web.doors import brought_to
from arpad.web.forms import Form, read_form
from arpad.web.hero import copied, hero_of
from arpad.web.hero_parts import Hero, plain
from arpad.web.replies import GOOD, status_of
from arpad.web.site import PAGES, Page, field_label

if TYPE_CHECKING:
    from arpad.lists import ResolvedPlayer
    from arpad.rulebooks import Document, Rule, Rulebook, Rules
    from arpad.web.details_parts import Card, Detail

# Errors that only mean the form is not complete yet.
UNFINISHED = (
    "questions.own_rating",
    "questions.planned_games",
    "reading.field_average",
    "reading.field_rounds",
    "systems.empty_event",
    "systems.no_games",
)
# The path of an error: `born`, `game[2]`, `event[0].game[1]`, `paste, line 3`.
PATH = re.compile(r"(?:event\[(?P<event>\d+)\]\.)?(?P<name>\w+)(?:\[(?P<number>\d+)\])?(?:, line (?P<line>\d+))?")
EVENT_GAMES = ("game", "against", "paste")  # the fields that hold an event's games
OWN = "rating"  # the field of the player the question is about
TOGETHER = re.compile(r"\bK (?=\d)|(?<=\d) (?=%)")  # a space within what belongs on one line: K 20, 76 %
ALONE = (OWN, "opponent")  # fields that hold a single player
HERE = {"questions.no_lists": "pages.sheet.no_lists"}  # errors that a page says in its own words
WHOLE_FROM = 10  # points; a smaller figure, such as a volatility, keeps its decimals
ONE_OFF = "one_off"  # a rule for a single list


def view_of(page: Page, pairs: list[tuple[str, str]]) -> View:
    """Answer the question in a form or a link."""
    try:
        form = read_form(pairs, today=today(), question=page.question)
    except BadInput as error:
        return View(page, read_form([], today=today()), error=error)
    if form.error is not None:
        return View(page, form, error=form.error)
    people = None
    given: dict[str, Any] = {}
    try:
        spec = spec_of(page.question)
        given = by_name(spec, form.asked)
        if page.question == "rules":
            return View(page, form, answer=read_rules(given, today=today()))
        lacking = missing(spec, given, in_form=True)
        if lacking is not None:
            return View(page, form, lacking="|".join(lacking), people=found_alone(given, today=today()))
        with own_lists():
            asked, answer = ask(page.question, given, today=today())
        people = PeopleView(asked.people, str(given.get("system", DEFAULT_SYSTEM)))
        return View(page, form, asked=asked, answer=answer, people=people, hero=hero_of(asked, answer))
    except ArpadError as error:
        found = people or found_alone(given, today=today())
        if isinstance(error.said, Message) and error.said.key in UNFINISHED:
            return View(page, form, lacking=error.at, unfinished=error.said, people=found)
        return View(page, form, error=error, people=found)


class View(NamedTuple):
    """A form as filled in, and the answer, what is missing, or an error."""

    page: Page
    form: Form
    answer: Any = None
    asked: Asked | None = None
    lacking: str | None = None
    unfinished: Message | None = None  # what the form still needs
    error: ArpadError | None = None
    people: PeopleView | None = None
    hero: Hero | None = None
    example: bool = False  # whether it is the example of a first visit, to type over

    @property
    def status(self) -> int:
        """The HTTP status: an error has its own."""
        return GOOD if self.error is None else status_of(self.error)

    @property
    def place(self) -> FormPlace | None:
        """The place of the error, if the page has it."""
        return None if self.error is None else place_of(self.error.at, self.page.question, self.form)

    @property
    def at(self) -> str:
        """The field with the error, or empty."""
        return self.place.field if self.place is not None else ""

    def error_at(self, id: str) -> str:
        """What is wrong in the field of an id; empty if nothing is."""
        if self.error is None or self.at != id:
            return ""
        said = self.error.said
        if isinstance(said, Message) and said.key in HERE:  # a page has no command by which a list is imported
            said = say(HERE[said.key], **said.values)
        return str(said)

    @property
    def notes(self) -> list[Message]:
        """What the reader should know in addition to the figures."""
        looked_up = [] if self.people is None else self.people.looked_up
        beside = [] if self.asked is None else self.asked.notes
        return [*self.form.notes, *self.answer.notes, *looked_up, *beside]

    @property
    def cards(self) -> list[Card]:
        """The charts and tables below the hero."""
        return cards_of(self)

    @property
    def details(self) -> list[Detail]:
        """The lines below the hero that open."""
        return details_of(self)

    @property
    def other_notes(self) -> list[Message]:
        """The notes that are neither in the hero nor in a detail."""
        return notes_of(self)

    @property
    def copied(self) -> str:
        """The result in a line or two, to paste into a message."""
        return "" if self.hero is None else copied(self.hero, self.answer)

    def names(self, within: str = "") -> list[str]:
        """The opponents' names in the order of the games, or of an event's games: from the form, or from a list."""
        games = [(path, who) for path, who in self.form.opponents if path.startswith(within)]
        return [who or (self.people.name(path) if self.people else "") for path, who in games]

    @property
    def k(self) -> str:
        """Where K comes from, as the heading over its fields."""
        given = self.form.fields.get("k")
        if given:
            return str(say("pages.k.given", k=given))
        found, listed = getattr(self.answer, "k_used", None), self.listed.get("k")
        if listed is not None and found in (None, int(listed)):
            return str(say("pages.k.listed", k=listed))
        return str(say("pages.k.unknown") if found is None else say("pages.k.found", k=found))

    def brought(self, door: str) -> str:
        """What was typed, as the query of another door; before games, with those to come."""
        return urlencode(brought_to(door, self.form.pairs), safe=":")

    @property
    def listed(self) -> dict[str, str]:
        """What is used for fields left empty: an assumption, or a value from a rating list."""
        return {**self._assumed, **({} if self.people is None else self.people.listed)}

    @property
    def _assumed(self) -> dict[str, str]:
        """The deviation and volatility the system assumes if none is given."""
        name = self.form.fields.get("system", "")
        if name not in WITH_DEVIATION:
            return {}
        book = system(name).rulebook
        in_force = {rule.name: rule.value for rule in book.in_force(max(today(), book.covered_from))}
        usual = figure(in_force["usual_deviation"])
        volatility = getattr(in_force.get("start"), "volatility", None)
        beside = {} if volatility is None else {"volatility": str(volatility)}
        of_opponents = self.form.fields.get("opponent_deviation") or usual
        return {"deviation": usual, "opponent_deviation": usual, "rd": of_opponents, **beside}

    @property
    def peek(self) -> str:
        """The answer in a few words, for the line at the bottom of a small screen."""
        if self.error is not None:
            return str(say("pages.refused"))
        return "" if self.hero is None else f"{self.hero.brief} {plain(self.hero.short)}".strip()

    @property
    def peek_words(self) -> str:
        """What the figure of the answer is, in a few words."""
        return "" if self.hero is None else plain(self.hero.short)

    @property
    def headline(self) -> str:
        """The title of a shared link: the answer in a few words, or the page's title."""
        if self.hero is None or self.example:
            return self.page.title
        if not self.hero.short:
            return self.hero.brief
        return str(say("pages.text.step_says", label=self.hero.brief, says=plain(self.hero.short)))

    @property
    def spoken(self) -> str:
        """The answer in one sentence, for a screen reader."""
        if self.error is not None:
            return str(self.error.said)
        return "" if self.hero is None else self.hero.spoken

    @property
    def address(self) -> str:
        """The address that gives this answer again."""
        return f"{self.page.path}?{self.form.query}" if self.form.pairs and not self.example else self.page.path

    @property
    def twin(self) -> str:
        """The address of the same answer as JSON."""
        return f"/{self.page.question}.json?{self.form.query}"

    @property
    def strength(self) -> Answer | None:
        """The strength that the results so far suggest, to show with an outlook; None without results."""
        if self.asked is None or not isinstance(self.answer, Outlook) or self.answer.so_far is None:
            return None
        try:
            wanted = spec_of("strength").fields
            given = {name: value for name, value in self.given.items() if name in wanted}
            return read_question(spec_of("strength"), given, today=today(), door="page").question.answer()
        except ArpadError:
            return None

    @property
    def given(self) -> dict[str, Any]:
        """The fields given, by name."""
        return by_name(spec_of(self.page.question), self.form.asked)

    @property
    def readings(self) -> list[tuple[str, str, list[str]]]:
        """The rules in force that can be read in more than one way: name, what it says, and all readings."""
        if self.asked is None or not isinstance(self.asked.question, RuleFields):
            return []
        try:
            question = self.asked.question
            in_force = question.rating_system().rulebook.in_force(question.day)
        except ArpadError:
            return []
        return [
            (rule.name, rule.says, sorted({*rule.others, *filter(None, [rule.reading])}))
            for rule in in_force
            if rule.others or rule.reading
        ]


@pass_context
def said(context: Context, message: Message | str) -> Markup:
    """A message, with links to the fields it names, and to other doors with the games that were typed."""
    if not isinstance(message, Message):
        return escape(message)
    parts = []
    for part in message.parts():
        text = _escaped(part)
        if part.kind == "field" and part.name in section(voice().language, "fields.label"):
            text = Markup('<a href="#{}">{}</a>').format(part.name, text)
        elif part.kind == "question" and part.name in PAGES:
            page, view = PAGES[part.name], context.get("view")
            elsewhere = isinstance(view, View) and page.asks and page.door != view.page.door
            typed = f"?{view.brought(page.door)}" if elsewhere and view.form.rows else ""
            text = Markup('<a href="{}{}{}">{}</a>').format(context["root"], page.path, typed, text)
        parts.append(text)
    return unbroken(Markup("").join(parts))


def _escaped(part: Part) -> Markup:
    """A piece of a sentence for a page; an asterisk in a value, which may be a name, emphasises nothing."""
    text = escape(part.text)
    return Markup(str(text).replace("*", "&#42;")) if part.kind == "value" else text  # noqa: S704  # escaped


def unbroken(text: Message | str) -> Markup:
    """A text in which no figure is parted from its sign at the end of a line."""
    return Markup(TOGETHER.sub(lambda space: space[0].replace(" ", "\u00a0"), escape(text)))  # noqa: S704  # escaped


def with_code(text: str) -> Markup:
    """A text, with the parts between backticks as code."""
    return _marked(text, "`", "<code>{}</code>")


def emphasised(text: Message | str) -> Markup:
    """A text, with the parts between asterisks emphasised."""
    return _marked(text, "*", "<b>{}</b>")


def as_assumed(text: Message | str) -> Markup:
    """A text, with the parts between asterisks marked as assumed."""
    return _marked(text, "*", '<span class="as">{}</span>')


def _marked(text: Message | str, sign: str, tag: str) -> Markup:
    """A text, with every second part between signs inside a tag."""
    if isinstance(text, Message):
        text = Markup("").join(map(_escaped, text.parts()))
    parts = unbroken(text).split(sign)
    return Markup("").join(Markup(tag if odd % 2 else "{}").format(Markup(part)) for odd, part in enumerate(parts))  # noqa: S704  # escaped


class FormPlace(NamedTuple):
    """A place in words, and the id of its field."""

    text: str
    field: str


def place_of(at: str | None, question: str, form: Form) -> FormPlace | None:
    """The place of an error by its path; None if the page has no such place."""
    found = PATH.fullmatch(at or "")
    if found is None:
        return None
    name = found["name"]
    number = None if found["number"] is None else int(found["number"])
    line = found["line"]
    if found["event"] is not None:
        return _of_event(int(found["event"]) + 1, name, number, line)
    if name in ("game", "against", "opponent"):
        number = 0 if name == "opponent" else number
        if number is None:  # all games; with events it is not clear which ones
            return FormPlace(_said("all_games"), "row-1") if form.rows else None
        before = sum(typed == "game" for typed, _ in form.pairs) if name == "against" else 0  # those to come are last
        row = form.row_of(before + number)
        return FormPlace(_said("opponent", game=row + 1), f"row-{row + 1}")
    if name == "event":  # some game of some event
        return FormPlace(_said("all_games"), "row-1-1")
    label = field_label(question, name)
    return None if label is None else FormPlace(_in_line(label, line), name)


def _of_event(event: int, name: str, number: int | None, line: str | None) -> FormPlace:
    """A place within one of several events."""
    if name in EVENT_GAMES:
        text = _said("games", event=event) if number is None else _said("game", event=event, game=number + 1)
        return FormPlace(_in_line(text, line), f"row-{event}-{(number or 0) + 1}")
    label = field_label("event", name) or name
    return FormPlace(_said("of_event", event=event, label=label), f"{name}-{event}")


def _in_line(place: str, line: str | None) -> str:
    """A place, with the line of a pasted list."""
    return place if line is None else _said("line", place=place, line=line)


def _said(key: str, **values: object) -> str:
    return str(say(f"pages.place.{key}", **values))


@dataclass(frozen=True, slots=True)
class PeopleView:
    """The players named in a question, and what a page says about them."""

    people: People
    system: str

    @property
    def looked_up(self) -> list[Message]:
        """A note on the players found, if any."""
        found = dict.fromkeys(
            f"{resolved.name} {_rating(resolved.player)} ({resolved.about})" for resolved in self.people.named.values()
        )
        return [say("pages.looked_up", people=apart(found))] if found else []

    @property
    def said(self) -> str:
        """What the list says about players named in the rating or opponent field, in a sentence next to it."""
        there = [(path, self.people.named[path]) for path in ALONE if path in self.people.named]
        if not there:
            return ""
        lines = [
            f"{say('pages.text.step_says', label=resolved.name, says=', '.join(self._figures(path, resolved)))}."
            for path, resolved in there
        ]
        lists = say("pages.lists_and", lists=sorted({str(resolved.list) for _, resolved in there}))
        return " ".join([*lines, str(say("pages.rating_list", lists=lists))])

    def _figures(self, path: str, resolved: ResolvedPlayer) -> Iterator[str]:
        """The rating or what is used for it; for the player the question is about, also K and the year of birth."""
        player = resolved.player
        if player.rating is not None or player.rating_used is None:
            yield _rating(player)
        else:
            yield str(say("pages.standard_used", rating=player.rating_used))
        if path == OWN:
            beside = {name: self.listed[name] for name in ("k", "born") if name in self.listed}
            yield from (str(say(f"pages.listed_{name}", **{name: text})) for name, text in beside.items())

    @property
    def listed(self) -> dict[str, str]:
        """What the list says about the player, which is used for fields left empty."""
        if OWN not in self.people.named:
            return {}
        player = self.people.named[OWN].player
        standing = EloStanding.of(player)
        other_k = standing.k_from is not None and standing.k_from.system not in (None, self.system)
        known = {
            "rating": player.rating_used,
            "born": player.birth_year,
            "peak": standing.peak,
            "k": None if other_k else standing.k,
            "standard": standing.standard,
        }
        return {name: str(value) for name, value in known.items() if value is not None}

    def name(self, path: str) -> str:
        """The name of the player who was looked up at a place; empty if none was."""
        return (self.people.named[path].listed.name or "") if path in self.people.named else ""


def found_alone(given: Mapping[str, Any], *, today: date) -> PeopleView | None:
    """The players named in the rating and opponent fields, for a form without an answer yet; None without any."""
    people, system = People(), str(given.get("system", DEFAULT_SYSTEM))
    for path in ALONE:
        with suppress(ArpadError):  # the page reports it at the field
            day = parse_date(str(given["on"]), at="on") if "on" in given else today
            people.find(str(given.get(path, "")), Place(path, day, system, people))
    return PeopleView(people, system) if people.named else None


def _rating(player: Player) -> str:
    """A player's rating for people."""
    if player.rating_used is None:
        return str(say("answers.unrated"))
    return str(player.rating) if player.rating is not None else str(say("pages.standard", rating=player.rating_used))


def figures_of(answer: Answer) -> list[Figure]:
    """The figures of an answer. A rating with a deviation is shown in whole points; the working has the decimals."""
    found = [shown for shown in (*answer.summary(), *_average(answer)) if shown.value is not None]
    return (
        [shown._replace(value=_whole_points(shown.value)) for shown in found] if hasattr(answer, "interval") else found
    )


def _average(answer: Answer) -> list[Figure]:
    """The opponents' average rating, if there were several."""
    if not isinstance(answer, RatingChange | Performance):
        return []
    met = [decimal(game.opponent) for game in answer.per_game if game.rated and game.opponent is not None]
    return [Figure("opponents.average", half_up(sum(met, Decimal(0)) / len(met)))] if len(met) > 1 else []


def _whole_points(value: object) -> object:
    """A rating or deviation in whole points, also inside a message; a small number such as a volatility unchanged."""
    if isinstance(value, Message):
        return Message(value.key, {name: _whole_points(inner) for name, inner in value.values.items()})
    if not isinstance(value, Decimal | float):
        return value
    exact = decimal(value)
    return half_up(exact) if abs(exact) >= WHOLE_FROM else value


def read_rules(given: Mapping[str, Any], *, today: date) -> RulesView:
    """The rules of a day (`on`), or what changed (`changes=A..B`)."""
    asked = read_question(spec_of("rules"), given, today=today, door="page").question
    if not isinstance(asked, RulesOf):
        raise TypeError("the question about rules is declared otherwise")
    book, on = rules(asked.system or DEFAULT_SYSTEM), asked.on or today
    in_force = [] if asked.changes is not None else book.in_force(on)
    return RulesView(asked.system or DEFAULT_SYSTEM, book, on, in_force, asked.changes)


class RulesView(NamedTuple):
    """The rules that were asked for."""

    system: str
    book: Rulebook[Rules]
    on: date
    in_force: list[Rule[object]]
    span: tuple[date, date] | None = None

    @property
    def lasting(self) -> list[Rule[object]]:
        """The rules in force on the day, without one-off rules of earlier days."""
        return [rule for rule in self.in_force if rule not in self.done]

    @property
    def done(self) -> list[Rule[object]]:
        """One-off rules from before the day."""
        return [rule for rule in self.in_force if rule.name == ONE_OFF and rule.since < self.on]

    @property
    def changes(self) -> list[Change]:
        """What changed between the two days."""
        return [] if self.span is None else self.book.changes(*self.span)

    def editions(self) -> list[Amendment]:
        """Every day on which a rule began or changed, oldest first."""
        days = sorted({max(rule.since, self.book.covered_from) for rule in self.book})
        found = []
        for before, day in zip([None, *days], days, strict=False):
            changes = (
                [Change(None, rule) for rule in self.book.in_force(day)]
                if before is None
                else (self.book.changes(before, day))
            )
            cited = list({change.after.document.key: change.after.document for change in changes}.values())
            # A rule may be cited from a later text that only restates it.
            documents = [document for document in cited if document.effective == day] or cited
            if changes:
                found.append(Amendment(day, documents, changes))
        return found


class Amendment(NamedTuple):
    """A day on which rules changed: the changes, and the documents behind them."""

    since: date
    documents: list[Document]
    changes: list[Change]


def day_before(day: date) -> date:
    """The day before, so that changes since then include those of the day."""
    return day - timedelta(days=1)
