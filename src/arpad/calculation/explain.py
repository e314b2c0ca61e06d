"""A trail as text or JSON, or, by `markup`, for pages: one walk, many clothes."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from os.path import dirname, join
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, places, walk
from arpad.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arpad.calculation.contract import Calculation, GameLine, Note
    from arpad.rulebooks.rulebook import Change, Rule

WORDS = join(dirname(dirname(__file__)), "messages")
FORMS = ("text", "markdown", "html", "json")
WIDTH = 80
SHORTEST = 30  # characters a reason needs beside its figures; with less it goes below them
MOST_ROWS = 20  # a longer table is counted, not repeated, beside an answer
TINY, SMALL = 0.001, 0.1  # a volatility is small, the chance of a hopeless game is tiny
MOST_PARTS = 12  # a longer sum is named, not written out


class Line(NamedTuple):
    """A line of the working: what it is, the figures, why, and the article."""

    depth: int
    label: str
    figures: str = ""
    says: str = ""
    cite: str = ""
    heading: bool = False


@cache
def words(language: str = "en") -> Mapping[str, Mapping[str, str]]:
    """The words of a language, by section and key."""
    sections: dict[str, dict[str, str]] = {}
    with open(join(WORDS, f"{language}.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("["):
                section = sections.setdefault(line.strip()[1:-1], {})
            elif line.strip() and not line.startswith("#"):
                key, _, text = line.rstrip("\n").partition(" = ")
                section[key] = text
    return sections


def explain(calculation: Calculation, form: str = "text") -> str:
    """The working of a calculation."""
    if form not in FORMS:
        raise UnknownName("form of explanation", form, known=FORMS, at="form")
    if form == "text":
        return "\n".join(working(calculation))
    if form == "json":
        import json

        return json.dumps(success(calculation), ensure_ascii=False, default=as_json)
    # Pages are rarely asked for here, so their module waits until they are.
    from arpad.calculation import markup

    return markup.markdown(calculation) if form == "markdown" else markup.html(calculation)


def lines(*roots: Step) -> Iterator[Line]:
    """The working line by line; games of a longer event stand under a heading each."""
    steps = list(walk(*roots))
    keys = Counter(step.key for step in steps)
    games = [step for step in steps if keys[step.key] > 1 and step.key in words()["heading"]]
    uses = Counter(id(reason) for game in games for reason in walk(*game.reasons()))
    shown: set[int] = set()

    def visit(step: Step, depth: int) -> Iterator[Line]:
        if id(step) in shown:
            return
        shown.add(id(step))
        if keys[step.key] > 1 and step.key in words()["heading"]:
            for shared in (reason for reason in walk(*step.reasons()) if uses[id(reason)] > 1):
                yield from visit(shared, depth)
            yield Line(depth, _filled(words()["heading"][step.key], step), heading=True)
            depth += 1
        for reason in step.reasons():
            yield from visit(reason, depth)
        if not _plain_from_context(step):
            yield Line(depth, label(step), _figures(step), sentence(step), "" if step.rule is None else step.rule.cite)

    for root in roots:
        yield from visit(root, 0)


class _Wording(NamedTuple):
    """The words of all steps with one key: what they are called, why, and what stands where there is no value."""

    label: str
    says: str | None
    none: str
    signed: bool


@cache
def _wording(key: str) -> _Wording:
    none = words()["value"]
    label = _nearest(words()["label"], key) or key
    return _Wording(label, words()["says"].get(key), _nearest(none, key) or none["none"], key in SIGNED)


def label(step: Step) -> str:
    """What a step is called."""
    return _filled(_wording(step.key).label, step)


def clause(step: Step) -> str:
    """What is said of a step: in the words of its key, its own, or its rule's."""
    own = _wording(step.key).says
    if own:
        return _filled(own, step)
    return str(step.words.get("says") or ("" if step.rule is None else step.rule.says))


def sentence(step: Step) -> str:
    """Why a step has its value, in words, and what is not sure about it."""
    unsure = "" if step.rule is None else doubt(step.rule)
    return f"{clause(step)} ({unsure})" if unsure else clause(step)


