"""Rating lists over HTTP: search and look-up, for programs and for the page's completion of names."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from datetime import MAXYEAR
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import Route

from arpad.calculation.explain import listing, success
from arpad.core.model import whole_of
from arpad.errors import ArpadError, BadFile, BadInput, Busy, MissingExtra
from arpad.reading.notation import parse_date
from arpad.web.replies import NOT_FOUND, Json, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Schema = dict[str, Any]
PATHS = "/api/v1/lists"
FAULTS = logging.getLogger("arpad.faults")
FIND = {
    "q": ("a name or a FIDE ID, in any spelling", "carlsen"),
    "federation": ("only this federation", "NOR"),
    "born": ("only those born in this year", "1990"),
    "on": ("the list valid on this day; the newest without it", "2026-11-15"),
    "list": ("the lists of this name; FIDE's without it", "fide"),
    "most": ("how many to give, at most 100", "10"),
}  # fmt: skip
SHOW = {name: FIND[name] for name in ("on", "list")}


def lists_there() -> bool:
    """Whether the page can complete names."""
    from arpad.lists import has_lists

    try:
        return has_lists()
    except MissingExtra:
        return False


@contextmanager
def own_lists() -> Iterator[None]:
    """The server's own file of lists: what is wrong with it, and where it is, is for the log and not for who asks."""
    try:
        yield
    except BadFile as error:
        FAULTS.error("The rating lists cannot be read: %s", error)
        raise Busy("This server's rating lists cannot be read; its log says why.") from None


def players_found(given: dict[str, str]) -> dict[str, Any]:
    """The players a query may mean."""
    from arpad.lists import find

    result = find(
        given.get("q", ""),
        federation=given.get("federation"),
        born=whole_of(given["born"], "a year", 1, MAXYEAR, at="born") if "born" in given else None,
        most=whole_of(given.get("most", 20), "a number of players", 1, at="most"),
        name=given.get("list"),
        on=parse_date(given["on"], at="on") if "on" in given else None,
    )
    return listing([], **result.value()) | {"notes": list(result.notes)}


def player_shown(player: str, given: dict[str, str]) -> dict[str, Any]:
    """One player with K on the next list."""
    from arpad.lists import PlayerPage, history, look_up

    if not (player.isascii() and player.isdigit()) or len(player) > 10:
        raise BadInput(f"'{player[:40]}' is not an ID; /lists/find searches by name.", at="id")
    on = parse_date(given["on"], at="on") if "on" in given else None
    one, newest = look_up(int(player), name=given.get("list"), on=on)
    return success(PlayerPage(one, newest, history(one.id, name=given.get("list"), on=on)))


def _query(request: Request, names: Schema) -> dict[str, str]:
    given = dict(request.query_params)
    strange = [name for name in given if name not in names]
    if strange or len(request.query_params.multi_items()) != len(given):
        raise BadInput(f"The query takes each of {', '.join(names)} once.", at=strange[0] if strange else "query")
    return {name: text for name, text in given.items() if text}


async def _replied(ask: Callable[[], dict[str, Any]]) -> Json:
    """An answer, or what was refused; without lists, or without such a player, there is nothing at that place."""
    try:
        with own_lists():
            return Json(await run_in_threadpool(ask))
    except MissingExtra as error:
        return refusal(error, NOT_FOUND)
    except ArpadError as error:
        return refusal(error, NOT_FOUND if error.at in ("list", "id") else 422)


async def _find(request: Request) -> Json:
    return await _replied(lambda: players_found(_query(request, FIND)))


async def _show(request: Request) -> Json:
    return await _replied(lambda: player_shown(request.path_params["id"], _query(request, SHOW)))


ROUTES = [Route(f"{PATHS}/find", _find, methods=["GET"]), Route(f"{PATHS}/players/{{id}}", _show, methods=["GET"])]


SAYS = {
    "find": "players by name or FIDE ID, in the imported lists; `total` says how many there are",
    "players/{id}": "one player: ratings, K now and next, history",
}


def addresses() -> list[tuple[str, str, list[str]]]:
    """Both addresses for people: where, what, and the names it takes."""
    return [(f"{PATHS}/{place}", says, list(FIND if place == "find" else SHOW)) for place, says in SAYS.items()]


def paths(responses: Callable[[str], Schema]) -> Schema:
    """Both addresses for the description of the API."""

    def parameters(names: Schema) -> list[Schema]:
        return [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": says,
                "example": example,
                "schema": {"type": "string"},
            }
            for name, (says, example) in names.items()
        ]

    player = {"name": "id", "in": "path", "required": True, "description": "the FIDE ID", "example": "1503014",
              "schema": {"type": "string"}}  # fmt: skip
    refusals = responses("lists")
    return {
        f"{PATHS}/find": {
            "get": {"summary": SAYS["find"], "operationId": "lists_find_get",
                    "parameters": parameters(FIND), "responses": refusals}},
        f"{PATHS}/players/{{id}}": {
            "get": {"summary": SAYS["players/{id}"], "operationId": "lists_player_get",
                    "parameters": [player, *parameters(SHOW)], "responses": refusals}},
    }  # fmt: skip
