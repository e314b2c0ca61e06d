"""Games in a line of words: `beat 1950, drew with Müller (2103)`, `R2 Remis gegen 1877`, `3 Kim 1950 ENG 2,5 w ½`.

A line is cut into clauses, one opponent each. A clause without an opponent belongs to its neighbour: `Remis gegen
Huber, 2140, Schwarz` is one game. Nothing becomes a result that is not a word or a mark for one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arpad.reading.clauses import (
    NO_OPPONENT,
    NO_RESULT_HERE,
    NOT_UNDERSTOOD,
    WHOSE_GAME,
    Refused,
    SpokenClause,
    TwoReadings,
    game_of,
    refuse_thousands,
    round_of,
)
from arpad.reading.names import same_person
from arpad.reading.pasted import PastedGame
from arpad.reading.results import SIDES
from arpad.reading.tokens import Token, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


LONGEST_LINE = 1500  # characters; a longer line is not about games


class LineReading(NamedTuple):
    """The games of a line, and why it or a part of it was not read."""

    games: tuple[PastedGame, ...] = ()
    why: str | None = None
    doubtful: bool = False
    two_readings: bool = False  # whether it was not read because it can mean two things


def read_line(
    line: str, *, player: str | None = None, letters: Iterable[str] = (), counted: bool = False
) -> LineReading:
    """The games of one line.

    `letters` are the colour letters used elsewhere in the same text; `counted` says that its lines begin with the
    number of the round.
    """
    tokens = tokens_of(line)
    try:
        if (sides := _two_sided(tokens, player)) is not None:
            return LineReading((sides,))
        if _is_row(line, tokens):
            row = [token for token in tokens if token.kind != "break"]
            refuse_thousands(row, counted=counted)
            return LineReading((game_of(SpokenClause(row), set(letters), row=True),))
        return _sentence(_clauses(tokens), set(letters))
    except Refused as refused:
        return LineReading((), str(refused), doubtful=True, two_readings=isinstance(refused, TwoReadings))


def _is_row(line: str, tokens: Sequence[Token]) -> bool:
    """Whether a line is a row of a table: cells, or numbers and a federation, and no words about a game."""
    if any(token.kind in ("result", "against", "forfeit", "and") for token in tokens):
        return False
    numbered = len(tokens) > 1 and tokens[0].kind in ("number", "mark") and tokens[0].text.isdecimal()
    return numbered or any(sign in line for sign in "\t;|") or any(token.kind == "federation" for token in tokens)


def _clauses(tokens: Sequence[Token]) -> list[SpokenClause]:
    """The parts of a line between commas, `and` and the beginning of another game."""
    ahead = _ahead(tokens)
    clauses = [SpokenClause()]
    for token, next_opponent in zip(tokens, ahead, strict=True):
        last = clauses[-1]
        if token.kind in ("break", "and"):
            if last.tokens:
                clauses.append(SpokenClause())
            clauses[-1].joined_by_and = token.kind == "and"
            continue
        if last.has_opponent and _begins_a_game(token, last, next_opponent=next_opponent):
            clauses.append(SpokenClause())
        clauses[-1].extend([token])
    return _with_names([clause for clause in clauses if clause.tokens])


def _ahead(tokens: Sequence[Token]) -> list[bool]:
    """For each token whether an opponent follows before the next comma or `and`."""
    ahead: list[bool] = []
    opponent = False
    for token in reversed(tokens):
        ahead.append(opponent)
        if token.kind in ("rating", "unrated", "break", "and"):
            opponent = token.kind in ("rating", "unrated")
    return ahead[::-1]


def _begins_a_game(token: Token, last: SpokenClause, *, next_opponent: bool) -> bool:
    """Whether a word behind an opponent begins the next game: another opponent, or what is said before one."""
    if token.kind in ("rating", "unrated"):
        return last.says_result or last.has("mark", "letter")
    return token.kind in ("result", "round", "against") and last.says_result and next_opponent


def _with_names(clauses: list[SpokenClause]) -> list[SpokenClause]:
    """A surname before a comma goes with the forename behind it: `Carlsen, Magnus (2830) ½`."""
    joined: list[SpokenClause] = []
    for clause in clauses:
        before = joined[-1] if joined else None
        if before and before.is_name and clause.tokens[0].kind == "word" and clause.has_opponent:
            before.tokens[-1] = replace(before.tokens[-1], text=f"{before.tokens[-1].text},")
            before.extend(clause.tokens)
        else:
            joined.append(clause)
    return joined


def _sentence(clauses: list[SpokenClause], letters: set[str]) -> LineReading:
    """The games of a line of words."""
    games: list[PastedGame] = []
    refusals: list[Refused] = []
    parts = [part for part in _merged(clauses) if part.has_opponent or part.has("bye") or part.says_result]
    several = sum(part.has_opponent for part in parts) > 1
    last: PastedGame | None = None
    for part in parts:
        try:
            last = _of_part(part, letters, last, several=several)
            games.append(last)
        except Refused as refused:
            refusals.append(refused)
            last = None
    if not games and not refusals:
        return LineReading(why=NOT_UNDERSTOOD)
    two_readings = any(isinstance(refused, TwoReadings) for refused in refusals)
    why = str(refusals[0]) if refusals else None
    return LineReading(tuple(games), why, doubtful=why is not None, two_readings=two_readings)


def _of_part(part: SpokenClause, letters: set[str], last: PastedGame | None, *, several: bool) -> PastedGame:
    """The game of one part of a line. Behind `and` an opponent alone has the result said before: drew with A and B."""
    if not part.has_opponent and not part.has("bye") and not (part.has("against") and part.has("word")):
        raise Refused(NO_OPPONENT)
    game = game_of(part, letters)
    if game.result != "to-come" or not several or not _is_bare(part):
        return game
    if part.joined_by_and and last is not None:
        return replace(game, result=last.result, read_from=last.read_from)
    raise Refused(NO_RESULT_HERE)


def _is_bare(part: SpokenClause) -> bool:
    """Whether a part names an opponent and says nothing else."""
    return not part.has("against", "colour", "letter", "mark", "result", "to-come", "round")


def _merged(clauses: list[SpokenClause]) -> list[SpokenClause]:
    """Clauses without an opponent joined to the one they belong to."""
    parts: list[SpokenClause] = []
    for clause in clauses:
        last = parts[-1] if parts else None
        opens = last is not None and not last.has_opponent and (last.says_result or last.has("against", "round"))
        completes = clause.has_opponent and not clause.says_result and not clause.has("against")
        adds = last is not None and last.has_opponent and not clause.has_opponent and _adds_to(last, clause)
        if last is not None and ((opens and completes and _only_names_opponent(clause)) or adds):
            if last.has("word") and clause.tokens[0].kind == "word":
                last.tokens[-1] = replace(last.tokens[-1], text=f"{last.tokens[-1].text},")
            last.extend(clause.tokens)
        else:
            parts.append(clause)
    return parts


def _only_names_opponent(clause: SpokenClause) -> bool:
    lower = [token for token in clause.of("word") if token.text.islower()]
    return not lower and not clause.has("label", "other", "own")


def _adds_to(last: SpokenClause, clause: SpokenClause) -> bool:
    """Whether a clause says only what the game before still lacks: its colour or its result."""
    if clause.has("word", "against", "number", "own", "other", "label"):
        return False
    adds_colour = clause.has("colour", "letter") and not last.has("colour")
    adds_result = clause.says_result and not last.says_result
    return (adds_colour and not clause.says_result) or (adds_result and len(clause.tokens) <= 3)


def _two_sided(tokens: Sequence[Token], player: str | None) -> PastedGame | None:
    """`me (1523) vs foo (1544) 1-0`: both players with their ratings, and the score of the left and the right one."""
    ratings = [place for place, token in enumerate(tokens) if token.kind in ("rating", "unrated")]
    if len(ratings) != 2 or any(token.kind == "result" for token in tokens):
        return None
    between = [token for token in tokens[ratings[0] + 1 : ratings[1]] if token.kind != "bracket"]
    if not between or not (between[0].kind == "against" or between[0].text in "-–—"):
        return None
    sides = (tokens[: ratings[0]], between[1:])
    names = [" ".join(token.text for token in side if token.kind in ("word", "own")) or None for side in sides]
    own = [place for place, side in enumerate(sides) if any(token.kind == "own" for token in side)]
    if player is not None and not own:
        own = [place for place, name in enumerate(names) if name and same_person(name, player)]
    if len(own) != 1:
        raise TwoReadings(WHOSE_GAME)
    other = 1 - own[0]
    scores = [token.text for token in tokens[ratings[1] + 1 :] if token.kind == "sides"]
    opponent = tokens[ratings[other]]
    titles = [token.meaning for token in sides[other] if token.kind == "title"]
    return PastedGame(
        result=SIDES[scores[0]][own[0]] if scores else "to-come",
        round=round_of(tokens, row=True),
        opponent=int(opponent.meaning) if opponent.kind == "rating" else None,
        rating_state="rated" if opponent.kind == "rating" else "unrated",
        name=names[other],
        title=titles[0] if titles else None,
        read_from=scores[0] if scores else "",
    )
