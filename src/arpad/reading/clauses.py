"""One clause about a game, in one language: who the opponent was, how it ended, and who did it.

Every word is taken by one of the steps below, in order: a round, a number of moves or hours, a colour, an opponent, a
result, or a word that only does its work by being there. A word that no step takes is not explained, and then the
clause is refused. How the game ended depends on who did it: `beat 1850`, `1850 beat me`, `was beaten by 1850`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from arpad.messages import say
from arpad.reading.pasted import PastedGame
from arpad.reading.results import (
    COLOUR_NAMES,
    MIRROR,
    RESULT_LETTERS,
    RESULT_NAMES,
    SIDES,
    Colour,
    Result,
    colour_letters,
)
from arpad.reading.text import fold
from arpad.reading.tokens import DASHES, Token
from arpad.reading.vocabulary import is_particle, titles, words

LONGEST_NAME = 5  # words
YEAR = re.compile(r"19[7-9][0-9]|20[0-9]{2}")  # in which somebody may have played
SMALL_NUMBER = re.compile(r"([0-9]{1,2})(?:[.:)°ºª]|[^\W\d_]{1,6})?")  # also `3rd`, `30e`, `4ª`
DURATION = re.compile(r"[0-9]{1,3}([^\W\d_]{1,3}|')[0-9]{0,2}")  # 4h30, 90min
FIGURE_INSIDE = re.compile(r"[^\w\s][0-9]{3,4}(?![0-9])")
REFUSED = {"not": "negated", "perhaps": "perhaps", "question": "asked", "unofficial": "unofficial"}
# Why a line is refused that is about a game and can mean two things.
TWO_READINGS = frozenset({
    "bye_or_game", "points_or_result", "round_or_result", "thousands", "thousands_or_round", "two_languages",
    "two_ratings", "two_results", "which_number", "who_won", "whose_colour", "whose_game", "whose_score", "won_or_lost",
})  # fmt: skip
SMALL = ("small", "again")
# Forms of words for a result.
PARTICIPLES = ("beaten", "passive")
VERBS = ("either", "finite", "quit", "beat")  # of which only their subject says who did it
WITH_A_COLOUR = ("as", "with", "have", "be", "played", "I", "in")  # stand before the writer's own colour
COUNTS = {"twice": 2, "several": 0}  # games; 0 if nobody knows how many
# Words that are explained, and nothing follows from them.
SILENT = frozenset({"small", "again", "person", "time", "have", "as", "which"})
DOERS = frozenset({"I", "we", "he", "has", "be", "in", "forfeit", "bye", "open", "close", "me", "him"})
ONLY_THERE = (SILENT | DOERS | {"against", "with", "talk", "played"}) - {"which", "open", "close"}
NO_WORD = Token("", "")


@dataclass(slots=True)
class SpokenClause:
    """What a clause says of a game; None where it says nothing."""

    opponent: PastedGame | None = None  # a game of which nothing is known but who the opponent is
    result: Result | None = None
    read_from: str = ""
    colour: Colour | None = None
    round: int | None = None
    to_come: bool = False
    played: bool = False
    forfeit: bool = False
    games: int = 1  # a count of more than one is only ever suggested
    # How it belongs to its neighbours.
    joined_by_and: bool = False
    is_introduced: bool = False  # by a word such as `against`
    says_more: bool = False  # than its opponent, a day, and the `ich habe` of a verb that follows
    is_bare: bool = True  # whether it says nothing but its opponent
    has_subject: bool = False  # `my opponent, 1811,`: what follows is the opponent's doing
    is_about_him: bool = False  # `my opponent was 1811`: what follows may be anybody's
    describes_him: Literal["", "briefly", "fully"] = ""  # `Gegner 1811`; `my young opponent, 1811`: whose win follows?
    gives_up: bool = False
    needs_a_subject: bool = False  # `ha abbandonato`: somebody did it, who was named before
    needs_a_doer: bool = False  # a verb without its subject: `won`
    ends_with_result: bool = False  # behind the opponent, as a German verb does
    shares_a_verb: bool = False  # `und Maier (1820) verloren`: whose verb it is, the clause before says
    is_listed: bool = False  # `1850 lost`, which is the writer's loss in a list, and only there
    says_when: bool = False  # `yesterday`
    is_told: bool = False  # by a writer who speaks of himself or of the opponent
    restates: bool = False  # whether it may say the result of the game before once more: `so half a point`


class Refused(Exception):  # never leaves the readers of lines
    """A line that is not understood: why, and the games it might be.

    It is `hopeless` if it says that something did not happen; it has `two_readings` if it can mean two things.
    """

    def __init__(self, key: str, *, hopeless: bool = False, two_readings: bool = False, **values: Any) -> None:
        super().__init__(key)
        self.why = say(f"reading.why.{key}", **values)
        self.hopeless = hopeless
        self.two_readings = two_readings or key in TWO_READINGS
        self.suggestion: tuple[PastedGame, ...] = ()


def game_against(rating: Token | None) -> PastedGame:
    """A game against an opponent with this rating, or with none."""
    if rating is None or rating.kind != "rating":
        return PastedGame(result="to-come", rating_state="unrated")
    capped = rating.text.endswith("*")
    return PastedGame(result="to-come", opponent=int(rating.meaning), rating_state="rated", capped=capped)


def colour_by_letter(letters: set[str]) -> dict[str, Colour]:
    """What the letters of a text mean as colours; a b is Black where nothing speaks against it."""
    return {"b": COLOUR_NAMES["black"], **colour_letters(letters)}


def can_be_a_name(word: str) -> bool:
    """Whether a word is written as names are: with a capital letter, or with a digit as on the web.

    `sub-1850` has a rating in it, `K20` and `b4` are figures.
    """
    if any(sign in "0123456789_" for sign in word):
        letters = sum(sign.isalpha() for sign in word)
        return letters > 2 and FIGURE_INSIDE.search(word) is None
    return word[0].isupper()


def _is_a_duration(word: Token) -> bool:
    """`4h30`, `90min`, `5ч`."""
    found = DURATION.fullmatch(word.text) if word.kind == "other" else None
    return found is not None and (found[1] == "'" or words("times").meaning(fold(found[1])) in ("hour", "minute"))


class ClauseReader:
    """Reads one clause: takes its words one after another, then works out how the game ended.

    If it is `lenient`, words that are not explained are passed over, and what comes out is only ever suggested.
    """

    def __init__(
        self, words: list[Token], joined_by_and: bool, letters: set[str], *, verb_last: bool, lenient: bool
    ) -> None:
        self.words = words
        self.verb_last = verb_last  # whether the language puts the verb behind all opponents
        self.letters = letters
        self.lenient = lenient
        self.place = 0
        self.said = SpokenClause(joined_by_and=joined_by_and)
        self.kinds: set[str] = set()
        self.results: list[Token] = []
        self.marks: list[Token] = []
        self.letter: list[Token] = []
        self.unknown: list[str] = []
        self.talk: list[tuple[int, str]] = []  # words that belong only in a comment, and where they stand
        self.counts: list[tuple[int, str]] = []
        self.opponent_at = self.opponent_end = self.result_at = -1
        self.starts_the_line = False  # whether a name does, which may as well be another word with a capital letter
        self.introduction = ""  # a word such as `against` that waits for its opponent

    def clause(self) -> SpokenClause:
        """What the clause says; raises Refused if a word of it is not explained."""
        steps: tuple[Callable[[], bool], ...] = (
            self._round, self._measure, self._colour, self._opponent, self._late_name, self._result, self._other,
        )  # fmt: skip
        while self.place < len(self.words):
            word = self.words[self.place]
            is_there = word.kind in ONLY_THERE and word.text[0].islower()  # most words; no other step takes such a one
            if not (self._other() if is_there else any(step() for step in steps)):
                self.unknown.append(word.text)
                self.place += 1
        if self._is_about_a_game():
            if self.introduction and not self.kinds & {"person", "he"}:
                self.unknown.append(self.introduction)
            self.unknown += [word for place, word in self.talk if not self._is_in_a_tail(place)]
            self._read_counts()
        elif (self.counts and self.kinds <= {"small", *COUNTS}) or (self.said.joined_by_and and "again" in self.kinds):
            # `beat 1850, twice`; `beat 1850, and again in round 5`
            raise Refused("count", hopeless=True)
        if self.unknown and not self.lenient:
            raise Refused("unexplained", words=self.unknown)
        self._work_out_the_result()
        self._relate_to_neighbours()
        return self.said

    def _relate_to_neighbours(self) -> None:
        """What the clauses around this one need to know of it."""
        said, kinds = self.said, self.kinds
        people = {"have", "has", "be"} if kinds & {"person", "he"} else set()  # `my opponent had 1722`
        said.is_introduced = bool(kinds & {"against", "with"})
        others = {"me", "we", "he"} if said.is_introduced else {"me", "we"}  # `hat er gegen 1905 …`
        said.says_more = bool(kinds & ({"in", "has", "be", *others} - people) or self.talk)
        said.says_when = "time" in kinds
        said.is_bare = not (said.says_more or said.says_when or kinds & ({"I", "have"} - people))
        if said.result is None and "he" in kinds:
            said.has_subject = not kinds & {"be", "have", "has"}
            said.is_about_him = not said.has_subject and not self.talk
        elif said.result is None and "person" in kinds and not kinds & {"against", "with", "by", "I", "have", "played"}:
            said.describes_him = "fully" if kinds - {"person", "open", "close"} else "briefly"
        said.gives_up = any(word.form == "quit" for word in self.results)
        nouns = all(word.form in ("noun", "") for word in self.results)
        same_game = said.gives_up and said.round is None and not said.says_when  # `… and resigned on move 41`
        said.restates = said.is_bare or nouns or said.result == "draw" or same_game
        verbs = any(word.form in VERBS and word.meaning != "draw" for word in self.results)
        said.needs_a_doer = verbs and not kinds & {"I", "me", "he", "have"} and not said.needs_a_subject
        said.ends_with_result = -1 < self.opponent_at < self.result_at == len(self.words) - 1
        said.is_told = bool(kinds & {"I", "me", "he", "him"})

    def _is_about_a_game(self) -> bool:
        """Whether this is more than a comment such as `dropped a rook in time trouble`."""
        return bool(self.said.opponent or self.results or self.marks or self.letter or "bye" in self.kinds)

    def _is_in_a_tail(self, at: int) -> bool:
        """Whether a place is in a comment behind the game: `… after dropping my queen`, `… with a rook more`."""
        if self.result_at < 0:
            return self.said.opponent is not None and self._is_called_he()  # `my opponent (1911) blundered a rook`
        end = max(self.opponent_end, self.result_at)
        return any(word.kind in ("in", "with") for word in self.words[end:at])

    def _read_counts(self) -> None:
        """A count of games is refused, and at most suggested."""
        for place, kind in self.counts:
            if self._is_in_a_tail(place) and self._kind(place + 1) != "several":  # but `in both games`
                continue
            if not self.lenient or not COUNTS[kind]:
                raise Refused("count", hopeless=not COUNTS[kind])
            self.said.games = COUNTS[kind]

    def _at(self, at: int) -> Token:
        """The word at a place; an empty one behind the end."""
        return self.words[at] if at < len(self.words) else NO_WORD

    def _kind(self, at: int) -> str:
        return self.words[at].kind if at < len(self.words) else ""

    def _before(self, at: int, *passed_over: str) -> Token:
        """The word before a place, with nothing but small words between."""
        return next((word for word in reversed(self.words[:at]) if word.kind not in (*SMALL, *passed_over)), NO_WORD)

    def _figure(self, at: int) -> int | None:
        """A small number, also with the ending of an ordinal: of a round, a board, moves or hours."""
        word = self._at(at)
        found = SMALL_NUMBER.fullmatch(word.text) if word.kind in ("number", "mark", "other") else None
        return int(found[1]) if found else None

    def _round(self) -> bool:
        """`R3`, `round 3`, `round three`, `3rd round`, `third round`, `in the last round`, `3. Runde`."""
        word, behind = self.words[self.place], self.place + 1
        before_round = self._kind(behind) == "round"
        if word.kind == "round":
            written = word.meaning if word.meaning.isdecimal() else word.form  # `R3`, `3.` of `3. Runde`
            spelt = words("numbers").phrase(fold(self._at(behind).text)) or ""
            number = int(written) if written else self._figure(behind) or (int(spelt) if spelt.isdecimal() else None)
            if number is None:
                return False
            self.place += 1 if written and not before_round else 2
        elif before_round and (word.kind == "which" or self._figure(self.place) is not None):
            number = self._figure(self.place) or (int(word.form) if word.form else None)
            self.place += 2
        else:
            return False
        self.said.round = number
        return True

    def _measure(self) -> bool:
        """`60 moves`, `four hours`, `4h30`, `board 3`, `move 23`, `two games:`."""
        word, behind = self.words[self.place], self._kind(self.place + 1)
        is_figure = self._figure(self.place) is not None
        if word.kind == "board" and behind == "rating":
            return False  # `Table 1900`
        if word.kind in ("board", "unit"):
            self.place += 1 if self._figure(self.place + 1) is None else 2
        elif (is_figure or word.kind in COUNTS) and behind in ("board", "unit"):
            self.place += 2
        elif _is_a_duration(word) or (is_figure and (behind == "talk" or self._before(self.place).kind == "in")):
            self.place += 1  # `with 3 seconds left`, `alla 40esima`, `lost in 12`
        elif is_figure and behind == "several":
            self.counts.append((self.place, "several"))
            self.place += 2
        else:
            return False
        return True

    def _colour(self) -> bool:
        """`White`, `with the black pieces`, `I had Black`; not `against White`, which is the opponent's."""
        if self._kind(self.place) != "colour" or (self.introduction and "with" not in self.kinds):
            return False
        colour = COLOUR_NAMES[self.words[self.place].meaning]
        named = self.said.opponent is not None or "person" in self.kinds
        is_his = "he" in self.kinds or (
            named and self.kinds & {"be", "has"} and "I" not in self.kinds
        )  # `he had White`
        if self.said.colour not in (None, colour) or is_his:
            return False
        if self.introduction:
            self.kinds.discard("with")  # `with White` introduces no opponent
        self.said.colour, self.introduction = colour, ""
        self.place += 1
        return True

    def _opponent(self) -> bool:
        """A rating, with a title and a name beside it; or a name behind a title or a word such as `against`."""
        start = at = self.place
        title = self._title(at)
        at += title is not None
        name, length = self._name(at)
        at += length
        begins = self.words[start].first and name is not None and "," not in name
        named_to = at
        is_open = self._kind(at) == "open"
        at += is_open
        skipped = ("elo", "small") if self._kind(at) == "elo" else ("elo",)
        while self._kind(at) in skipped:
            at += 1
        of_a_title = title is not None and name is None and not is_open  # `un CM da 2105`
        if of_a_title and self._kind(at) in ("small", "by", "with", "in") and self._kind(at + 1) == "rating":
            at += 1
        if self._kind(at) not in ("rating", "unrated"):
            if name is None or not (title or self.introduction or self._is_behind_a_verb(start)):
                return False
            opponent, at = PastedGame(result="to-come", name=name, title=title), named_to
        elif name is None and self._is_a_year(start):
            return False
        else:
            rated = self.words[at]
            at = self._behind_rating(at + 1)
            if title is None and (title := self._title(at)) is not None:
                at += 1
            if name is None and self._kind(at) != "federation":
                name, length = self._name(at)
                at += length
            opponent = replace(game_against(rated), name=name, title=title)
        if self.said.opponent is not None:
            raise Refused("two_ratings")
        is_open = self._kind(at) == "open" and self._kind(at + 1) == "federation"
        if is_open or self._kind(at) == "federation":
            opponent = replace(opponent, federation=self.words[at + is_open].text)
            at = self._behind_rating(at + is_open + 1)
        self.said.opponent, self.introduction = opponent, ""
        self.starts_the_line = begins and title is None
        self.opponent_at, self.opponent_end, self.place = start, at, at
        return True

    def _late_name(self) -> bool:
        """A name at the end of a list's line, right behind the result: `1950 win Marchetti`."""
        opponent = self.said.opponent
        is_late = self.opponent_end == self.result_at == self.place - 1 and self._is_a_row()
        if opponent is None or opponent.name or not is_late:
            return False
        name, length = self._name(self.place)
        if name is None or self.place + length < len(self.words):
            return False
        self.said.opponent = replace(opponent, name=name)
        self.place += length
        return True

    def _is_behind_a_verb(self, at: int) -> bool:
        """Whether a verb with an object stands right before, or a word such as `maestro`: `ho battuto Sartorelli`."""
        before = self._before(at)
        return before.kind == "person" or (before.kind == "result" and before.form in ("beat", *PARTICIPLES))

    def _is_a_year(self, at: int) -> bool:
        """Whether the words before a number are about time: `won in 2024`, `torneo de 2024`."""
        before = self.words[at - 1].kind if at else ""
        if before in ("in", "over") and not self.introduction:
            return True
        is_recent = at < len(self.words) and YEAR.fullmatch(self.words[at].meaning) is not None
        is_of_birth = before in SMALL or (at and self.words[at - 1].form == "of")
        if is_recent and is_of_birth and self._before(at, "with").form == "child":  # `un gamin de 2010`
            return True
        return before == "small" and is_recent and self._before(at).kind == "time"

    def _title(self, at: int) -> str | None:
        """A title here: `FM`, also in small letters if nothing else has that meaning."""
        word = self._at(at)
        if word.kind == "title":
            return word.meaning
        is_title = word.kind == "unknown" and (word.text.islower() or word.text.isupper())
        return word.text.upper() if is_title and word.text.upper() in titles() else None

    def _name(self, at: int) -> tuple[str | None, int]:
        """A name here, and its words: `Anna Schmidt`, `van der Berg`, `foo_99`."""
        words: list[str] = []
        while at < len(self.words) and len(words) < LONGEST_NAME and self._is_of_a_name(at, words):
            words.append(self.words[at].text)
            at += 1
        while words and is_particle(words[-1]):
            words.pop()
        if len(words) == 1 and len(words[0]) == 1:
            return None, 0  # `1900 G` is a result in some language
        return (" ".join(words).strip(",") or None, len(words))

    def _is_of_a_name(self, at: int, words: Sequence[str]) -> bool:
        """Whether a word belongs to a name with these words before it."""
        word, behind = self.words[at], self._kind(at + 1)
        if word.kind == "federation" and at and self.words[at - 1].kind == "open":
            return False
        if word.kind in ("unknown", "federation") and can_be_a_name(word.text):
            return True
        capital = word.text[0].isupper()
        if is_particle(word.text):
            leads = self._is_named(at + 1) and (word.kind == "unknown" or (capital and not word.first))
            if leads or (words and behind):
                return True
        if words and word.kind in ("talk", "small", "person") and capital and behind in ("open", "rating"):
            return True  # a surname that means something else: the Stolz of `Heribert Stolz (1733)`
        return self._is_called_so(at, words) or (self.lenient and self._may_lead_a_row(at))

    def _is_named(self, at: int) -> bool:
        return self._kind(at) in ("unknown", "small", "talk") and self.words[at].text[0].isupper()

    def _is_called_so(self, at: int, words: Sequence[str]) -> bool:
        """Whether a word for a result is a name here: the Won of `Kim Won win`, which has its result elsewhere."""
        word = self.words[at]
        if word.kind != "result" or not word.text.istitle() or not (words or self.introduction):
            return False
        has_result = any(other.kind in ("result", "mark", "sides") for other in self.words[at + 1 :])
        return has_result or self._is_named(at + 1)

    def _may_lead_a_row(self, at: int) -> bool:
        """Whether a word that refuses the line may be a name instead: `Fast 2200 Remis`, or nearly a draw in German."""
        word = self.words[at]
        in_front = word.kind in REFUSED and word.first and word.text.istitle()
        nouns = all(other.form in ("noun", "") for other in self.words if other.kind == "result")
        return in_front and nouns and self._kind(at + 1) in ("rating", "open")

    def _behind_rating(self, at: int) -> int:
        """Past the closing bracket and a word such as `Elo` behind a rating."""
        while self._kind(at) in ("close", "elo"):
            at += 1
        return at

    def _result(self) -> bool:
        """A word for a result, a score, a mark, or a letter that may be one."""
        word = self.words[self.place]
        if word.kind in ("result", "sides"):
            ended_with = word.form == "noun" and self._before(self.place).kind == "with"  # `ended with a loss to`
            if self.introduction and not ended_with:
                self.unknown.append(self.introduction)  # `have to beat`
            self.introduction = ""
            self.results.append(word)
            self.result_at = self.place if self.result_at < 0 else self.result_at
        elif word.kind == "mark" and self._is_a_result(word):
            self.marks.append(word)
        elif word.kind == "letter":
            self.letter.append(word)
        else:
            return False
        self.place += 1
        return True

    def _is_a_result(self, mark: Token) -> bool:
        """Whether a mark is a result here: a 1 or 0 stands beside the opponent, a + or - right behind."""
        behind_opponent = self.opponent_at >= 0 and not self.marks
        if mark.meaning == "to-come" or mark.text in ("+", *DASHES):
            return behind_opponent
        if mark.text not in ("0", "1"):
            return True
        return behind_opponent or self._kind(self.place + 1) in ("against", "with", "rating", "open", "title")

    def _other(self) -> bool:
        """A word that does its work by being there: a pronoun, a helping verb, `against`, `by`, a negation."""
        word = self.words[self.place]
        kind = word.kind
        if kind in REFUSED:
            is_name = self._may_lead_a_row(self.place)
            raise Refused(REFUSED[kind], two_readings=is_name, hopeless=not is_name)
        if kind == "over":  # `a win over 1850`; elsewhere it is a place: `op de club`
            won = any(result.meaning == "win" and result.form in ("noun", "either") for result in self.results)
            kind = "against" if won and not self.kinds & {"against", "with", "person"} else "in"
        if kind == "he" and self.results:
            kind = "person"  # `beat my opponent (1850)`
        if kind in COUNTS:
            self.counts.append((self.place, kind))
        elif kind == "talk":
            self.talk.append((self.place, word.text))
        elif kind in ("against", "with", "by"):
            if self.introduction and kind != "with":  # `against one with 1930`
                self.unknown.append(self.introduction)
            self.introduction = word.text
        elif kind not in SILENT | DOERS | {"to-come", "played", "unit"}:
            return False
        if kind in ("me", "him", "talk"):
            self.introduction = ""
        self.said.to_come = self.said.to_come or kind == "to-come"
        self.said.played = self.said.played or kind == "played"
        self.kinds.add(kind)
        self.place += 1
        return True

    def _work_out_the_result(self) -> None:
        """How the game ended for the writer, from who did what."""
        said, kinds = self.said, self.kinds
        if said.colour is not None and "he" in kinds and "I" not in kinds:
            raise Refused("whose_colour")
        self._read_letters()
        if "bye" in kinds:
            if said.opponent is not None or self.results or self.marks:
                raise Refused("bye_or_game")
            said.result, said.read_from = "bye", next(word.text for word in self.words if word.kind == "bye")
            return
        if len(self.results) > 1 and "me" in kinds:  # `beat the 1850 that beat me last year`
            raise Refused("who_won")
        outcomes = {self._outcome(word): word for word in self.results}
        marks = {RESULT_NAMES[mark.meaning]: mark for mark in self.marks}
        if len(outcomes) > 1 or len(marks) > 1 or (outcomes and marks and set(outcomes) != set(marks)):
            raise Refused("two_results")
        for result, word in (outcomes or marks).items():
            said.result, said.read_from = result, word.text
        if said.result == "to-come":
            said.result, said.to_come = None, True
        self._refuse_a_missing_verb()
        self._refuse_another_object()
        said.forfeit = "forfeit" in kinds
        if said.to_come and said.result is not None:
            raise Refused("perhaps", hopeless=True)
        if self.starts_the_line and said.opponent is not None and not (self._is_a_row() or self.lenient):
            raise Refused("unexplained", words=[said.opponent.name or ""])

    def _refuse_a_missing_verb(self) -> None:
        """Refuse `1950 hat mich 1` and `1950 hat`: a mark beside a word for the opponent may be anybody's."""
        said, kinds = self.said, self.kinds
        if said.opponent is None or self.results:
            return
        theirs = kinds & {"me", "we", "he", "him", "by"}
        if said.result == "draw":  # which is both players', but not in `1950 hat mich ½`
            theirs = theirs & {"me"} if kinds & {"has", "have"} else set()
        if said.result is not None and theirs:
            raise Refused("who_won")
        may_be_one = kinds & {"he", "person"} or (self.lenient and said.result is None)  # `my opponent had 1950`
        if "has" in kinds and not may_be_one:
            raise Refused("not_understood")

    def _refuse_another_object(self) -> None:
        """Refuse what says that a tournament, points or many opponents were won, lost or beaten, and no game."""
        maybe = [at for at, word in enumerate(self.words) if word.form in ("thing", "many") or word.kind == "elo"]
        if things := [self.words[at].text for at in maybe if self._is_another_object(at)]:
            raise Refused("unexplained", two_readings=True, words=things)

    def _is_another_object(self, at: int) -> bool:
        """Whether something else was won or lost: `won the endgame vs 1850`, `lost 1500 Elo`, `beat 1850 opponents`."""
        word, before, behind = self.words[at], self._before(at, "which"), self._at(at + 1)
        if word.form == "thing":
            return self._is_a_verb(before) or (self._is_a_verb(behind) and before.kind not in ("in", "over"))
        if at != self.opponent_end - (word.kind == "elo") or self._at(self.opponent_at).kind != "rating":
            return False
        before = self._at(self.opponent_at - 1) if self.opponent_at else NO_WORD
        if word.form == "many":
            return before.kind not in (*SMALL, "against", "with")
        return word.kind == "elo" and (self._is_a_verb(before) or (before is NO_WORD and self._is_a_verb(behind)))

    def _is_a_verb(self, word: Token) -> bool:
        """Whether a word says that something was won or lost, as a verb that needs no opponent does."""
        is_verb = word.kind == "result" and word.form in ("either", "finite", "mine")
        return is_verb and word.meaning != "draw" and " " not in word.text  # but `lost to 1850 Elo`

    def _is_a_row(self) -> bool:
        """`Kim 1950 win`, `Kim (1950) 1-0`: a name, a rating and a noun, with no verb that an adverb could change."""
        return all(word.form in ("noun", "") for word in self.results) and self.kinds <= {"open", "close"}

    def _read_letters(self) -> None:
        """Letters are colours beside another result, or where the text uses them so; else w, d and l are results."""
        if not self.letter:
            return
        letter = self.letter[0]
        colour = colour_by_letter({letter.meaning, *self.letters}).get(letter.meaning)
        is_a_colour = self.results or self.marks or self.letters & {"b", "s"} or letter.meaning not in RESULT_LETTERS
        has_room = len(self.letter) == 1 and self.said.opponent is not None and self.said.colour is None
        if not has_room or (is_a_colour and colour is None):
            raise Refused("unexplained", words=[letter.text for letter in self.letter])
        if is_a_colour:
            self.said.colour = colour
        else:
            self.marks.append(replace(letter, meaning=RESULT_LETTERS[letter.meaning]))

    def _outcome(self, word: Token) -> Result:
        """What a word for a result means for the writer; raises Refused if it is not clear who won."""
        if word.kind == "sides":
            return self._score(word.text)
        result = RESULT_NAMES[word.meaning]
        doer = self._doer(word)
        if result == "draw" and (doer or "we" in self.kinds):
            return "draw"
        if doer is None:
            raise Refused("who_won")
        return result if doer == "writer" else MIRROR[result]

    def _score(self, score: str) -> Result:
        """A score such as `1-0`, which is the writer's own unless something speaks against it."""
        own = SIDES[score][0]
        if own == "draw":
            return own
        if self.said.colour == "black" and len(self.results) == 1:
            raise Refused("whose_score", score=score)
        if self.kinds & {"he", "me", "has", "by"}:
            raise Refused("who_won")
        return own

    def _doer(self, word: Token) -> Literal["writer", "opponent"] | None:
        """Who did what a word says; None if it is not clear."""
        kinds, opponent = self.kinds, self.said.opponent
        is_his = "he" in kinds or "has" in kinds or word.form in ("his", "to_me")
        if "we" in kinds or ("I" in kinds and (is_his or "me" in kinds)) or self._somebody_played():
            return None
        if word.form in ("beat", *PARTICIPLES) and kinds & {"be", "by"}:  # `was beaten by 1850`, but `1850 was beaten`
            is_subject = -1 < self.opponent_at < self.result_at and not kinds & {"I", "by", "against", "with"}
            return None if is_his or "me" in kinds or is_subject else "opponent"
        if word.form == "passive":
            return "writer" if "have" in kinds and not is_his and "me" not in kinds else None
        if word.form in ("noun", "mine"):
            theirs = is_his or "me" in kinds or ("by" in kinds and (word.form, word.meaning) != ("mine", "loss"))
            return None if theirs else "writer"
        if "by" in kinds or "played" in kinds:  # `won by`, `the 1960 I played won`
            return None
        if "me" in kinds:  # `1850 lost to me`; but `mi sono perso` is nobody's loss
            beside = self._before(self.opponent_at).kind == "against" and "person" not in kinds
            return None if beside else "opponent"
        if "he" in kinds:  # `he won`, where the opponent was named before; `my opponent (1911) resigned`
            named = opponent is None or self._is_called_he()
            return "opponent" if named and word.form != "beaten" else None
        if is_his:
            return "opponent" if self._is_the_opponents_verb(word) else None
        return "writer" if self._is_the_writers_verb(word) else None

    def _is_the_opponents_verb(self, word: Token) -> bool:
        """`ha abbandonato`, `o 1830 abandonou`, `der 1844er hat aufgegeben`."""
        opponent = self.said.opponent
        if opponent is None:
            self.said.needs_a_subject = True
            return word.form != "beaten"
        if self.kinds & {"against", "with", "I", "have"} or self.opponent_at > self.result_at:
            return False  # `heeft gewonnen van 1850` is not about 1850's win
        if word.form == "his":
            return opponent.name is not None or bool(self.kinds & {"small", "person"})
        return word.form in ("to_me", "either", "finite", "quit")  # `2010 поставил мне мат`

    def _is_the_writers_verb(self, word: Token) -> bool:
        """`I won`, `beat 1850`, `won against 1850`; `1950 won` is a list's way to say it.

        `Lind (2105) won` and `a 1900 kid won` may be about somebody else's win.
        """
        kinds, opponent = self.kinds, self.said.opponent
        if word.form == "beaten":  # `geschlagen, 1850` may be either player's fate
            return opponent is not None or "have" in kinds
        if word.form == "beat" and "against" in kinds:  # `flagged against 1850`
            return False
        if kinds & {"I", "have"}:
            return True
        if self._has_another_subject():
            return False
        if kinds & {"against", "with"} or opponent is None or self.opponent_at > self.result_at:
            return True
        bare = word.form == "either" and not kinds & {"small", "person", "time", "be"}
        self.said.is_listed = bare and opponent.name is None and self.said.colour is None
        self.said.shares_a_verb = bare and self.verb_last and self.said.joined_by_and
        return self.said.is_listed or self.said.shares_a_verb

    def _has_another_subject(self) -> bool:
        """Whether somebody else stands beside the verb: `board 2 lost to 1850`, `gegen 1850 gewann Brett 3`."""
        verb, behind = self._at(max(self.result_at, 0)), self._at(self.result_at + 1)
        if -1 < self.opponent_at < self.result_at and behind.kind in ("board", "person", "colour"):
            return verb.form == "finite" or behind.kind == "board"
        if verb.form in VERBS and self._is_subject(self.result_at - 1):
            return True  # `black resigned vs 1850`
        before = self.words[: max(self.result_at, 0)]
        for word in before:
            if word.kind in ("against", "with", "by", "in", "rating"):
                return False
            if word.kind in ("person", "board"):
                return self.opponent_at > self.result_at or (word.kind == "person" and "with" in self.kinds)
        return bool(before) and (before[-1].form == "determiner" or before[-1].kind == "which")  # `another beat 1850`

    def _is_subject(self, at: int) -> bool:
        """Whether the word at a place is a colour that did something, and not the writer's: `as Black resigned`."""
        return at >= 0 and self.words[at].form == "subject" and self._before(at).kind not in WITH_A_COLOUR

    def _somebody_played(self) -> bool:
        """Whether a person stands right before `against`, who is not the writer: `Kollege gegen 1850 remis`."""
        kinds = [word.kind for word in self.words[: max(self.opponent_at, 0)] if word.kind not in SMALL]
        return ("person", "against") in pairwise(kinds) and not {"I", "have", "me"} & self.kinds

    def _is_called_he(self) -> bool:
        """Whether the opponent stands right behind `he` or `my opponent`: it is the same person."""
        before = self._before(self.opponent_at, "open")
        return before.kind == "he" and not -1 < self.result_at < self.opponent_at
