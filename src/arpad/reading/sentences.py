"""Games in words: `beat 1950, drew with Müller (2103)`, `R2 Remis gegen 1877`, `2001 hat gegen mich gewonnen`.

The law: a line is read only if every one of its words is explained. It is cut into clauses at commas and at `and`; each
clause is read in every language, and counts if one language explains all of its words. A clause says who the opponent
was, how the game ended and who did it; clauses that say only a part of that belong together. One word that is not
explained, a negation, a count of games, a second rating or result, or a doer who is not clear, and the line is not
understood: the game it might be is then a suggestion, and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from arpad.core.players import FEDERATIONS
from arpad.messages import say
from arpad.reading.clauses import (
    OPPOSITE,
    REFUSED,
    TWO_RESULTS,
    WHO_WON,
    ClauseReader,
    Opponent,
    Refused,
    Spoken,
    SpokenClause,
    can_be_a_name,
)
from arpad.reading.pasted import PastedGame
from arpad.reading.results import SIDES, Result
from arpad.reading.text import fold
from arpad.reading.tokens import Token
from arpad.reading.vocabulary import Lexicon, languages_of, lexicon, only_means, spoken

FORFEITS: dict[str | None, Result] = {
    "win": "forfeit-win", "loss": "forfeit-loss", "forfeit-win": "forfeit-win", "forfeit-loss": "forfeit-loss",
}  # fmt: skip
LIKELY_LANGUAGES = 3  # that are tried on a line
VERB_LAST = ("de", "nl")  # languages that put a verb behind all of its opponents: `gegen Huber und Maier verloren`
WORDS = ("word", "letter", "federation", "other")  # kinds of tokens that a language may know


def read_sentence(tokens: Sequence[Token], letters: set[str]) -> tuple[PastedGame, ...]:
    """The games of a line of words; `letters` are the colour letters used elsewhere in the same text.

    Raises Refused, with why and with the games it might be, for a line that is not understood.
    """
    try:
        return _games_in(tokens, letters, lenient=False)
    except Refused as refused:
        if not refused.hopeless:
            with suppress(Refused):
                refused.suggestion = _games_in(tokens, letters, lenient=True)
        raise


def _games_in(tokens: Sequence[Token], letters: set[str], *, lenient: bool) -> tuple[PastedGame, ...]:
    """The games of a line, in the language that knows most of its words, or in several if each clause has its own."""
    parts = _parts(tokens)
    readings: set[tuple[PastedGame, ...]] = set()
    refusals: list[Refused] = []
    for language in _lexicons_for(tokens):
        try:
            clauses = [clause for part in parts for clause in _in_language(part, language, letters, lenient=lenient)]
            readings.add(tuple(_games_of(clauses)))
        except Refused as refused:
            if refused.hopeless or refused.two_readings:
                raise  # German: `Fast 2200 Remis` was nearly a draw, whatever `fast` means in other languages
            refusals.append(refused)
    if len(readings) == 1 or (lenient and len({tuple(game.notation for game in games) for games in readings}) == 1):
        return readings.pop()  # a suggestion has no names, in which they may differ
    if readings:
        raise Refused(say("reading.why.two_languages"), two_readings=True)
    if len(parts) > 1:
        try:
            return tuple(
                _games_of([clause for part in parts for clause in _in_any_language(part, letters, lenient=lenient)])
            )
        except Refused:
            pass
    raise refusals[0]


@dataclass(slots=True)
class LinePart:
    """The tokens between two commas; whether they begin the line, and whether an `and` stands before them."""

    tokens: list[Token] = field(default_factory=list)
    first: bool = False
    joined_by_and: bool = False


def _parts(tokens: Sequence[Token]) -> list[LinePart]:
    """A line cut at its commas, dashes and stops, and at words that mean `and` in whatever language.

    Between two names such a word may be another in the line's own language, which is left to that language.
    """
    parts = [LinePart(first=True)]
    for place, token in enumerate(tokens):
        names = all(one.kind == "word" and can_be_a_name(one.text) for one in tokens[place - 1 : place + 2 : 2])
        is_and = token.kind == "word" and fold(token.text) in only_means("and") and not (place and names)
        if token.kind == "break" and _is_within_a_name(tokens, place):
            parts[-1].tokens[-1] = replace(parts[-1].tokens[-1], text=f"{parts[-1].tokens[-1].text},")
        elif token.kind in ("break", "dash") or is_and:
            parts.append(LinePart(joined_by_and=is_and or (parts[-1].joined_by_and and not parts[-1].tokens)))
        else:
            parts[-1].tokens.append(token)
    return [part for part in parts if part.tokens]


def _is_within_a_name(tokens: Sequence[Token], place: int) -> bool:
    """Whether a comma stands between surname and forename: `Carlsen, Magnus (2830)`, `1950 Marchetti, Paolo`."""
    if tokens[place].text != "," or not 0 < place < len(tokens) - 1:
        return False
    surname, forename = tokens[place - 1], tokens[place + 1]
    if not all(one.kind == "word" and can_be_a_name(one.text) and not spoken(one.text) for one in (surname, forename)):
        return False
    before = tokens[place - 2].kind if place > 1 else None
    behind = next((token.kind for token in tokens[place + 2 :] if token.kind not in ("word", "open")), None)
    ends_the_line = place + 2 == len(tokens) and any(token.kind == "rating" for token in tokens[:place])
    return ends_the_line or before in ("rating", "close") or behind in ("rating", "close")


def _lexicons_for(tokens: Sequence[Token]) -> list[Lexicon]:
    """The languages that know most of these words: as words about a game first, then all of them; English if none."""
    texts = [token.text for token in tokens if token.kind == "word"]
    found = languages_of(texts)[:LIKELY_LANGUAGES] or [("en", 0)]
    likely = [lexicon(name) for name, known in found if known + 1 >= found[0][1]]
    known = [(language.known(texts), language) for language in likely]
    most = max(count for count, _ in known)
    return [language for count, language in known if count == most]


def _in_language(part: LinePart, lexicon: Lexicon, letters: set[str], *, lenient: bool) -> list[SpokenClause]:
    """The clauses of a part in one language; raises Refused if it does not explain all of it."""
    verb_last = lexicon.language in VERB_LAST
    return [
        ClauseReader(*clause, letters, verb_last=verb_last, lenient=lenient).clause()
        for clause in _clauses(part, lexicon)
    ]


def _in_any_language(part: LinePart, letters: set[str], *, lenient: bool) -> list[SpokenClause]:
    """The clauses of a part, in the language that explains all of it; languages that do must agree."""
    readings: list[list[SpokenClause]] = []
    for language in _lexicons_for(part.tokens):
        try:
            clauses = _in_language(part, language, letters, lenient=lenient)
        except Refused:
            continue
        if clauses not in readings:
            readings.append(clauses)
    if len(readings) != 1:
        raise Refused(say("reading.why.not_understood"))
    return readings[0]


def _clauses(part: LinePart, lexicon: Lexicon) -> list[tuple[list[Spoken], bool]]:
    """The words of a part with their meanings, cut at the language's own `and`."""
    clauses: list[tuple[list[Spoken], bool]] = [([], part.joined_by_and)]
    for word in _meanings(part, lexicon):
        if word.kind in ("and", "because"):
            clauses.append(([], word.kind == "and"))
        else:
            clauses[-1][0].append(word)
    return [clause for clause in clauses if clause[0]]


