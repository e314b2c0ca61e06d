"""A line with both players of a game: `me (1523) vs foo (1544) 1-0`, `Huber 1877 ½ - ½ Maier 1902`.

The left player's score comes first; it must be known whose game it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages import say
from arpad.reading.clauses import DASHES, OPPONENTS, TwoReadings, round_of
from arpad.reading.names import same_person
from arpad.reading.pasted import PastedGame
from arpad.reading.results import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.reading.tokens import Token


@dataclass(frozen=True, slots=True)
class LinePlayer:
    """One of two players of a line."""

    name: str | None
    title: str | None
    rating: int | None
    rated: bool
    is_writer: bool


def two_sided(tokens: Sequence[Token], player: str | None) -> PastedGame | None:
    """The game in a line with two players; None for any other line."""
    parts = _around_against(tokens) or _around_score(tokens)
    if parts is None:
        return None
    players = [_player(part) for part in parts]
    own = [place for place, side in enumerate(players) if side.is_writer]
    if player is not None and not own:
        own = [place for place, side in enumerate(players) if side.name and same_person(side.name, player)]
    if len(own) != 1:
        raise TwoReadings(say("reading.why.whose_game"))
    opponent = players[1 - own[0]]
    score = next((token.text for token in tokens if token.kind == "sides"), "")
    return PastedGame(
        result=SIDES[score][own[0]] if score else "to-come",
        round=round_of(tokens, row=True),
        opponent=opponent.rating,
        rating_state="rated" if opponent.rated else "unrated",
        name=opponent.name,
        title=opponent.title,
        read_from=score,
    )


def _around_against(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Both sides of `vs` or a dash after the first of two ratings; None if there is none."""
    ratings = [place for place, token in enumerate(tokens) if token.kind in OPPONENTS]
    if len(ratings) != 2 or any(token.kind == "result" for token in tokens):
        return None
    behind = next((place for place in range(ratings[0] + 1, ratings[1]) if tokens[place].kind != "bracket"), None)
    if behind is None or not (tokens[behind].kind == "against" or tokens[behind].text in DASHES):
        return None
    return tokens[:behind], tokens[behind + 1 :]


def _around_score(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Both sides of the only score, if a name with a rating is to its left and a name to its right."""
    scores = [place for place, token in enumerate(tokens) if token.kind == "sides"]
    if len(scores) != 1 or any(token.kind in ("result", "against") for token in tokens):
        return None
    left, right = tokens[: scores[0]], tokens[scores[0] + 1 :]
    rated = any(token.kind in OPPONENTS for token in left)
    return (left, right) if rated and _has_name(left) and _has_name(right) else None


def _has_name(tokens: Sequence[Token]) -> bool:
    return any(token.kind in ("word", "own") and token.text[0].isupper() for token in tokens)


def _player(tokens: Sequence[Token]) -> LinePlayer:
    """A player from one side of a line."""
    words: list[str] = []
    for token in tokens:
        if token.kind in ("word", "own"):
            words.append(token.text)
        elif token.text == "," and words:
            words[-1] += ","
    titles = [token.meaning for token in tokens if token.kind == "title"]
    ratings = [int(token.meaning) for token in tokens if token.kind == "rating"]
    return LinePlayer(
        name=" ".join(words).strip(",") or None,
        title=titles[0] if titles else None,
        rating=ratings[0] if ratings else None,
        rated=bool(ratings),
        is_writer=any(token.kind == "own" for token in tokens),
    )
