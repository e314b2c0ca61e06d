"""One game in words: what a clause such as `Remis mit Schwarz gegen Huber (2140)` says of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from arpad.reading.pasted import PastedGame
from arpad.reading.results import COLOUR_NAMES, RESULT_NAMES, SIDES, Result, colour_letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.reading.results import Colour
    from arpad.reading.tokens import Token

FORFEIT_OF: dict[str, Result] = {"win": "forfeit-win", "loss": "forfeit-loss"}
RESULT_LETTERS: dict[str, Result] = {"w": "win", "d": "draw", "l": "loss"}
NO_OPPONENT = "no rating in it; write for example `1950 win`, or `unrated win`"
TWO_RATINGS = "more than one number could be the rating; leave only one"
TWO_RESULTS = "two results that do not agree; leave only one"
WHOSE_SCORE = "'{score}' with Black may be your score or White's; write win or loss"
WHOSE_GAME = "two players, and it does not say which one you are; give the player's name"
NO_RESULT_HERE = "no result of its own; write one to each opponent"
NOT_UNDERSTOOD = "not understood as a game"
WON_OR_LOST = "a forfeit, but it does not say who won"
POINTS_OR_RESULT = "'{mark}' may be the opponent's points or your result; write win, draw or loss"
THOUSANDS = "'{first} {second}' may be the rating {first}{second} or {other}"


class Refused(Exception):  # never leaves this module's readers
    """A clause that cannot be read; the text says why."""


class TwoReadings(Refused):
    """A clause that can mean two things; the text names both, or says how to decide."""


class SpokenClause:
    """What one part of a line says."""

    def __init__(self, tokens: Iterable[Token] = (), *, joined_by_and: bool = False) -> None:
        self.tokens: list[Token] = []
        self.kinds: set[str] = set()
        self.joined_by_and = joined_by_and
        self.extend(tokens)

    def extend(self, tokens: Iterable[Token]) -> None:
        """Add tokens at the end."""
        for token in tokens:
            self.tokens.append(token)
            self.kinds.add(token.kind)

    def of(self, *kinds: str) -> list[Token]:
        """The tokens of some kinds."""
        return [token for token in self.tokens if token.kind in kinds]

    def has(self, *kinds: str) -> bool:
        """Whether there is a token of one of these kinds."""
        return not self.kinds.isdisjoint(kinds)

    @property
    def has_opponent(self) -> bool:
        """Whether it has a rating, or says that there is none."""
        return self.has("rating", "unrated")

    @property
    def says_result(self) -> bool:
        """Whether it says how a game ended."""
        if self.has("result", "sides", "forfeit"):
            return True
        return self.has("mark") and any(token.text not in ("1", "0") for token in self.of("mark"))

    @property
    def is_name(self) -> bool:
        """Whether it ends in a name, and has nothing before it but a title and the number of a row."""
        return self.tokens[-1].kind == "word" and self.kinds <= {"word", "title", "number"}


def game_of(clause: SpokenClause, letters: set[str], *, row: bool = False) -> PastedGame:
    """The game of one clause."""
    tokens = _without_own_words(clause.tokens)
    names = _are_names(tokens)
    tokens = [replace(token, kind="word") if place in names else token for place, token in enumerate(tokens)]
    if clause.has("bye") and not clause.has("rating", "result"):
        return _bye(clause)
    place = _opponent_place(tokens)
    opponent = tokens[place] if place is not None else None
    if row and opponent is None:
        raise Refused(NO_OPPONENT)
    behind = tokens[place + 1 :] if place is not None else tokens
    before = tokens[:place] if place is not None else []
    colour = _colour(before, behind, letters, row=row)
    result, read_from = _result(before, behind, colour, letters, row=row)
    name = _name(before, behind, row=row)
    if result == "to-come" and not _is_a_pairing(clause, name):
        raise Refused(NOT_UNDERSTOOD)
    titles = clause.of("title")
    federations = [token.text for token in behind if token.kind == "federation"]
    return PastedGame(
        result=result,
        round=round_of(tokens, row=row),
        opponent=int(opponent.meaning) if opponent and opponent.kind == "rating" else None,
        rating_state="unknown" if opponent is None else "rated" if opponent.kind == "rating" else "unrated",
        name=name,
        title=titles[0].meaning if titles else None,
        federation=federations[0] if federations else None,
        colour=colour,
        capped=bool(opponent and opponent.text.endswith("*")),
        read_from=read_from,
    )


def _without_own_words(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without brackets, and without `with the` before a colour."""
    kept: list[Token] = []
    following = ""
    for token in reversed(tokens):
        if token.kind != "bracket" and not (token.kind in ("against", "small") and following == "colour"):
            kept.append(token)
        if token.kind != "small":
            following = token.kind
    return kept[::-1]


