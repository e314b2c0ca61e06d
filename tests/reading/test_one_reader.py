"""One reader of tables: pasted text, CSV, TSV, Markdown, Excel and a saved page give the same tournament or refusal.

The tables are those of data/pastes and every table that stands in the tests of formats and of reading.
"""

import ast
import csv
import html
import io
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from offenders import none_of
from pastes import SAMPLES
from report_files import content

import arpad
from arpad.errors import ArpadError
from arpad.formats import read_bytes
from arpad.reading import read_paste
from arpad.reading.pasted import lines_of
from arpad.reading.tables import tables_in_text
from arpad.reading.text import bare, fold
from arpad.reading.vocabulary import TALKED, entries
from conftest import library

TESTS = Path(__file__).parents[1]
SOURCE = Path(arpad.__file__).parent
VOCABULARY = SOURCE / "reading" / "vocabulary"
SUBJECTS = ("headings", "results", "colours", "cells")
ORDINALS = str.maketrans("", "", "ºª")  # behind a number
CYRILLIC_TIMES = "х"  # the letter that is typed for the sign ×
SHORTEST = 4  # letters: shorter words are too many things
# What Papi, chess-results and Swiss-Manager call their fields.
FIELDS_OF_PROGRAMS = {"papi.py", "chess_results_xml.py", "swiss_manager_text.py"}
NO_PLAIN_TABLE = ("16",)  # two lines for each player, as US Chess prints them


