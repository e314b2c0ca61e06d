"""One game in words, from a clause such as `Remis mit Schwarz gegen Huber (2140)`; and why a clause is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from arpad.messages import Message, say
from arpad.reading.pasted import PastedGame
from arpad.reading.results import COLOUR_NAMES, RESULT_LETTERS, RESULT_NAMES, SIDES, Colour, Result, colour_letters

if TYPE_CHECKING:
    from arpad.reading.sentences import Token


UNKNOWN_SCORE = re.compile(r"[0-9½.,]{1,4}[-–:][0-9½.,]{1,4}")  # such as 2-1, which is not the score of one game
BOARD = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}")
MOST_FIGURES, FIGURES_A_RATING = 8, 2  # more figures, and more for each rating, are a table without line breaks
CROSS_CELL = re.compile(r"[0-9]{1,3}[^\W\d_][01½+-]?|[WDL][0-9]{1,3}")
OPPONENTS = ("rating", "unrated")
FORFEIT_OF: dict[str, Result] = {"win": "forfeit-win", "loss": "forfeit-loss"}
DASHES = ("-", "–", "—", "−")
NOT_UNDERSTOOD = say("reading.why.not_understood")
WHOLE_TABLE = say("reading.why.whole_table")


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
        """Whether it says how a game ended; a mark that starts with a digit may be something else."""
        if self.has("result", "sides", "forfeit"):
            return True
        return self.has("mark") and any(not token.text[0].isdecimal() for token in self.of("mark"))

    @property
    def is_name(self) -> bool:
        """Whether it ends in a name, with nothing before it but a title and a row number."""
        return self.tokens[-1].kind == "word" and self.kinds <= {"word", "title", "number"}


def game_of(clause: SpokenClause, letters: set[str], *, row: bool = False) -> PastedGame:
    """The game of one clause; raises Refused if it has none, and TwoReadings if it can mean two things."""
    tokens = _without_filler(clause.tokens)
    names = _places_of_names(tokens)
    tokens = [replace(token, kind="word") if place in names else token for place, token in enumerate(tokens)]
    if clause.has("bye"):
        if clause.has("rating", "result"):
            raise TwoReadings(say("reading.why.bye_or_game"))
        # A message does not say the points of a round without an opponent.
        return PastedGame(result="bye", round=round_of(clause.tokens, row=False), read_from=clause.of("bye")[0].text)
    place = _opponent_place(tokens, row=row)
    opponent = tokens[place] if place is not None else None
    if row and opponent is None:
        raise Refused(say("reading.why.no_opponent"))
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


def _without_filler(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without brackets, and without words such as `with the` before a colour."""
    kept: list[Token] = []
    following = ""
    for token in reversed(tokens):
        if token.kind != "bracket" and not (token.kind in ("against", "small") and following == "colour"):
            kept.append(token)
        if token.kind != "small":
            following = token.kind
    return kept[::-1]


def _places_of_names(tokens: Sequence[Token]) -> set[int]:
    """The places of words such as `Won` or `Beat` that are names here: after `against` or a title, or beside a name."""
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


def _opponent_place(tokens: Sequence[Token], *, row: bool) -> int | None:
    """Where the rating is: in a row before the federation, where 0 is unrated; four digits win over three."""
    federation = next((place for place, token in enumerate(tokens) if token.kind == "federation"), None)
    if row and federation:
        before = tokens[federation - 1]
        if before.kind in OPPONENTS or before.text == "0":
            return _only_rating(tokens, federation - 1)
    places = [place for place, token in enumerate(tokens) if token.kind in OPPONENTS]
    if len(places) > 1:
        places = [place for place in places if len(tokens[place].meaning) >= len("1000")] or places
    if len(places) > 1:
        raise TwoReadings(say("reading.why.two_ratings"))
    return _only_rating(tokens, places[0]) if places else None


def _only_rating(tokens: Sequence[Token], place: int) -> int:
    """The place of a rating; refused if another comes right before it: FIDE's (0 for none) and a national one."""
    if place and (tokens[place - 1].kind in OPPONENTS or tokens[place - 1].text == "0"):
        raise TwoReadings(say("reading.why.two_ratings"))
    return place