def doubt(rule: Rule[Any]) -> str:
    """What the user should know of a rule that is not confirmed; empty if it is."""
    if rule.sure == "confirmed" and rule.reading is None:
        return ""
    sure = words()["sure"]
    parts = [sure["reading"].format(reading=rule.reading)] if rule.reading else [sure[rule.sure]]
    if rule.others:
        parts.append(sure["others"].format(others=", ".join(rule.others)))
    return "; ".join(parts)


def note(one: Note, *, options: bool = False) -> str:
    """A note as a sentence; the command's own door names its options in it, as "(--born)"."""
    frame, names = _frame(words()["note"][one.key] if options else _without_options(words()["note"][one.key]))
    return frame % tuple([_shown(one.values[name]) for name in names])


@cache
def _without_options(template: str) -> str:
    """A note for everybody who has no command line before them."""
    import re

    return re.sub(r" \(--[^)]*\)", "", template)


def figure(value: Any, *, signed: bool = False) -> str:
    """A number as people write it: real minus, no needless digits."""
    # Every line of every working comes through here, so nothing is asked of a number that its text can tell.
    if type(value) is int:
        return f"−{-value}" if value < 0 else f"+{value}" if signed and value else str(value)
    if isinstance(value, Decimal):
        text = _digits(value)
        decimals = len(text.partition(".")[2])
        if decimals > 4:
            value = value.quantize(Decimal("0.001"))
            text = _digits(value)
        elif decimals == 1:
            text = text.removesuffix(".0")
    elif isinstance(value, bool):
        return "yes" if value else "no"
    elif isinstance(value, float):
        text = f"{_shortened(value):f}"
    else:
        return str(value)
    if text[0] == "-":
        return f"−{text[1:]}"
    return f"+{text}" if signed and value else text


def _digits(value: Decimal) -> str:
    """A decimal written out; zero has no sign."""
    text = str(value)
    return text if value and "E" not in text else f"{value or abs(value):f}"


def _shortened(value: float) -> Decimal:
    """A constant such as 173.7178 in full, else three decimals, and of something small its leading digits."""
    digits = f"{value:.9g}"
    if float(digits) != value:
        digits = f"{value:.3f}" if abs(value) >= SMALL else f"{value:.5g}" if abs(value) >= TINY else f"{value:.3g}"
    return Decimal(digits).normalize() + 0


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """A text in lines no longer than the width; at least one."""
    if len(text) <= width:
        return [text]
    from textwrap import wrap

    return wrap(text, width, break_on_hyphens=False)  # an option or a day is not cut in two


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return ", ".join(figure(one) for one in value)
    return figure(value)


def _figures(step: Step) -> str:
    """Symbols with numbers in their place, then the result."""
    wording = _wording(step.key)
    if step.value is None:
        return wording.none
    result = figure(step.value, signed=wording.signed)
    formula = step.formula
    if formula is None:
        return result
    frame, names = _frame(formula.text)
    worked = frame % tuple(map(_input, map(step.given.__getitem__, names)))
    return result if worked == result else f"{worked} = {result}"  # a sum of one part, or none, is its result


SIGNED = ("game", "event", "change", "shown_change", "rounded")


def _input(given: Step | tuple[Step, ...]) -> str:
    if isinstance(given, Step):
        text = figure(given.value)
        return text if text[:1] != "−" else f"({text})"
    if len(given) > MOST_PARTS:
        return f"sum of {len(given)}"
    text = " + ".join(figure(part.value) for part in given) or "0"
    return text.replace("+ −", "− ")


def _plain_from_context(step: Step) -> bool:
    """Whether a line would repeat what stands around it: the sum of one part, a score, a count."""
    if step.key in words()["hidden"]:
        return True
    parts = step.given.get("parts")
    return step.key == "change" and isinstance(parts, tuple) and len(parts) == 1 and parts[0].key == "game"


def _filled(template: str, step: Step) -> str:
    """A template with the step's own words in its places."""
    frame, names = _frame(template)
    return frame % tuple([_word(name, step) for name in names]) if names else template


@cache
def _frame(template: str) -> tuple[str, tuple[str, ...]]:
    """A template as the operator % takes it, and what its places are for: every answer fills a dozen."""
    names = places(template)
    return template.replace("%", "%%").format_map(dict.fromkeys(names, "%s")), names


