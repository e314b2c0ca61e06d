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
from dataclasses import replace
from typing import NamedTuple

from arpad.core.players import FEDERATIONS
from arpad.reading.clauses import ClauseReader, Refused, SpokenClause, can_be_a_name
from arpad.reading.pasted import PastedGame
from arpad.reading.results import FORFEITED, MIRROR, SIDES, Result
from arpad.reading.text import fold
from arpad.reading.tokens import Token
from arpad.reading.vocabulary import Lexicon, SpokenMeaning, languages_of, lexicon, only_means, spoken

FORFEITS: dict[Result | None, Result] = {
    said: ended for result, ended in FORFEITED.items() for said in (result, ended)
}  # fmt: skip
LIKELY_LANGUAGES = 3  # that are tried on a line
VERB_LAST = ("de", "nl")  # languages that put a verb behind all of its opponents: `gegen Huber und Maier verloren`
WORDS = ("word", "letter", "federation", "other")  # kinds of tokens that a language may know
# What a clause may add to the game that another has begun.
ADDED = ("colour", "round", "to_come", "played", "forfeit", "has_subject", "is_about_him", "describes_him")


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
    readings: dict[tuple[PastedGame, ...], tuple[str | None, ...]] = {}  # each with its games in the notation
    refusals: list[Refused] = []
    for language in _lexicons_for(tokens):
        try:
            clauses = [clause for part in parts for clause in _in_language(part, language, letters, lenient=lenient)]
            games = tuple(_games_of(clauses))
            readings[games] = tuple(game.notation for game in games)
        except Refused as refused:
            if refused.hopeless or refused.two_readings:
                raise  # German: `Fast 2200 Remis` was nearly a draw, whatever `fast` means in other languages
            refusals.append(refused)
    if len(readings) == 1 or (lenient and len(set(readings.values())) == 1):
        return next(iter(readings))  # a suggestion has no names, in which they may differ
    if readings:
        raise Refused("two_languages")
    if len(parts) > 1:
        with suppress(Refused):
            clauses = [clause for part in parts for clause in _in_any_language(part, letters, lenient=lenient)]
            return tuple(_games_of(clauses))
    raise refusals[0]


class LinePart(NamedTuple):
    """A part of a line, as it was typed or with the meanings of a language; whether an `and` stands before it."""

    tokens: list[Token]
    joined_by_and: bool = False


def _parts(tokens: Sequence[Token]) -> list[LinePart]:
    """A line cut at its commas, dashes and stops, and at words that mean `and` in whatever language.

    Between two names such a word may be another in the line's own language, which is left to that language.
    """
    parts = [LinePart([])]
    for place, token in enumerate(tokens):
        names = place and all(_may_be_a_name(beside) for beside in tokens[place - 1 : place + 2 : 2])
        is_and = token.kind == "word" and fold(token.text) in only_means("and") and not names
        tail = parts[-1].tokens
        if token.kind == "break" and _is_within_a_name(tokens, place):
            tail[-1] = replace(tail[-1], text=f"{tail[-1].text},")
        elif token.kind in ("break", "dash") or is_and:
            parts.append(LinePart([], is_and or (parts[-1].joined_by_and and not tail)))
        else:
            tail.append(token if place else replace(token, first=True))
    return [part for part in parts if part.tokens]


def _may_be_a_name(token: Token) -> bool:
    return token.kind == "word" and can_be_a_name(token.text)


def _is_within_a_name(tokens: Sequence[Token], place: int) -> bool:
    """Whether a comma stands between surname and forename: `Carlsen, Magnus (2830)`, `1950 Marchetti, Paolo`."""
    both = tokens[place - 1 : place + 2 : 2] if place else ()
    if tokens[place].text != "," or len(both) < len(("surname", "forename")):
        return False
    if not all(_may_be_a_name(token) and not spoken(token.text) for token in both):
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
    known = [language.known(texts) for language in likely]
    return [language for language, count in zip(likely, known, strict=True) if count == max(known)]


def _in_any_language(part: LinePart, letters: set[str], *, lenient: bool) -> list[SpokenClause]:
    """The clauses of a part, in the language that explains all of it; languages that do must agree."""
    readings: list[list[SpokenClause]] = []
    for language in _lexicons_for(part.tokens):
        with suppress(Refused):
            clauses = _in_language(part, language, letters, lenient=lenient)
            if clauses not in readings:
                readings.append(clauses)
    if len(readings) != 1:
        raise Refused("not_understood")
    return readings[0]


def _in_language(part: LinePart, lexicon: Lexicon, letters: set[str], *, lenient: bool) -> list[SpokenClause]:
    """The clauses of a part, cut at the language's own `and`; raises Refused if it does not explain all of it."""
    clauses = [LinePart([], part.joined_by_and)]
    for word in _meanings(part.tokens, lexicon):
        if word.kind in ("and", "because"):
            clauses.append(LinePart([], word.kind == "and"))
        else:
            clauses[-1].tokens.append(word)
    verb_last = lexicon.language in VERB_LAST
    return [
        ClauseReader(*clause, letters, verb_last=verb_last, lenient=lenient).clause()
        for clause in clauses
        if clause.tokens
    ]


