"""A trail for pages: Markdown and HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from arpad.calculation.explain import lines, note

if TYPE_CHECKING:
    from arpad.calculation.contract import Calculation


def markdown(calculation: Calculation) -> str:
    """The working as a table in Markdown."""
    rows = ["| | | why | article |", "|---|---|---|---|"]
    for line in lines(*calculation.roots):
        name = f"**{line.label}**" if line.heading else line.label
        cells = (name, line.figures, line.says, line.cite)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    notes = [f"- {note(one)}" for one in calculation.notes]
    return "\n".join([*rows, "", f"{calculation.system} on {calculation.on}", *([""] if notes else []), *notes])


def html(calculation: Calculation) -> str:
    """The working as a table for a page."""
    rows = []
    for line in lines(*calculation.roots):
        if line.heading:
            rows.append(f'<tr><th colspan="4" scope="colgroup">{escape(line.label)}</th></tr>')
            continue
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in (line.figures, line.says, line.cite))
        rows.append(f'<tr><th scope="row">{escape(line.label)}</th>{cells}</tr>')
    notes = "".join(f"<li>{escape(note(one))}</li>" for one in calculation.notes)
    caption = escape(f"{calculation.system} on {calculation.on}")
    table = f'<table class="working"><caption>{caption}</caption>{"".join(rows)}</table>'
    return table + (f'<ul class="notes">{notes}</ul>' if notes else "")