def _word(name: str, step: Step) -> str:
    """What a step has for a place of a template."""
    if name == "value":
        return figure(step.value)
    if name == "rule":
        return "" if step.rule is None else step.rule.says
    word = step.words[name]
    if name == "score":
        return words()["score"][f"{word.normalize():f}"]
    return "unrated" if word is None and name == "opponent" else _shown(word)


def _nearest(table: Mapping[str, str], key: str) -> str | None:
    """The entry of a key, or of the nearest longer word it belongs to."""
    while key:
        if key in table:
            return table[key]
        key = key.rpartition(".")[0]
    return None


def working(calculation: Calculation, *, options: bool = False) -> list[str]:
    """Columns for the terminal: label, figures, reason and article, wrapped under each other; then the footer."""
    shown = list(lines(*calculation.roots))
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
    return [*rows, "", *footer(calculation, options=options)]


def footer(calculation: Calculation, *, options: bool = False) -> list[str]:
    """Which rules were used, and the notes, wrapped for the terminal."""
    rules = f"By the rules of {calculation.system} in force on {calculation.on}."
    notes = [note(one, options=options) for one in calculation.notes]
    return [row for text in (rules, *notes) for row in wrapped(text)]


def success(calculation: Calculation) -> dict[str, Any]:
    """The one JSON shape of a good answer, for every door."""
    steps = calculation.steps
    place = {id(step): number for number, step in enumerate(steps)}
    return {
        "ok": True,
        "value": calculation.value(),
        "steps": [_step(step, place) for step in steps],
        "rules": [_quoted(rule) for rule in calculation.applied(steps)],
        "notes": [note(one) for one in calculation.notes],
    }


def listing(quoted: list[dict[str, Any]], **value: Any) -> dict[str, Any]:
    """The same shape for what is looked up, not calculated."""
    return {"ok": True, "value": value, "steps": [], "rules": quoted}


def failure(message: str, at: str | None) -> dict[str, Any]:
    """The one JSON shape of an error, for every door."""
    return {"ok": False, "error": message, "at": at}


def rule_value(rule: Rule[Any]) -> dict[str, Any]:
    """A rule by the names of the public contract."""
    return {
        "name": rule.name,
        "value": as_json(rule.value),
        "since": rule.since.isoformat(),
        "article": rule.article,
        "says": rule.says,
        "sure": rule.sure,
        "reading": rule.reading,
    }


def change_value(change: Change) -> dict[str, Any]:
    """What a rule was, and what it became."""
    return {"before": change.before and rule_value(change.before), "after": rule_value(change.after)}


@lru_cache(maxsize=1024)  # every answer quotes the same few rules
def _quoted(rule: Rule[Any]) -> dict[str, Any]:
    """A rule beside an answer: a whole table would drown it, and `arpad rules` has it."""
    quoted = rule_value(rule)
    value = quoted["value"]
    many = isinstance(value, (list, dict)) and len(value) > MOST_ROWS
    return {**quoted, "value": f"{len(value)} rows"} if many else quoted


def _step(step: Step, place: Mapping[int, int]) -> dict[str, Any]:
    value, rule = step.value, step.rule
    return {
        "key": step.key,
        "kind": step.kind,
        "label": label(step),
        "value": value if type(value) is int else as_json(value),
        "figures": _figures(step),
        "says": sentence(step),
        "article": None if rule is None else rule.article,
        "from": list(map(place.__getitem__, map(id, step.reasons()))) if step.given else [],
    }


def as_json(value: Any) -> Any:
    """A value as JSON can hold it; exact decimals are strings."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, (Decimal, date)):
        return str(value)
    if hasattr(value, "_fields"):
        return {name: as_json(one) for name, one in value._asdict().items() if one is not None}
    if isinstance(value, dict):
        return {str(name): as_json(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(one) for one in value]
    if isinstance(value, frozenset):
        return sorted(as_json(one) for one in value)
    return value


def opponent_of(game: GameLine) -> str:
    """The opponent's rating; a bye has no opponent."""
    if game.opponent is None:
        return "" if getattr(game, "how", "") == "bye" else "unrated"
    return figure(game.opponent)


def ending(game: GameLine) -> str:
    """How a game ended: a forfeit is no win, and a bye no loss."""
    told, score, how = words()["score"], figure(game.score), getattr(game, "how", "")
    return told.get(how) or told.get(f"{score}.{how}") or told.get(score, score)
