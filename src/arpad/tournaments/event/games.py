"""Rounds to games: what each entrant did, against whom, as the rating systems take it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import LOSS, SCORES, DwzStanding, EloStanding, Game, Player, updated
from arpad.core.tournaments import ABSENT, BYES, FORFEIT, PENDING, PLAYED, SHORT, USUAL, Entrant, FromList
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.fide.rules import FideRules
from arpad.tournaments.event.player_data import differs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arpad.core import Rating, Standing
    from arpad.core.tournaments import Round, Tournament
    from arpad.messages import Message

HOW = {PLAYED: "played", SHORT: "short", FORFEIT: "forfeit", **dict.fromkeys(BYES, "bye")}
NO_GAME = (PENDING, ABSENT)


class Board(NamedTuple):
    """One game of one player: its round, the opponent as entered (None for a bye), and the game as it was played."""

    round: int
    opponent: Entrant | None
    game: Game


class Entered(NamedTuple):
    """Everybody who entered, with K if it was given, and the numbers that more than one player has."""

    entrants: tuple[Entrant, ...]
    by_no: Mapping[int, Entrant]
    duplicates: frozenset[int]


def without_national(tournament: Tournament, rules: object) -> tuple[Tournament, tuple[Entrant, ...]]:
    """The tournament with ratings below the floor of FIDE's list taken as national, so as none; and who had them."""
    if not isinstance(rules, FideRules):
        return tournament, ()
    national = tuple(
        one for one in tournament.entrants if one.player.rating is not None and not rules.publishes(one.player.rating)
    )
    if not national:
        return tournament, ()
    without = {one.no: replace(one, player=_unrated(one.player)) for one in national}
    return replace(tournament, entrants=tuple(without.get(one.no, one) for one in tournament.entrants)), national


def _unrated(player: Player) -> Player:
    return replace(player, standing=replace(player.standing, rating=None))


def with_listed(
    tournament: Tournament,
    listed: Mapping[int, Player],
    name: str,
    says: Message,
    same_name: Callable[[str, str], bool],
) -> Tournament:
    """The tournament with the data of a rating list, found by ID only.

    A rating is what the list publishes: whoever is on it without one is unrated. Who is not on it at all keeps what the
    file has, because the ID may be wrong; it may be, too, where the list has another name for it.
    """
    entrants: list[Entrant] = []
    oddities = list(tournament.oddities)
    unrated: list[Entrant] = []
    not_found: list[Entrant] = []
    without_id: list[Entrant] = []
    other_name: list[tuple[Entrant, str]] = []
    found: list[tuple[Entrant, Player]] = []
    for one in tournament.entrants:
        there = listed.get(one.player.fide_id or 0)
        if there is None:
            (not_found if one.player.fide_id else without_id).append(one)
            entrants.append(one)
            continue
        found.append((one, there))
        if there.rating is None and one.player.rating is not None:
            unrated.append(one)
        if one.player.name and there.name and not same_name(one.player.name, there.name):
            other_name.append((one, there.name))
        oddities += differs(one, there)
        entrants.append(replace(one, player=_as_listed(one.player, there)))
    used = FromList(name, says, tuple(unrated), tuple(not_found), tuple(without_id), tuple(other_name), tuple(found))
    return replace(tournament, entrants=tuple(entrants), oddities=tuple(oddities), from_list=used)


def enter(tournament: Tournament, k: Mapping[int, Rating], kind: type[Standing]) -> Entered:
    """The entrants as they are rated, in a system whose players have such a standing."""
    by_hand = DwzStanding if kind is DwzStanding else EloStanding
    entrants: list[Entrant] = []
    by_no: dict[int, Entrant] = {}
    duplicates = set()
    for one in tournament.entrants:
        player = _with_birth_year(one)
        if one.no in k:
            player = updated(player, Player(by_hand(k=k[one.no])))
        entrant = one if player is one.player else replace(one, player=player)
        if by_no.setdefault(one.no, entrant) is not entrant:
            duplicates.add(one.no)
        entrants.append(entrant)
    return Entered(tuple(entrants), by_no, frozenset(duplicates))


def _with_birth_year(entrant: Entrant) -> Player:
    """The player with the year of birth taken from the file's date of birth."""
    player = entrant.player
    if entrant.born is None or player.birth_year is not None:
        return player
    return replace(player, birth_year=entrant.born.year)


def _as_listed(player: Player, listed: Player) -> Player:
    """A player with what a list says, whose rating counts even where it has none."""
    found = updated(player, listed)
    return replace(found, standing=replace(found.standing, rating=listed.rating))


def boards(entrant: Entrant, entered: Entered) -> tuple[Board, ...]:
    """The games of one entrant, byes and forfeits among them; rounds without a game are left out."""
    return tuple(
        _board(number, one, entered) for number, one in enumerate(entrant.rounds, start=1) if one.kind not in NO_GAME
    )


def _board(number: int, one: Round, entered: Entered) -> Board:
    """A round as a game, or a BadInput that names the round."""
    at = f"round {number}"
    if one.kind not in HOW:
        raise BadInput(say("tournaments.event.kind", kind=one.kind, allowed=list(HOW)), at=at)
    if one.kind in BYES or (one.kind == FORFEIT and one.opponent is None):  # nobody was there, or nobody is named
        # An event may pay what it likes for a bye.
        score = one.score if one.score in SCORES else USUAL.get(one.kind, LOSS)
        return Board(number, None, Game(None, score, HOW[one.kind]))
    opponent = _opponent(one, entered, at)
    if one.score is None:
        raise BadInput(say("tournaments.event.no_result", opponent=one.opponent), at=at)
    return Board(number, opponent, Game(opponent.player, one.score, HOW[one.kind], colour=one.colour))


def _opponent(one: Round, entered: Entered, at: str) -> Entrant:
    if one.opponent is None:
        raise BadInput(say("tournaments.event.no_opponent"), at=at)
    if one.opponent not in entered.by_no:
        raise BadInput(say("tournaments.event.unknown_opponent", opponent=one.opponent), at=at)
    if one.opponent in entered.duplicates:
        raise BadInput(say("tournaments.event.duplicate_opponent", opponent=one.opponent), at=at)
    return entered.by_no[one.opponent]
