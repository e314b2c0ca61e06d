"""How a step is worded: its label, the reason for its value, and how sure its rule is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arpad.messages import figure, fill, listed, section, voice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.calculation.step import Step
    from arpad.rulebooks.rulebook import Rule

SIGNED = ("game", "event", "change", "shown_change", "rounded")  # figures shown with a sign


@dataclass(frozen=True, slots=True, repr=False)
class Reason:
    """Why a step has its value, with the article; it becomes a sentence when it is read."""

    step: Step

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


@cache
def _wording(language: str, key: str) -> _Wording:
    none = section(language, "steps.value")
    label = _nearest(section(language, "steps.label"), key) or key
    says = section(language, "steps.says").get(key)
    return _Wording(label, says, _nearest(none, key) or none["none"], key in SIGNED)


def wording(step: Step) -> _Wording:
    """The wording for a step's key."""
    return _wording(voice().language, step.key)


def label(step: Step) -> str:
    """The label of a step."""
    return filled(wording(step).label, step)


def label_of(key: str) -> str:
    """The label of a figure or step with this key."""
    return words("label").get(key, key)


def clause(step: Step) -> str:
    """What a step says: the text for its key, its own text, or its rule's."""
    own = wording(step).says
    if own:
        return filled(own, step)
    return str(step.words.get("says") or ("" if step.rule is None else step.rule.says))


def sentence(step: Step) -> str:
    """Why a step has its value, and what is uncertain about it."""
    unsure = "" if step.rule is None else doubt(step.rule)
    return f"{clause(step)} ({unsure})" if unsure else clause(step)


def doubt(rule: Rule[object]) -> str:
    """What is uncertain about a rule, or which reading was chosen; empty for a confirmed rule."""
    if rule.sure == "confirmed" and rule.reading is None:
        return ""
    sure = words("sure")
    parts = [fill(sure["reading"], {"reading": rule.reading})] if rule.reading else [sure[rule.sure]]
    if rule.others:
        parts.append(fill(sure["others"], {"others": listed(rule.others)}))
    return "; ".join(parts)


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
