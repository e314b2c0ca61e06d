"""Fixed-width text: whole columns at once read what a line by itself is read as, and an odd line stands alone."""

import io
import random

import pytest
import rating_lists as made

from arpad.lists import fixed
from arpad.lists.layouts import recognise

LAYOUT = recognise(made.combined_head(), at="test")
OLD = recognise(made.OLD_HEAD, at="test").of_pace("standard")
PEOPLE = list(made.players(2000, seed=7))


def read(data, layout=LAYOUT):
    """The players of a text by ID with all their values, and the lines that were not taken."""
    return values_of(block for chunk in fixed.chunks(io.BytesIO(data), layout) for block in chunk())


def alone(data, layout=LAYOUT):
    """The same, every line by itself."""
    rows = [fixed.read_line(line, layout, number) for number, line in enumerate(data.split(b"\r\n"), 2) if line]
    return values_of([fixed.block_of(rows, 0)])


def values_of(blocks):
    found, bad = {}, []
    for block in blocks:
        bad += block.bad
        for row in block.people.to_pylist():
            person = {name: value or None for name, value in row.items()}
            found[row["id"]] = person | {"kind": block.kinds[row["kind"]]}
        for name, batch in (*block.ratings.items(), ("titles", block.titles)):
            for row in batch.to_pylist():
                found[row["id"]][name] = [value or None for value in row.values()]
    return found, sorted(bad)


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
    one = fixed.read_line
    monkeypatch.setattr(fixed, "read_line", lambda raw, *rest: calls.append(raw) or one(raw, *rest))
    found, bad = read(b"\r\n".join(lines))
    assert calls == [lines[3], lines[5], lines[7], lines[11]]
    assert (len(found), [wrong.line for wrong in bad]) == (1999, [13])
    assert found[people[3]["id"]]["name"] == "Müller, Jörg"
    assert found[people[5]["id"]]["titles"][2] == "SI,FI,LSI,SLI,NA"
    assert found[people[7]["id"]]["name"] == people[7]["name"]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(ending, last):
    """Both kinds of line ends are read the same, with or without one behind the last line, and blank lines are none."""
    text = ending.join(lines_of(PEOPLE)) + last * (ending + b"   " + ending)
    found, bad = read(text)
    assert (len(found), bad) == (2000, [])
    for one in PEOPLE:
        person = found[one["id"]]
        kind = tuple(one[field] or None for field in ("fed", "sex", "title", "flag"))
        assert (person["name"], person["kind"], person["born"]) == (one["name"], kind, one["born"] or None)
        for pace in made.PACES:
            given = [one["id"], *(one[f"{pace}{part}"] or None for part in ("", "_games", "_k"))]
            assert person.get(pace) == (given if any(given[1:]) else None)


def test_numbers_are_taken_only_where_they_are_numbers():
    """Digits, blanks and signs at random: a line is taken at once exactly if it would be taken by itself."""
    chance = random.Random(5)  # noqa: S311  # lines, not secrets
    lines = lines_of(PEOPLE[:400])
    for place, line in enumerate(lines):
        _, start, end = LAYOUT.columns[chance.choice([0, 8, 9, 10, 13, 17])]
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
        _, start, end = LAYOUT.columns[chance.choice([2, 3, 4, 18])]
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
    _, start, end = LAYOUT.columns[column]
    wide = recognise(head[:end] + " " * 9 + head[end:], at="list")
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
        assert [wrong.line for wrong in bad] == [2, 3, 4]
    else:
        assert found[PEOPLE[0]["id"]].get("standard", [0, None])[1] == rating


