"""A tournament as a strict TRF16 or TRF26 report, and what that edition has no place for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date
from decimal import Decimal
from typing import Any

from arpad.core.tournaments import (
    ABSENT,
    BYES,
    COMMENT,
    NATIONAL,
    PENDING,
    Adjustment,
    Entrant,
    Oddity,
    Record,
    Round,
    Tournament,
)
from arpad.errors import BadInput
from arpad.formats.trf import columns
from arpad.formats.trf.columns import MOST_ROUNDS, OPPONENT, PLAYER, RECORDS, ROUND_DAY, TEXT_FROM
from arpad.formats.trf.event import CODED_TYPE, DAYS, MATCH, TEXTS, USUAL_MATCH, codes_of, counts_of, letters_of
from arpad.formats.trf.fields import GAME_LETTERS, RESULT_LETTERS, points_text, spelt
from arpad.formats.trf.reader import ADJUSTED, ADJUSTMENT
from arpad.messages import say

LINE_END = "\r\n"
TRF16, TRF26 = "trf16", "trf26"
LETTERS = {"white": "w", "black": "b", None: "-"}
FIRST_COLOUR = {"white1": "W", "black1": "B"}
COLOUR_WORDS = {letter: word for word, letter in FIRST_COLOUR.items()}


def trf_report(tournament: Tournament, format: str) -> tuple[bytes, tuple[Oddity, ...]]:
    """The file, and what the format has no place for; a BadInput for what no report can say."""
    lost: list[Oddity] = []
    new = format == TRF26
    code, layout = ("310", columns.TEAM) if new else ("013", columns.OLD_TEAM)
    lines = [
        *_event(_without_coded_type(tournament) if new else tournament, lost),
        *_setup(tournament, new=new),
        *(_player(entrant, lost) for entrant in tournament.entrants),
        *(spelt(code, layout, asdict(team), lost) for team in tournament.teams),
        *_records(tournament, new=new, lost=lost),
    ]
    return (LINE_END.join(lines) + LINE_END).encode(), tuple(lost)


def _event(tournament: Tournament, lost: list[Oddity]) -> Iterator[str]:
    """The lines about the event that every edition has."""
    facts = {**TEXTS, **DAYS}
    counts = counts_of(tournament.entrants, tournament.teams)
    for code in sorted([*facts, *counts, "112", "132"]):
        if code in counts:
            yield f"{code} {counts[code]}"
        elif code == "112":
            yield from (spelt(code, columns.PLAIN, {"text": deputy}, lost) for deputy in tournament.deputies)
        elif code == "132":
            if any(tournament.round_days):
                yield spelt(code, (ROUND_DAY,), {"day": tournament.round_days}, lost)
        elif (value := getattr(tournament, facts[code])) is not None:
            form = "day" if code in DAYS else "text"
            yield spelt(code, (columns.Column("text", TEXT_FROM, columns.END, form),), {"text": value}, lost)


def _without_coded_type(tournament: Tournament) -> Tournament:
    """The tournament without its type in words, if that is only the code of 192, which has its own line."""
    coded = [record.fields["text"] for record in tournament.records if record.code == CODED_TYPE]
    return replace(tournament, kind=None) if tournament.kind in coded else tournament


def _setup(tournament: Tournament, *, new: bool) -> Iterator[str]:
    """The lines with rounds and points: numbered codes in TRF26, JaVaFo's letters in TRF16."""
    seen = max((len(entrant.rounds) for entrant in tournament.entrants), default=0)
    if max(seen, tournament.rounds) > MOST_ROUNDS:
        raise BadInput(say("formats.trf.write_rounds", most=MOST_ROUNDS), at="rounds")
    if seen or tournament.rounds:
        yield f"{'142' if new else 'XXR'} {max(seen, tournament.rounds)}"
    if tournament.scoring is not None:
        letters = letters_of(tournament.scoring)
        if not new:
            yield "XXS " + " ".join(
                f"{code}={points_text(paid)}" for code, paid in codes_of(tournament.scoring).items()
            )
        elif letters is not None:  # a letter has the same value for both colours
            yield "162  " + "    ".join(f"{letter}{points_text(paid):>4}" for letter, paid in letters.items())
    if tournament.match_scoring is not None and new:
        paid = {**USUAL_MATCH, **tournament.match_scoring}
        yield "362 " + "   ".join(f"{code}{points_text(paid[name]):>4}" for code, name in MATCH.items())


