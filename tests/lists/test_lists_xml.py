"""FIDE's XML: its usual layout and every deviation from it give the same players, and no rating is lost."""

import io

import pytest
import rating_lists as made
from imported_lists import NOVEMBER, PEOPLE, check, stored, take

from arpad.errors import BadFile
from arpad.lists import Hints, fide_files, look_up
from arpad.lists.rows import checked


def text_of(people):
    """Players in FIDE's layout: one element a line, always in the same order."""
    blank = [{**one, **{field: one[field] or "" for field in (*made.PACES, "born")}} for one in people]
    return [made.PLAYER % one for one in blank]


def written(folder, players, name="list.xml"):
    path = folder / name
    path.write_text("<playerslist>\n" + "".join(players) + "</playerslist>\n", encoding="utf-8")
    return path


def without(player, *tags):
    """A player without some elements."""
    return "".join(
        line for line in player.splitlines(keepends=True) if not line.startswith(tuple(f"<{tag}>" for tag in tags))
    )


def read(text, paces=made.PACES):
    found = {}
    for rows in fide_files.read_xml_rows(io.BytesIO(text.encode()), paces, at="test"):
        batch, bad = checked(rows)
        assert bad == []
        for row in batch.to_pylist():
            found[row["id"]] = {name: value or None for name, value in row.items()}
    return found


RATED = [one for one in PEOPLE if one["rapid"] and one["standard"]]


@pytest.mark.parametrize("place", [0, 7, -1])
def test_a_player_without_an_element_loses_nobody_elses(place, tmp_path, data):
    """A player without <rapid_rating>, first, last or between, is imported, and so are all other rapid ratings."""
    people = RATED[:20]
    lines = text_of(people)
    lines[place] = without(lines[place], "rapid_rating", "rapid_games", "rapid_k")
    result = take(written(tmp_path, lines), data)
    assert (result.list.players, result.list.paces, result.bad) == (20, made.PACES, ())
    lacking = people[place]["id"]
    for one in people:
        check(data, one)
        check(data, one, "blitz")
        if one["id"] != lacking:
            check(data, one, "rapid")
    assert look_up(lacking, data=data)[0].rating("rapid") is None


def test_only_one_player_has_the_element(tmp_path, data):
    """Nineteen players without rapid and blitz and one with both: the one keeps them."""
    people = RATED[:20]
    others = [f"{pace}_{part}" for pace in ("rapid", "blitz") for part in ("rating", "games", "k")]
    lines = [without(line, *others) for line in text_of(people[:19])] + text_of(people[19:])
    take(written(tmp_path, lines), data)
    assert look_up(people[0]["id"], data=data)[0].rating("rapid") is None
    check(data, people[19], "rapid")


def test_a_rating_that_comes_too_late_is_refused(monkeypatch, tmp_path, data):
    """A list that begins as one of a single rating and then has another is not imported without it."""
    monkeypatch.setattr(fide_files, "START", 2000)
    others = [f"{pace}_{part}" for pace in ("rapid", "blitz") for part in ("rating", "games", "k")]
    # The header, nine players of 15 lines, then twelve lines down to <rapid_rating>: 1 + 9 × 15 + 13 = 149.
    lines = [without(line, *others) for line in text_of(RATED[:9])] + text_of(RATED[9:10])
    with pytest.raises(BadFile, match=r"this one has a <rapid_rating>.*line 149") as failed:
        take(written(tmp_path, lines, "standard_list.xml"), data)
    assert "one rating each" in failed.value.message


def odd_forms(lines):
    """The same players written in other ways that XML allows."""
    one_line = "".join(lines).replace("\n", "")
    return {
        "no line ends": one_line,
        "indented": "".join(lines).replace("\n<", "\n  <"),
        "windows": "".join(lines).replace("\n", "\r\n"),
        "comment": "<!-- a list -->\n" + "\n<!-- next -->\n".join(lines),
        "attributes": "".join(lines).replace("<player>", '<player kind="x">'),
        "entities": "".join(lines).replace(",", "&#44;"),
        "cdata": "".join(lines).replace("<name>", "<name><![CDATA[").replace("</name>", "]]></name>"),
        "other element": "".join(lines).replace("<flag>", "<club>x</club>\n<flag>"),
        "other order": "".join(lines[:5]) + "".join(lines[5:]).replace("<sex>M</sex>\n", "").replace(
            "</player>", "<sex>M</sex>\n</player>"
        ),
    }  # fmt: skip


@pytest.mark.parametrize("form", odd_forms(text_of(PEOPLE[:2])))
@pytest.mark.parametrize("block", [300, 5000, 1 << 22])
def test_other_ways_to_write_the_same(form, block, monkeypatch):
    """Whatever the layout and wherever a block ends, the players are those of the usual layout."""
    people = [one for one in PEOPLE if one["sex"] == "M"][:40]
    lines = text_of(people)
    usual = read("<playerslist>\n" + "".join(lines) + "</playerslist>")
    assert len(usual) == 40
    monkeypatch.setattr(fide_files, "XML_BLOCK", block)
    monkeypatch.setattr(fide_files, "START", 700)
    other = read("<playerslist>\n" + odd_forms(lines)[form] + "</playerslist>")
    for found in (*usual.values(), *other.values()):
        del found["line"]
    assert other == usual


def test_line_numbers_are_those_of_the_file():
    """Usual and deviating players alike have the line in which they end."""
    lines = text_of(PEOPLE[:4])
    lines[1] = without(lines[1], "flag")
    lines[2] = lines[2].replace("<name>", "<name>&#65;")
    found = read("<playerslist>\n" + "".join(lines) + "</playerslist>")
    ends = [2 + 20, 2 + 20 + 20, 2 + 20 + 20 + 21, 2 + 20 + 20 + 21 + 21]  # a player has 21 lines, the second 20
    assert [found[one["id"]]["line"] for one in PEOPLE[:4]] == ends


def test_another_encoding(tmp_path, data):
    """What the file declares counts; without a declaration it is UTF-8, and anything else is refused with its line."""
    lines = text_of([{**PEOPLE[0], "name": "Müller, Jörg"}, *PEOPLE[1:5]])
    body = "<playerslist>\n" + "".join(lines) + "</playerslist>\n"
    path = tmp_path / "list.xml"
    path.write_bytes(b'<?xml version="1.0" encoding="iso-8859-1"?>\n' + body.encode("latin-1"))
    take(path, data)
    assert look_up(PEOPLE[0]["id"], data=data)[0].name == "Müller, Jörg"
    before = stored(data)
    path.write_bytes(body.encode("latin-1"))
    with pytest.raises(BadFile, match=r"damaged or incomplete.*line 4"):
        take(path, data, Hints(month="2026-12"))
    assert stored(data) == before


def test_what_is_stored_is_counted(monkeypatch, tmp_path, data):
    """If fewer ratings were stored than read, the import is refused and changes nothing."""
    take(made.combined(tmp_path / "list.txt", 300), data)
    before = stored(data)
    from arpad.lists import importing

    monkeypatch.setattr(importing, "INSERT", importing.INSERT.replace("nullif(rapid, 0) AS rapid", "NULL AS rapid"))
    with pytest.raises(BadFile, match="Not everything that was read could be stored"):
        take(made.xml(tmp_path / "list.xml", PEOPLE), data, NOVEMBER)
    assert stored(data) == before
