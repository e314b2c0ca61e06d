"""Fixed-width text: whole columns at once read what a line by itself is read as, and an odd line stands alone."""

import io
import random

import pytest
import rating_lists as made

from arpad.lists import fide_files
from arpad.lists.fide_files import layout_of
from arpad.lists.rows import BadLine, checked, rows_of

LAYOUT = layout_of(made.combined_head(), at="test")
OLD = layout_of(made.OLD_HEAD, at="test").of_pace("standard")
PEOPLE = list(made.players(2000, seed=7))
NAMES = {"fed": "federation", "foa": "foa_title"}  # where the made-up players call a field otherwise


def read(data, layout=LAYOUT):
    """The players of a text by ID with all their values, and the lines that were not imported."""
    return values_of(fide_files.read_text_rows(io.BytesIO(data), layout, at="test"))


def alone(data, layout=LAYOUT):
    """The same, every line by itself."""
    found = [fide_files.read_line(line, layout, number) for number, line in enumerate(data.split(b"\r\n"), 2) if line]
    good = [row for row in found if not isinstance(row, BadLine)]
    return values_of([rows_of(good, [row for row in found if isinstance(row, BadLine)], 0)])


def values_of(blocks):
    found, bad = {}, []
    for rows in blocks:
        batch, wrong = checked(rows)
        bad += wrong
        for row in batch.to_pylist():
            found[row["id"]] = {name: value or None for name, value in row.items() if name != "line"}
    return found, sorted((row.line, row.why) for row in bad)


def slot(number):
    column = LAYOUT.columns[number]
    return column.field, column.start, column.end


def lines_of(people):
    return [made.combined_line(one).encode("latin-1") for one in people]


def test_odd_lines_stand_alone(monkeypatch):
    """Four odd lines among 2000 are read by themselves, and the others are not: no block is slow for one line."""
    people = [dict(one) for one in PEOPLE]
    people[3]["name"] = "Müller, Jörg"
    people[5] |= {"o_title": "SI,FI,LSI,SLI,NA", "foa": "AFM"}
    lines = lines_of(people)
    lines[7] = lines[7].replace(b"Name", b"").rstrip()
    lines[11] = b"a line of another file"
    calls = []
    one = fide_files.read_line
    monkeypatch.setattr(fide_files, "read_line", lambda raw, *rest: calls.append(raw) or one(raw, *rest))
    found, bad = read(b"\r\n".join(lines))
    assert calls == [lines[3], lines[5], lines[7], lines[11]]
    assert (len(found), [line for line, _ in bad]) == (1999, [13])
    assert found[people[3]["id"]]["name"] == "Müller, Jörg"
    assert found[people[5]["id"]]["o_title"] == "SI,FI,LSI,SLI,NA"
    assert found[people[7]["id"]]["name"] == people[7]["name"]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(ending, last):
    """Both kinds of line ends are read the same, with or without one behind the last line, and blank lines are none."""
    text = ending.join(lines_of(PEOPLE)) + last * (ending + b"   " + ending)
    found, bad = read(text)
    assert (len(found), bad) == (2000, [])
    for one in PEOPLE:
        assert found[one["id"]] == {NAMES.get(name, name): value or None for name, value in one.items()}


def test_numbers_are_taken_only_where_they_are_numbers():
    """Digits, blanks and signs at random: a line is taken at once exactly if it would be taken by itself."""
    chance = random.Random(5)  # noqa: S311  # lines, not secrets
    lines = lines_of(PEOPLE[:400])
    for place, line in enumerate(lines):
        _, start, end = slot(chance.choice([0, 8, 9, 10, 13, 17]))
        cell = "".join(chance.choice("0123456789   x-") for _ in range(end - start))
        odd = cell if place % 2 else cell.strip("x-").replace("x", " ").ljust(end - start)[: end - start]
        lines[place] = line[:start] + odd.encode() + line[end:]
    text = b"\r\n".join(lines) + b"\r\n"
    found, bad = read(text)
    assert (found, bad) == alone(text)
    assert 100 < len(bad) < 390


def test_kinds_are_taken_as_they_are():
    """Federations, titles and flags of any letters at any place of their columns: as one by one."""
    chance = random.Random(6)  # noqa: S311  # lines, not secrets
    lines = lines_of(PEOPLE[:400])
    for place, line in enumerate(lines):
        _, start, end = slot(chance.choice([2, 3, 4, 18]))
        cell = "".join(chance.choice("ABc    ") for _ in range(end - start))
        lines[place] = line[:start] + cell.encode() + line[end:]
    text = b"\r\n".join(lines) + b"\r\n"
    found, bad = read(text)
    assert (found, bad) == alone(text)
    assert not bad


