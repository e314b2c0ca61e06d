"""Rounds as games: who entered with which rating, what each entrant played and against whom, for the rating systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import LOSS, SCORES, DwzStanding, EloStanding, Game, How, Player, as_colour, updated
from arpad.core.tournaments import ABSENT, BYES, FORFEIT, PENDING, PLAYED, SHORT, USUAL, Entrant, FromList
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.base import Competitor, Met
from arpad.systems.fide.rules import FideRules
from arpad.tournaments.event.player_data import differs

if TYPE_CHECKING:
    from typing import Protocol

    from arpad.core import Rating, Standing
    from arpad.core.tournaments import Round, Tournament
    from arpad.messages import Message
    from arpad.systems.base import Field
    from arpad.tournaments.event.player_data import NationalRatings

    class TakesPart(Protocol):
        """A player with games."""

        @property
        def entrant(self) -> Entrant: ...
        @property
        def boards(self) -> tuple[Board, ...]: ...


BYE: How = "bye"
HOW: dict[str, How] = {PLAYED: "played", SHORT: "short", FORFEIT: "forfeit", **dict.fromkeys(BYES, BYE)}
NO_GAME = (PENDING, ABSENT)


def boards(entrant: Entrant, entered: Entered) -> tuple[Board, ...]:
    """The games of one entrant, including byes and forfeits; rounds without a game are left out."""
    return tuple(
        _board(number, played, entered)
        for number, played in enumerate(entrant.rounds, start=1)
        if played.kind not in NO_GAME
    )


class Board(NamedTuple):
    """One game of one player: its round, the opponent as entered (None for a bye), and the game as it was played."""

    round: int
    opponent: Entrant | None
    game: Game


def _board(number: int, played: Round, entered: Entered) -> Board:
    """A round as a game; an error names the round."""
    at = f"round {number}"
    if played.kind not in HOW:
        raise BadInput(say("tournaments.event.kind", kind=played.kind, allowed=list(HOW)), at=at)
    if played.kind in BYES or (played.kind == FORFEIT and played.opponent is None):  # no opponent, or none named
        # An event may award any points for a bye.
        score = played.score if played.score in SCORES else USUAL.get(played.kind, LOSS)
        return Board(number, None, Game(None, score, HOW[played.kind]))
    opponent = _opponent(played, entered, at)
    if played.score is None:
        raise BadInput(say("tournaments.event.no_result", opponent=played.opponent), at=at)
    game = Game(opponent.player, played.score, HOW[played.kind], colour=as_colour(played.colour))
    return Board(number, opponent, game)


def _opponent(played: Round, entered: Entered, at: str) -> Entrant:
    if played.opponent is None:
        raise BadInput(say("tournaments.event.no_opponent"), at=at)
    if played.opponent not in entered.by_no:
        raise BadInput(say("tournaments.event.unknown_opponent", opponent=played.opponent), at=at)
    if played.opponent in entered.duplicates:
        raise BadInput(say("tournaments.event.duplicate_opponent", opponent=played.opponent), at=at)
    return entered.by_no[played.opponent]


def enter(tournament: Tournament, k: Mapping[int, Rating], kind: type[Standing]) -> Entered:
    """The entrants as they are rated, in a system with this kind of standing."""
    by_hand = DwzStanding if kind is DwzStanding else EloStanding
    entrants: list[Entrant] = []
    by_no: dict[int, Entrant] = {}
    duplicates = set()
    for given in tournament.entrants:
        player = given.player
        if given.born is not None and player.birth_year is None:
            player = replace(player, birth_year=given.born.year)
        if given.no in k:
            player = updated(player, Player(by_hand(k=k[given.no])))
        entrant = given if player is given.player else replace(given, player=player)
        if by_no.setdefault(entrant.no, entrant) is not entrant:
            duplicates.add(entrant.no)
        entrants.append(entrant)
    return Entered(tuple(entrants), by_no, frozenset(duplicates))


class Entered(NamedTuple):
    """Everybody who entered, with K if it was given, and the numbers that more than one player has."""

    entrants: tuple[Entrant, ...]
    by_no: Mapping[int, Entrant]
    duplicates: frozenset[int]


def without_national(tournament: Tournament, rules: object) -> tuple[Tournament, tuple[Entrant, ...]]:
    """The tournament without ratings below FIDE's floor, which count as national; and the players who had them."""
    if not isinstance(rules, FideRules):
        return tournament, ()
    entrants, national = [], []
    for entrant in tournament.entrants:
        player = entrant.player
        if player.rating is None or rules.publishes(player.rating):
            entrants.append(entrant)
            continue
        national.append(entrant)
        unrated = replace(player, standing=replace(player.standing, rating=None))
        entrants.append(replace(entrant, player=unrated))
    return (replace(tournament, entrants=tuple(entrants)) if national else tournament), tuple(national)


def with_listed(
    tournament: Tournament,
    listed: Mapping[int, Player],
    name: str,
    says: Message,
    same_name: Callable[[str, str], bool],
) -> Tournament:
    """The tournament with the data of a rating list, found by ID only.

    The list's rating counts: a player who is on the list without a rating is unrated. A player who is not on the list
    keeps the file's data, because the ID may be wrong; so may an ID that has another name on the list.
    """
    entrants: list[Entrant] = []
    oddities = list(tournament.oddities)
    unrated: list[Entrant] = []
    not_found: list[Entrant] = []
    without_id: list[Entrant] = []
    other_name: list[tuple[Entrant, str]] = []
    found: list[tuple[Entrant, Player]] = []
    for entrant in tournament.entrants:
        player = entrant.player
        on_list = listed.get(player.fide_id or 0)
        if on_list is None:
            (not_found if player.fide_id else without_id).append(entrant)
            entrants.append(entrant)
            continue
        found.append((entrant, on_list))
        if on_list.rating is None and player.rating is not None:
            unrated.append(entrant)
        if player.name and on_list.name and not same_name(player.name, on_list.name):
            other_name.append((entrant, on_list.name))
        oddities += differs(entrant, on_list)
        merged = updated(player, on_list)
        merged = replace(merged, standing=replace(merged.standing, rating=on_list.rating))
        entrants.append(replace(entrant, player=merged))
    used = FromList(name, says, tuple(unrated), tuple(not_found), tuple(without_id), tuple(other_name), tuple(found))
    return replace(tournament, entrants=tuple(entrants), oddities=tuple(oddities), from_list=used)


def field_of(parts: Iterable[TakesPart], ratings: NationalRatings | None) -> Field:
    """Everybody by starting number, with the games and the numbers of the opponents."""
    guests = () if ratings is None else ratings.guests
    unknown = () if ratings is None else ratings.not_found
    field = {}
    for part in parts:
        no = part.entrant.no
        games = tuple(Met(None if board.opponent is None else board.opponent.no, board.game) for board in part.boards)
        field[no] = Competitor(
            no, part.entrant.player, part.entrant.born, games, guest=no in guests, unknown=no in unknown
        )
    return field
