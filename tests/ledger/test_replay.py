"""Replay is exact: with the working or without it, from the beginning or from where two logs part."""

import random
from datetime import date
from decimal import Decimal

import pytest
from federation import decision, log_of
from ledgers import club

from arpad.ledger.book import book_after, book_of
from arpad.ledger.rating import replay
from arpad.ledger.views import list_of


def told(history):
    """Everything that a history says, in its order."""
    lines = {person: [line._replace(work=None) if hasattr(line, "work") else line for line in lines]
             for person, lines in history.lines.items()}  # fmt: skip
    return list(lines.items()), list(history.standings.items()), history.refused, history.last, history.earlier


@pytest.mark.parametrize("period", ["event", "month"])
@pytest.mark.parametrize("system", ["elo", "glicko", "glicko-2"])
def test_without_the_working_the_figures_are_the_same_to_the_last_digit(system, period):
    """With everybody's working the system itself is asked; newcomers, byes, forfeits and events over two months too."""
    log = log_of(system, events=40, players=60, field=20, rounds=3, period=period, odd=True)
    given = [{"person": "P1", "pool": "main", "day": "2016-01-20", "facts": {"rating": "1612.5"}}]
    given[0]["facts"] |= {"k": "30"} if system == "elo" else {"deviation": "60"}
    log.append(decision(len(log) + 1, "rating", given[0]))
    book = book_of(log)
    quick, whole = replay(book, "main"), replay(book, "main", keep=lambda _: True)
    assert told(quick) == told(whole)
    day = date(2016, 2, 1)
    assert list_of(quick, book, day).content == list_of(whole, book, day).content
    assert sum(line.why is None for lines in quick.lines.values() for line in lines if hasattr(line, "work")) > 100


@pytest.mark.parametrize("system", ["elo", "glicko-2", "fide-standard", "icu", "dwz"])
def test_going_on_from_another_state_is_the_same_as_from_the_beginning(system):
    """Corrections of any age, a merge, another year of birth, an undo, a list of an earlier day."""
    chance = random.Random(system)  # noqa: S311  # a test
    log = log_of(system, events=14, players=24, field=10, rounds=3, odd=True)
    book = book_of(log)
    history = replay(book, "main")
    events = list(book.events)
    bodies = [
        ("event", {"event": chance.choice(events), "facts": {"excluded": True}}),
        ("event", {"event": events[-1], "facts": {"name": "Another"}}),
        ("game", {"event": events[3], "game": 1, "row": None, "new": False}),
        ("merge", {"person": "P3", "into": "P4"}),
        ("person", {"person": "P7", "facts": {"born": 2012}}),
        ("split", {"person": "P3"}),
        ("undo", {"decision": events[5]}),
        ("rating", {"person": "P9", "pool": "main", "day": "2023-01-04", "facts": {"rating": "1700"}}),
        ("settings", {"name": "A club"}),
    ]
    for kind, body in bodies:
        one = decision(len(log) + 1, kind, body)
        before, was = book, told(history)
        book, log = book_after(book, one, log), [*log, one]
        assert book == book_of(log)
        on = replay(book, "main", base=history)
        assert told(history) == was  # the other state is left as it was
        assert told(on) == told(replay(book, "main"))
        day = chance.choice(list(before.events.values())).end
        assert told(replay(book, "main", until=day, base=on)) == told(replay(book, "main", until=day))
        history = on


def test_the_example_of_the_glicko_2_paper_in_a_pool_by_month(tmp_path):
    """Glickman 2013: 1500 (200, 0.06) against 1400 (30), 1550 (100) and 1700 (300) with 1, 0, 0 is 1464.06 (151.52).

    The paper rounds on its way, so its last digit may differ.
    """
    book = club(tmp_path, "glicko-2", start=None, settings={"tau": "0.5"})
    table = "No,Name,Rating\n1,Own Player,\n2,First Other,\n3,Second Other,\n4,Third Other,\n"
    book.accept_members(book.preview_members(table.encode(), name="members.csv"), who="Ann")
    standings = {"P1": (1500, 200), "P2": (1400, 30), "P3": (1550, 100), "P4": (1700, 300)}
    for person, (rating, deviation) in standings.items():
        facts = {"rating": rating, "deviation": deviation, "volatility": "0.06"}
        book.set_rating(person, day=date(2026, 3, 1), who="Ann", **facts)
    games = b"Round,White,Black,Result\n1,Own Player,First Other,1-0\n2,Second Other,Own Player,1-0\n"
    games += b"3,Own Player,Third Other,0-1\n"
    preview = book.preview(games, name="event.csv", start=date(2026, 3, 10), called="Example")
    book.accept(preview.settle(same_names=True), who="Ann")
    own = book.history().standings["P1"]
    assert abs(own.rating - Decimal("1464.06")) <= Decimal("0.01")
    assert abs(own.deviation - Decimal("151.52")) <= Decimal("0.01")
    assert {line.name: line.rating for line in book.list(date(2026, 4, 1)).players}["Own Player"] == 1464


@pytest.mark.parametrize("system", ["dwz", "icu"])
def test_an_event_before_the_rules_is_not_rated_and_says_why(system):
    log = log_of(system, events=2, players=12, field=6, rounds=2)
    early = {"event": 3, "facts": {"start": "1980-01-01", "end": "1980-01-02"}}
    book = book_of([*log, decision(len(log) + 1, "event", early)])
    whys = [
        line.why for lines in replay(book, "main").lines.values() for line in lines if 3 in getattr(line, "events", ())
    ]
    assert len(whys) == 6
    assert all("covered from" in str(why) for why in whys)
