"""Rating lists taken into a folder of a test's own, and what is in them afterwards."""

import rating_lists as made

from arpad.lists import Hints, import_list, look_up, recognise
from arpad.lists.store import reading, run

COLUMNS = {
    "player": "* EXCLUDE (list, line)", "rating": "* EXCLUDE list", "word": "word, sound, len(lines)",
    "ending": "* EXCLUDE list", "bad_line": "* EXCLUDE list", "list": "* EXCLUDE list",
}  # fmt: skip
NOVEMBER = Hints(month="2026-11")


PEOPLE = list(made.players(300))


def take(path, data, told=NOVEMBER):
    return import_list(recognise(str(path), told), data=data)


def stored(data):
    """Everything in the tables, whatever the order."""
    with reading(data) as connection:
        return {
            table: sorted(map(repr, run(connection, f"SELECT {columns} FROM {table}")))
            for table, columns in COLUMNS.items()
        }


def lines_of(people=PEOPLE):
    return [made.combined_line(one) for one in people]


def check(data, one, pace="standard"):
    """A player as the lists have them is the player of the file."""
    found = look_up(one["id"], data=data)[0]
    assert (found.name, found.federation, found.born) == (one["name"], one["fed"], one["born"] or None)
    assert found.rating(pace) == (one[pace] or None)
    if one[pace]:
        assert (found.ratings[pace].k, found.ratings[pace].games) == (one[f"{pace}_k"], one[f"{pace}_games"])
