"""How answers look on a terminal: aligned tables, colour if it is supported, JSON on request."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from os import environ
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.explain import SHORTEST, SIGNED, WIDTH, label_of, wrapped
from arpad.messages import figure, say, section, voice
from arpad.systems.answers import ending, opponent_of

if TYPE_CHECKING:
    from typing import TextIO

    from arpad.calculation.answer import Figure, Table, TableColumn
    from arpad.messages import Message
    from arpad.reading.pasted import LeftOutLine, Paste, PastedGame
    from arpad.systems.answers import GameChange


ASCII = str.maketrans(
    {"−": "-", "½": "0.5", "×": "x", "–": "-", "⌊": "floor(", "⌋": ")", "√": "sqrt", "²": "^2", "ˣ": "^x", "′": "'"}
    | {"π": "pi", "μ": "mu", "φ": "phi", "σ": "sigma", "τ": "tau", "Δ": "delta", "Σ": "sum", "±": "+/-"}
    | {
        "α": "alpha",
        "β": "beta",
        "¼": "0.25",
        "¾": "0.75",
        "…": ".",
    }  # a single dot keeps a cut name's width
    | {"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " ", "\u202f": " "}
)
SHORTEST_NAME = 8  # a name is never cut to fewer characters
CODES = {"strong": "1", "up": "32", "down": "31", "faint": "2"}
COLOUR = re.compile(r"\x1b\[(0|1|2|31|32)m")
# Control characters other than a newline, and those that change the direction of text.
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Style(NamedTuple):
    """Whether to use colour, whether to keep to ASCII, and whether the output is a terminal."""

    colour: bool = False
    plain: bool = False
    terminal: bool = False

    @classmethod
    def of(cls, stream: TextIO, *, plain: bool) -> Style:
        """Colour on a terminal that wants it; see no-color.org."""
        return cls(not plain and stream.isatty() and not environ.get("NO_COLOR"), plain, stream.isatty())

    def __call__(self, kind: str, text: str) -> str:
        return f"\x1b[{CODES[kind]}m{text}\x1b[0m" if self.colour and text else text

    def change(self, number: Decimal | int | None, text: str) -> str:
        """A change in the colour of a gain or a loss."""
        return text if not number else self("up" if number > 0 else "down", text)


def json_text(value: dict[str, Any]) -> str:
    """One line of JSON, with control characters escaped."""
    return CONTROLS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


def printable(text: str, *, coloured: bool = False) -> str:
    """A text with control characters shown as numbers, so that it cannot control the terminal; our own colours stay."""
    return CONTROLS.sub(
        lambda sign: sign[0] if coloured and COLOUR.match(text, sign.start()) else f"\\x{ord(sign[0]):02x}", text
    )


def cell(text: str) -> str:
    """A text for one cell of a table: printable, and on one line."""
    return printable(" ".join(text.split("\n")))


def facts(figures: Iterable[Figure], style: Style, who: Sequence[Figure] = ()) -> str:
    """Name, figure and remark, aligned, with the remark wrapped next to the figure; the first figure stands out.

    `who` comes first: the people the figures are about.
    """
    rows = [(label_of(fact.key), figure_shown(fact), fact) for fact in (*who, *figures) if fact.value is not None]
    margin = max((len(name) for name, _, _ in rows), default=0) + 2
    lines = []
    for number, (name, value, fact) in enumerate(rows, start=-len(who)):
        first, *rest = wrapped(
            "" if fact.remark is None else str(fact.remark), max(WIDTH - margin - len(value) - 3, SHORTEST)
        )
        kind = (
            style.change(fact.value, value)
            if fact.key in SIGNED and isinstance(fact.value, int | Decimal)
            else style("strong", value)
            if not number
            else value
        )
        lines.append(f"{name:<{margin}}{kind}   {style('faint', first)}".rstrip())
        lines += [" " * (margin + len(value) + 3) + style("faint", line) for line in rest]
    return "\n".join(lines)


def figure_shown(fact: Figure) -> str:
    """A figure as people write it."""
    return figure(fact.value, signed=fact.key in SIGNED)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[str] = ()) -> str:
    """Columns under headings, aligned to the right; those named in `left`, to the left."""
    headings, rows = [heading(name) for name in head], [[cell(text) for text in row] for row in rows]
    widths = [max(len(text) for text in column) for column in zip(headings, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        parts = (
            f"{text:<{width}}" if name in left else f"{text:>{width}}"
            for name, text, width in zip(head, cells, widths, strict=True)
        )
        return "  ".join(parts).rstrip()

    return "\n".join([line(headings), *map(line, rows)])


def heading(name: str) -> str:
    """The heading of a column; one without a text of ours, such as a tie-break, is its name."""
    return section(voice().language, "command.head").get(name, name)


def fitted(head: Sequence[str], rows: Sequence[Sequence[str]], name: str, *, left: Sequence[str] = ()) -> str:
    """A table that fits 80 columns: the column `name`, if there is one, is cut as needed, which `…` shows."""
    if name not in head:
        return table(head, rows, left=left)
    place = head.index(name)
    headings = [heading(column) for column in head]
    others = sum(max(len(row[no]) for row in (headings, *rows)) + 2 for no in range(len(head)) if no != place)
    room = max(WIDTH - others, SHORTEST_NAME)

    def cut(text: str) -> str:
        return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"

    return table(head, [[*row[:place], cut(row[place]), *row[place + 1 :]] for row in rows], left=left)


def filled(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[str] = (), yields: str = "name"
) -> str:
    """A table of the columns that are not empty; the column `yields` is cut to fit 80 columns."""
    used = [place for place in range(len(head)) if any(row[place] for row in rows)]
    kept, cells = [head[place] for place in used], [[row[place] for place in used] for row in rows]
    return fitted(kept, cells, yields, left=left)


def declared(answers: Table) -> str:
    """A table that an answer declares, with its remarks; empty columns are left out unless the table is fixed."""
    shown = answers.for_door("screen")
    head = [column.short or column.key for column in shown.columns]
    left = [name for name, column in zip(head, shown.columns, strict=True) if column.form == "text"]
    rows = [cells_of(shown.columns, row) for row in shown.rows]
    text = fitted(head, rows, "name", left=left) if shown.fixed else filled(head, rows, left=left)
    return "\n".join([text, *lines_of(shown.remarks)])


def cells_of(columns: Sequence[TableColumn], row: object) -> list[str]:
    """The cells of a row as text."""
    return [cell_text(column.value(row), column.form) for column in columns]


def cell_text(value: object, form: str = "number") -> str:
    """A value of a table as text; empty if there is none."""
    if value is None:
        return str(say("answers.unrated")) if form == "rating" else ""
    return figure(value, signed=form == "signed")


def games(lines: Sequence[GameChange], names: Sequence[str | None] = ()) -> str:
    """The games of an event, with the opponents' names if known, and below them why some do not count."""
    rows = [
        [
            str(number),
            opponent_of(game),
            (names[number - 1] or "") if number <= len(names) else "",
            ending(game),
            "" if game.difference is None else figure(game.difference) + "*" * is_cut(game),
            cell_text(game.expected),
            change_of(game),
        ]
        for number, game in enumerate(lines, start=1)
    ]
    head = ["#", "opponent", "name", "result", "difference", "expected", "change"]
    why = reasons("game", ((number, game.why, is_cut(game)) for number, game in enumerate(lines, start=1)))
    return "\n".join([filled(head, rows, left=["name", "result"]), *why])