def _colour(before: Sequence[Token], behind: Sequence[Token], letters: set[str], *, row: bool) -> Colour | None:
    """The player's own colour: a word, or a letter before a mark or at the end of a row."""
    for token in (*before, *behind):
        if token.kind == "colour":
            return COLOUR_NAMES[token.meaning]
    used = {token.meaning for token in (*before, *behind) if token.kind == "letter"} | letters
    meanings = colour_letters(used)
    if "b" in used and "b" not in meanings:
        meanings["b"] = "black"  # nothing suggests another language than the notation's English
    for place, token in enumerate(behind):
        following = behind[place + 1].kind if place + 1 < len(behind) else None
        stands_for_colour = following in ("mark", "sides", "result") or row or token.meaning not in RESULT_LETTERS
        if token.kind == "letter" and (stands_for_colour or letters & {"b", "s"}) and token.meaning in meanings:
            return meanings[token.meaning]
    early = [token.meaning for token in before if token.kind == "letter"]
    has_result = any(token.kind in ("mark", "sides", "result") for token in behind)
    return meanings.get(early[0]) if len(early) == 1 and (has_result or early[0] not in RESULT_LETTERS) else None


def _result(
    before: Sequence[Token], behind: Sequence[Token], colour: Colour | None, letters: set[str], *, row: bool
) -> tuple[Result, str]:
    """How the game ended, and the word it was read from; `to-come` if nothing says so."""
    tokens = (*before, *behind)
    said = [(token.meaning, token.text) for token in tokens if token.kind == "result"]
    scores = [token.text for token in tokens if token.kind == "sides"]
    words = {meaning for meaning, _ in said}
    forfeit = next((token for token in tokens if token.kind == "forfeit"), None)
    if len(words) > 1 or len(set(scores)) > 1:
        raise TwoReadings(say("reading.why.two_results"))
    if scores:
        own = SIDES[scores[0]][0]
        if colour == "black" and own in ("win", "loss") and not words:
            raise TwoReadings(say("reading.why.whose_score", score=scores[0]))
        if words and own not in words:
            raise TwoReadings(say("reading.why.two_results"))
        return own, scores[0]
    if words:
        meaning, text = said[0]
        marked = _mark(before, behind, row=row)
        if marked is not None and marked[0] in ("win", "draw", "loss") and marked[0] != meaning and not row:
            raise TwoReadings(say("reading.why.two_results"))
        return FORFEIT_OF.get(meaning, RESULT_NAMES[meaning]) if forfeit else RESULT_NAMES[meaning], text
    if forfeit is not None:
        raise TwoReadings(say("reading.why.won_or_lost"))
    return _mark(before, behind, row=row) or _letter(before, behind, letters, row=row) or ("to-come", "")


def _mark(before: Sequence[Token], behind: Sequence[Token], *, row: bool) -> tuple[Result, str] | None:
    """The mark of the result: the last after the opponent, or else one before it that cannot be a round or board."""
    marks = [
        (place, token)
        for place, token in enumerate(behind)
        if token.kind == "mark" and not _is_separator(behind, place)
    ]
    if marks:
        if len({token.meaning for _, token in marks}) > 1 and (not row or len(marks) > 2):
            raise TwoReadings(say("reading.why.two_results"))
        place, token = marks[-1]
        rest = behind[place + 1 :]
        numbered = len([t for t in before if t.kind in ("number", "mark")]) > 1
        if row and any(t.kind in ("letter", "colour") for t in rest):
            return None  # `1 b`: the points, and the colour of a game to come
        if row and any(sign.isdecimal() for t in rest for sign in t.text):
            raise TwoReadings(say("reading.why.which_number", mark=token.text))
        if row and numbered and token.text in ("0", "1") and len(marks) == 1 and not _has_points(behind[:place]):
            raise TwoReadings(say("reading.why.points_or_result", mark=token.text))
        return RESULT_NAMES[token.meaning], token.text
    early = [token for token in before if token.kind == "mark" and token.text not in ("0", "1", "+", "-")]
    return (RESULT_NAMES[early[0].meaning], early[0].text) if early else None


def _is_separator(tokens: Sequence[Token], place: int) -> bool:
    """Whether a dash separates the rating from the result: `1700 - 1`."""
    behind = tokens[place + 1].kind if place + 1 < len(tokens) else None
    return not place and tokens[place].text in DASHES and behind in ("mark", "sides", "result")


def _has_points(tokens: Sequence[Token]) -> bool:
    """Whether the opponent's points or a colour come between the rating and the mark."""
    return any(token.kind in ("number", "mark", "letter", "colour") for token in tokens) or any(
        token.kind == "other" and token.text[:1].isdecimal() for token in tokens
    )