@pytest.mark.parametrize("column", [0, 2, 8, 9, 17, 18])
def test_a_wider_column_is_read(column):
    """A column that FIDE made wider is read from where it stands, at its left or right end; nothing of it is cut."""
    head, lines = made.combined_head(), lines_of(PEOPLE[:50])
    _, start, end = slot(column)
    wide = layout_of(head[:end] + " " * 9 + head[end:], at="list")
    left = [line[:end] + b" " * 9 + line[end:] for line in lines]
    right = [line[:start] + b" " * 9 + line[start:] for line in lines]
    for shifted in (left, right):
        assert read(b"\r\n".join(shifted), wide) == read(b"\r\n".join(lines))


@pytest.mark.parametrize(
    ("cell", "rating"),
    [("2400", 2400), (" 987", 987), ("   0", None), ("    ", None), ("24 0", "bad"), ("2x00", "bad")],
)
def test_numbers_at_the_left_or_at_the_right(cell, rating):
    """The layout up to 2012 has its numbers at the right; what has a gap or a letter in it is no number."""
    line = made.old_line({**PEOPLE[0], "standard": 1111})
    place = line.index("1111")
    found, bad = read((line[:place] + cell + line[place + 4 :] + "\r\n").encode() * 3, OLD)
    if rating == "bad":
        assert [line for line, _ in bad] == [2, 3, 4]
    else:
        assert found[PEOPLE[0]["id"]]["standard"] == rating


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("531234567", 531234567),
        ("999999999", 999_999_999),
        ("305000001", 305000001),
        ("  12345678", 12345678),
        ("4294967295", 4294967295),
        ("     123456789", 123456789),
        ("12345678 9", None),
        ("1234567 9", None),
        ("12345678x", None),
        ("4294967296", None),
        ("99999999999999", None),
    ],
)
def test_long_ids(cell, number):
    """FIDE's newer IDs have nine digits; the largest that can be stored is 4294967295, and none is cut."""
    _, start, end = slot(0)
    lines = lines_of(PEOPLE[:3])
    lines[1] = lines[1][:start] + cell.ljust(end - start).encode() + lines[1][end:]
    found, bad = read(b"\r\n".join(lines))
    expected = {PEOPLE[0]["id"], PEOPLE[2]["id"], *([number] if number else [])}
    assert (set(found), [line for line, _ in bad]) == (expected, [] if number else [3])


@pytest.mark.parametrize("size", [200, 1111, 10_000])
def test_blocks_of_any_size(monkeypatch, size):
    """Where a block ends makes no difference."""
    monkeypatch.setattr(fide_files, "TEXT_BLOCK", size)
    text = b"\r\n".join(lines_of(PEOPLE[:300]))
    assert read(text) == alone(text)


def test_only_titles_push_the_other_columns_along():
    """Three lines of FIDE's list of October 2026 have SI,FI,LSI,SLI,NA, one character more than OTit has room for.

    Lines of the combined list under the header of a list of one rating are too long for another reason: none is taken.
    """
    single = layout_of(made.single_head("NOV26"), at="test").of_pace("standard")
    found, bad = read(b"\r\n".join(lines_of(PEOPLE[:5])), single)
    assert (found, [line for line, _ in bad]) == ({}, [2, 3, 4, 5, 6])
    assert bad[0][1] == "the line has 162 characters, the header 136"
    one = {**PEOPLE[0], "o_title": "SI,FI,LSI,SLI,NA", "foa": "AFM", "standard": 2393}
    line = made.combined_line(one)
    found, bad = read(f"{line}\r\n{made.combined_line(PEOPLE[1])}   \r\n".encode())
    assert (set(found), bad) == ({one["id"], PEOPLE[1]["id"]}, [])  # blanks behind a line are no overflow
    assert [found[one["id"]][field] for field in ("w_title", "o_title", "foa_title")] == [
        None,
        "SI,FI,LSI,SLI,NA",
        "AFM",
    ]
    odd = made.combined_line({**one, "o_title": "SI FI LSI SLI NA FT IO"})
    assert read(odd.encode())[1][0][1] == "the line has 169 characters, the header 162"


# The columns of FIDE's combined list: the name ends at 76, blitz is 139 to 152, the year 152 to 158 and the flag 158.
@pytest.mark.parametrize(("kept", "whole"), [(60, False), (115, False), (150, False), (154, False), (156, True)])
def test_a_line_that_breaks_off(kept, whole):
    """Blanks at the end of a line may be missing and nothing else; the year is never blank, and 0 if not known."""
    one = {**PEOPLE[0], "born": 1987, "flag": ""}
    found, bad = read(f"{made.combined_line(one)[:kept]}\r\n{made.combined_line({**one, 'born': 0}).rstrip()}".encode())
    assert len(found) == 1
    assert [why for _, why in bad] == ([] if whole else [f"the line ends after {kept} of 162 characters"])
    old = made.old_line({**one, "born": None}).rstrip()  # the layout up to 2012 leaves an unknown year blank
    assert [len(part) for part in read(f"{old}\r\n{old[:50]}".encode(), OLD)] == [1, 1]
