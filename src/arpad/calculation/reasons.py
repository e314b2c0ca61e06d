"""The words of a step: what it is called, why it has its value, and how sure the rule behind it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arpad.messages import figure, fill, listed, section, voice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.calculation.step import Step
    from arpad.rulebooks.rulebook import Rule

SIGNED = ("game", "event", "change", "shown_change", "rounded")  # figures that are written with their sign


@dataclass(frozen=True, slots=True, repr=False)
class Reason:
    """Why a step has its value, with the article; it becomes a sentence where somebody reads it."""

    step: Step

    def __str__(self) -> str:
        rule = self.step.rule
        return sentence(self.step) if rule is None else f"{sentence(self.step)} [{rule.cite}]"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Clause(Reason):
    """The same without the article and without what is unsure."""

    def __str__(self) -> str:
        return clause(self.step)


class _Wording(NamedTuple):
    """The words of all steps with one key: what they are called, why, and what is shown where there is no value."""

    label: str
    says: str | None
    none: str
    signed: bool


def words(name: str) -> Mapping[str, str]:
    """A section of the words of steps, in the present language."""
    return section(voice().language, f"steps.{name}")


@cache
def _wording(language: str, key: str) -> _Wording:
    none = section(language, "steps.value")
    label = _nearest(section(language, "steps.label"), key) or key
    says = section(language, "steps.says").get(key)
    return _Wording(label, says, _nearest(none, key) or none["none"], key in SIGNED)


def wording(step: Step) -> _Wording:
    """The words of a step's key."""
    return _wording(voice().language, step.key)


def label(step: Step) -> str:
    """What a step is called."""
    return filled(wording(step).label, step)


def label_of(key: str) -> str:
    """What a figure or a step of that key is called."""
    return words("label").get(key, key)


def clause(step: Step) -> str:
    """What is said of a step: in the words of its key, its own, or its rule's."""
    own = wording(step).says
    if own:
        return filled(own, step)
    return str(step.words.get("says") or ("" if step.rule is None else step.rule.says))


def sentence(step: Step) -> str:
    """Why a step has its value, in words, and what is not sure about it."""
    unsure = "" if step.rule is None else doubt(step.rule)
    return f"{clause(step)} ({unsure})" if unsure else clause(step)


def doubt(rule: Rule[object]) -> str:
    """What the user should know of a rule that is not confirmed; empty if it is."""
    if rule.sure == "confirmed" and rule.reading is None:
        return ""
    sure = words("sure")
    parts = [fill(sure["reading"], {"reading": rule.reading})] if rule.reading else [sure[rule.sure]]
    if rule.others:
        parts.append(fill(sure["others"], {"others": listed(rule.others)}))
    return "; ".join(parts)


def filled(template: str, step: Step) -> str:
    """A template with the step's own words in its places."""
    return fill(template, _StepWords(step)) if "{" in template else template


class _StepWords:
    """What a step has for the places of a template, each as people write it."""

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
    """The entry of a key, or of the nearest longer word it belongs to."""
    while key:
        if key in table:
            return table[key]
        key = key.rpartition(".")[0]
    return None
