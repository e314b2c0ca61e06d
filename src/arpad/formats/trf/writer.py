"""A tournament as a strict report, TRF16 or TRF26; what an edition has no place for is named."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.core.tournaments import (
    ABSENT,
    BYES,
    NATIONAL,
    PENDING,
    Adjustment,
    Entrant,
    Oddity,
    Record,
    Round,
    Team,
    Tournament,
)
from arpad.errors import BadInput
from arpad.formats.trf import columns
from arpad.formats.trf.columns import OPPONENT, PLAYER, RECORDS, ROUND_DAY, TEXT_FROM
from arpad.formats.trf.event import CODED_TYPE, DAYS, TEXTS
from arpad.formats.trf.player import MOST_ROUNDS
from arpad.formats.trf.reader import ADJUSTED, ADJUSTMENT
from arpad.formats.trf.scoring import MATCH, codes_of, letters_of
from arpad.formats.trf.spelling import points_text, spelt
from arpad.formats.trf.values import GAME_LETTERS, RESULT_LETTERS
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_END = "\r\n"
TRF16, TRF26 = "trf16", "trf26"
LETTERS = {"white": "w", "black": "b", None: "-"}
FIRST_COLOUR = {"white1": "W", "black1": "B"}
COLOUR_WORDS = {letter: word for word, letter in FIRST_COLOUR.items()}


def trf_report(tournament: Tournament, format: str) -> tuple[bytes, tuple[Oddity, ...]]:
    """The file, and what the format has no place for."""
    lost: list[Oddity] = []
    lines = list(_lines(tournament, new=format == TRF26, lost=lost))
    return (LINE_END.join(lines) + LINE_END).encode(), tuple(lost)


def _lines(tournament: Tournament, *, new: bool, lost: list[Oddity]) -> Iterator[str]:
    yield from _event(_without_coded_type(tournament) if new else tournament, lost)
    yield from _setup(tournament, new=new)
    for entrant in tournament.entrants:
        yield _player(entrant, lost)
    for team in tournament.teams:
        yield _team(team, new=new, lost=lost)
    yield from _records(tournament, new=new, lost=lost)


def _without_coded_type(tournament: Tournament) -> Tournament:
    """The type in words is not written where it is only the code of 192, which has its own line."""
    coded = [one.fields["text"] for one in tournament.records if one.code == CODED_TYPE]
    return replace(tournament, kind=None) if tournament.kind in coded else tournament


def _event(tournament: Tournament, lost: list[Oddity]) -> Iterator[str]:
    """The lines every edition has."""
    facts = {**TEXTS, **DAYS}
    counts = {
        "062": len(tournament.entrants),
        "072": sum(one.player.rating is not None for one in tournament.entrants),
        "082": len(tournament.teams),
    }
    for code in sorted([*facts, *counts, "112", "132"]):
        if code in counts:
            yield f"{code} {counts[code]}"
        elif code == "112":
            yield from (spelt(code, columns.PLAIN, {"text": one}, lost) for one in tournament.deputies)
        elif code == "132":
            if any(tournament.round_days):
                yield spelt(code, (ROUND_DAY,), {"day": tournament.round_days}, lost)
        elif (value := getattr(tournament, facts[code])) is not None:
            form = "day" if code in DAYS else "text"
            yield spelt(code, (columns.Column("text", TEXT_FROM, columns.END, form),), {"text": value}, lost)


def _setup(tournament: Tournament, *, new: bool) -> Iterator[str]:
    """Rounds and points: numbered codes in TRF26, JaVaFo's letters in TRF16."""
    seen = max((len(one.rounds) for one in tournament.entrants), default=0)
    if max(seen, tournament.rounds) > MOST_ROUNDS:
        raise BadInput(say("formats.trf.write_rounds", most=MOST_ROUNDS), at="rounds")
    yield f"{'142' if new else 'XXR'} {max(seen, tournament.rounds)}"
    if tournament.scoring is not None:
        letters = letters_of(tournament.scoring)
        if not new:
            yield "XXS " + " ".join(f"{one}={points_text(paid)}" for one, paid in codes_of(tournament.scoring).items())
        elif letters is not None:  # one letter cannot pay two colours differently
            yield "162  " + "    ".join(f"{one}{points_text(paid):>4}" for one, paid in letters.items())
    if tournament.match_scoring is not None and new:
        paid = tournament.match_scoring
        yield "362 " + "   ".join(f"{code}{points_text(paid[name]):>4}" for code, name in MATCH.items())


def _player(entrant: Entrant, lost: list[Oddity]) -> str:
    player = entrant.player
    born: Any = entrant.born
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
    # Not trimmed: a result that is still to come is a blank in its column, which some programs ask for.
    return f"{line:<{OPPONENT.first - 1}}{'  '.join(map(_round, entrant.rounds))}"


def _round(one: Round) -> str:
    """Opponent, colour and result of a round; no colour is a dash."""
    opponent = "0000" if one.opponent is None else f"{one.opponent:>{OPPONENT.width}}"
    if len(opponent) > OPPONENT.width:
        raise BadInput(say("formats.trf.number_does_not_fit", number=one.opponent), at="opponent")
    if one.kind in (PENDING, ABSENT):
        result = " "
    elif one.kind in BYES:
        result = RESULT_LETTERS[one.kind]
    else:
        if (one.kind, one.score) not in GAME_LETTERS:
            raise BadInput(say("formats.trf.no_letter", kind=one.kind, score=one.score), at="rounds")
        result = GAME_LETTERS[one.kind, one.score]  # type: ignore[index]
    return f"{opponent} {LETTERS[one.colour]} {result}"


def _team(team: Team, *, new: bool, lost: list[Oddity]) -> str:
    return spelt(*(("310", columns.TEAM) if new else ("013", columns.OLD_TEAM)), asdict(team), lost)


def _records(tournament: Tournament, *, new: bool, lost: list[Oddity]) -> Iterator[str]:
    """The file's other records, in the edition's own codes."""
    dropped: Counter[str] = Counter()
    for record in tournament.records:
        if new and record.code == NATIONAL:
            yield spelt(record.text("federation"), columns.NATIONAL_PERSON, record.fields, lost)
            continue
        kept = list(_translated(record, tournament.rounds, new=new))
        for one in kept:
            layout = columns.ADJUSTMENT if one.code == ADJUSTMENT else RECORDS[one.code]
            yield spelt(one.code, layout, one.fields, lost)
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
    """A record in the codes of the edition; nothing if it has none for it."""
    code, fields = record.code, dict[str, Any](record.fields)
    own = code.isdigit() if new else code.startswith("XX")
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


def _adjusted(one: Adjustment) -> dict[str, Any] | None:
    """The fields of 299; the half of a pair that Black's results make says nothing new."""
    if one.pays is not None and one.pays.startswith("black-"):
        return None
    kind = next((letter for letter, pays in ADJUSTED.items() if one.pays in pays), "")
    return {"kind": kind, "points": Decimal(one.points), "round": one.round, "numbers": one.numbers}