@pytest.mark.parametrize(
    ("cell", "number", "at_once"),
    [
        ("531234567", 531234567, True),
        ("999999999", 999_999_999, True),
        ("305000001", 305000001, True),
        ("  12345678", 12345678, False),
        ("4294967295", 4294967295, False),
        ("     123456789", 123456789, False),
        ("12345678 9", None, False),
        ("1234567 9", None, False),
        ("12345678x", None, False),
        ("4294967296", None, False),
    ],
)
def test_long_ids(monkeypatch, cell, number, at_once):
    """FIDE's newer IDs have nine digits and are read with all others; a longer one by itself, and none is cut."""
    calls = []
    one = fixed.read_line
    monkeypatch.setattr(fixed, "read_line", lambda raw, *rest: calls.append(raw) or one(raw, *rest))
    _, start, end = LAYOUT.columns[0]
    lines = lines_of(PEOPLE[:3])
    lines[1] = lines[1][:start] + cell.ljust(end - start).encode() + lines[1][end:]
    found, bad = read(b"\r\n".join(lines))
    expected = {PEOPLE[0]["id"], PEOPLE[2]["id"], *([number] if number else [])}
    assert (set(found), [wrong.line for wrong in bad]) == (expected, [] if number else [3])
    assert calls == ([] if at_once else [lines[1]])


@pytest.mark.parametrize("lines", [1, 7, 64])
def test_chunks_may_be_worked_on_in_any_order(monkeypatch, lines):
    """What was read into one place is not lost when the place is read into again."""
    monkeypatch.setattr(fixed, "LINES", lines)
    text = b"\r\n".join(lines_of(PEOPLE[:300]))
    at_once = values_of(block for chunk in fixed.chunks(io.BytesIO(text), LAYOUT) for block in chunk())
    backwards = [chunk() for chunk in reversed(list(fixed.chunks(io.BytesIO(text), LAYOUT)))]
    assert at_once == values_of(block for blocks in backwards for block in blocks) == alone(text)


def test_only_titles_push_the_other_columns_along():
    """Three lines of FIDE's list of October 2026 have SI,FI,LSI,SLI,NA, one character more than OTit has room for.

    Lines of the combined list under the header of a list of one rating are too long for another reason: none is taken.
    """
    single = recognise(made.single_head("NOV26"), at="test").of_pace("standard")
    found, bad = read(b"\r\n".join(lines_of(PEOPLE[:5])), single)
    assert (found, [wrong.line for wrong in bad]) == ({}, [2, 3, 4, 5, 6])
    assert bad[0].why == "the line has 162 characters and the header 136"
    one = {**PEOPLE[0], "o_title": "SI,FI,LSI,SLI,NA", "foa": "AFM", "standard": 2393}
    line = made.combined_line(one)
    found, bad = read(f"{line}\r\n{made.combined_line(PEOPLE[1])}   \r\n".encode())
    assert (set(found), bad) == ({one["id"], PEOPLE[1]["id"]}, [])  # blanks behind a line are no overflow
    assert found[one["id"]]["titles"][1:] == [None, "SI,FI,LSI,SLI,NA", "AFM"]
    odd = made.combined_line({**one, "o_title": "SI FI LSI SLI NA FT IO"})
    assert read(odd.encode())[1][0].why == "the line has 169 characters and the header 162"


# The columns of FIDE's combined list: the name ends at 76, blitz is 139 to 152, the year 152 to 158 and the flag 158.
@pytest.mark.parametrize(("kept", "whole"), [(60, False), (115, False), (150, False), (154, False), (156, True)])
def test_a_line_that_breaks_off(kept, whole):
    """Blanks at the end of a line may be missing and nothing else; the year is never blank, and 0 if not known."""
    one = {**PEOPLE[0], "born": 1987, "flag": ""}
    found, bad = read(f"{made.combined_line(one)[:kept]}\r\n{made.combined_line({**one, 'born': 0}).rstrip()}".encode())
    assert len(found) == 1
    assert [wrong.why for wrong in bad] == ([] if whole else [f"the line breaks off behind {kept} of 162 characters"])
    old = made.old_line({**one, "born": None}).rstrip()  # the layout up to 2012 leaves an unknown year blank
    assert [len(part) for part in read(f"{old}\r\n{old[:50]}".encode(), OLD)] == [1, 1]