def _bye(clause: SpokenClause) -> PastedGame:
    """A round without an opponent; its points are not in a message."""
    return PastedGame(result="bye", round=round_of(clause.tokens, row=False), read_from=clause.of("bye")[0].text)


def _opponent_place(tokens: Sequence[Token]) -> int | None:
    """Where the rating is; of several numbers the one beside a federation, and one with four figures before three."""
    places = [place for place, token in enumerate(tokens) if token.kind in ("rating", "unrated")]
    if len(places) > 1:
        beside = [place for place in places if place + 1 < len(tokens) and tokens[place + 1].kind == "federation"]
        long = [place for place in places if len(tokens[place].meaning) >= len("1000")]
        places = beside or long or places
    if len(places) > 1:
        raise TwoReadings(TWO_RATINGS)
    return places[0] if places else None


def refuse_thousands(row: Sequence[Token], *, counted: bool) -> None:
    """Refuse `1 950 ½`, which may be 1950 or the first round against 950, unless the lines count the rounds."""
    for place, (token, behind) in enumerate(pairwise(row)):
        first, second = token.text, behind.meaning
        if (
            first in ("1", "2", "3")
            and behind.kind == "rating"
            and len(second) == len("950")
            and (place or not counted)
        ):
            other = f"{second} behind another number" if place else f"round {first} against {second}"
            raise TwoReadings(THOUSANDS.format(first=first, second=second, other=other))


def _colour(before: Sequence[Token], behind: Sequence[Token], letters: set[str], *, row: bool) -> Colour | None:
    """The player's own colour, in a word or, before a mark or at the end of a row, in a letter."""
    for token in (*before, *behind):
        if token.kind == "colour":
            return COLOUR_NAMES[token.meaning]
    used = {token.meaning for token in (*before, *behind) if token.kind == "letter"} | letters
    meanings = colour_letters(used)
    if "b" in used and "b" not in meanings:
        meanings["b"] = "black"  # nothing speaks for another language than that of the one notation
    for place, token in enumerate(behind):
        following = behind[place + 1].kind if place + 1 < len(behind) else None
        stands_for_colour = following in ("mark", "sides", "result") or row or token.meaning not in RESULT_LETTERS
        if token.kind == "letter" and (stands_for_colour or letters & {"b", "s"}) and token.meaning in meanings:
            return meanings[token.meaning]
    if len(before) == 1 and before[0].kind == "letter" and before[0].meaning not in RESULT_LETTERS:
        return meanings.get(before[0].meaning)
    return None


def _result(
    before: Sequence[Token], behind: Sequence[Token], colour: Colour | None, letters: set[str], *, row: bool
) -> tuple[Result, str]:
    """How the game ended, and the word it was read from; to come if nothing says it."""
    tokens = (*before, *behind)
    said = [(token.meaning, token.text) for token in tokens if token.kind == "result"]
    scores = [token.text for token in tokens if token.kind == "sides"]
    words = {meaning for meaning, _ in said}
    forfeit = next((token for token in tokens if token.kind == "forfeit"), None)
    if len(words) > 1 or len(set(scores)) > 1:
        raise TwoReadings(TWO_RESULTS)
    if scores:
        own = SIDES[scores[0]][0]
        if colour == "black" and own in ("win", "loss") and not words:
            raise TwoReadings(WHOSE_SCORE.format(score=scores[0]))
        if words and own not in words:
            raise TwoReadings(TWO_RESULTS)
        return own, scores[0]
    if words:
        meaning, text = said[0]
        marked = _mark(before, behind, row=row)
        if marked is not None and marked[0] in ("win", "draw", "loss") and marked[0] != meaning and not row:
            raise TwoReadings(TWO_RESULTS)
        return FORFEIT_OF.get(meaning, RESULT_NAMES[meaning]) if forfeit else RESULT_NAMES[meaning], text
    if forfeit is not None:
        raise TwoReadings(WON_OR_LOST)
    return _mark(before, behind, row=row) or _letter(before, behind, letters, row=row) or ("to-come", "")


def _are_names(tokens: Sequence[Token]) -> set[int]:
    """The places of words such as `Won` or `Beat` that stand where a name does: behind `against` or beside a name."""
    places: set[int] = set()
    for place, token in enumerate(tokens):
        if token.kind != "result" or not token.text[0].isupper() or token.text.isupper() or not place:
            continue
        before = tokens[place - 1]
        behind = tokens[place + 1].kind if place + 1 < len(tokens) else None
        beside = before.kind == "word" and before.text[0].isupper() and behind != "against"
        if before.kind in ("against", "title") or beside:
            places.add(place)
    return places


