"""Games as people paste them: from a results page, a crosstable, PGN, a message or a list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal

from arpad.core import DRAW, LOSS, WIN, Player
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.notation import parse_pairing, split_games
from arpad.reading.particulars import MOST_ABOVE, facts_in, headed
from arpad.reading.pasted import LOWEST_PASTED, PARTICULARS, Account, Paste, PastedGame, PastedLine, lines_of
from arpad.reading.results import COLOUR_NAMES, Result, colour_letters
from arpad.reading.text import LONGEST_PASTE
from arpad.reading.vocabulary import spoken

HOW_IT_ENDED: dict[tuple[str, Decimal | None], Result] = {
    ("played", WIN): "win", ("played", DRAW): "draw", ("played", LOSS): "loss", ("played", None): "to-come",
    ("forfeit", WIN): "forfeit-win", ("forfeit", LOSS): "forfeit-loss",
}  # fmt: skip
LETTERS_BEHIND = frozenset("wdlbs")  # results and colours in English, and the German s


def read_paste(text: str, *, player: str | None = None, accept: Collection[int] = ()) -> Paste:
    """The games of a pasted text; `player` says whose games to read if the text has several people's.

    Accepts what people paste. `accept` are the lines, counted from 1, that are not understood and whose suggested games
    are taken. Every line becomes a game or is left out with a reason. Gives a Paste: the games, the lines left out, and
    what the text says about the player and the event. Raises BadInput for a text that is too long, and for a player
    whom the text does not name or names several times.
    """
    # The layouts need the whole vocabulary, which a question in the plain notation never loads.
    from arpad.reading.pgn import read_pgn
    from arpad.reading.sites import read_chesscom, read_fide, read_uschess
    from arpad.reading.tables.own import read_tables
    from arpad.reading.tables.shapes import read_shapes

    if len(text) > LONGEST_PASTE:
        raise BadInput(say("reading.long_paste", characters=len(text), most=LONGEST_PASTE), at="text")
    account = Account(lines_of(text), player if player is None or player.strip() else None)
    readers = (read_pgn, read_uschess, read_fide, read_chesscom, read_tables, read_shapes)
    if not any(read(account) for read in readers):
        _read_messages(account, accept)
    return account.paste()


def read_lines(texts: Sequence[str]) -> Paste:
    """Games that were typed one by one, as a paste; the lines are counted from 1."""
    pastes = [read_paste(text) for text in texts]
    return Paste(
        games=tuple(replace(game, line=no) for no, paste in enumerate(pastes, start=1) for game in paste.games),
        left_out=tuple(replace(line, line=no) for no, paste in enumerate(pastes, start=1) for line in paste.left_out),
        layout="lines",
    )


def _read_messages(account: Account, accept: Collection[int]) -> None:
    """Messages and typed lists: read every line as games, in words or in Arpad's notation, or leave it out."""
    from arpad.reading.lines import LONGEST_LINE, read_line, read_own_rating

    account.layout = account.layout or "lines"
    lines = [line for line in account.lines if not line.is_blank]
    letters, counted = _colour_letters(lines), _count_rounds(lines)
    unclear = _are_unclear(set(map(_last_letter, lines)) - {""})
    read: list[tuple[PastedLine, PastedGame]] = []
    for place, line in enumerate(lines):
        if len(line.text) > LONGEST_LINE:
            account.leave([line], say("reading.why.too_long"))
            continue
        if not read and place < MOST_ABOVE and headed(line):
            account.leave([line], PARTICULARS)
            continue
        if unclear and (letter := _last_letter(line)):
            account.leave([line], say("reading.why.unexplained", words=[letter.upper()]), doubtful=True)
            continue
        typed = _in_notation(line.text)
        if typed:
            read += [(line, game) for game in typed]
            continue
        reading = read_own_rating(line.text, letters) or read_line(
            line.text, player=account.player, letters=letters, counted=counted
        )
        if reading.own is not None:
            kind = reading.own.kind
            account.state("rating" if kind == "bare" else kind, reading.own.rating, line)
        games = reading.games or (reading.suggestion if line.number in accept else ())
        if all(game.result == "to-come" for game in games) and facts_in(line):
            account.leave([line], PARTICULARS)  # `DWZ: 1901` is the player's own rating
            continue
        read += [(line, game) for game in games]
        if not games and reading.why is not None:
            might_be = tuple(game.notation for game in reading.suggestion if game.notation)
            account.leave([line], reading.why, doubtful=reading.doubtful, suggestion=might_be)
    for (line, _), game in zip(read, _numbered([game for _, game in read]), strict=True):
        account.add(game, [line])


