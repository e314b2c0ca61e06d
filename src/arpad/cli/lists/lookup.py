"""`arpad list find` and `arpad list show`: players on the rating lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR
from typing import TYPE_CHECKING

from arpad.calculation.serialise import listing
from arpad.cli.lists import ABOUT_LISTS, ListOfDay
from arpad.cli.show import Reply, filled, table, told
from arpad.core import whole_of
from arpad.lists.layouts import PACES
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import Place, defaulting, optional, question, several

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.lists.next_k import PlayerPage
    from arpad.lists.search import Found
    from arpad.messages import Message


def year(typed: str, place: Place) -> int:
    """A year."""
    return whole_of(typed, "birth_year", 1, MAXYEAR, at=place.at)


def players(typed: str, place: Place) -> int:
    """A number of players."""
    return whole_of(typed, "players", 1, at=place.at)


@question(
    "list find",
    needs=("query|federation|born",),
    **ABOUT_LISTS,
    examples=(
        {"query": ["carlsen"]},
        {"query": ["Karpov, A"], "federation": "RUS"},
        {"query": ["1503014"]},
        {"federation": "NOR", "born": 1990},
    ),
)
@dataclass(frozen=True, kw_only=True)
class ListFind(ListOfDay):
    """Find players by name or FIDE ID; typos are tolerated."""

    query: tuple[str, ...] = several(readers.text, example="carlsen", word=True)
    federation: str | None = optional(readers.text, example="NOR")
    born: int | None = optional(year, example="1990")
    most: int = defaulting(players, 20, example="20")

    def run(self) -> Reply:
        """Search."""
        from arpad.lists.search import find

        found = find(
            " ".join(self.query),
            federation=self.federation,
            born=self.born,
            most=self.most,
            name=self.list,
            on=self.on,
            data=self.folder,
        )
        return Reply(
            lambda _: _found(found),
            lambda: listing([], **found.value()) | {"notes": list(map(str, found.notes))},
            lambda: [row for note in _notes(found) for row in told(note)],
        )


def _notes(found: Found) -> Iterator[Message]:
    """How to see more of them, and where they were looked for."""
    from arpad.lists.search import MOST

    shown = len(found.players)
    if found.total > shown:
        key = "narrow" if shown >= MOST else "show_all" if found.total <= MOST else "show_more"
        yield say(f"command.lists.{key}", shown=shown, total=f"{found.total:,}", most=min(found.total, MOST))
    yield say("command.lists.source", list=found.source)


def _found(found: Found) -> str:
    if not found.players:
        return "\n".join(told(say("command.lists.nobody", advice=found.advice)))
    rows = [
        [
            str(one.id),
            one.name or "",
            one.federation or "",
            str(one.born or ""),
            one.title or one.other_titles[0] or "",
            *(str(one.rating(pace) or "") for pace in PACES),
            str(say("command.lists.inactive")) if "i" in (one.flag or "") else "",
        ]
        for one in found.players
    ]
    head = ("id", "name", "fed", "born", "title", *PACES, "")
    return filled(head, rows, left=["name", "fed", "title", ""])


@question(
    "list show",
    needs=("id",),
    **ABOUT_LISTS,
    examples=({"id": ["1503014"]}, {"id": ["Carlsen, Magnus"]}),
)
@dataclass(frozen=True, kw_only=True)
class ListShow(ListOfDay):
    """One player: ratings, K now and on the next list, titles, history."""

    id: tuple[str, ...] = several(readers.text, example="1503014", word=True)

    def run(self) -> Reply:
        """Look the player up."""
        from arpad.lists.named import the_one
        from arpad.lists.next_k import PlayerPage
        from arpad.lists.people import history, look_up

        typed = " ".join(self.id)
        wanted = typed.lstrip("@")
        where = {"name": self.list, "on": self.on, "data": self.folder}
        if not wanted.isdecimal():
            advice = str(say("command.lists.write_less"))
            wanted = str(the_one(typed, self.on, name=self.list, data=self.folder, otherwise=advice).id)
        found, newest = look_up(int(wanted), **where)
        page = PlayerPage(found, newest, history(found.id, **where))
        several_months = len({one.list.month for _, one in page.history}) > 1
        reply = Reply.to(page, *([lambda _: _history(page)] if several_months else []))
        return reply._replace(footer=lambda: [row for note in page.notes for row in told(note)])


def _history(page: PlayerPage) -> str:
    rows = [
        [
            f"{one.list.month:%Y-%m}",
            pace,
            str(one.rating or say("answers.unrated")),
            str(one.k or ""),
            "" if one.games is None else str(one.games),
        ]
        for pace, one in page.history
    ]
    return table(["list", "pace", "rating", "k", "games"], rows, left=["list", "pace"])