def _mark(before: Sequence[Token], behind: Sequence[Token], *, row: bool) -> tuple[Result, str] | None:
    """The mark of the result: the last one behind the opponent, or before it one that cannot be a round or a board."""
    marks = [(place, token) for place, token in enumerate(behind) if token.kind == "mark"]
    if marks:
        place, token = marks[-1]
        rest = behind[place + 1 :]
        numbered = len([t for t in before if t.kind in ("number", "mark")]) > 1
        if row and any(t.kind in ("letter", "colour") for t in rest):
            return None  # `1 b`: the points, and the colour of a game to come
        if row and numbered and token.text in ("0", "1") and len(marks) == 1 and not _has_points(behind[:place]):
            raise TwoReadings(POINTS_OR_RESULT.format(mark=token.text))
        return RESULT_NAMES[token.meaning], token.text
    early = [token for token in before if token.kind == "mark" and token.text not in ("0", "1", "+", "-")]
    return (RESULT_NAMES[early[0].meaning], early[0].text) if early else None


def _has_points(tokens: Sequence[Token]) -> bool:
    """Whether the opponent's points, or a colour before the result, stand between the rating and the mark."""
    return any(token.kind in ("number", "mark", "letter", "colour") for token in tokens) or any(
        token.kind == "other" and token.text[:1].isdecimal() for token in tokens
    )


def _letter(
    before: Sequence[Token], behind: Sequence[Token], letters: set[str], *, row: bool
) -> tuple[Result, str] | None:
    """`w`, `d` or `l` beside an opponent and nothing else: the result, unless letters are colours in this text."""
    if letters & {"b", "s"} or row:
        return None
    alone = [token for token in (*before, *behind) if token.kind == "letter" and token.meaning in RESULT_LETTERS]
    if len(alone) != 1 or any(token.kind == "colour" for token in (*before, *behind)):
        return None
    return RESULT_LETTERS[alone[0].meaning], alone[0].text


def round_of(tokens: Sequence[Token], *, row: bool) -> int | None:
    """The round, where the line names it."""
    for place, token in enumerate(tokens):
        if token.kind == "round" and token.meaning.isdecimal():
            return int(token.meaning)
        if token.kind == "round" and place + 1 < len(tokens) and tokens[place + 1].text.strip(".:)").isdecimal():
            return int(tokens[place + 1].text.strip(".:)"))
    if row and tokens and tokens[0].kind in ("number", "mark") and tokens[0].text.isdecimal() and tokens[0].text != "0":
        return int(tokens[0].text)
    return None


def _name(before: Sequence[Token], behind: Sequence[Token], *, row: bool) -> str | None:
    """The opponent's name: the words before the rating, or else those behind it."""
    ahead = _after_against(before)
    for tokens in (ahead, behind if not any(t.kind == "federation" for t in behind) else []):
        run = _longest_run(tokens, row=row)
        if run:
            return " ".join(token.text for token in run).strip(":.!,") or None
    return None


def _after_against(tokens: Sequence[Token]) -> Sequence[Token]:
    """The words behind `against`, where it is there."""
    places = [place for place, token in enumerate(tokens) if token.kind == "against"]
    return tokens[places[0] + 1 :] if places else tokens


def _longest_run(tokens: Sequence[Token], *, row: bool) -> list[Token]:
    """The longest row of words that can be a name."""
    runs: list[list[Token]] = [[]]
    for token in tokens:
        inside = (
            bool(runs[-1])
            and token.kind in ("against", "small", "and", "number", "letter", "result")
            and (token.kind != "number" or row)
        )
        if token.kind == "word" or (inside and token.text[0].isalpha()):
            runs[-1].append(token)
        elif runs[-1]:
            runs.append([])
    for run in runs:
        while run and run[-1].kind in ("against", "small", "and"):
            run.pop()
    return max(runs, key=len)


def _is_a_pairing(clause: SpokenClause, name: str | None) -> bool:
    """Whether something without a result is a game to come, and not just a number in a message."""
    if clause.has("against", "round", "colour", "letter", "to-come", "federation", "unrated") or any(
        token.meaning == "to-come" for token in clause.of("mark")
    ):
        return not clause.has("label")
    if clause.has("label", "own", "small", "other"):
        return False
    words = clause.of("word")
    return not words or (name is not None and not any(word.text.islower() for word in words[1:]))
