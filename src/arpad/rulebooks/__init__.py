"""Regulations as dated data: what a rulebook is, its tables, and the rule files themselves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from os.path import basename, dirname, isfile, join, splitext
from typing import Any, Generic, NamedTuple, TypeVar, cast

from arpad.core.numbers import ROUNDINGS
from arpad.errors import BadRulebook, UncoveredDate, UnknownName, cause
from arpad.messages import Message, Quoted, say

V_co = TypeVar("V_co", covariant=True)
T = TypeVar("T")

REGULATIONS = join(dirname(__file__), "regulations")
TRUSTED = timedelta(days=92)  # changes are announced further ahead than three lists
SURE = ("confirmed", "inferred", "disputed")
NO_RULE = "none"  # the value that says there is no such rule, from a day on or in a reading
QUOTED = frozenset({"title", "compared", "says"})  # what people read, which has translations
TOP = {"title", "covered_from", "checked", "compared", "includes", "based_on", "document", "rule"}


class BadValue(ValueError):
    """A value that a reader refuses, and why."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


class Document(NamedTuple):
    """A regulation, or a notice that changed one; the first word of an article names it."""

    key: str
    short: str
    title: str
    effective: date
    link: str


class Rule(NamedTuple, Generic[V_co]):
    """One dated value of a rule, with the article that fixes it."""

    name: str
    value: V_co
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


Rules = tuple[Rule[object] | None, ...]  # the rules of a day; every schema is such a tuple
R_co = TypeVar("R_co", bound=Rules, covariant=True)
S = TypeVar("S", bound=Rules)


class Change(NamedTuple):
    """What a rule was, and what it became."""

    before: Rule[object] | None
    after: Rule[object]


