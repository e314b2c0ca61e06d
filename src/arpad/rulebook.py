"""Rules as data: a TOML file in, the typed rules of a day out.

A rule file has a title, the day it covers from, the day it was last checked, its documents, and under `[[rule.NAME]]`
every dated value of a rule: `since`, `value`, `article`, `says`, `sure`, and, where the text can be read in more than
one way, `readings`: other values by name. A system's schema names the rules it needs and how each value is read.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import date
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from arpad.errors import BadRulebook, UncoveredDate, UnknownName
from arpad.rounding import ROUNDINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

V = TypeVar("V")
R = TypeVar("R", bound=tuple[Any, ...])

REGULATIONS = Path(__file__).parent / "regulations"
SURE = ("confirmed", "inferred", "disputed")
NO_RULE = "none"  # the value of a reading under which the rule does not exist


class Document(NamedTuple):
    """A regulation, or a notice that changed one: what an article's first word stands for."""

    key: str
    short: str
    title: str
    effective: date
    link: str


class Rule(NamedTuple, Generic[V]):
    """One dated value of a rule, with the article that fixes it."""

    name: str
    value: V
    since: date
    article: str
    says: str
    sure: str
    document: Document
    reading: str | None = None  # the reading chosen instead of the default
    others: tuple[str, ...] = ()  # the readings that could have been chosen

    @property
    def cite(self) -> str:
        """The article as people write it: `FIDE 8.3.3`."""
        return f"{self.document.short} {self.article.removeprefix(self.document.key).strip()}".strip()

    def __hash__(self) -> int:
        # By its name and date: a value may be a table, which is slow to hash, or a mapping, which cannot be hashed.
        return hash((self.name, self.since, self.article, self.reading))


class Change(NamedTuple):
    """What a rule was, and what it became."""

    before: Rule[Any] | None
    after: Rule[Any]


