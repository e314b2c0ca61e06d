"""Answer, the base of every answer: a frozen, typed value with its steps, rules and notes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple, TypeVar

from arpad.calculation import explain
from arpad.calculation.explain import Reason
from arpad.calculation.serialise import public_fields, success, value_of
from arpad.calculation.step import Step, walk
from arpad.errors import MissingExtra, UnknownName
from arpad.messages import Message, say

if TYPE_CHECKING:
    import pyarrow as pa

    from arpad.charts import Chart
    from arpad.rulebooks import Rule, Rulebook


T = TypeVar("T")
Exact = Annotated[Decimal, "exact"]  # in JSON a string, so that no digit is lost
Text = Message | Reason  # something to say; it becomes a sentence when it is read
ExplainForm = Literal["text", "markdown", "html", "json"]
FORMS: dict[ExplainForm, Callable[[Answer], str]] = {}


MAKING = {"clauses_of", "entered", "of", "read_games"}  # methods of answers that systems use, not readers


class Figure(NamedTuple):
    """A figure in the summary: its key (named in `steps.label`), value and remark; left out if the value is None."""

    key: str
    value: object
    remark: Text | None = None


class TableColumn(NamedTuple):
    """A column of a table: its key, what it shows of a row, and in which form.

    `of` is an attribute of the row, or a function of it; the key itself if empty. The form is `number`, `signed` (a
    change), `rating` (none means unrated), `text` or `prose` (whole sentences). A door calls the column what its own
    words have for the key; a criterion or a round is called by the key itself.
    """

    key: str
    of: str | Callable[[Any], object] = ""
    form: str = "number"
    short: str = ""  # the key of a shorter heading, for a screen
    only: str = ""  # `screen` or `file`, if the other does not show the column

    def value(self, row: object) -> object:
        """What the column shows of a row; None for an empty cell."""
        return self.of(row) if callable(self.of) else getattr(row, self.of or self.key)


class Table(NamedTuple):
    """A table of an answer: its key, its columns, the rows they are read from, and remarks to go below it."""

    key: str
    columns: Sequence[TableColumn]
    rows: Sequence[object]
    remarks: Sequence[Message] = ()
    fixed: bool = False  # whether columns are shown even if they are empty

    def for_door(self, door: str) -> Table:
        """The table with the columns that a `screen` or a `file` shows."""
        return self._replace(columns=[column for column in self.columns if column.only in ("", door)])

    def cells(self) -> Iterator[list[object]]:
        """The values, row by row."""
        return ([column.value(row) for column in self.columns] for row in self.rows)


class derived(cached_property[T], Generic[T]):  # noqa: N801  # it is used as a decorator
    """A public field that follows from the others: computed when first read, and part of the JSON value."""


def hidden(**settings: Any) -> Any:
    """An internal field: not in the JSON value, not compared and not in the repr."""
    return field(repr=False, compare=False, metadata={"hidden": True}, **settings)


def no_notes() -> Iterable[Message]:
    """No notes."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer: the system, the day whose rules apply, and the final steps."""

    system: str
    on: date
    trail: tuple[Step, ...] = field(repr=False, hash=False, metadata={"hidden": True})
    remarks: Callable[[], Iterable[Message]] = hidden(default=no_notes)  # computes the notes when they are first read

    def __dir__(self) -> list[str]:
        """What a reader of the answer uses: not the fields and methods that only make it."""
        inner = {field.name for field in fields(self) if field.metadata.get("hidden")}
        return sorted(set(super().__dir__()) - inner - MAKING)

    @property
    def kind(self) -> str:
        """The name of its type, by which JSON tells answers apart."""
        return type(self).__name__

    @cached_property
    def notes(self) -> tuple[Message, ...]:
        """What the reader should know besides the figures."""
        return tuple(self.remarks())

    @property
    def steps(self) -> list[Step]:
        """Every step once, in the order of a hand calculation."""
        return list(walk(*self.trail))

    @property
    def clauses(self) -> Sequence[Rule[object]]:
        """The rules that were applied, each once."""
        return self.clauses_of(self.steps)

    def clauses_of(self, steps: Sequence[Step]) -> Sequence[Rule[object]]:
        """The rules behind the steps of this answer, each once."""
        # By identity: a rule's value may be a table, which has no hash.
        return list({id(step.rule): step.rule for step in steps if step.rule is not None}.values())

    def value(self) -> dict[str, Any]:
        """The answer's JSON value, with the public field names."""
        return value_of(self)

    def summary(self) -> Sequence[Figure]:
        """The figures a reader looks for first, in order."""
        raise NotImplementedError

    def tables(self) -> Iterable[Table]:
        """The tables below the figures, which the command and spreadsheets show; none for many answers."""
        return ()

    def explain(self, form: ExplainForm = "text") -> str:
        """The working, in the order of a hand calculation, with the article behind each rule.

        Accepts `text`, `markdown`, `html` or `json`. Raises UnknownName for another form.
        """
        if form not in FORMS:
            raise UnknownName("form", form, known=FORMS, at="form")
        return FORMS[form](self)

    def chart(self) -> Chart:
        """The chart of the answer; drawing it needs the extra `charts`."""
        # Imported here, because the charts themselves import answers.
        drawn: Chart = import_module("arpad.charts").chart_of(self)
        return drawn

    def _repr_html_(self) -> str:
        return explain.html(self)

    def __getstate__(self) -> dict[str, Any]:
        # Lazy fields are computed before an answer goes to another process.
        for name, _, _ in public_fields(type(self)):
            getattr(self, name)
        return {**self.__dict__, "remarks": partial(same, self.notes)}


def same(value: T) -> T:
    """The value itself: a function that can be pickled, for notes that are already known."""
    return value


def _as_json(answer: Answer) -> str:
    return json.dumps(success(answer), ensure_ascii=False)


FORMS |= {"text": explain.text, "markdown": explain.markdown, "html": explain.html, "json": _as_json}


def date_notes(book: Rulebook[Any], on: date) -> list[Message]:
    """A note if the rules may have changed since they were last checked."""
    return [say("notes.date.future", on=on, checked=book.checked)] if book.may_have_changed(on) else []


def arrow_table(**columns: tuple[str, Sequence[object]]) -> pa.Table:
    """An Arrow table of named columns, each with its Arrow type by name and its values; decimals become floats."""
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        raise MissingExtra(say("answers.arrow_missing")) from None
    arrays = {
        name: arrow.array([_plain(value) for value in values], type=kind) for name, (kind, values) in columns.items()
    }
    table: pa.Table = arrow.table(arrays)
    return table


def _plain(value: object) -> object:
    """A value that Arrow accepts: decimals as floats, messages as text."""
    if isinstance(value, Decimal):
        return float(value)
    return str(value) if isinstance(value, Message) else value