def _meanings(part: LinePart, lexicon: Lexicon) -> Iterator[Spoken]:
    """The meaning of every word; of two phrases the longer one counts."""
    tokens = part.tokens
    place = 0
    while place < len(tokens):
        first = part.first and not place
        for length in lexicon.lengths.get(fold(tokens[place].text), ()):
            phrase = tokens[place : place + length]
            if len(phrase) < length or any(token.kind not in WORDS for token in phrase):
                continue
            if length == 1 and phrase[0].kind == "letter" and phrase[0].text.isupper():
                continue  # `1950 W`
            if (found := lexicon.look_up(" ".join(token.text for token in phrase))) is None:
                continue
            is_code = phrase[0].kind == "federation" and found.kind not in ("elo", "unrated")
            if is_code and phrase[0].text in FEDERATIONS:
                continue  # `NOR` is Norway; `NOT` is no federation
            yield Spoken(found.kind, " ".join(token.text for token in phrase), found.meaning, found.form, first)
            place += length
            break
        else:
            yield from _alone(tokens[place], lexicon, first=first)
            place += 1


def _alone(token: Token, lexicon: Lexicon, *, first: bool) -> Iterator[Spoken]:
    """A token that the language does not know as it is; `j'ai` and `m'a` are two words."""
    if token.kind != "word" and not (token.kind == "other" and token.text[0].isalpha()):
        yield Spoken(token.kind, token.text, token.meaning, first=first)
        return
    before, sign, behind = token.text.replace("’", "'").partition("'")
    halves = [lexicon.look_up(f"{before}{sign}"), lexicon.look_up(behind)] if sign and behind else []
    if halves and halves[0] is not None and (halves[1] is not None or behind[0].isupper()):
        yield Spoken(halves[0].kind, f"{before}{sign}", halves[0].meaning, halves[0].form, first)
        found = halves[1]
        yield Spoken(found.kind, behind, found.meaning, found.form) if found else Spoken("unknown", behind)
        return
    yield Spoken("unknown", token.text, first=first)


