"""Forms of a title event: IT1 and IT3 with the boxes of FIDE's own, and the reports on its arbiters (FA1, IA1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.messages import figure, halves, say
from arpad.reports.documents.paper import (
    LEFT,
    RIGHT,
    UNSURE,
    Block,
    Box,
    Boxes,
    GridColumn,
    GridRow,
    Lines,
    Marks,
    PrintedGrid,
    PrintedSheet,
    box,
    remarks,
)
from arpad.tournaments.certificates import arbiter_reports
from arpad.tournaments.norms.answer import compared, condition_name
from arpad.tournaments.norms.rules import NORMS

if TYPE_CHECKING:
    from decimal import Decimal

    from arpad.reports.documents import EventDocuments
    from arpad.tournaments.certificates import EventForm, NormCertificates, TitleCertificate
    from arpad.tournaments.norms.answer import NormCondition

GAMES = (
    ("round", RIGHT, False), ("opponent", LEFT, True), ("id", RIGHT, False), ("fed", LEFT, False),
    ("rating", RIGHT, False), ("used", RIGHT, False), ("title", LEFT, False), ("score", RIGHT, False),
)  # fmt: skip
COUNTED = (("type", LEFT), ("number", RIGHT), ("federations", RIGHT), ("host", RIGHT), ("others", RIGHT))
NOTHING = "–"
IDS, SCORES = ("fide_id", "arbiter_id"), ("required", "achieved", "exceeding")


def norm_sheets(answer: NormCertificates) -> tuple[PrintedSheet, ...]:
    """A sheet for each certificate, then the report of the event if the answer has it."""
    sheets = [_certificate(one) for one in answer.certificates]
    return (*sheets, *([] if answer.form is None else [_event(answer.form)]))


def _certificate(one: TitleCertificate) -> PrintedSheet:
    """IT1, box by box in the order of the form."""
    exempt = one.exemption
    # Without the exemption of a big Swiss its box stays empty, as on the form.
    applied = ["", "", ""] if exempt is None else list(map(str, (exempt.federations, exempt.players, exempt.titled)))
    keys = ("exempt_federations", "exempt_players", "exempt_titled")
    blocks: tuple[Block, ...] = (
        Marks(names=tuple(NORMS), filled=one.title),
        Boxes(boxes=tuple(_fields(_it1, one, family_name=4, first_name=4, fide_id=4, federation=4))),
        Boxes(
            boxes=(
                *_fields(_it1, one, event=4, start=2, close=2, arbiter=5, arbiter_id=3, games=4, rate_of_play=4),
                *_fields(_it1, one, federations=4, foreign=4, rated=4, hosts=4, titled=2),
                *(box(title, count, 1) for title, count in one.by_title.items()),
            )
        ),
        Boxes(
            boxes=(
                Box("", _it1("exemption"), 2),
                *(Box(_it1(key), value, 2) for key, value in zip(keys, applied, strict=True)),
                Box(_it1("remarks"), " ".join(map(str, one.remarks)) or NOTHING, 8),
            )
        ),
        PrintedGrid(
            columns=tuple(GridColumn(_it1(key), align, wide) for key, align, wide in GAMES),
            rows=tuple(
                GridRow(
                    (
                        str(game.round),
                        game.opponent or NOTHING,
                        "" if game.fide_id is None else str(game.fide_id),
                        game.federation or "",
                        _plain(game.rating),
                        _plain(game.used),
                        game.title or NOTHING,
                        game.score,
                    ),
                    struck=not game.counts,
                    keep=len(one.rounds) if place == 0 else 1,
                )
                for place, game in enumerate(one.rounds)
            ),
            boxed=True,
        ),
        *remarks([] if all(game.counts for game in one.rounds) else [_it1("left_out")]),
        Boxes(
            boxes=tuple(
                _fields(
                    _it1, one, average=3, required=3, achieved=2, exceeding=2, confirming=2, arbiter_signature=4,
                    official=3, official_signature=3, date=2,
                )
            )
        ),
        *remarks(_conditions(one.conditions), _it1("conditions")),
        *remarks([" ".join(map(_it1, ("privacy", "foot", "copies", "valid"))), _own()]),
    )  # fmt: skip
    return PrintedSheet(title=_it1("heading"), mark=_it1("name"), blocks=blocks)


def _conditions(conditions: tuple[NormCondition, ...]) -> Iterator[str]:
    """What was required and what was found, in one line, as it is not on the form."""
    said = []
    for part in conditions:
        if part.needed is None or not (part.met or (part.met is False and not part.information)):
            continue
        needed = " ".join(filter(None, (part.bound, figure(part.needed))))
        verdict = "✗" if not part.met else _it1("lifted") if part.lifted else "✓"
        said.append(
            f"{condition_name(part)} {compared(part)} ({needed}{f'; {part.article}' * bool(part.article)}) {verdict}"
        )
    if said:
        yield " · ".join(said)


def _event(form: EventForm) -> PrintedSheet:
    """IT3, box by box in the order of the form."""
    halves = [tuple(form.players[at::2]) for at in (0, 1)]
    rows: list[GridRow] = []
    for pair in zip(*halves, strict=True):
        cells: list[str] = []
        for row in pair:
            label = row.kind if row.kind.isupper() else _it3(row.kind)
            cells += [label, str(row.players), str(row.federations), _plain(row.host), _plain(row.others)]
        rows.append(GridRow(tuple(cells), keep=len(halves[0]) if not rows else 1))
    deputies = [
        box(_it3(f"deputy.{number}" if number <= 4 else "deputy.more"), deputy, 4)
        for number, deputy in enumerate(form.deputies, start=1)
    ]
    if len(deputies) % 2:
        deputies[-1] = replace(deputies[-1], span=8)
    blocks: tuple[Block, ...] = (
        Boxes(
            boxes=(
                *_fields(_it3, form, federation=3, event=5, place=4, start=2, end=2, organiser=8, rounds=2, schedule=3),
                *_fields(_it3, form, rate_of_play=3, kind=2),
                *_pairing(form),
                *_fields(_it3, form, remarks=8),
            )
        ),
        PrintedGrid(
            columns=tuple(GridColumn(_it3(key), align, key == COUNTED[0][0]) for key, align in (*COUNTED, *COUNTED)),
            rows=tuple(rows),
            boxed=True,
        ),
        Boxes(boxes=(*_fields(_it3, form, arbiter=5, contact=3), *deputies)),
        *remarks([_it3("copies"), _own()]),
    )
    return PrintedSheet(title=_it3("heading"), mark=_it3("name"), blocks=blocks)


def _pairing(form: EventForm) -> tuple[Box, Box]:
    """How a Swiss was paired: by hand, or by a program; nothing for an event that needs no such pairing."""
    manual, program = _it3("manual"), _it3("program")
    if form.fixed_pairings:
        return Box(f"☐ {manual}", NOTHING, 3), Box(f"☐ {program}", NOTHING, 3)
    if form.program:
        return Box(f"☐ {manual}", NOTHING, 3), box(f"☒ {program}", form.program, 3)
    return box(f"☐ {manual}", None, 3), box(f"☐ {program}", None, 3)


def arbiter_sheets(event: EventDocuments, name: str) -> tuple[PrintedSheet, ...]:
    """A report on each arbiter of the event; a field that the form may call otherwise is marked."""
    sheets = []
    for one in arbiter_reports(event.tournament, event.organiser):
        facts = [
            *_fields(_arbiter, one, family_name=4, first_name=4, fide_id=2, title=2, federation=2, licence=2, event=8),
            *_fields(
                _arbiter, one, place=4, start=2, end=2, kind=4, rate_of_play=4, rounds=2, players=2, federations=2
            ),
            box(_arbiter("role"), say(f"certificates.arbiter.role.{one.role}"), 2),
            *_fields(_arbiter, one, organiser=8),
        ]
        judged = _fields(_arbiter, one, laws=8, authority=8, program=8, clocks=8, work=8, recommended=8)
        signed = _fields(_arbiter, one, chief=4, chief_signature=4, official=3, official_signature=3, date=2)
        blocks: tuple[Block, ...] = (
            Boxes(boxes=tuple(fact if fact.state else replace(fact, state=UNSURE) for fact in facts)),
            Lines(lines=(_arbiter("judgement"),)),
            Boxes(boxes=tuple(judged)),
            Boxes(boxes=tuple(signed)),
            *remarks([_arbiter("not_seen"), _own()]),
        )
        sheets.append(PrintedSheet(title=_arbiter(f"heading.{name}"), mark=_arbiter(f"name.{name}"), blocks=blocks))
    return tuple(sheets)


def _fields(label: Callable[[str], str], answer: object, /, **spans: int) -> Iterator[Box]:
    """Fields of an answer by their names, in order, with how many columns each takes; the hand fills in the others."""
    for name, span in spans.items():
        value = getattr(answer, name, None)
        if name in IDS and value is not None:
            value = str(value)  # without separators
        elif name in SCORES:
            value = _score(value)
        yield box(label(name), value, span)


def _it1(key: str) -> str:
    return str(say(f"certificates.it1.{key}"))


def _it3(key: str) -> str:
    return str(say(f"certificates.it3.{key}"))


def _arbiter(key: str) -> str:
    return str(say(f"certificates.arbiter.{key}"))


def _own() -> str:
    """That the sheet is ours, and what its marks mean."""
    return f"{say('certificates.not_official')} {say('certificates.by_hand_note')}"


def _plain(value: object) -> str:
    return "" if value is None else figure(value)


def _score(score: Decimal | None) -> str | None:
    """A score as on the form: ½ for a half."""
    return None if score is None else halves(score)
