"""The working of an answer as text, Markdown or HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.step import Step, places, walk
from arpad.messages import apart, figure, fill, listed, say, section, voice

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.rulebooks import Rule


WIDTH = 80
SHORTEST = 30  # characters a reason needs beside the figures; with less room it goes below
PLAIN = {  # steps that are left out, because the lines around them make them clear
    "score", "factor", "constant", "games", "at", "minutes", "seconds", "scale", "e", "divisor", "power",
    "outcome.change", "constant.a_draw", "constant.a_win", "constant.a_year", "constant.an_event", "constant.base",
    "constant.centre", "constant.most", "constant.numerator", "constant.reach", "constant.slope", "constant.top",
}  # fmt: skip
LESS = re.compile(r"\+ \(−([^()]*)\)")  # a negative number that is added
MOST_PARTS = 12  # a longer sum is not written out
OF_STEP = ("value", "rule")  # placeholders that every step fills
SIGNED = ("game", "event", "change", "shown_change", "rounded")  # figures shown with a sign


class Line(NamedTuple):
    """A line of the working: what it is, the figures, why, and the article."""

    depth: int
    label: str
    figures: str = ""
    says: str = ""
    cite: str = ""
    heading: bool = False
    told: str = ""  # the label and the reason as one sentence, for somebody who reads on a page


def lines(*roots: Step, articles: bool = False, without: Collection[str] = ()) -> Iterator[Line]:
    """The working, line by line; where there are several games, each has a heading.

    With `articles`, arithmetic without an article of its own has that of the step it is for. Steps with the keys
    `without` are left out, as a year of birth in what is published.
    """
    steps = list(walk(*roots))
    keys = Counter(step.key for step in steps)
    headings = words("heading")
    games = [step for step in steps if keys[step.key] > 1 and step.key in headings]
    # How many games, or how many events, rest on a step.
    uses = Counter((game.key, id(reason)) for game in games for reason in walk(*game.reasons()))
    shown: set[int] = set()

    def visit(step: Step, depth: int, above: str) -> Iterator[Line]:
        if id(step) in shown:
            return
        shown.add(id(step))
        own = "" if step.rule is None else step.rule.cite
        cite = own or ("" if step.formula is None else above)
        if keys[step.key] > 1 and step.key in headings:
            for shared in (reason for reason in walk(*step.reasons()) if uses[step.key, id(reason)] > 1):
                yield from visit(shared, depth, cite)
            yield Line(depth, filled(headings[step.key], step), heading=True)
            depth += 1
        for reason in step.reasons():
            yield from visit(reason, depth, own or above)
        if not _plain_from_context(step) and step.key not in without:
            yield Line(depth, label(step), figures(step), sentence(step), cite if articles else own, told=told(step))

    for root in roots:
        nearest = next((reason.rule.cite for reason in reversed(root.reasons()) if reason.rule is not None), "")
        yield from visit(root, 0, nearest)


def figures(step: Step) -> str:
    """The formula with its numbers filled in, then the result."""
    said = wording(step)
    if step.value is None:
        return said.none
    value = step.value
    if isinstance(value, str):  # a rule's value in words; any other text is a name
        value = words("text").get(value.replace(",", "").replace(" ", "_"), value)
    result = figure(value, signed=said.signed)
    if step.formula is None:
        return result
    worked = step.formula.text
    for name in places(worked):
        worked = worked.replace(f"{{{name}}}", _input(step.given[name]), 1)
    worked = LESS.sub(r"− \1", worked)
    return result if worked == result else f"{worked} = {result}"  # a sum of one part, or none, is its result


def _input(given: Step | tuple[Step, ...]) -> str:
    if isinstance(given, Step):
        text = figure(given.value)
        return text if text[:1] != "−" else f"({text})"
    if len(given) > MOST_PARTS:
        return str(say("steps.sum", parts=len(given)))
    text = " + ".join(figure(part.value) for part in given) or "0"
    return text.replace("+ −", "− ")


def _plain_from_context(step: Step) -> bool:
    """Whether a line would repeat what is around it: the sum of one part, a score, a count."""
    if step.key in PLAIN:
        return True
    parts = step.given.get("parts")
    return step.key == "change" and isinstance(parts, tuple) and len(parts) == 1 and parts[0].key == "game"


def text(answer: Answer, without: Collection[str] = ()) -> str:
    """The working for a terminal: label, figures, reason and article in columns; then the footer."""
    shown = list(lines(*answer.trail, without=without))
    margin = max((2 * line.depth + len(line.label) for line in shown if not line.heading), default=0) + 2
    rows = []
    for line in shown:
        head = "  " * line.depth + line.label
        if line.heading:
            rows.append(head)
            continue
        why = f"{line.says} [{line.cite}]" if line.cite else line.says
        start = f"{head:<{margin}}{line.figures}"
        indent = len(start) + 3 if len(start) + 3 + SHORTEST <= WIDTH else margin
        first, *rest = wrapped(why, WIDTH - indent)
        if indent == margin:
            first, rest = "", [first, *rest]
        rows += [f"{start}   {first}".rstrip(), *(f"{'':<{indent}}{row}" for row in rest if row)]
    return "\n".join([*rows, "", *footer(answer)])


def footer(answer: Answer) -> list[str]:
    """Which rules were used, and the notes, wrapped for the terminal."""
    rules = say("answers.by_the_rules", system=answer.system, on=answer.on)
    return [row for said in (rules, *answer.notes) for row in wrapped(str(said))]


def wrapped(said: str, width: int = WIDTH) -> list[str]:
    """The text wrapped to the width, without splitting words; at least one line."""
    if len(said) <= width:
        return [said]
    return wrap(said, width, break_on_hyphens=False, break_long_words=False)  # dates and paths are not split


def markdown(answer: Answer) -> str:
    """The working as a table in Markdown."""
    rows = ["| | | why | article |", "|---|---|---|---|"]
    for line in lines(*answer.trail):
        name = f"**{line.label}**" if line.heading else line.label
        cells = (name, line.figures, line.says, line.cite)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    notes = [f"- {note}" for note in answer.notes]
    caption = str(say("answers.by_the_rules", system=answer.system, on=answer.on))
    return "\n".join([*rows, "", caption, *([""] if notes else []), *notes])


def html(answer: Answer) -> str:
    """The working as a table for a page."""
    from html import escape  # which loads every entity there is

    rows = []
    for line in lines(*answer.trail):
        if line.heading:
            rows.append(f'<tr><th colspan="4" scope="colgroup">{escape(line.label)}</th></tr>')
            continue
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in (line.figures, line.says, line.cite))
        rows.append(f'<tr><th scope="row">{escape(line.label)}</th>{cells}</tr>')
    notes = "".join(f"<li>{escape(str(note))}</li>" for note in answer.notes)
    caption = escape(str(say("answers.by_the_rules", system=answer.system, on=answer.on)))
    table = f'<table class="working"><caption>{caption}</caption>{"".join(rows)}</table>'
    return table + (f'<ul class="notes">{notes}</ul>' if notes else "")


@dataclass(frozen=True, slots=True, repr=False)
class Reason:
    """Why a step has its value, with the article; it becomes a sentence when it is read."""

    step: Step = field(hash=False)  # whose words may be lists

    def __str__(self) -> str:
        rule = self.step.rule
        return sentence(self.step) if rule is None else f"{sentence(self.step)} [{rule.cite}]"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Clause(Reason):
    """A reason without the article and without what is uncertain."""

    def __str__(self) -> str:
        return clause(self.step)


class _Wording(NamedTuple):
    """The wording for one key: the label, the reason, the text for a missing value, and whether to show a sign."""

    label: str
    says: str | None
    none: str
    signed: bool


def words(name: str) -> Mapping[str, str]:
    """A section of the step texts, in the current language."""
    return section(voice().language, f"steps.{name}")


def wording(step: Step) -> _Wording:
    """The wording for a step's key."""
    none, key = words("value"), step.key
    return _Wording(
        _nearest(words("label"), key) or key, words("says").get(key), _nearest(none, key) or none["none"], key in SIGNED
    )