def _games_of(clauses: Sequence[SpokenClause]) -> Iterator[PastedGame]:
    """The games of a line: each clause begins one, completes the one before, or adds a colour or a round to it."""
    games: list[SpokenClause] = []
    waiting = SpokenClause()  # what was said before its game: a colour, a round
    for clause in clauses:
        last = games[-1] if games else None
        _find_the_doer(clause, waiting if last is None else last)
        if clause.opponent is None and clause.result is None:
            _add(last if last is not None and _fits(last, clause) else waiting, clause)
        elif last is not None and _continues(last, clause):
            _add(last, clause)
        else:
            carried = clause.joined_by_and and clause.is_bare and not clause.is_introduced and not clause.to_come
            if last is not None and clause.result is None and carried:
                clause.result, clause.read_from = last.result, last.read_from  # `drew with 2103 and 1955`
            if last is not None and last.to_come and clause.joined_by_and and clause.result and not clause.says_when:
                raise Refused(REFUSED["perhaps"], hopeless=True)  # `morgen gegen 1905 und 1820 gewonnen`
            if last is not None and last.result is None and _shares_its_verb(last, clause):
                last.result, last.read_from = clause.result, clause.read_from
                clause.is_listed = clause.shares_a_verb = False
            _add(clause, waiting)
            games.append(clause)
            waiting = SpokenClause()
    _refuse_open_verbs(clauses)
    if not games or waiting.to_come or waiting.colour or waiting.round:
        raise Refused(say("reading.why.not_understood"))
    for game in games:
        yield from _as_pasted(game, several=len(games) > 1)


def _refuse_open_verbs(clauses: Sequence[SpokenClause]) -> None:
    """Refuse `1850 lost, thanks to me`, and `Remis gegen 1905 und Maier (1820) verloren`: who lost is not clear."""
    listed = any(clause.is_listed for clause in clauses) and any(clause.is_told for clause in clauses)
    if listed or any(clause.shares_a_verb and not clause.is_listed for clause in clauses):
        raise Refused(WHO_WON, two_readings=True)


def _find_the_doer(clause: SpokenClause, before: SpokenClause) -> None:
    """Who did what a clause says without its subject: the opponent, if one was named just before."""
    repeated = clause.opponent is None and clause.result == before.result  # `lost to 1850, me pasó por encima`
    if clause.needs_a_subject and not before.has_subject and not repeated:
        raise Refused(WHO_WON, two_readings=True)
    if clause.needs_a_doer and clause.opponent is None and clause.result in OPPOSITE:
        if before.is_about_him or before.describes_him == "fully" or (before.describes_him and clause.gives_up):
            raise Refused(WHO_WON, two_readings=True)
        if before.has_subject:
            clause.result = OPPOSITE[clause.result]  # `my opponent, 1811, resigned`