def _letter(
    before: Sequence[Token], behind: Sequence[Token], letters: set[str], *, row: bool
) -> tuple[Result, str] | None:
    """A result from a lone `w`, `d` or `l` beside an opponent, unless letters mean colours in this text."""
    if letters & {"b", "s"} or row:
        return None
    alone = [token for token in (*before, *behind) if token.kind == "letter" and token.meaning in RESULT_LETTERS]
    if len(alone) != 1 or any(token.kind == "colour" for token in (*before, *behind)):
        return None
    return RESULT_LETTERS[alone[0].meaning], alone[0].text


def _name(before: Sequence[Token], behind: Sequence[Token], *, row: bool) -> str | None:
    """The opponent's name: the words before the rating, or else those after it."""
    against = [place for place, token in enumerate(before) if token.kind == "against"]
    ahead = before[against[0] + 1 :] if against else before
    for tokens in (ahead, behind if not any(t.kind == "federation" for t in behind) else []):
        run = _longest_run(tokens, row=row)
        if run:
            return " ".join(token.text for token in run).strip(":.!,") or None
    return None


def _longest_run(tokens: Sequence[Token], *, row: bool) -> list[Token]:
    """The longest run of words that can be a name."""
    runs: list[list[Token]] = [[]]
    for token in tokens:
        inside = (
            bool(runs[-1])
            and token.kind in ("against", "small", "and", "number", "letter")
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
    if any(UNKNOWN_SCORE.fullmatch(token.text) for token in clause.of("other")):
        return False
    if clause.has("against", "round", "colour", "letter", "to-come", "federation", "unrated") or any(
        token.meaning == "to-come" for token in clause.of("mark")
    ):
        return not clause.has("label")
    if clause.has("label", "own", "small", "other"):
        return False
    words = clause.of("word")
    return not words or (name is not None and not any(word.text.islower() for word in words[1:]))


def round_of(tokens: Sequence[Token], *, row: bool) -> int | None:
    """The round, if the line names it."""
    for place, token in enumerate(tokens):
        if token.kind == "round" and token.meaning.isdecimal():
            return int(token.meaning)
        if token.kind == "round" and place + 1 < len(tokens) and tokens[place + 1].text.strip(".:)").isdecimal():
            return int(tokens[place + 1].text.strip(".:)"))
    if row and tokens and tokens[0].kind in ("number", "mark") and tokens[0].text.isdecimal() and tokens[0].text != "0":
        return int(tokens[0].text)
    return None


def refuse_crosstable(row: Sequence[Token]) -> None:
    """Refuse a row with `6b1`, `W12` or, beside results, a star: its opponents are in other rows."""
    cells = any(CROSS_CELL.fullmatch(token.text) for token in row if token.kind in ("other", "word", "number"))
    stars = any(token.text.startswith("*") for token in row)
    if cells or (stars and any(token.kind in ("mark", "sides") and token.text != "*" for token in row[1:])):
        raise Refused(say("reading.why.crosstable_row"))


def refuse_table(tokens: Sequence[Token]) -> None:
    """Refuse a table that lost its line breaks: many figures that are not ratings, or several board numbers."""
    figures = sum(token.text[0].isdecimal() and token.kind in ("number", "other", "mark", "rating") for token in tokens)
    ratings = sum(token.kind == "rating" for token in tokens)
    boards = sum(token.kind == "other" and BOARD.fullmatch(token.text) is not None for token in tokens)
    if boards > 1 or (figures > MOST_FIGURES and figures > FIGURES_A_RATING * ratings):
        raise Refused(WHOLE_TABLE)


def refuse_thousands(row: Sequence[Token], *, counted: bool) -> None:
    """Refuse `1 950 ½`, which may be 1950 or round 1 against 950, unless the lines are numbered by round."""
    for place, (token, behind) in enumerate(pairwise(row)):
        first, second = token.text, behind.meaning
        is_short = behind.kind == "rating" and len(second) == len("950")
        if is_short and first in ("1", "2", "3") and (place or not counted):
            if place:
                raise TwoReadings(say("reading.why.thousands", first=first, second=second))
            raise TwoReadings(say("reading.why.thousands_or_round", first=first, second=second))


class Refused(Exception):  # never leaves the readers of sentences
    """A clause that cannot be read, and why."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


class TwoReadings(Refused):
    """A clause that can mean two things; the text names both, or says how to decide."""
