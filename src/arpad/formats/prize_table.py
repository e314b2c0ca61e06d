"""Prizes as a CSV table, `prize,amount,condition`, with conditions such as `U2000`, `W`, `U18`, `S65` and `FED=GER`."""

from __future__ import annotations

import csv
from decimal import Decimal, InvalidOperation

from arpad.errors import BadFile
from arpad.formats.text import read_text
from arpad.messages import say
from arpad.tournaments.prizes import Prize, check_condition

COLUMNS = ("prize", "amount", "condition")


def read_prizes(path: str) -> tuple[Prize, ...]:
    """The prizes of a table, or a BadFile that names the line."""
    return prizes_of(read_text(path), path)


def prizes_of(text: str, name: str) -> tuple[Prize, ...]:
    """The prizes in a text; `name` is for messages."""
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    if not set(COLUMNS[:2]) <= {heading.strip().lower() for heading in rows.fieldnames or ()}:
        raise BadFile(say("formats.prizes.columns", columns=COLUMNS), at=name)
    try:
        found = tuple(_prize(row, f"{name}, line {rows.line_num}") for row in rows)
    except csv.Error as error:
        raise BadFile(say("formats.file.not_csv", why=error), at=f"{name}, line {rows.line_num}") from None
    if not found:
        raise BadFile(say("formats.prizes.none"), at=name)
    return found


def _prize(row: dict[str, str | None], at: str) -> Prize:
    fields = {(name or "").strip().lower(): (value or "").strip() for name, value in row.items() if name}
    try:
        amount = Decimal(fields["amount"].replace(",", "."))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0 or not fields["prize"]:
        raise BadFile(say("formats.prizes.row", text=fields["amount"]), at=at)
    condition = fields.get("condition", "")
    check_condition(condition, at=at)
    return Prize(fields["prize"], amount, condition)