def _continues(game: SpokenClause, clause: SpokenClause) -> bool:
    """Whether a clause belongs to the game before it."""
    if clause.opponent is None:
        # `Huber (2140), Remis`, or the same result once more: `perpetual check against 2033, so half a point`
        return game.result is None or (clause.result == game.result and clause.restates)
    if game.opponent is None and game.result not in ("bye", None):
        # `won, 1950`
        return clause.is_bare if clause.result is None else clause.result == game.result
    # `against Huber, 2140`
    named = game.opponent is not None and game.opponent.state == "unknown"
    return named and clause.result is None and clause.opponent.name is None


def _shares_its_verb(game: SpokenClause, clause: SpokenClause) -> bool:
    """Whether a verb at the end is about both opponents: `gestern gegen 1905 und 1820 gewonnen`."""
    listed = game.is_introduced and not game.says_more and not (game.to_come or game.played or game.forfeit)
    return listed and clause.joined_by_and and clause.is_bare and clause.ends_with_result and not clause.forfeit


def _fits(game: SpokenClause, clause: SpokenClause) -> bool:
    """Whether a game has room for the colour and the round of a clause."""
    return (clause.colour is None or game.colour is None) and (clause.round is None or game.round is None)


def _add(game: SpokenClause, clause: SpokenClause) -> None:
    """Add to a game what a clause says of it; raises Refused if both say the same thing."""
    if game.colour and clause.colour and game.colour != clause.colour:
        raise Refused(say("reading.why.not_understood"))
    if clause.opponent is not None and game.opponent is not None:
        name, title = game.opponent.name or clause.opponent.name, game.opponent.title or clause.opponent.title
        game.opponent = replace(clause.opponent, name=name, title=title)
    game.opponent = game.opponent or clause.opponent
    if clause.result is not None:
        if game.result is not None and game.result != clause.result:
            raise Refused(TWO_RESULTS, two_readings=True)
        game.result, game.read_from = clause.result, clause.read_from
    game.colour = game.colour or clause.colour
    game.round = game.round or clause.round
    game.to_come = game.to_come or clause.to_come
    game.played = game.played or clause.played
    game.forfeit = game.forfeit or clause.forfeit
    game.has_subject = game.has_subject or clause.has_subject
    game.is_about_him = game.is_about_him or clause.is_about_him
    game.describes_him = game.describes_him or clause.describes_him
    game.games = max(game.games, clause.games)


def _as_pasted(game: SpokenClause, *, several: bool) -> Iterator[PastedGame]:
    """The game, once for each time it was played; raises Refused if its opponent or its result is missing."""
    opponent = game.opponent
    if opponent is None and game.result != "bye":
        raise Refused(say("reading.why.no_opponent"))
    if game.result is not None and game.to_come:
        raise Refused(REFUSED["perhaps"], hopeless=True)
    if game.forfeit:
        if game.result not in FORFEITS:
            raise Refused(say("reading.why.won_or_lost"), two_readings=True)
        game.result = FORFEITS[game.result]
    if game.result is None and (game.played or (several and not game.to_come)):
        raise Refused(say("reading.why.no_result_here"))
    if game.result in ("win", "loss") and SIDES.get(game.read_from) and game.colour == "black":
        raise Refused(say("reading.why.whose_score", score=game.read_from), two_readings=True)
    opponent = opponent or Opponent()
    for _ in range(game.games):
        yield PastedGame(
            result=game.result or "to-come",
            round=game.round,
            opponent=opponent.rating,
            rating_state=opponent.state,
            name=opponent.name,
            title=opponent.title,
            federation=opponent.federation,
            colour=game.colour,
            capped=opponent.capped,
            read_from=game.read_from,
        )
