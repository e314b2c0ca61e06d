"""Rating lists: list find, list show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, date

from arpad.core import whole_of
from arpad.errors import BadInput
from arpad.lists.answers import PlayerPage, PlayersFound
from arpad.messages import AsTyped, say
from arpad.questions import readers
from arpad.questions.declare import Place, defaulting, optional, question, several
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, Asking

NOT_ON_A_PAGE = "on the page names are completed as they are typed"
LONGEST_ID = 10  # digits


def year(typed: str, place: Place) -> int:
    """A year."""
    return whole_of(typed, "listed_birth_year", 1, MAXYEAR, at=place.at)


def most(typed: str, place: Place) -> int:
    """How many to give."""
    return whole_of(typed, "most", 1, at=place.at)


def cursor(typed: str, place: Place) -> int:
    """Where a page of an answer begins: the `next` of the page before it."""
    if not typed.isdecimal() or not typed.isascii() or len(typed) > LONGEST_ID:
        raise BadInput(say("lists.not_a_cursor", value=typed[:100]), at=place.at)
    return int(typed)


@dataclass(frozen=True, kw_only=True)
class ListsFields(Asking):
    """Which rating lists, of which day, in which folder."""

    list: str | None = optional(readers.text, example="fide", group="lists")
    on: date | None = optional(readers.day, example="2026-11-15", group="lists")
    folder: str | None = optional(
        readers.path, example="lists", option="data", group="lists", longest=LONGEST_PATH, **COMMAND_ALONE
    )


@question(
    "list find",
    path="/lists/find",
    looks_up=True,
    doors=frozenset({"command", "api"}),
    why=NOT_ON_A_PAGE,
    examples=({"q": ["carlsen"]}, {"q": ["Karpov, A"], "federation": "RUS"}, {"federation": "NOR", "born": 1990}),
)
@dataclass(frozen=True, kw_only=True)
class FindPlayers(ListsFields):
    """Players by name or FIDE ID, in the imported lists; typos are tolerated."""

    q: tuple[str, ...] = several(readers.text, example="carlsen", word=True)
    federation: str | None = optional(readers.text, example="NOR")
    born: int | None = optional(year, example="1990")
    most: int = defaulting(most, 20, example="10")
    cursor: int = defaulting(cursor, 0, example="20", doors=frozenset({"api"}), why="a terminal shows what fits")

    def answer(self) -> PlayersFound:
        """The players who may be meant, best match first."""
        from arpad.lists import find  # which needs the extra `lists`

        found = find(
            " ".join(self.q),
            federation=self.federation,
            born=self.born,
            most=self.most,
            skip=self.cursor,
            name=self.list,
            on=self.on,
            data=self.folder,
        )
        return PlayersFound.of(found)


@question(
    "list show",
    path="/lists/players/{id}",
    needs=("id",),
    looks_up=True,
    doors=frozenset({"command", "api"}),
    why=NOT_ON_A_PAGE,
    examples=({"id": ["1503014"]}, {"id": ["Carlsen, Magnus"], "on": "2025-09"}),
)
@dataclass(frozen=True, kw_only=True)
class ShowPlayer(ListsFields):
    """One player on the imported lists: ratings, K now and next, history."""

    id: tuple[str, ...] = several(readers.text, example="1503014", word=True)

    def answer(self) -> PlayerPage:
        """Everything about the player."""
        from arpad.lists import coming_k, find_one, history, look_up  # which need the extra `lists`

        typed = " ".join(self.id)
        number = typed.removeprefix("@")
        if not (number.isascii() and number.isdigit()):
            found = find_one(typed, self.on, name=self.list, data=self.folder, nobody="lists.nobody_to_show")
            number = str(found.id)
        if len(number) > LONGEST_ID:
            raise BadInput(say("lists.not_an_id", id=AsTyped(typed[:40])), at="id")
        player, newest = look_up(int(number), name=self.list, on=self.on, data=self.folder)
        lines = history(player.id, name=self.list, on=self.on, data=self.folder)
        return PlayerPage.of(player, newest, coming_k(player, newest), lines)