def _colour_letters(lines: Sequence[PastedLine]) -> set[str]:
    """The colour letters at the ends of lines, if one can only be a colour: then w means White too, not a win."""
    last = {words[-1].lower() for line in lines if (words := line.text.split()[-2:]) and len(words[-1]) == 1}
    return last & {"w", "b", "s"} if last & {"b", "s"} else set()


def _last_letter(line: PastedLine) -> str:
    """The letter that a line with a rating and no word for a result ends in: the v of `1850 V`; else nothing."""
    *before, last = line.text.split()
    if len(last) > 1 or not last.isalpha() or any("result" in spoken(word).values() for word in before):
        return ""
    return last.lower() if any(word.isdecimal() and len(word) >= len("100") for word in before) else ""


def _are_unclear(letters: set[str]) -> bool:
    """Whether the letters behind the ratings of a text may be results in some language: in French V, N, D, d is a loss.

    Those of two colours are not, such as b and n.
    """
    colours = colour_letters(letters)
    return not letters <= LETTERS_BEHIND and len(set(colours.values())) < len(letters)


def _count_rounds(lines: Sequence[PastedLine]) -> bool:
    """Whether the lines begin with 1, 2, 3 and so on."""
    first = [line.text.split(maxsplit=1)[0] for line in lines]
    return len(lines) > 1 and first == [str(number) for number in range(1, len(lines) + 1)]


def _in_notation(line: str) -> list[PastedGame]:
    """The games of a line in Arpad's notation, `1950:win, 1800@b:½`; none if it is something else."""
    text = line.strip()
    if " " in text and ":" not in text and "@" not in text:
        return []
    pieces = split_games([text])
    if not all(piece.isalnum() or ":" in piece or "@" in piece[1:] for piece in pieces) or " " in "".join(pieces):
        return []  # words: `1950 1 : 0`
    try:
        return [_typed_game(piece) for piece in pieces]
    except ValueError:
        return []


def _typed_game(typed: str) -> PastedGame:
    """One game in the notation; a ValueError for anything else, such as a number that is too small for a rating."""
    pairing = parse_pairing(typed)
    opponent = pairing.opponent
    standing = opponent.rating_used if isinstance(opponent, Player) else 0
    if not isinstance(opponent, Player) or (standing is not None and standing < LOWEST_PASTED):
        raise ValueError(typed)
    result = HOW_IT_ENDED.get((pairing.how, pairing.score), "bye")
    return PastedGame(
        result=result,
        opponent=None if opponent.rating is None else int(opponent.rating),
        rating_state="unrated" if opponent.rating is None else "rated",
        name=opponent.name,
        title=opponent.title,
        federation=opponent.federation,
        colour=COLOUR_NAMES.get(pairing.colour or ""),
        read_from="" if result == "to-come" else typed.rpartition(":")[2].partition("@")[0] or typed,
        typed=typed,
    )


def _numbered(games: list[PastedGame]) -> list[PastedGame]:
    """Games with the rounds that the lines name; if they name none, or one twice, the games are numbered in order."""
    rounds = [game.round for game in games if game.round is not None]
    if rounds and len(set(rounds)) == len(rounds):
        return games
    return [replace(game, round=number) for number, game in enumerate(games, start=1)]
