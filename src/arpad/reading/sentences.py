"""Games in a line of words: `beat 1950, drew with Müller (2103)`, `R2 Remis gegen 1877`, `3 Kim 1950 ENG 2,5 w ½`.

The words of a line become tokens, each with what it can mean. Then the line has both players of a game (`me (1523) vs
foo (1544) 1-0`), is a row of a table, or is cut into clauses, one opponent each. A clause without an opponent belongs
to its neighbour: `Remis gegen Huber, 2140, Schwarz` is one game. Only a word or a mark for a result becomes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from arpad.core import HIGHEST_RATING
from arpad.messages import Message, say
from arpad.reading.clauses import (
    DASHES,
    NOT_UNDERSTOOD,
    OPPONENTS,
    Refused,
    SpokenClause,
    TwoReadings,
    game_of,
    refuse_crosstable,
    refuse_table,
    refuse_thousands,
    round_of,
)
from arpad.reading.pasted import LOWEST_PASTED, PastedGame
from arpad.reading.players import unmarked
from arpad.reading.results import MANY_WORDS, MARKS, SIDES, compact
from arpad.reading.text import fold, plain, same_person
from arpad.reading.vocabulary import months, titles, words

NUMBER = re.compile(r"(?<![0-9])[0-9]{3,4}(?![0-9])")  # that may be a rating
LONGEST_LINE = 1500  # characters; a longer line is not about games
Kind = Literal[
    "rating", "number", "mark", "sides", "result", "forfeit", "bye", "to-come", "unrated", "colour", "letter",
    "against", "and", "own", "round", "small", "title", "federation", "label", "word", "break", "bracket", "other",
]  # fmt: skip
WORD = re.compile(r"[,;()\[\]{}|\t]|[^\s,;()\[\]{}|]+")
DECIMAL_COMMA = re.compile(r"(?<![\w.,])([0-9]{1,2}),([0-9]{1,2})(?![\w,])")
ROUND = re.compile(r"([^\W\d_]{1,7})\.?([0-9]{1,2})[.:)]?")
COUNTED = re.compile(r"([0-9]{1,2})[.:)]")
RATING_AND_MARK = re.compile(r"([0-9]{3,4})[-–=:]([01½]|1/2|0[.,]5|=)|([0-9]{3,4})(=)")
TITLED_RATING = re.compile(r"([0-9]{3,4})([A-Za-z]{2,3})")
MONEY = "€$£%"
LETTERS = frozenset("wdlbsnc")
AROUND = ".:!?\"'“”„«»"
RESULT_KINDS: dict[str, Kind] = {
    "win": "result", "draw": "result", "loss": "result", "forfeit": "forfeit", "bye": "bye", "absent": "bye",
    "empty": "bye", "to-come": "to-come", "unrated": "unrated",
}  # fmt: skip
SENTENCE_KINDS: dict[str, Kind] = {
    "against": "against", "and": "and", "own": "own", "round": "round", "small": "small", "of": "small",
}  # fmt: skip


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
    tokens = _tokens_of(line)
    try:
        refuse_crosstable(tokens)
        refuse_table(tokens)
        if (sides := _two_sided(tokens, player)) is not None:
            return LineReading((sides,))
        if _is_row(line, tokens):
            row = [token for token in tokens if token.kind != "break"]
            refuse_thousands(row, counted=counted)
            return LineReading((game_of(SpokenClause(row), set(letters), row=True),))
        clauses = _clauses(tokens)
        return _read_clauses(clauses, set(letters))
    except Refused as refused:
        return LineReading(why=refused.why, doubtful=True, two_readings=isinstance(refused, TwoReadings))


def _tokens_of(line: str) -> list[Token]:
    """The tokens of a line; a phrase such as `ohne Elo` is one token."""
    raw = WORD.findall(DECIMAL_COMMA.sub(r"\1.\2", plain(line)))
    found: list[Token] = []
    place = 0
    while place < len(raw):
        token, length = _phrase(raw, place) or (_word(raw[place], raw, place, found), 1)
        found += token if isinstance(token, list) else [token]
        place += length
    return found


def _phrase(raw: Sequence[str], place: int) -> tuple[Token, int] | None:
    """A score of three words, `1 - 0`, or a phrase of the vocabulary; None if there is none here."""
    first = raw[place]
    if not first[0].isalpha():
        for length in (3, 2):
            joined = compact("".join(raw[place : place + length]))
            if len(raw) >= place + length and joined in SIDES and length == 3:
                return Token("sides", joined), length
            if len(raw) >= place + length and length == 2 and joined in ("-1k", "-0k", "+1k"):
                return Token("mark", joined, MARKS[joined]), length
        return None
    for length in (3, 2):
        if len(raw) >= place + length and (token := _in_vocabulary(" ".join(raw[place : place + length]), length)):
            return token, length
    return None


@lru_cache(maxsize=MANY_WORDS)
def _in_vocabulary(phrase: str, length: int = 1) -> Token | None:
    """The token for a word or phrase of the vocabulary; None if it is not there."""
    folded = fold(phrase.strip(AROUND))
    results = words("results")
    if (meaning := results.meaning(folded) if length == 1 else results.phrase(folded)) is not None:
        return Token(RESULT_KINDS[meaning], phrase, meaning)
    if (meaning := words("colours").meaning(folded)) in ("white", "black"):
        return Token("colour", phrase, meaning)
    if len(folded) > 1 and (meaning := words("sentences").meaning(folded)) is not None:
        return Token(SENTENCE_KINDS[meaning], phrase, meaning)
    if words("labels").meaning(folded) is not None:
        return Token("label", phrase)
    return None


def _word(word: str, raw: Sequence[str], place: int, before: Sequence[Token]) -> Token | list[Token]:
    """The token for a single word, by its characters and then by the vocabulary."""
    if word in ",;\t|":
        return Token("break", word)
    if word in "()[]{}":
        return Token("bracket", word)
    if word[0].isdecimal() or word[0] in "½+-–—−=*?.<>":
        return _figure(word, raw, place, before)
    if len(word) == 1 and word.lower() in LETTERS:
        return Token("letter", word, word.lower())
    if (glued := ROUND.fullmatch(word)) and words("sentences").meaning(fold(glued[1])) == "round":
        return Token("round", word, glued[2])
    return _letters(word)


def _figure(word: str, raw: Sequence[str], place: int, before: Sequence[Token]) -> Token | list[Token]:
    """The token for a number or a mark: `1950`, `1643P12`, `½`, `1-0`, `1.`, `1899-0`."""
    small = compact(word)
    if small in SIDES:
        return Token("sides", small)
    if both := RATING_AND_MARK.fullmatch(word):
        rating, mark = both[1] or both[3], both[2] or both[4]
        return [Token("rating", rating, rating), Token("mark", mark, MARKS[compact(mark)])]
    if not before and (counted := COUNTED.fullmatch(word)) and len(raw) > 1:
        return Token("round", word, counted[1])
    if small.rstrip(":") in MARKS:
        return Token("mark", word, MARKS[small.rstrip(":")])
    if (titled := TITLED_RATING.fullmatch(word)) and titled[2].upper() in titles():
        return [Token("title", titled[2].upper(), titled[2].upper()), Token("rating", titled[1], titled[1])]
    is_money = any(sign in text for text in raw[max(place - 1, 0) : place + 2] for sign in MONEY)
    if is_money or (before and fold(before[-1].text.strip(AROUND)) in months()):
        return Token("other", word)
    number = unmarked(word.strip(AROUND.replace("?", "")))
    if number.isascii() and number.isdecimal() and len(number) <= len(str(HIGHEST_RATING)):
        is_rating = LOWEST_PASTED <= int(number) <= HIGHEST_RATING
        return Token("rating" if is_rating else "number", word, number)
    return Token("other", word)


def _letters(word: str) -> Token:
    bare = word.strip(AROUND)
    if bare in titles():
        return Token("title", bare, bare)
    if (known := _in_vocabulary(word)) is not None:
        return known
    if len(bare) == 1 and bare.islower() and (meaning := words("sentences").meaning(bare)) is not None:
        return Token(SENTENCE_KINDS[meaning], word, meaning)  # a capital V may be an initial
    if len(bare) == len("GER") and bare.isascii() and bare.isalpha() and bare.isupper():
        return Token("federation", bare, bare)
    return Token("word", word) if any(letter.isalpha() for letter in bare) else Token("other", word)


def _two_sided(tokens: Sequence[Token], player: str | None) -> PastedGame | None:
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


def _player(tokens: Sequence[Token]) -> _LinePlayer:
    """A player from one side of a line."""
    words: list[str] = []
    for token in tokens:
        if token.kind in ("word", "own"):
            words.append(token.text)
        elif token.text == "," and words:
            words[-1] += ","
    titles = [token.meaning for token in tokens if token.kind == "title"]
    ratings = [int(token.meaning) for token in tokens if token.kind == "rating"]
    return _LinePlayer(
        name=" ".join(words).strip(",") or None,
        title=titles[0] if titles else None,
        rating=ratings[0] if ratings else None,
        rated=bool(ratings),
        is_writer=any(token.kind == "own" for token in tokens),
    )


@dataclass(frozen=True, slots=True)
class _LinePlayer:
    """One of two players of a line."""

    name: str | None
    title: str | None
    rating: int | None
    rated: bool
    is_writer: bool


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


def _opponent_follows(tokens: Sequence[Token]) -> list[bool]:
    """For each token, whether an opponent follows before the next comma or `and`."""
    ahead: list[bool] = []
    opponent = False
    for token in reversed(tokens):
        ahead.append(opponent)
        if token.kind in ("rating", "unrated", "break", "and") or _names_round(token):
            opponent = token.kind in ("rating", "unrated")
    return ahead[::-1]


def _names_round(token: Token) -> bool:
    """Whether a token is a round such as `R3`, which always begins a game."""
    return token.kind == "round" and token.meaning.isdecimal()


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
        only_a_name = not any(token.text.islower() for token in clause.of("word"))
        names = completes and only_a_name and not clause.has("label", "other", "own")
        if last is not None and ((opens and names) or adds):
            if last.has("word") and clause.tokens[0].kind == "word":
                last.tokens[-1] = replace(last.tokens[-1], text=f"{last.tokens[-1].text},")
            last.extend(clause.tokens)
        else:
            parts.append(clause)
    return parts


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


def _game_in_part(part: SpokenClause, letters: set[str], last: PastedGame | None, *, several: bool) -> PastedGame:
    """The game in one part of a line; an opponent alone after `and` takes the result before: drew with A and B."""
    named = part.has("against") and any(token.text[0].isupper() for token in part.of("word")) and not part.has("other")
    if not part.has_opponent and not part.has("bye") and not named:
        raise Refused(say("reading.why.no_opponent"))
    game = game_of(part, letters)
    only_an_opponent = not part.has("against", "colour", "letter", "mark", "result", "to-come", "round")
    if game.result != "to-come" or not several or not only_an_opponent:
        return game
    if part.joined_by_and and last is not None:
        return replace(game, result=last.result, read_from=last.read_from)
    raise Refused(say("reading.why.no_result_here"))


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a phrase, and what it means where that is known."""

    kind: Kind
    text: str
    meaning: str = ""
