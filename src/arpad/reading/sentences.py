"""Games in a line of words: `beat 1950, drew with Müller (2103)`, `R2 Remis gegen 1877`, `3 Kim 1950 ENG 2,5 w ½`.

A line is cut into clauses, one opponent each. A clause without an opponent belongs to its neighbour: `Remis gegen
Huber, 2140, Schwarz` is one game. Only a word or a mark for a result becomes one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arpad.messages import say
from arpad.reading.clauses import (
    NOT_UNDERSTOOD,
    Refused,
    SpokenClause,
    TwoReadings,
    game_of,
    refuse_crosstable,
    refuse_table,
    refuse_thousands,
)
from arpad.reading.pasted import PastedGame
from arpad.reading.tokens import Token, tokens_of
from arpad.reading.two_sides import two_sided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.messages import Message


NUMBER = re.compile(r"(?<![0-9])[0-9]{3,4}(?![0-9])")  # that may be a rating
LONGEST_LINE = 1500  # characters; a longer line is not about games


class LineReading(NamedTuple):
    """The games of a line, and why it, or part of it, was not read."""

    games: tuple[PastedGame, ...] = ()
    why: Message | None = None
    doubtful: bool = False
    two_readings: bool = False  # whether it was not read because it can mean two things


def read_line(
    line: str, *, player: str | None = None, letters: Iterable[str] = (), counted: bool = False
) -> LineReading:
    """The games of one line.

    `letters` are the colour letters used elsewhere in the same text; `counted` says that its lines begin with a round
    number.
    """
    tokens = tokens_of(line)
    try:
        refuse_crosstable(tokens)
        refuse_table(tokens)
        if (sides := two_sided(tokens, player)) is not None:
            return LineReading((sides,))
        if _is_row(line, tokens):
            row = [token for token in tokens if token.kind != "break"]
            refuse_thousands(row, counted=counted)
            return LineReading((game_of(SpokenClause(row), set(letters), row=True),))
        return _read_clauses(_clauses(tokens), set(letters))
    except Refused as refused:
        return LineReading((), refused.why, doubtful=True, two_readings=isinstance(refused, TwoReadings))


def _is_row(line: str, tokens: Sequence[Token]) -> bool:
    """Whether a line is a row of a table: it has no words about a game, but a leading number, cells or a federation."""
    if any(token.kind in ("result", "against", "forfeit", "and") for token in tokens):
        return False
    numbered = len(tokens) > 1 and tokens[0].kind in ("number", "mark") and tokens[0].text.isdecimal()
    return numbered or any(sign in line for sign in "\t;|") or any(token.kind == "federation" for token in tokens)


def _clauses(tokens: Sequence[Token]) -> list[SpokenClause]:
    """The parts of a line, split at commas, at `and` and where another game begins."""
    ahead = _opponent_follows(tokens)
    clauses = [SpokenClause()]
    for token, next_opponent in zip(tokens, ahead, strict=True):
        last = clauses[-1]
        if token.kind in ("break", "and"):
            if last.tokens:
                clauses.append(SpokenClause())
            clauses[-1].joined_by_and = token.kind == "and"
            continue
        begins = last.has_opponent and _begins_a_game(token, last, next_opponent=next_opponent)
        if last.tokens and (begins or _names_round(token)):
            clauses.append(SpokenClause())
        clauses[-1].extend([token])
    return _with_names([clause for clause in clauses if clause.tokens])


def _names_round(token: Token) -> bool:
    """Whether a token is a round such as `R3`, which always begins a game."""
    return token.kind == "round" and token.meaning.isdecimal()


def _opponent_follows(tokens: Sequence[Token]) -> list[bool]:
    """For each token, whether an opponent follows before the next comma or `and`."""
    ahead: list[bool] = []
    opponent = False
    for token in reversed(tokens):
        ahead.append(opponent)
        if token.kind in ("rating", "unrated", "break", "and") or _names_round(token):
            opponent = token.kind in ("rating", "unrated")
    return ahead[::-1]


def _begins_a_game(token: Token, last: SpokenClause, *, next_opponent: bool) -> bool:
    """Whether a word after an opponent begins the next game: another opponent, or what comes before one."""
    if token.kind in ("rating", "unrated"):
        return last.says_result or last.has("mark", "letter")
    return token.kind in ("result", "round", "against") and last.says_result and next_opponent


def _with_names(clauses: list[SpokenClause]) -> list[SpokenClause]:
    """The clauses with a surname joined to the forename after its comma: `Carlsen, Magnus (2830) ½`."""
    joined: list[SpokenClause] = []
    for clause in clauses:
        before = joined[-1] if joined else None
        if before and _is_surname(before, clause):
            before.tokens[-1] = replace(before.tokens[-1], text=f"{before.tokens[-1].text},")
            before.extend(clause.tokens)
        else:
            joined.append(clause)
    return joined


def _is_surname(before: SpokenClause, clause: SpokenClause) -> bool:
    """Whether a name continues after the comma: with the forename and the rating, or after the rating."""
    last, first = before.tokens[-1], clause.tokens[0]
    if last.kind != "word" or first.kind != "word":
        return False
    if clause.has_opponent:
        return before.is_name
    results = before.says_result + clause.says_result
    return before.has_opponent and last.text[0].isupper() and first.text[0].isupper() and results <= 1


def _read_clauses(clauses: list[SpokenClause], letters: set[str]) -> LineReading:
    """The games of a line of words."""
    games: list[PastedGame] = []
    refusals: list[Refused] = []
    parts = [part for part in _merged(clauses) if part.has_opponent or part.has("bye") or part.says_result]
    several = sum(part.has_opponent for part in parts) > 1
    last: PastedGame | None = None
    for part in parts:
        try:
            last = _game_in_part(part, letters, last, several=several)
            games.append(last)
        except Refused as refused:
            refusals.append(refused)
            last = None
    if not games and not refusals:
        return LineReading(why=NOT_UNDERSTOOD, doubtful=any(NUMBER.search(t.text) for c in clauses for t in c.tokens))
    two_readings = any(isinstance(refused, TwoReadings) for refused in refusals)
    why = refusals[0].why if refusals else None
    return LineReading(tuple(games), why, doubtful=why is not None, two_readings=two_readings)


def _game_in_part(part: SpokenClause, letters: set[str], last: PastedGame | None, *, several: bool) -> PastedGame:
    """The game in one part of a line; an opponent alone after `and` takes the result before: drew with A and B."""
    named = part.has("against") and any(token.text[0].isupper() for token in part.of("word")) and not part.has("other")
    if not part.has_opponent and not part.has("bye") and not named:
        raise Refused(say("reading.why.no_opponent"))
    game = game_of(part, letters)
    if game.result != "to-come" or not several or not _is_bare(part):
        return game
    if part.joined_by_and and last is not None:
        return replace(game, result=last.result, read_from=last.read_from)
    raise Refused(say("reading.why.no_result_here"))


def _is_bare(part: SpokenClause) -> bool:
    """Whether a part names an opponent and says nothing else."""
    return not part.has("against", "colour", "letter", "mark", "result", "to-come", "round")


def _merged(clauses: list[SpokenClause]) -> list[SpokenClause]:
    """The clauses, with those that have no opponent joined to the one they belong to."""
    parts: list[SpokenClause] = []
    for place, clause in enumerate(clauses):
        last = parts[-1] if parts else None
        alone = place + 1 == len(clauses) or clauses[place + 1].has_opponent
        opens = last is not None and not last.has_opponent and (last.says_result or last.has("against", "round"))
        against = clause.has("against") and (last is None or last.has("against") or clause.has("to-come"))
        completes = clause.has_opponent and not clause.says_result and not against
        adds = last is not None and not clause.has_opponent and _adds_to(last, clause, alone=alone)
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


def _adds_to(last: SpokenClause, clause: SpokenClause, *, alone: bool) -> bool:
    """Whether a clause says only what the game before still lacks: its colour or its result.

    A 1 or 0 is a result only if it is `alone`, not among other figures.
    """
    if not last.has_opponent or clause.has("word", "against", "number", "own", "other", "label"):
        return False
    adds_colour = clause.has("colour", "letter") and not last.has("colour")
    is_mark = alone and len(clause.tokens) == 1 and clause.has("mark")
    adds_result = (clause.says_result or is_mark) and not last.says_result and not last.has("mark")
    return (adds_colour and not clause.says_result) or (adds_result and len(clause.tokens) <= 3)