class Rulebook(Generic[R]):
    """The dated rules of one regulation, read against a schema: a named tuple of `Rule`s."""

    def __init__(
        self,
        name: str,
        schema: type[R],
        readers: Mapping[str, Callable[[Any], Any]],
        *,
        path: Path | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self._schema = schema
        self._readers = readers
        self._path = path or REGULATIONS / f"{name}.toml"
        text = _load(self._path)
        self.title: str = _field(text, "title", str, self._path)
        self.covered_from: date = _field(text, "covered_from", date, self._path)
        self.checked: date = _field(text, "checked", date, self._path)
        self.readings = dict(readings or {})
        self.rules = self._read(text)
        self._days = sorted({rule.since for dated in self.rules.values() for rule in dated})
        self._editions: dict[date, R] = {}

    def at(self, day: date) -> R:
        """The typed rules in force on a day."""
        if day < self.covered_from:
            raise UncoveredDate(
                f"The rules of {self.title} are covered from {self.covered_from}; {day} is before that. "
                f"Ask for a day from {self.covered_from} on.",
                at="on",
            )
        edition = self._days[bisect_right(self._days, day) - 1]
        if edition not in self._editions:
            in_force = {name: _latest(dated, edition) for name, dated in self.rules.items()}
            self._editions[edition] = self._schema(**in_force)
        return self._editions[edition]

    def in_force(self, day: date) -> list[Rule[Any]]:
        """The rules of a day as a list, in the order of the file."""
        rules = self.at(day)._asdict()  # type: ignore[attr-defined]  # every schema is a NamedTuple
        return [rules[name] for name in self.rules if rules[name] is not None]

    def changes(self, after: date, until: date) -> list[Change]:
        """What changed after one day and up to another, oldest first; a rule issued again unchanged is no change."""
        found = []
        for dated in self.rules.values():
            for before, rule in zip([None, *dated], dated, strict=False):
                reissued = before is not None and (before.value, before.says) == (rule.value, rule.says)
                if after < rule.since <= until and not reissued:
                    found.append(Change(before, rule))
        return sorted(found, key=lambda change: change.after.since)

    def __iter__(self) -> Iterator[Rule[Any]]:
        """Every dated rule there is."""
        return (rule for dated in self.rules.values() for rule in dated)

    def _read(self, text: Mapping[str, Any]) -> dict[str, list[Rule[Any]]]:
        """All rules by name, oldest first, or a BadRulebook that names file and rule."""
        documents, entries = {}, {}
        for source, path in _with_includes(text, self._path):
            documents.update({key: _document(key, fields, path) for key, fields in source.get("document", {}).items()})
            entries.update({name: (dated, path) for name, dated in source.get("rule", {}).items()})
        self._compare_names(set(entries))
        for name in self.readings:
            if name not in entries:
                raise UnknownName("rule with readings", name, known=_with_readings(entries), at="reading")
        read = {}
        for name, (dated, path) in entries.items():
            rules = [self._rule(name, fields, documents, path) for fields in dated]
            read[name] = sorted(rules, key=lambda rule: rule.since)
            chosen = self.readings.get(name)
            if chosen is not None and not any(chosen in (rule.reading, *rule.others) for rule in rules):
                raise UnknownName(
                    f"reading of '{name}'", chosen, known={o for r in rules for o in r.others}, at="reading"
                )
        return read

    def _rule(self, name: str, fields: Mapping[str, Any], documents: Mapping[str, Document], path: Path) -> Rule[Any]:
        at = f"{path.name}, rule {name}"
        missing = {"since", "value", "article", "says", "sure"} - set(fields)
        unknown = set(fields) - {"since", "value", "article", "says", "sure", "readings"}
        if missing or unknown:
            wrong = f"lacks {', '.join(sorted(missing))}" if missing else f"has unknown {', '.join(sorted(unknown))}"
            raise BadRulebook(f"A rule needs since, value, article, says and sure; this one {wrong}.", at=at)
        since, article, sure = fields["since"], str(fields["article"]), fields["sure"]
        if type(since) is not date:
            raise BadRulebook(f"`since` is a date such as 2024-03-01, not {since!r}.", at=at)
        if sure not in SURE:
            raise BadRulebook(f"`sure` is one of {', '.join(SURE)}, not {sure!r}.", at=f"{at}, {since}")
        document = documents.get(article.partition(" ")[0])
        if document is None:
            raise BadRulebook(
                f"The article '{article}' begins with no known document; known: {', '.join(documents)}.",
                at=f"{at}, {since}",
            )
        value, readings = fields["value"], fields.get("readings", {})
        chosen = self.readings.get(name)
        if chosen not in readings:
            chosen = None
        else:
            value = readings[chosen]
        others = tuple(other for other in readings if other != chosen)
        try:
            typed = None if value == NO_RULE else self._readers[name](value)
        except (KeyError, TypeError, ValueError, ArithmeticError) as problem:
            raise BadRulebook(
                f"The value {value!r} is not one this rule can have: {problem}.", at=f"{at}, {since}"
            ) from None
        return Rule(name, typed, since, article, str(fields["says"]), sure, document, chosen, others)

    def _compare_names(self, there: set[str]) -> None:
        """The file and the schema must name the same rules."""
        known = set(self._readers)
        for wrong, what in ((known - there, "lacks the rules"), (there - known, "has rules the schema does not know:")):
            if wrong:
                raise BadRulebook(f"The rule file {what} {', '.join(sorted(wrong))}.", at=self._path.name)


def _latest(dated: list[Rule[Any]], day: date) -> Rule[Any] | None:
    """The last value that began on or before a day; None before the first, or under a reading without the rule."""
    for rule in reversed(dated):
        if rule.since <= day:
            return None if rule.value is None else rule
    return None


def _load(path: Path) -> dict[str, Any]:
    # Imported here: whoever never reads a rule file does not pay for the parser.
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadRulebook(f"The rule file cannot be read: {problem.strerror}.", at=str(path)) from None
    except ValueError as problem:
        raise BadRulebook(f"The rule file is not TOML: {problem}.", at=str(path)) from None


def _with_includes(text: Mapping[str, Any], path: Path) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """The files a rule file builds on, then itself."""
    for name in text.get("includes", ()):
        included = path.parent / f"{name}.toml"
        yield _load(included), included
    yield text, path


def _field(text: Mapping[str, Any], name: str, kind: type[V], path: Path) -> V:
    value = text.get(name)
    if type(value) is not kind:
        raise BadRulebook(f"A rule file needs `{name}`, a {kind.__name__}.", at=path.name)
    return value


def _document(key: str, fields: Mapping[str, Any], path: Path) -> Document:
    try:
        return Document(key, **fields)
    except TypeError:
        raise BadRulebook(
            "A document needs short, title, effective and link.", at=f"{path.name}, document {key}"
        ) from None


def _with_readings(entries: Mapping[str, Any]) -> list[str]:
    return [name for name, (dated, _) in entries.items() if any("readings" in fields for fields in dated)]


def whole(value: Any) -> int:
    """A whole number, as TOML has it."""
    if type(value) is not int:
        raise TypeError("it must be a whole number")
    return value


def text(value: Any) -> str:
    """A word or two."""
    if type(value) is not str:
        raise TypeError("it must be text")
    return value


def rounding_name(value: Any) -> str:
    """The name of a rounding."""
    if value not in ROUNDINGS:
        raise ValueError(f"known roundings are {', '.join(ROUNDINGS)}")
    return text(value)