def label(step: Step) -> str:
    """The label of a step."""
    return filled(wording(step).label, step)


def label_of(key: str) -> str:
    """The label of a figure or step with this key."""
    return words("label").get(key, key)


def clause(step: Step) -> str:
    """What a step says: the text for its key, its own text, or its rule's."""
    own = wording(step).says
    if own and all(name in (*OF_STEP, *step.words) for name in _placeholders(own)):  # else it is another system's key
        return filled(own, step)
    return str(step.words.get("says") or ("" if step.rule is None else step.rule.says))


@cache
def _placeholders(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def sentence(step: Step) -> str:
    """Why a step has its value, and what is uncertain about it."""
    unsure = "" if step.rule is None else doubt(step.rule)
    return f"{clause(step)} ({unsure})" if unsure else clause(step)


def told(step: Step) -> str:
    """The label and the reason as one sentence; empty if there is none, or the reason says more than it."""
    own = words("told").get(step.key, "")
    needed = _placeholders(own) - {*OF_STEP}
    more = sentence(step) and not needed  # which the sentence would leave out
    unsure = step.rule is not None and doubt(step.rule)
    return "" if not own or more or unsure or not needed <= step.words.keys() else filled(own, step)


def doubt(rule: Rule[object]) -> str:
    """What is uncertain about a rule, or which reading was chosen; empty for a confirmed rule."""
    if rule.sure == "confirmed" and rule.reading is None:
        return ""
    sure = words("sure")
    parts = [fill(sure["reading"], {"reading": voice().reading(rule.reading)})] if rule.reading else [sure[rule.sure]]
    if rule.others:
        parts.append(fill(sure["others"], {"others": listed(map(voice().reading, rule.others))}))
    return apart(parts)


def filled(template: str, step: Step) -> str:
    """A template filled in with the step's values."""
    return fill(template, _StepWords(step)) if "{" in template else template


class _StepWords:
    """A step's values for the placeholders of a template, formatted for people."""

    def __init__(self, step: Step) -> None:
        self.step = step

    def __getitem__(self, name: str) -> str:
        step = self.step
        if name == "value":
            return figure(step.value)
        if name == "rule":
            return "" if step.rule is None else step.rule.says
        word = step.words[name]
        if name == "score":
            return words("score")[f"{word.normalize():f}"]
        if word is None and name == "opponent":
            return words("value")["opponent.unrated"]
        return listed(word) if isinstance(word, list | tuple) and not hasattr(word, "_fields") else figure(word)


def _nearest(table: Mapping[str, str], key: str) -> str | None:
    """The entry for a dotted key, or for its nearest parent."""
    while key:
        if key in table:
            return table[key]
        key = key.rpartition(".")[0]
    return None