def tables():
    """Every text with a table in the corpora, by where it is."""
    found = {f"pastes {number}": sample.text for number, sample in SAMPLES.items() if number not in NO_PLAIN_TABLE}
    for folder in ("formats", "reading"):
        for path in sorted((TESTS / folder).glob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
                    text = node.value if isinstance(node.value, str) else node.value.decode("utf-8", "ignore")
                    found[f"{path.stem} {node.lineno}"] = text
    return {name: text for name, text in found.items() if text.count("\n") > 1 and grid_of(text) is not None}


def grid_of(text):
    """The headings and rows of the only table in a text, as cells; None if there is none, or several."""
    found, _ = tables_in_text(lines_of(text))
    if len(found) != 1 or found[0].kind == "matches" or not found[0].rows:
        return None
    above = [[f"Round {found[0].round}"]] if found[0].round else []
    return [*above, list(found[0].headings.texts), *([cell.strip() for cell in row.cells] for row in found[0].rows)]


def as_csv(grid, delimiter):
    """Rows of cells as CSV."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(grid)
    return text.getvalue().encode()


def as_markdown(grid):
    """Rows of cells as a table in Markdown."""
    above = [cells[0] for cells in grid if len(cells) == 1]
    head, *rows = [f"| {' | '.join(cells)} |" for cells in grid if len(cells) > 1]
    return "\n".join([*above, head, "|" + " --- |" * head.count(" | "), *rows]).encode()


def as_html(grid):
    """Rows of cells as a web page."""
    rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in cells) for cells in grid)
    table = "".join(f"<tr>{row}</tr>\n" for row in rows)
    return f"<!DOCTYPE html><html><meta charset=utf-8><p>Menu<table>{table}</table><p>End</html>".encode()


def as_excel(grid):
    """Rows of cells as a workbook; a text that begins like a formula stays a text."""
    book = library("openpyxl").Workbook()
    for at, cells in enumerate(grid, start=1):
        for column, text in enumerate(cells, start=1):
            cell = book.active.cell(at, column, text)
            cell.data_type = "s"
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def reading(data):
    """The tournament in a file without its lines, or the reason of the refusal."""
    try:
        return content(read_bytes(data, "table"))
    except ArpadError as refusal:
        return refusal.said.key


TABLES = tables()


def test_the_corpus_is_not_small():
    """There are tables of every kind."""
    assert len(TABLES) > 40


@pytest.mark.parametrize("name", TABLES)
def test_every_door_reads_the_same(name):
    """The table as text, CSV, TSV, Markdown, Excel and HTML is the same tournament, or refused for the same reason."""
    text = TABLES[name]
    grid = grid_of(text)
    doors = {
        "semicolons": as_csv(grid, ";"),
        "commas": as_csv(grid, ","),
        "tabs": "\n".join("\t".join(cells) for cells in grid).encode(),
        "Markdown": as_markdown(grid),
        "HTML": as_html(grid),
        "Excel": as_excel(grid),
    }
    if any("|" in cell for cells in grid for cell in cells):
        del doors["Markdown"]
    expected = reading(text.encode())
    none_of([f"{door}: {found}\n{expected}" for door, data in doors.items() if (found := reading(data)) != expected])


RESULTS = {"win": 1, "draw": 0.5, "loss": 0, "forfeit-win": 1, "forfeit-loss": 0, "to-come": None}


@pytest.mark.parametrize("name", TABLES)
def test_a_players_games_are_those_of_the_tournament(name):
    """Each player's pasted games are the rounds of that player in the tournament: opponent, rating, colour, score."""
    tournament = reading(TABLES[name].encode())
    if isinstance(tournament, str):
        return
    by_no = {one.no: one for one in tournament.entrants}
    names = [one.player.name for one in tournament.entrants]
    offenders = []
    for entrant in tournament.entrants:
        if not entrant.player.name or names.count(entrant.player.name) > 1:
            continue
        expected = sorted(
            (by_no[one.opponent].player.name or "", one.colour or "", str(one.score)) for one in entrant.rounds
            if one.opponent in by_no
        )  # fmt: skip
        try:
            paste = read_paste(TABLES[name], player=entrant.player.name)
        except ArpadError as refusal:
            offenders.append(f"{entrant.player.name}: {refusal}")
            continue
        games = [game for game in paste.games if game.result != "bye" and game.name]
        found = sorted((game.name, game.colour or "", str(scored(game))) for game in games)
        doubted = any(line.doubtful for line in paste.left_out)
        if not doubted and [one for one in found if one[2] != "None"] != [one for one in expected if one[2] != "None"]:
            offenders.append(f"{entrant.player.name}: {found} instead of {expected}")
    none_of(offenders)


def scored(game):
    """The score of a pasted game as a tournament has it."""
    score = RESULTS[game.result]
    return "None" if score is None else "0.5" if score == 0.5 else score


def words_of_tables():
    """Every word for a heading, a result, a colour or a month in the vocabulary, except English ones and our own."""
    subjects = {name: tomllib.loads((VOCABULARY / f"{name}.toml").read_text("utf-8")) for name in SUBJECTS}
    lists = [
        (meaning, language, names)
        for subject in subjects.values()
        for meaning, table in subject.items()
        for language, names in table.get("noun", table).items()
    ]
    months = tomllib.loads((VOCABULARY / "months.toml").read_text("utf-8"))
    lists += [("month", language, names) for language, names in months.items()]
    ours = {meaning for meaning, _, _ in lists} | {
        fold(name) for _, language, names in lists for name in names if language == "en"
    }
    return {fold(name) for _, _, names in lists for name in names if len(name) >= SHORTEST} - ours


def test_no_word_of_a_table_is_in_python():
    """Headings, results, colours and months are data; only the field names of other programs' files are in code."""
    words = words_of_tables()
    assert {"spieler", "ничья", "черными", "listopada"} <= words
    offenders = []
    for room in ("reading", "formats"):
        for path in sorted((SOURCE / room).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
            offenders += [
                f"{path.name}, line {node.lineno}: {node.value}"
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
                if words & set(re.split(r"[\s|]+", fold(node.value))) and path.name not in FIELDS_OF_PROGRAMS
            ]
    none_of(offenders)


def test_a_word_of_a_sentence_stands_once():
    """A language has each of its words for sentences in one table, of one file."""
    twice = []
    for language in TALKED:
        talk = tomllib.loads((VOCABULARY / "talk" / f"{language}.toml").read_text("utf-8"))
        every = [word.casefold() for table in talk.values() for word in table["words"]]
        for subject in ("results", "sentences"):
            tables = tomllib.loads((VOCABULARY / f"{subject}.toml").read_text("utf-8")).values()
            forms = [form for table in tables for form in (table, *table.values()) if isinstance(form, dict)]
            every += [word.casefold() for form in forms for word in form.get(language, ())]
        twice += [f"{language}: {word}" for word, times in Counter(every).items() if times > 1]
    none_of(twice)


def test_no_letter_of_another_script_is_in_python():
    """Only signs such as ½ and the letters that `fold` replaces stand in the code of the readers."""
    offenders = []
    for path in sorted((SOURCE / "reading").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
        offenders += [
            f"{path.name}, line {node.lineno}: {node.value}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
            if any(letter.isalpha() and not letter.isascii() for letter in node.value.translate(ORDINALS))
            if path.name != "text.py" and node.value != CYRILLIC_TIMES
        ]
    none_of(offenders)


def test_each_heading_has_one_meaning_or_says_which():
    """A word under two meanings is one that the reader decides by the cells or by the other columns."""
    meanings = {}
    for meaning, word in entries("headings"):
        meanings.setdefault(bare(word) if len(bare(word)) > 1 else word, set()).add(meaning)
    several = {frozenset(found) for found in meanings.values() if len(found) > 1}
    assert several == {
        frozenset(pair)
        for pair in (
            ("rank", "rating"), ("points", "result"), ("rating", "tie-break"), ("board", "no"), ("name", "given"),
            ("name", "surname"),
        )
    }  # fmt: skip
