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
from typing import Literal

from arpad.messages import Message, say
from arpad.reading.pasted import PastedGame, RatingState
from arpad.reading.results import COLOUR_NAMES, RESULT_LETTERS, RESULT_NAMES, SIDES, Colour, Result, colour_letters
from arpad.reading.text import fold
from arpad.reading.tokens import DASHES
from arpad.reading.vocabulary import is_particle, titles, words

LONGEST_NAME = 5  # words
YEAR = re.compile(r"19[7-9][0-9]|20[0-9]{2}")  # in which somebody may have played
SMALL_NUMBER = re.compile(r"([0-9]{1,2})(?:[.:)°ºª]|[^\W\d_]{1,6})?")  # also `3rd`, `30e`, `4ª`
DURATION = re.compile(r"[0-9]{1,3}([^\W\d_]{1,3}|')[0-9]{0,2}")  # 4h30, 90min
FIGURE_INSIDE = re.compile(r"[^\w\s][0-9]{3,4}(?![0-9])")
OPPOSITE: dict[str, Result] = {"win": "loss", "draw": "draw", "loss": "win"}
REFUSED = {
    "not": say("reading.why.negated"), "perhaps": say("reading.why.perhaps"), "question": say("reading.why.asked"),
    "unofficial": say("reading.why.unofficial"),
}  # fmt: skip
SMALL = ("small", "again")
PARTICIPLES = ("beaten", "passive")  # forms of words for a result
COUNTS = {"twice": 2, "several": 0}  # games; 0 if nobody knows how many
SILENT = frozenset(
    {"small", "again", "person", "time", "have", "as", "which"}
)  # explained, and nothing follows from it
DOERS = frozenset({"I", "we", "he", "has", "be", "in", "forfeit", "bye", "open", "close", "me", "him"})
ONLY_THERE = (SILENT | DOERS | {"against", "with", "talk", "played"}) - {"which", "open", "close"}
TWO_RATINGS = say("reading.why.two_ratings")
TWO_RESULTS = say("reading.why.two_results")
WHO_WON = say("reading.why.who_won")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A word and what it does in a sentence of one language; `unknown` if the language does not know it."""

    kind: str
    text: str
    meaning: str = ""
    form: str = ""
    first: bool = False  # of the line


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent as a clause names one."""

    rating: int | None = None
    state: RatingState = "unknown"
    name: str | None = None
    title: str | None = None
    federation: str | None = None
    capped: bool = False
    starts_the_line: bool = False  # with a name, which may as well be another word with a capital letter


@dataclass(slots=True)
class SpokenClause:
    """What a clause says of a game; None where it says nothing."""

    opponent: Opponent | None = None
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
    says_have: bool = False  # `ich habe`
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

    @property
    def is_bare(self) -> bool:
        """Whether it has nothing but its opponent."""
        return not (self.says_more or self.says_have or self.says_when)