def _meanings(tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[Token]:
    """The words of a part with their meanings; of two phrases the longer one counts."""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        for length in lexicon.lengths.get(fold(token.text), ()):
            phrase = tokens[place : place + length]
            text = " ".join(one.text for one in phrase)
            if len(phrase) < length or any(one.kind not in WORDS for one in phrase):
                continue
            if token.text == text and token.kind == "letter" and text.isupper():
                continue  # `1950 W`
            if (found := lexicon.look_up(text)) is not None and not _is_a_code(token, found):
                yield _with_meaning(found, text, first=token.first)
                place += length
                break
        else:
            yield from _alone(token, lexicon)
            place += 1


def _is_a_code(token: Token, found: SpokenMeaning) -> bool:
    """Whether three capital letters are a federation and no word: `NOR` is Norway; `NOT` is no federation."""
    return token.kind == "federation" and found.kind not in ("elo", "unrated") and token.text in FEDERATIONS


def _with_meaning(found: SpokenMeaning | None, text: str, *, first: bool = False) -> Token:
    return (
        Token("unknown", text, first=first)
        if found is None
        else Token(found.kind, text, found.meaning, found.form, first)
    )


def _alone(token: Token, lexicon: Lexicon) -> Iterator[Token]:
    """A token that the language does not know as it is; `j'ai` and `m'a` are two words."""
    if token.kind != "word" and not (token.kind == "other" and token.text[0].isalpha()):
        yield token
        return
    before, sign, behind = token.text.replace("’", "'").partition("'")
    halves = [lexicon.look_up(f"{before}{sign}"), lexicon.look_up(behind)]
    if sign and behind and halves[0] is not None and (halves[1] is not None or behind[0].isupper()):
        yield _with_meaning(halves[0], f"{before}{sign}", first=token.first)
        yield _with_meaning(halves[1], behind)
    else:
        yield _with_meaning(None, token.text, first=token.first)


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
                raise Refused("perhaps", hopeless=True)  # `morgen gegen 1905 und 1820 gewonnen`
            if last is not None and last.result is None and _shares_its_verb(last, clause):
                last.result, last.read_from = clause.result, clause.read_from
                clause.is_listed = clause.shares_a_verb = False
            _add(clause, waiting)
            games.append(clause)
            waiting = SpokenClause()
    _refuse_open_verbs(clauses)
    if not games or waiting.to_come or waiting.colour or waiting.round:
        raise Refused("not_understood")
    for game in games:
        yield from _as_pasted(game, several=len(games) > 1)


def _refuse_open_verbs(clauses: Sequence[SpokenClause]) -> None:
    """Refuse `1850 lost, thanks to me`, and `Remis gegen 1905 und Maier (1820) verloren`: who lost is not clear."""
    listed = any(clause.is_listed for clause in clauses) and any(clause.is_told for clause in clauses)
    if listed or any(clause.shares_a_verb and not clause.is_listed for clause in clauses):
        raise Refused("who_won")


def _find_the_doer(clause: SpokenClause, before: SpokenClause) -> None:
    """Who did what a clause says without its subject: the opponent, if one was named just before."""
    repeated = clause.opponent is None and clause.result == before.result  # `lost to 1850, me pasó por encima`
    if clause.needs_a_subject and not before.has_subject and not repeated:
        raise Refused("who_won")
    if clause.needs_a_doer and clause.opponent is None and clause.result in MIRROR:
        if before.is_about_him or before.describes_him == "fully" or (before.describes_him and clause.gives_up):
            raise Refused("who_won")
        if before.has_subject:
            clause.result = MIRROR[clause.result]  # `my opponent, 1811, resigned`


def _continues(game: SpokenClause, clause: SpokenClause) -> bool:
    """Whether a clause belongs to the game before it."""
    if clause.opponent is None:
        # `Huber (2140), Remis`, or the same result once more: `perpetual check against 2033, so half a point`
        return game.result is None or (clause.result == game.result and clause.restates)
    if game.opponent is None and game.result not in ("bye", None):
        # `won, 1950`
        return clause.is_bare if clause.result is None else clause.result == game.result
    # `against Huber, 2140`
    named = game.opponent is not None and game.opponent.rating_state == "unknown"
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
        raise Refused("not_understood")
    if clause.result is not None:
        if game.result not in (None, clause.result):
            raise Refused("two_results")
        game.result, game.read_from = clause.result, clause.read_from
    if clause.opponent is not None:
        named = game.opponent or clause.opponent
        name, title = named.name or clause.opponent.name, named.title or clause.opponent.title
        game.opponent = replace(clause.opponent, name=name, title=title)
    for what in ADDED:
        setattr(game, what, getattr(game, what) or getattr(clause, what))
    game.games = max(game.games, clause.games)


def _as_pasted(game: SpokenClause, *, several: bool) -> Iterator[PastedGame]:
    """The game, once for each time it was played; raises Refused if its opponent or its result is missing."""
    if game.opponent is None and game.result != "bye":
        raise Refused("no_opponent")
    if game.result is not None and game.to_come:
        raise Refused("perhaps", hopeless=True)
    if game.forfeit:
        if game.result not in FORFEITS:
            raise Refused("won_or_lost")
        game.result = FORFEITS[game.result]
    if game.result is None and (game.played or (several and not game.to_come)):
        raise Refused("no_result_here")
    if game.result in ("win", "loss") and SIDES.get(game.read_from) and game.colour == "black":
        raise Refused("whose_score", score=game.read_from)
    result = game.result or "to-come"
    played = replace(game.opponent or PastedGame(result=result), result=result, read_from=game.read_from)
    yield from [replace(played, round=game.round, colour=game.colour)] * game.games
