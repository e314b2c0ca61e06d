"""What a page shows: the form as filled in, and the answer, what is missing, or an error."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from arpad.calculation.answer import Answer
from arpad.calculation.explain import label_of
from arpad.errors import ArpadError, BadInput
from arpad.forecast.outlook import Outlook
from arpad.messages import Message, figure, say
from arpad.questions import Asked, by_name, missing, read_question, spec_of
from arpad.questions.fields import WITH_DEVIATION, RuleFields
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.systems import system
from arpad.systems.comparison import Comparison
from arpad.web import rules
from arpad.web.api import today
from arpad.web.cache import ask
from arpad.web.carry import carried
from arpad.web.figures import change_of, figures_of, in_words
from arpad.web.forms import Form, read_form
from arpad.web.lists import own_lists
from arpad.web.people import PeopleView, found_alone
from arpad.web.places import FormPlace, place_of
from arpad.web.replies import GOOD, status_of
from arpad.web.site import PAGES, Page

# Errors that only mean the form is not complete yet.
UNFINISHED = (
    "questions.own_rating",
    "questions.planned_games",
    "reading.field_average",
    "reading.field_rounds",
    "systems.empty_event",
    "systems.no_games",
)


@pass_context
def said(context: Context, message: Message | str) -> Markup:
    """A message, with links to the fields and pages it names."""
    if not isinstance(message, Message):
        return escape(message)
    parts = []
    for part in message.parts():
        text = escape(part.text)
        if part.kind == "field":
            text = Markup('<a href="#{}">{}</a>').format(part.name, text)
        elif part.kind == "question" and part.name in PAGES:
            text = Markup('<a href="{}{}">{}</a>').format(context["root"], PAGES[part.name].path, text)
        parts.append(text)
    return Markup("").join(parts)


def with_code(text: str) -> Markup:
    """A text, with the parts between backticks as code."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if odd % 2 else part for odd, part in enumerate(parts)
    )


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

    @property
    def notes(self) -> list[Message]:
        """What the reader should know in addition to the figures."""
        looked_up = [] if self.people is None else self.people.looked_up
        beside = [] if self.asked is None else self.asked.notes
        return [*self.form.notes, *self.answer.notes, *looked_up, *beside]

    def names(self, within: str = "") -> list[str]:
        """The opponents' names in the order of the games, or of an event's games: from the form, or from a list."""
        games = [(path, who) for path, who in self.form.opponents if path.startswith(within)]
        return [who or (self.people.name(path) if self.people else "") for path, who in games]

    def in_line(self, line: str) -> str:
        """A line of several players as its field shows it, with names before IDs."""
        return line if self.people is None else self.people.in_line(line)

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

    @property
    def ahead(self) -> str:
        """The query of an outlook on these games, including those to come."""
        return urlencode(carried(self.form.pairs, "outlook"), safe=":")

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
        if not isinstance(self.answer, Answer) or isinstance(self.answer, Comparison):
            return ""
        first = figures_of(self.answer)[0]
        return f"{label_of(first.key)} {figure(first.value)} {change_of(self.answer)}".strip()

    @property
    def headline(self) -> str:
        """The title of a shared link: the answer in a few words, or the page's title."""
        return (
            self.peek[:1].upper() + self.peek[1:] if isinstance(self.answer, Answer) and self.peek else self.page.title
        )

    @property
    def spoken(self) -> str:
        """The answer in one sentence, for a screen reader."""
        if self.error is not None:
            return str(self.error.said)
        words = in_words(self.answer) if isinstance(self.answer, Answer) else None
        return f"{self.peek}. {words}" if words else self.peek

    @property
    def address(self) -> str:
        """The address that gives this answer again."""
        return f"{self.page.path}?{self.form.query}" if self.form.pairs else self.page.path

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
            return View(page, form, answer=rules.read(given, today=today()))
        lacking = missing(spec, given, in_form=True)
        if lacking is not None:
            return View(page, form, lacking="|".join(lacking), people=found_alone(given, today=today()))
        with own_lists():
            asked, answer = ask(page.question, given, today=today())
        people = PeopleView(asked.people, str(given.get("system", DEFAULT_SYSTEM)))
        return View(page, form, asked=asked, answer=answer, people=people)
    except ArpadError as error:
        found = people or found_alone(given, today=today())
        if isinstance(error.said, Message) and error.said.key in UNFINISHED:
            return View(page, form, lacking=error.at, unfinished=error.said, people=found)
        return View(page, form, error=error, people=found)