def _player(entrant: Entrant, lost: list[Oddity]) -> str:
    player = entrant.player
    born: date | str | None = entrant.born
    if born is None and player.birth_year is not None:
        born = f"{player.birth_year:04d}/00/00"
    fields = {
        "no": entrant.no,
        "sex": player.sex,
        "title": player.title,
        "name": player.name,
        "rating": None if player.rating is None else int(player.rating),
        "federation": player.federation,
        "id": player.fide_id,
        "born": born,
        "points": entrant.points,
        "rank": entrant.rank,
    }
    line = spelt("001", PLAYER, fields, lost)
    if not entrant.rounds:
        return line
    # Not trimmed: a result still to come is a blank in its column, which some programs require.
    return f"{line:<{OPPONENT.first - 1}}{'  '.join(map(_round, entrant.rounds))}"


def _round(played: Round) -> str:
    """Opponent, colour and result of a round; a dash means no colour."""
    opponent = "0000" if played.opponent is None else f"{played.opponent:>{OPPONENT.width}}"
    if len(opponent) > OPPONENT.width:
        raise BadInput(say("formats.trf.number_does_not_fit", number=played.opponent), at="opponent")
    if played.kind in (PENDING, ABSENT):
        result = " "
    elif played.kind in BYES:
        result = RESULT_LETTERS[played.kind]
    else:
        if (played.kind, played.score) not in GAME_LETTERS:
            raise BadInput(say("formats.trf.no_letter", kind=played.kind, score=played.score), at="rounds")
        result = GAME_LETTERS[played.kind, played.score]  # type: ignore[index]
    return f"{opponent} {LETTERS[played.colour]} {result}"


def _records(tournament: Tournament, *, new: bool, lost: list[Oddity]) -> Iterator[str]:
    """The other records, in the codes of the edition."""
    dropped: Counter[str] = Counter()
    for record in tournament.records:
        if new and record.code == NATIONAL:
            yield spelt(record.text("federation"), columns.NATIONAL_PERSON, record.fields, lost)
            continue
        kept = list(_translated(record, tournament.rounds, new=new))
        for translated in kept:
            layout = columns.ADJUSTMENT if translated.code == ADJUSTMENT else RECORDS[translated.code]
            yield spelt(translated.code, layout, translated.fields, lost)
        if not kept:
            dropped[record.code] += 1
    if new:
        for adjustment in tournament.adjustments:
            if (fields := _adjusted(adjustment)) is not None:
                yield spelt(ADJUSTMENT, columns.ADJUSTMENT, fields, lost)
    elif tournament.adjustments:
        dropped[ADJUSTMENT] = len(tournament.adjustments)
    edition = "TRF26" if new else "TRF16"
    for code, times in dropped.items():
        lost.append(Oddity(say("formats.trf.no_place", edition=edition, code=code, lines=times), lost=True))


def _translated(record: Record, rounds: int, *, new: bool) -> Iterator[Record]:
    """A record in the codes of the edition; nothing if the edition has no code for it."""
    code, fields = record.code, dict[str, Any](record.fields)
    own = (code.isdigit() or code == COMMENT) if new else code.startswith("XX")
    if own:
        yield record
    elif new and code == "XXC":
        yield from (
            Record("152", {"colour": FIRST_COLOUR[word]}) for word in record.text().split() if word in FIRST_COLOUR
        )
    elif new and code == "XXP":
        yield Record("260", {"first_round": 1, "last_round": rounds, "numbers": fields["numbers"]})
    elif new and code == "XXA":
        for number, points in enumerate(fields["points"], start=1):
            if points:
                span = {"first_round": number, "last_round": number}
                yield Record("250", {"points": points, **span, "first_no": fields["no"], "last_no": fields["no"]})
    elif code == "152" and (letter := record.text("colour").upper()) in COLOUR_WORDS:
        yield Record("XXC", {"text": COLOUR_WORDS[letter]})
    elif code == "260" and (fields["first_round"], fields["last_round"]) == (1, rounds):
        yield Record("XXP", {"numbers": fields["numbers"]})


def _adjusted(adjustment: Adjustment) -> dict[str, Any] | None:
    """The fields of 299; None for the Black half of a pair, which White's half already says."""
    if adjustment.pays is not None and adjustment.pays.startswith("black-"):
        return None
    kind = next((letter for letter, pays in ADJUSTED.items() if adjustment.pays in pays), "")
    return {
        "kind": kind,
        "points": Decimal(adjustment.points),
        "round": adjustment.round,
        "numbers": adjustment.numbers,
    }
