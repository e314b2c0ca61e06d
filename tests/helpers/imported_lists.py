"""Rating lists imported into a test's own folder, and what the folder holds afterwards."""

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
    """Everything in the tables, in sorted order."""
    with reading(data) as connection:
        return {
            table: sorted(map(repr, run(connection, f"SELECT {columns} FROM {table}")))
            for table, columns in COLUMNS.items()
        }


def lines_of(people=PEOPLE):
    return [made.combined_line(person) for person in people]


def check(data, person, pace="standard"):
    """Check that the player in the lists is the player of the file."""
    found = look_up(person["id"], data=data)[0]
    assert (found.name, found.federation, found.born) == (person["name"], person["fed"], person["born"] or None)
    assert found.rating(pace) == (person[pace] or None)
    if person[pace]:
        assert (found.ratings[pace].k, found.ratings[pace].games) == (person[f"{pace}_k"], person[f"{pace}_games"])