class Rulebook(Generic[R_co]):
    """The dated rules of one regulation, read against a schema: a named tuple of `Rule`s."""

    def __init__(
        self,
        name: str,
        schema: type[R_co],
        readers: Mapping[str, Callable[..., object]],
        *,
        path: str | None = None,
        folder: str = REGULATIONS,
        readings: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.own_name = None if path is None else splitext(basename(path))[0]  # of a file outside the package
        self._schema = schema
        self._readers = readers
        self._folder = folder  # of the package that brings the regulation
        self._path = path or join(folder, f"{name}.toml")
        text = _load(self._path)
        unknown = sorted(set(text) - TOP)
        if unknown:
            raise BadRulebook(
                say("rulebooks.file.also_has", allowed=sorted(TOP), unknown=unknown), at=basename(self._path)
            )
        self.title: str = _field(text, "title", str, self._path)
        self.covered_from: date = _field(text, "covered_from", date, self._path)
        self.checked: date = _field(text, "checked", date, self._path)
        self.compared: str = _field(text, "compared", str, self._path) if "compared" in text else ""
        self.readings = dict(readings or {})
        self.rules = self._read(text)
        self._check_first_day()
        self._days = sorted({rule.since for dated in self.rules.values() for rule in dated})
        self._editions: dict[date, R_co] = {}

    def at(self, day: date) -> R_co:
        """The typed rules in force on a day."""
        edition = self._editions.get(day)
        return edition if edition is not None else self._edition(day)

    def _edition(self, day: date) -> R_co:
        """The edition of a day; cached for that day and for the day it began."""
        if day < self.covered_from:
            raise UncoveredDate(say("rulebooks.uncovered", title=self.title, since=self.covered_from, day=day), at="on")
        began = self._days[bisect_right(self._days, day) - 1]
        if began not in self._editions:
            self._editions[began] = self._schema(**{name: _latest(dated, began) for name, dated in self.rules.items()})
        self._editions[day] = self._editions[began]
        return self._editions[day]

    def of(self, schema: type[S]) -> Rulebook[S]:
        """The same rulebook, typed by a schema that the caller knows it has."""
        if not issubclass(self._schema, schema):
            raise TypeError(f"{self.name} has {self._schema.__name__}, not {schema.__name__}")
        return cast("Rulebook[S]", self)

    def may_have_changed(self, day: date) -> bool:
        """Whether a day is so long after the rules were last checked that a new edition may be in force."""
        return day > self.checked + TRUSTED

    def in_force(self, day: date) -> list[Rule[object]]:
        """The rules of a day as a list, in the order of the file."""
        rules = self.at(day)
        return [rule for name in self.rules if (rule := getattr(rules, name)) is not None]

    def changes(self, after: date, until: date) -> list[Change]:
        """What changed after one day and up to another, oldest first; a rule reissued unchanged does not count."""
        found = []
        for dated in self.rules.values():
            for before, rule in zip([None, *dated], dated, strict=False):
                reissued = before is not None and (before.value, before.says) == (rule.value, rule.says)
                began = before is None and rule.since == self.covered_from  # the rule may be older than the file
                if after < rule.since <= until and not reissued and not began:
                    found.append(Change(before, rule))
        return sorted(found, key=lambda change: change.after.since)

    def __iter__(self) -> Iterator[Rule[object]]:
        """All dated rules."""
        return (rule for dated in self.rules.values() for rule in dated)

    def _read(self, text: Mapping[str, Any]) -> dict[str, list[Rule[Any]]]:
        """All rules by name, oldest first, or a BadRulebook that names file and rule."""
        documents, entries = {}, {}
        for source, path in self._sources(text):
            documents.update({key: _document(key, fields, path) for key, fields in _tables(source, "document", path)})
            entries.update({name: (_dated(name, dated, path), path) for name, dated in _tables(source, "rule", path)})
        self._compare_names(set(entries))
        for name in self.readings:
            if name not in _with_readings(entries):
                raise UnknownName("rule_with_readings", name, known=_with_readings(entries), at="reading")
        read = {}
        for name, (dated, path) in entries.items():
            rules = [self._rule(name, fields, documents, path) for fields in dated]
            read[name] = sorted(rules, key=lambda rule: rule.since)
            if len({rule.since for rule in rules}) < len(rules):
                raise BadRulebook(say("rulebooks.rule.same_day"), at=f"{basename(path)}, rule {name}")
            chosen = self.readings.get(name)
            if chosen is not None and not any(chosen in (rule.reading, *rule.others) for rule in rules):
                others = {other for rule in rules for other in rule.others}
                raise UnknownName("reading", chosen, of=name, known=others, at="reading")
        return read

    def _rule(self, name: str, fields: Mapping[str, Any], documents: Mapping[str, Document], path: str) -> Rule[object]:
        at = f"{basename(path)}, rule {name}"
        missing = {"since", "value", "article", "says", "sure"} - set(fields)
        unknown = set(fields) - {"since", "value", "article", "says", "sure", "readings"}
        if missing:
            raise BadRulebook(say("rulebooks.rule.lacks", missing=sorted(missing)), at=at)
        if unknown:
            raise BadRulebook(say("rulebooks.rule.also_has", unknown=sorted(unknown)), at=at)
        since, article, sure = fields["since"], str(fields["article"]), fields["sure"]
        if type(since) is not date:
            raise BadRulebook(say("rulebooks.rule.since", value=repr(since)), at=at)
        at = f"{at}, {since}"
        if sure not in SURE:
            raise BadRulebook(say("rulebooks.rule.sure", allowed=SURE, value=repr(sure)), at=at)
        document = documents.get(article.partition(" ")[0])
        if document is None:
            raise BadRulebook(say("rulebooks.rule.article", article=article, known=list(documents)), at=at)
        value, readings = fields["value"], fields.get("readings", {})
        if not isinstance(readings, dict):
            raise BadRulebook(say("rulebooks.rule.readings", value=repr(readings)), at=at)
        chosen = self.readings.get(name)
        if chosen not in readings:
            chosen = None
        else:
            value = readings[chosen]
        others = tuple(other for other in readings if other != chosen)
        try:
            typed = None if value == NO_RULE else self._readers[name](value)
        except BadValue as problem:
            raise BadRulebook(say("rulebooks.rule.value", value=repr(value), why=problem.why), at=at) from None
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
            raise BadRulebook(say("rulebooks.rule.shape", value=repr(value), name=self.name), at=at) from None
        return Rule(name, typed, since, article, fields["says"], sure, document, chosen, others)

    def _sources(self, text: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
        """The files a rule file builds on, then itself; a later file replaces whole rules."""
        if "based_on" in text:
            base = join(self._folder, f"{self.name}.toml")
            yield from _with_includes(_load(base), base)
        yield from _with_includes(text, self._path)

    def _check_first_day(self) -> None:
        """Check that every required rule is in force from the first day the file covers."""
        optional = getattr(self._schema, "_field_defaults", {})
        for name, dated in self.rules.items():
            if name in optional:
                continue
            at, since = f"{basename(self._path)}, rule {name}", dated[0].since
            if since > self.covered_from:
                late = say("rulebooks.rule.begins_late", since=since, covered_from=self.covered_from)
                raise BadRulebook(late, at=at)
            if any(rule.value is None for rule in dated):
                raise BadRulebook(say("rulebooks.rule.required"), at=at)

    def _compare_names(self, named: set[str]) -> None:
        """Check that the file and the schema name the same rules."""
        known = set(self._readers)
        if missing := sorted(known - named):
            raise BadRulebook(say("rulebooks.file.lacks_rules", rules=missing), at=basename(self._path))
        if unknown := sorted(named - known):
            raise BadRulebook(say("rulebooks.file.unknown_rules", rules=unknown), at=basename(self._path))


def _latest(dated: list[Rule[object]], day: date) -> Rule[object] | None:
    """The last value that began on or before a day; None before the first, or where there is no such rule."""
    for rule in reversed(dated):
        if rule.since <= day:
            return None if rule.value is None else rule
    return None


def _load(path: str) -> dict[str, Any]:
    """A rule file; a packaged one is read once, any other every time, as it may have changed."""
    return _parsed(path) if dirname(path) == REGULATIONS else _parsed.__wrapped__(path)


@cache
def _parsed(path: str) -> dict[str, Any]:
    # Imported here, so that only code that reads a rule file loads the parser.
    import tomllib

    try:
        with open(path, "rb") as file:
            return cast("dict[str, Any]", _quotable(tomllib.load(file)))
    except OSError as problem:
        raise BadRulebook(say("rulebooks.file.unreadable", why=cause(problem)), at=path) from None
    except UnicodeDecodeError:
        raise BadRulebook(say("rulebooks.file.not_utf8"), at=path) from None
    except (ValueError, RecursionError) as problem:
        raise BadRulebook(say("rulebooks.file.not_toml", why=problem), at=path) from None


def _quotable(value: Any, key: str = "") -> Any:
    """What a rule file says, ready to be shown in another language."""
    if isinstance(value, dict):
        return {name: _quotable(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_quotable(inner) for inner in value]
    if key == "says" or (key in QUOTED and type(value) is str):
        return Quoted(value if type(value) is str else repr(value))
    return value


def based_on(path: str) -> str:
    """The system that a rule file outside the package builds on."""
    return _field(_load(path), "based_on", str, path)


def _with_includes(text: Mapping[str, Any], path: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The files a rule file includes, then itself."""
    names = text.get("includes", [])
    if not isinstance(names, list):
        raise BadRulebook(say("rulebooks.file.includes", value=repr(names)), at=basename(path))
    for name in names:
        included = _included(name, path)
        yield _load(included), included
    yield text, path


def _included(name: Any, path: str) -> str:
    """An included file: a packaged one, or one in the same folder; nothing else."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w-]+", name):
        raise BadRulebook(say("rulebooks.file.include_name", value=repr(name)), at=basename(path))
    files = (join(folder, f"{name}.toml") for folder in (REGULATIONS, dirname(path)))
    found = next((file for file in files if isfile(file)), None)
    if found is None:
        raise BadRulebook(say("rulebooks.file.no_include", name=name), at=basename(path))
    return found


def _tables(source: Mapping[str, Any], kind: str, path: str) -> Iterable[tuple[str, Any]]:
    """The documents or rules of a file, by name."""
    tables = source.get(kind, {})
    if not isinstance(tables, dict):
        raise BadRulebook(say("rulebooks.file.table", kind=kind, value=repr(tables)), at=basename(path))
    return tables.items()


def _dated(name: str, dated: Any, path: str) -> list[Mapping[str, Any]]:
    """The dated values of a rule."""
    if not isinstance(dated, list) or not dated or not all(isinstance(fields, dict) for fields in dated):
        raise BadRulebook(say("rulebooks.rule.dated", name=name), at=f"{basename(path)}, rule {name}")
    return dated


def _field(text: Mapping[str, Any], name: str, kind: type[T], path: str) -> T:
    value = text.get(name)
    if type(value) not in (kind, Quoted if kind is str else kind):
        needs = "rulebooks.file.needs_text" if kind is str else "rulebooks.file.needs_date"
        raise BadRulebook(say(needs, name=name), at=basename(path))
    return cast("T", value)


def _document(key: str, fields: Any, path: str) -> Document:
    at = f"{basename(path)}, document {key}"
    try:
        document = Document(key, **fields)
    except TypeError:
        raise BadRulebook(say("rulebooks.document.fields"), at=at) from None
    if type(document.effective) is not date or not all(isinstance(value, str) for value in document[:3] + document[4:]):
        raise BadRulebook(say("rulebooks.document.types"), at=at)
    return document


def _with_readings(entries: Mapping[str, Any]) -> list[str]:
    return [name for name, (dated, _) in entries.items() if any("readings" in fields for fields in dated)]


def whole(value: Any) -> int:
    """A whole number from TOML."""
    if type(value) is not int:
        raise BadValue(say("rulebooks.value.whole"))
    return value


def positive(value: Any) -> int:
    """A whole number above zero."""
    if whole(value) <= 0:
        raise BadValue(say("rulebooks.value.positive"))
    return whole(value)


def within(value: int, least: int, most: int) -> int:
    """A number within its bounds."""
    if not least <= value <= most:
        raise BadValue(say("rulebooks.value.within", least=least, most=most))
    return value


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise BadValue(say("rulebooks.value.text"))
    return value


def one_of(*names: str) -> Callable[[Any], str]:
    """A reader that accepts only these words."""

    def read(value: Any) -> str:
        if value not in names:
            raise BadValue(say("rulebooks.value.one_of", allowed=[repr(name) for name in names]))
        return text(value)

    return read


rounding_name = one_of(*ROUNDINGS)


def record(kind: Callable[..., T], value: Any) -> T:
    """A named tuple from a table, with whole numbers and texts checked against the annotations."""
    made = kind(**value)
    for name, annotation in kind.__annotations__.items():
        given, written = value.get(name), getattr(annotation, "__forward_arg__", None)
        expected = str(written or getattr(annotation, "__name__", annotation))
        if given is not None and expected.startswith("int"):
            whole(given)
        elif given is not None and expected.startswith("str"):
            text(given)
    return made


class PdRow(NamedTuple):
    """A row of table 8.1.2: differences from and to, and PD of the higher and the lower rated player."""

    first: int
    last: int
    higher: Decimal
    lower: Decimal

    def __str__(self) -> str:
        return f"{self.first}–{self.last}" if self.last > self.first else f"> {self.first - 1}"


class ExpectedTable(tuple[PdRow, ...]):  # noqa: SLOT001  # it has an attribute
    """Table 8.1.2, with one row for every difference, for fast lookup."""

    by_difference: tuple[PdRow, ...]

    def __new__(cls, rows: Iterable[PdRow]) -> ExpectedTable:
        table = super().__new__(cls, rows)
        if [row.first for row in table] != [0, *(row.last + 1 for row in table[:-1])]:
            raise BadValue(say("rulebooks.value.gap"))
        table.by_difference = tuple(row for row in table for _ in range(row.first, row.last + 1))
        return table

    def row(self, difference: int) -> PdRow:
        """The row for a difference of either sign; the last row is open-ended."""
        return self.by_difference[min(abs(difference), len(self.by_difference) - 1)]

    def expected(self, difference: int) -> Decimal:
        """PD for a difference, player minus opponent."""
        row = self.row(difference)
        return row.higher if difference >= 0 else row.lower


def _expected(value: Any) -> ExpectedTable:
    """The handbook's columns D, H and L, sorted by D; `> 735` starts the last row."""
    words = text(value).replace("> ", ">").split()
    rows = [
        PdRow(*_span(words[place]), _hundredths(words[place + 1]), _hundredths(words[place + 2]))
        for place in range(0, len(words), 3)
    ]
    return ExpectedTable(sorted(rows))


def _hundredths(word: str) -> Decimal:
    return Decimal(word).quantize(Decimal("0.01"))


def _span(word: str) -> tuple[int, int]:
    if word[0] == ">":
        return int(word[1:]) + 1, int(word[1:]) + 1
    first, _, last = word.partition("-")
    return int(first), int(last)


def _dp(value: Any) -> Mapping[int, int]:
    """The handbook's columns of p and dp, by percentage."""
    words = text(value).split()
    table = {int(100 * Decimal(p)): int(dp) for p, dp in zip(words[::2], words[1::2], strict=True)}
    if sorted(table) != list(range(101)):
        raise BadValue(say("rulebooks.value.percentages"))
    return table


TABLES: Mapping[str, Callable[[Any], Any]] = {"expected": _expected, "dp": _dp}