def change_of(game: GameChange) -> str:
    """A game's change, or that it is not rated."""
    return cell_text(game.change, "signed") if game.rated or game.change is not None else str(say("answers.not_rated"))


def is_cut(game: GameChange) -> bool:
    """Whether a game's rating difference was capped; a star marks it."""
    return game.rated and game.difference != game.counted


def reasons(what: str, lines: Iterable[tuple[int, object, bool]]) -> list[str]:
    """Each reason once, after the numbers of the games or rounds it is about, and a star if they have one."""
    found: dict[tuple[bool, str], list[int]] = {}
    for number, why, cut in lines:
        if why is not None:
            found.setdefault((cut, str(why)), []).append(number)
    return [
        row
        for (cut, why), numbers in found.items()
        for row in in_lines(say(f"command.why.{what}", star="* " * cut, numbers=numbers, why=why))
    ]


def in_lines(message: Message | str) -> list[str]:
    """A message wrapped into lines for the terminal."""
    return wrapped(str(message))


def lines_of(messages: Iterable[Message | str]) -> list[str]:
    """Messages wrapped into lines, one after the other."""
    return [row for message in messages for row in in_lines(message)]


def warn(said: str) -> None:
    """Print a sentence on standard error; a terminal gets it wrapped, without breaking paths or options."""
    if sys.stderr is not None:
        sentence = printable(f"arpad: {said}")
        try:
            sentence.encode(sys.stderr.encoding or "utf-8")
        except UnicodeEncodeError:
            sentence = sentence.translate(ASCII)  # what that leaves is escaped
        lines = fill(sentence, WIDTH, break_long_words=False, break_on_hyphens=False)
        print(lines if sys.stderr.isatty() else sentence, file=sys.stderr)


HEAD = ("round", "opponent", "title", "name", "result", "colour", "line")


def reading_text(reading: Paste) -> str:
    """What each line was read as, and what was left out."""
    below = lines_of((*reading.about.notes, *reading.notes, *each_line(reading.left_out)))
    return "\n".join([*([game_table(reading.games)] if reading.games else []), *below])


def game_table(games: Sequence[PastedGame]) -> str:
    """The games, one row each."""
    rows = [
        [
            "" if game.round is None else str(game.round),
            opponent(game),
            game.title or "",
            game.name or "",
            str(say(f"reading.result.{game.result}")),
            "" if game.colour is None else str(say(f"reading.colour.{game.colour}")),
            str(game.line),
        ]
        for game in games
    ]
    return filled(HEAD, rows, left=["title", "name", "result", "colour"])


def opponent(game: PastedGame) -> str:
    """The opponent's rating, or the word for having none."""
    if game.opponent is not None:
        return figure(game.opponent)
    if game.national_rating is not None:
        return str(say("reading.state.national", rating=game.national_rating))
    return "" if game.result == "bye" else str(say(f"reading.state.{game.rating_state}"))


def each_line(left_out: Iterable[LeftOutLine]) -> Iterable[Message]:
    """Every line that was left out, with its reason."""
    return (
        said
        for left in left_out
        for said in (
            say("reading.left_line", line=left.line, why=left.why, text=" ".join(left.text.split())),
            *([say("reading.might_be", games=left.suggestion, line=left.line)] if left.suggestion else []),
        )
    )
