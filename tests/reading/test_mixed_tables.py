"""Tables in mixed languages, with any separator and order of columns, are read alike.

Without its result a game is to come. The headings and result marks are those of reference/pastes.md, by language.
"""

from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.reading import read_paste

HEADINGS = {
    "round": ["Rd.", "Runde", "Ronda", "Тур", "Kolo"],
    "name": ["Name", "Nombre", "Nom", "Nome", "Имя", "Ime"],
    "rating": ["Rtg", "Elo", "EloI", "Рейтинг", "Rejting"],
    "federation": ["FED", "Land", "Fed."],
    "result": ["Res.", "Erg.", "Rés.", "Рез.", "Rez."],
}
MARKS = {
    "win": ["1", "win", "Sieg", "victoire", "victoria", "vittoria", "победа"],
    "draw": ["½", "0,5", "draw", "Remis", "nulle", "tablas", "patta", "ничья"],
    "loss": ["0", "loss", "Niederlage", "défaite", "derrota", "sconfitta", "поражение"],
}
NAMES = ["Harrowgate, Wren", "Müller, Jörg", "Иванова, Анна", "O'Neil, Pat", "Söderström, Åke"]
SEPARATORS = ["\t", ";", " | "]


@st.composite
def tables(draw):
    """A player's games as a table in mixed languages, and what should be read: opponent, name and result."""
    columns = draw(st.permutations(list(HEADINGS)))
    separator = draw(st.sampled_from(SEPARATORS))
    head = separator.join(draw(st.sampled_from(HEADINGS[column])) for column in columns)
    games, lines = [], [head]
    for number in range(1, draw(st.integers(2, 6)) + 1):
        result = draw(st.sampled_from(sorted(MARKS)))
        cells = {
            "round": str(number),
            "name": draw(st.sampled_from(NAMES)),
            "rating": str(draw(st.integers(1000, 2800))),
            "federation": draw(st.sampled_from(["ENG", "GER", "SRB"])),
            "result": draw(st.sampled_from(MARKS[result])),
        }
        lines += [""] * draw(st.integers(0, 2))
        lines.append((cells, [cells[column] for column in columns]))
        games.append((number, int(cells["rating"]), cells["name"], result))
    return games, columns, separator, lines


def text_of(lines, separator, columns, without=()):
    """The table as text; the results of the games in `without` are left blank."""
    rows, number = [], 0
    for line in lines:
        if isinstance(line, str):
            rows.append(line)
            continue
        number += 1
        cells = [
            "" if column == "result" and number in without else cell
            for column, cell in zip(columns, line[1], strict=True)
        ]
        rows.append(separator.join(cells))
    return "\n".join(rows)


def read(text):
    """Round, opponent, name and result of each game."""
    return [(game.round, game.opponent, game.name, game.result) for game in read_paste(text).games]


@given(tables())
def test_mixing_keeps_the_reading(table):
    """Headings and results in any language, columns in any order, any separator, blank lines: the same games."""
    games, columns, separator, lines = table
    assert read(text_of(lines, separator, columns)) == games


@given(tables(), st.lists(st.booleans(), min_size=6, max_size=6))
def test_without_its_result_a_game_is_to_come(table, deleted):
    """Delete the results of some games: those are to come, or left out, and the others stay as they are."""
    games, columns, separator, lines = table
    without = set(compress(range(1, len(games) + 1), deleted))
    found = read(text_of(lines, separator, columns, without))
    assert [game for game in found if game[0] not in without] == [game for game in games if game[0] not in without]
    assert {result for number, _, _, result in found if number in without} <= {"to-come"}


@pytest.mark.parametrize("separator", SEPARATORS)
def test_one_table_by_hand(separator):
    """The same in one example that can be read: German headings, a Russian and a French result."""
    rows = [["Erg.", "Name", "Elo", "Runde"], ["победа", "Ott, Ann", "1911", "1"], ["nulle", "Roy, Bo", "1800", "2"]]
    assert read("\n\n".join(map(separator.join, rows))) == [
        (1, 1911, "Ott, Ann", "win"),
        (2, 1800, "Roy, Bo", "draw"),
    ]