class Refused(Exception):  # never leaves the readers of lines
    """A line that is not understood: why, and the games it might be.

    It is `hopeless` if it says that something did not happen; it has `two_readings` if it can mean two things.
    """

    def __init__(self, why: Message, *, two_readings: bool = False, hopeless: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.two_readings = two_readings
        self.hopeless = hopeless
        self.suggestion: tuple[PastedGame, ...] = ()


def can_be_a_name(word: str) -> bool:
    """Whether a word is written as names are: with a capital letter, or with a digit as on the web.

    `sub-1850` has a rating in it, `K20` and `b4` are figures.
    """
    if any(sign in "0123456789_" for sign in word):
        letters = sum(sign.isalpha() for sign in word)
        return letters > 2 and FIGURE_INSIDE.search(word) is None
    return word[0].isupper()


def _is_a_duration(word: Spoken) -> bool:
    """`4h30`, `90min`, `5ч`."""
    found = DURATION.fullmatch(word.text) if word.kind == "other" else None
    return found is not None and (found[1] == "'" or words("times").meaning(fold(found[1])) in ("hour", "minute"))


class ClauseReader:
    """Reads one clause: takes its words one after another, then works out how the game ended.

    If it is `lenient`, words that are not explained are passed over, and what comes out is only ever suggested.
    """

    def __init__(
        self, words: list[Spoken], joined_by_and: bool, letters: set[str], *, verb_last: bool, lenient: bool
    ) -> None:
        self.words = words
        self.verb_last = verb_last  # whether the language puts the verb behind all opponents
        self.letters = letters
        self.lenient = lenient
        self.place = 0
        self.said = SpokenClause(joined_by_and=joined_by_and)
        self.kinds: set[str] = set()
        self.results: list[Spoken] = []
        self.marks: list[Spoken] = []
        self.letter: list[Spoken] = []
        self.unknown: list[str] = []
        self.talk: list[tuple[int, str]] = []  # words that belong only in a comment, and where they stand
        self.counts: list[tuple[int, str]] = []
        self.opponent_at = self.opponent_end = -1  # where the opponent stands, and the result
        self.result_at = -1
        self.introduced = False  # whether a word such as `against` waits for its opponent
        self.introduction = ""

    def clause(self) -> SpokenClause:
        """What the clause says; raises Refused if a word of it is not explained."""
        steps: tuple[Callable[[], bool], ...] = (
            self._round, self._measure, self._colour, self._opponent, self._late_name, self._result, self._other,
        )  # fmt: skip
        while self.place < len(self.words):
            word = self.words[self.place]
            is_there = word.kind in ONLY_THERE and word.text[0].islower()  # most words; no other step takes such a one
            if not (self._other() if is_there else any(step() for step in steps)):
                self.unknown.append(self.words[self.place].text)
                self.place += 1
        if self._is_about_a_game():
            if self.introduced and not self.kinds & {"person", "he"}:
                self.unknown.append(self.introduction)
            self.unknown += [word for place, word in self.talk if not self._is_in_a_tail(place)]
            self._read_counts()
        elif (self.counts and self.kinds <= {"small", *COUNTS}) or (self.said.joined_by_and and "again" in self.kinds):
            # `beat 1850, twice`; `beat 1850, and again in round 5`
            raise Refused(say("reading.why.count"), hopeless=True)
        if self.unknown and not self.lenient:
            raise Refused(say("reading.why.unexplained", words=self.unknown))
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
        said.says_have = bool(kinds & ({"I", "have"} - people))
        said.says_when = "time" in kinds
        about_him = "he" in kinds and said.result is None
        said.has_subject = about_him and not kinds & {"be", "have", "has"}
        said.is_about_him = about_him and not said.has_subject and not self.talk
        if (
            "person" in kinds
            and said.result is None
            and not kinds & {"against", "with", "by", "I", "have", "played", "he"}
        ):
            said.describes_him = "fully" if kinds - {"person", "open", "close"} else "briefly"
        nouns = all(word.form in ("noun", "") for word in self.results)
        said.gives_up = any(word.form == "quit" for word in self.results)
        same_game = said.gives_up and said.round is None and not said.says_when  # `… and resigned on move 41`
        said.restates = said.is_bare or nouns or said.result == "draw" or same_game
        verbs = any(word.form in ("either", "quit", "beat") and word.meaning != "draw" for word in self.results)
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
            counts_games = place + 1 < len(self.words) and self.words[place + 1].kind == "several"  # `in both games`
            if self._is_in_a_tail(place) and not counts_games:
                continue
            if not self.lenient or not COUNTS[kind]:
                raise Refused(say("reading.why.count"), hopeless=not COUNTS[kind])
            self.said.games = COUNTS[kind]

    def _kind(self, ahead: int = 0) -> str | None:
        place = self.place + ahead
        return self.words[place].kind if place < len(self.words) else None

    def _figure(self, ahead: int = 0) -> int | None:
        """A small number here, also with the ending of an ordinal: of a round, a board, moves or hours."""
        if self._kind(ahead) not in ("number", "mark", "rating", "other"):
            return None
        found = SMALL_NUMBER.fullmatch(self.words[self.place + ahead].text)
        return int(found[1]) if found else None

    def _round(self) -> bool:
        """`R3`, `round 3`, `round three`, `3rd round`, `third round`, `in the last round`, `3. Runde`."""
        word = self.words[self.place]
        before_round = self._kind(1) == "round"
        if word.kind == "round":
            written = word.meaning if word.meaning.isdecimal() else word.form  # `R3`, `3.` of `3. Runde`
            number = int(written) if written else self._figure(1) or self._number_word(1)
            if number is None:
                return False
            self.place += 1 if written and not before_round else 2
        elif before_round and (word.kind == "which" or self._figure() is not None):
            number = self._figure() or (int(word.form) if word.form else None)
            self.place += 2
        else:
            return False
        self.said.round = number
        return True

    def _number_word(self, ahead: int) -> int | None:
        """A number written as a word, `three`; None if there is none here."""
        place = self.place + ahead
        found = words("numbers").phrase(fold(self.words[place].text)) if place < len(self.words) else None
        return int(found) if found is not None and found.isdecimal() else None

    def _measure(self) -> bool:
        """`60 moves`, `four hours`, `4h30`, `board 3`, `move 23`, `two games:`."""
        word = self.words[self.place]
        counted = self._figure() is not None or word.kind in COUNTS
        numbered = word.kind in ("board", "unit") and self._figure(1) is not None
        if numbered or (counted and self._kind(1) in ("unit", "board")):
            self.place += 2
        elif word.kind in ("board", "unit") or _is_a_duration(word):
            self.place += 1
        elif self._figure() is not None and self._kind(1) == "talk":
            self.place += 1  # `with 3 seconds left`
        elif self._figure() is not None and word.kind != "rating" and self._is_behind("in"):
            self.place += 1  # `alla 40esima`, `lost in 12`
        elif self._figure() is not None and self._kind(1) == "several":
            self.counts.append((self.place, "several"))
            self.place += 2
        else:
            return False
        return True

    def _colour(self) -> bool:
        """`White`, `with the black pieces`, `I had Black`; not `against White`, which is the opponent's."""
        if self._kind() != "colour" or (self.introduced and "with" not in self.kinds):
            return False
        colour = COLOUR_NAMES[self.words[self.place].meaning]
        if self.said.colour not in (None, colour) or self._is_about_the_opponent():
            return False
        if self.introduced:
            self.kinds.discard("with")  # `with White` introduces no opponent
        self.said.colour, self.introduced = colour, False
        self.place += 1
        return True

    def _is_about_the_opponent(self) -> bool:
        """`he had White`, `my 1890 opponent was White`."""
        named = self.said.opponent is not None or "person" in self.kinds
        return "he" in self.kinds or (named and "be" in self.kinds and "I" not in self.kinds)

    def _opponent(self) -> bool:
        """A rating, with a title and a name beside it; or a name behind a title or a word such as `against`."""
        start = at = self.place
        title = self._title(at)
        at += title is not None
        name, length = self._name(at)
        named_first = length > 0
        at += length
        is_open = at < len(self.words) and self.words[at].kind == "open"
        at += is_open
        skipped = ("elo",) if at == len(self.words) or self.words[at].kind != "elo" else ("elo", "small")
        while at < len(self.words) and self.words[at].kind in skipped:
            at += 1
        of_a_title = title is not None and name is None and at + 1 < len(self.words) and not is_open
        if of_a_title and self.words[at].kind in ("small", "by", "with", "in") and self.words[at + 1].kind == "rating":
            at += 1  # `un CM da 2105`
        rated = self.words[at] if at < len(self.words) and self.words[at].kind in ("rating", "unrated") else None
        if rated is None:
            if name is None or not (title or self.introduced or self._is_behind_a_verb(start)):
                return False
            at = start + (title is not None) + length
        elif name is None and self._is_a_year(start):
            return False
        else:
            at += 1
            at = self._behind_rating(at)
            if title is None and (title := self._title(at)) is not None:
                at += 1
            if name is None and not (at < len(self.words) and self.words[at].kind == "federation"):
                name, length = self._name(at)
                at += length
        if self.said.opponent is not None:
            raise Refused(TWO_RATINGS, two_readings=True)
        federation, at = self._federation(at)
        is_rated = rated is not None and rated.kind == "rating"
        self.said.opponent = Opponent(
            rating=int(rated.meaning) if rated is not None and is_rated else None,
            state="unknown" if rated is None else "rated" if is_rated else "unrated",
            name=name,
            title=title,
            federation=federation,
            capped=bool(rated and rated.text.endswith("*")),
            starts_the_line=self.words[start].first and named_first and title is None and "," not in (name or ""),
        )
        self.opponent_at, self.opponent_end, self.introduced = start, at, False
        self.place = at
        return True

    def _late_name(self) -> bool:
        """A name at the end of a list's line, right behind the result: `1950 win Marchetti`."""
        opponent = self.said.opponent
        if opponent is None or opponent.name or not self._is_a_row() or self.result_at != self.place - 1:
            return False
        name, length = self._name(self.place)
        if name is None or self.opponent_end != self.result_at or self.place + length < len(self.words):
            return False
        self.said.opponent = replace(opponent, name=name)
        self.place += length
        return True

    def _is_behind_a_verb(self, at: int) -> bool:
        """Whether a verb with an object stands right before, or a word such as `maestro`: `ho battuto Sartorelli`."""
        before = [word for word in self.words[:at] if word.kind not in SMALL]
        if not before:
            return False
        return before[-1].kind == "person" or (
            before[-1].kind == "result" and before[-1].form in ("beat", *PARTICIPLES)
        )

    def _is_a_year(self, at: int) -> bool:
        """Whether the words before a number are about time: `won in 2024`, `torneo de 2024`."""
        if at and self.words[at - 1].kind in ("in", "over") and not self.introduced:
            return True
        is_recent = at < len(self.words) and YEAR.fullmatch(self.words[at].meaning) is not None
        return at > 0 and is_recent and self.words[at - 1].kind == "small" and self._is_behind("time", at)

    def _is_behind(self, kind: str, at: int | None = None) -> bool:
        """Whether a word of this kind stands before, with nothing but small words between."""
        before = [word.kind for word in self.words[: self.place if at is None else at] if word.kind not in SMALL]
        return before[-1:] == [kind]

    def _title(self, at: int) -> str | None:
        """A title here: `FM`, also in small letters if nothing else has that meaning."""
        if at >= len(self.words):
            return None
        word = self.words[at]
        if word.kind == "title":
            return word.meaning or word.text.upper()
        shown = word.text if word.kind == "unknown" and (word.text.islower() or word.text.isupper()) else ""
        return shown.upper() if shown.upper() in titles() else None

    def _name(self, at: int) -> tuple[str | None, int]:
        """A name here, and its words: `Anna Schmidt`, `van der Berg`, `foo_99`."""
        words: list[str] = []
        while at < len(self.words) and len(words) < LONGEST_NAME:
            word = self.words[at]
            named = word.kind in ("unknown", "federation") and can_be_a_name(word.text)
            inside = bool(words) and is_particle(word.text) and at + 1 < len(self.words)
            leads = is_particle(word.text) and self._is_named(at + 1)
            leads = leads and (word.kind == "unknown" or (word.text[0].isupper() and not word.first))
            called_so = self._is_called_so(at, words) or (self.lenient and self._may_lead_a_row(at))
            inside = inside or (bool(words) and word.kind in ("talk", "small", "person") and self._ends_a_name(at))
            if word.kind == "federation" and at and self.words[at - 1].kind == "open":
                break
            if not (named or inside or leads or called_so):
                break
            words.append(word.text)
            at += 1
        while words and is_particle(words[-1]):
            words.pop()
        if len(words) == 1 and len(words[0]) == 1:
            return None, 0  # `1900 G` is a result in some language
        return (" ".join(words).strip(",") or None, len(words))

    def _is_named(self, at: int) -> bool:
        word = self.words[at] if at < len(self.words) else None
        return word is not None and word.kind in ("unknown", "small", "talk") and word.text[0].isupper()

    def _ends_a_name(self, at: int) -> bool:
        """Whether a word that means something else is a surname here: the Stolz of `Heribert Stolz (1733)`."""
        behind = self.words[at + 1].kind if at + 1 < len(self.words) else None
        return self.words[at].text[0].isupper() and behind in ("open", "rating")

    def _is_called_so(self, at: int, words: Sequence[str]) -> bool:
        """Whether a word for a result is a name here: the Won of `Kim Won win`, which has its result elsewhere."""
        word = self.words[at]
        if word.kind != "result" or not word.text.istitle() or not (words or self.introduced):
            return False
        has_result = any(other.kind in ("result", "mark", "sides") for other in self.words[at + 1 :])
        return has_result or self._is_named(at + 1)

    def _may_lead_a_row(self, at: int) -> bool:
        """Whether a word that refuses the line may be a name instead: `Fast 2200 Remis`, or nearly a draw in German."""
        word = self.words[at]
        in_front = word.kind in REFUSED and word.first and word.text.istitle() and at + 1 < len(self.words)
        nouns = all(other.form in ("noun", "") for other in self.words if other.kind == "result")
        return in_front and nouns and self.words[at + 1].kind in ("rating", "open")

    def _behind_rating(self, at: int) -> int:
        """Past the closing bracket and a word such as `Elo` behind a rating."""
        while at < len(self.words) and self.words[at].kind in ("close", "elo"):
            at += 1
        return at

    def _federation(self, at: int) -> tuple[str | None, int]:
        """A federation behind an opponent, `ENG` or `(ENG)`."""
        is_open = at + 1 < len(self.words) and self.words[at].kind == "open" and self.words[at + 1].kind == "federation"
        if is_open or (at < len(self.words) and self.words[at].kind == "federation"):
            at += is_open
            found = self.words[at].text
            return found, self._behind_rating(at + 1)
        return None, at

    def _result(self) -> bool:
        """A word for a result, a score, a mark, or a letter that may be one."""
        word = self.words[self.place]
        if word.kind in ("result", "sides"):
            if self.introduced and not (word.form == "noun" and self._is_behind("with")):  # `ended with a loss to`
                self.unknown.append(self.introduction)  # `have to beat`
            self.introduced = False
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

    def _is_a_result(self, mark: Spoken) -> bool:
        """Whether a mark is a result here: a 1 or 0 stands beside the opponent, a + or - right behind."""
        behind_opponent = self.opponent_at >= 0 and not self.marks
        if mark.meaning == "to-come" or mark.text in ("+", *DASHES):
            return behind_opponent
        if mark.text not in ("0", "1"):
            return True
        follows = self._kind(1) in ("against", "with", "rating", "open", "title")
        return behind_opponent or follows

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
            if self.introduced and kind != "with":  # `against one with 1930`
                self.unknown.append(self.introduction)
            self.introduced, self.introduction = True, word.text
        elif kind not in SILENT | DOERS | {"to-come", "played", "unit"}:
            return False
        self.introduced = self.introduced and kind not in ("me", "him", "talk")
        self.said.to_come = self.said.to_come or kind == "to-come"
        self.said.played = self.said.played or kind == "played"
        self.kinds.add(kind)
        self.place += 1
        return True

    def _work_out_the_result(self) -> None:
        """How the game ended for the writer, from who did what."""
        said, kinds = self.said, self.kinds
        if said.colour is not None and "he" in kinds and "I" not in kinds:
            raise Refused(say("reading.why.whose_colour"), two_readings=True)
        self._read_letters()
        if "bye" in kinds:
            if said.opponent is not None or self.results or self.marks:
                raise Refused(say("reading.why.bye_or_game"), two_readings=True)
            said.result, said.read_from = "bye", next(word.text for word in self.words if word.kind == "bye")
            return
        if len(self.results) > 1 and "me" in kinds:  # `beat the 1850 that beat me last year`
            raise Refused(WHO_WON, two_readings=True)
        outcomes = {self._outcome(word): word for word in self.results}
        marks = {RESULT_NAMES[mark.meaning]: mark for mark in self.marks}
        if len(outcomes) > 1 or len(marks) > 1 or (outcomes and marks and set(outcomes) != set(marks)):
            raise Refused(TWO_RESULTS, two_readings=True)
        for result, word in (outcomes or marks).items():
            said.result, said.read_from = result, word.text
        if said.result == "to-come":
            said.result, said.to_come = None, True
        said.forfeit = "forfeit" in kinds
        if said.to_come and said.result is not None:
            raise Refused(REFUSED["perhaps"], hopeless=True)
        if said.opponent is not None and said.opponent.starts_the_line and not (self._is_a_row() or self.lenient):
            raise Refused(say("reading.why.unexplained", words=[said.opponent.name or ""]))

    def _is_a_row(self) -> bool:
        """`Kim 1950 win`, `Kim (1950) 1-0`: a name, a rating and a noun, with no verb that an adverb could change."""
        return all(word.form in ("noun", "") for word in self.results) and self.kinds <= {"open", "close"}

    def _read_letters(self) -> None:
        """Letters are colours beside another result, or where the text uses them so; else w, d and l are results."""
        if not self.letter:
            return
        letters = {letter.meaning for letter in self.letter}
        has_result = bool(self.results or self.marks)
        as_colours = {**({"b": "black"} if "b" in letters else {}), **colour_letters(letters | self.letters)}
        if len(self.letter) == 1 and (has_result or self.letters & {"b", "s"} or not letters & set(RESULT_LETTERS)):
            colour = as_colours.get(self.letter[0].meaning)
            if colour is not None and self.said.opponent is not None and self.said.colour is None:
                self.said.colour = COLOUR_NAMES[colour]
                return
        elif len(self.letter) == 1 and self.said.opponent is not None and self.said.colour is None:
            letter = self.letter[0]
            self.marks.append(replace(letter, meaning=RESULT_LETTERS[letter.meaning]))
            return
        raise Refused(say("reading.why.unexplained", words=[letter.text for letter in self.letter]))

    def _outcome(self, word: Spoken) -> Result:
        """What a word for a result means for the writer; raises Refused if it is not clear who won."""
        if word.kind == "sides":
            return self._score(word.text)
        result = RESULT_NAMES[word.meaning]
        doer = self._doer(word)
        if result == "draw" and (doer or "we" in self.kinds):
            return "draw"
        if doer is None:
            raise Refused(WHO_WON, two_readings=True)
        return result if doer == "writer" else OPPOSITE[result]

    def _score(self, score: str) -> Result:
        """A score such as `1-0`, which is the writer's own unless something speaks against it."""
        own = SIDES[score][0]
        if own == "draw":
            return own
        if self.said.colour == "black" and len(self.results) == 1:
            raise Refused(say("reading.why.whose_score", score=score), two_readings=True)
        if self.kinds & {"he", "me", "has", "by"}:
            raise Refused(WHO_WON, two_readings=True)
        return own

    def _doer(self, word: Spoken) -> Literal["writer", "opponent"] | None:
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
            beside = self._is_behind("against", self.opponent_at) and "person" not in kinds
            return None if beside else "opponent"
        if "he" in kinds:  # `he won`, where the opponent was named before; `my opponent (1911) resigned`
            named = opponent is None or self._is_called_he()
            return "opponent" if named and word.form != "beaten" else None
        if is_his:
            return "opponent" if self._is_the_opponents_verb(word) else None
        return "writer" if self._is_the_writers_verb(word) else None

    def _is_the_opponents_verb(self, word: Spoken) -> bool:
        """`ha abbandonato`, `o 1830 abandonou`, `der 1844er hat aufgegeben`."""
        opponent = self.said.opponent
        if opponent is None:
            self.said.needs_a_subject = True
            return word.form != "beaten"
        if self.kinds & {"against", "with", "I", "have"}:
            return False
        if word.form == "to_me":  # `2010 поставил мне мат`
            return self.opponent_at < self.result_at
        if word.form != "his":  # `heeft gewonnen van 1850` is not about 1850's win
            return word.form in ("either", "quit") and self.opponent_at < self.result_at
        is_subject = opponent.name is not None or bool(self.kinds & {"small", "person"})
        return is_subject and self.opponent_at < self.result_at

    def _is_the_writers_verb(self, word: Spoken) -> bool:
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
        self.said.is_listed = word.form == "either" and opponent.name is None and self.said.colour is None
        others = kinds & {"small", "person", "time", "be"}
        self.said.is_listed = self.said.is_listed and not others
        self.said.shares_a_verb = self.verb_last and self.said.joined_by_and and word.form == "either" and not others
        return self.said.is_listed or self.said.shares_a_verb

    def _has_another_subject(self) -> bool:
        """Whether somebody else stands before the verb: `a player beat 1850`, `board 2 lost to 1850`."""
        before = self.words[: max(self.result_at, 0)]
        for word in before:
            if word.kind in ("against", "with", "by", "in", "rating"):
                return False
            if word.kind in ("person", "board"):
                return self.opponent_at > self.result_at or (word.kind == "person" and "with" in self.kinds)
        return bool(before) and before[-1].form == "determiner"  # `another beat 1850`

    def _somebody_played(self) -> bool:
        """Whether a person stands right before `against`, who is not the writer: `Kollege gegen 1850 remis`."""
        kinds = [word.kind for word in self.words[: max(self.opponent_at, 0)] if word.kind not in SMALL]
        return ("person", "against") in pairwise(kinds) and not {"I", "have", "me"} & self.kinds

    def _is_called_he(self) -> bool:
        """Whether the opponent stands right behind `he` or `my opponent`: it is the same person."""
        before = [word.kind for word in self.words[: self.opponent_at] if word.kind not in ("open", *SMALL)]
        return before[-1:] == ["he"] and not -1 < self.result_at < self.opponent_at
