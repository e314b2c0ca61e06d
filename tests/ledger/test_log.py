"""The log is the only truth: decisions, corrections and undo, whatever the order, and lists made again from it."""

import random
from datetime import date, timedelta
from decimal import Decimal

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from ledgers import AT, club, games, members, play, ratings
from sqlalchemy import update

from arpad import ledger, system
from arpad.errors import BadInput, Busy
from arpad.ledger.archive import list_at
from arpad.ledger.book import book_of
from arpad.ledger.decisions import canonical
from arpad.ledger.incoming import scores_of
from arpad.ledger.rating import replay
from arpad.ledger.store import DECISION, FROZEN
from arpad.ledger.views import list_of

ONE, HALF, ZERO = Decimal(1), Decimal("0.5"), Decimal(0)


@pytest.fixture
def book(place):
    return members(club(place))


def test_a_game_is_rated_as_the_system_rates_it(book):
    """The ledger adds nothing of its own: the figures are those of `System.game`."""
    play(book, "Ann Baker 0-1 Carl Dorn, 2026-03-01")
    white, black = system("elo").game(1600, 1500, "0-1", on=date(2026, 3, 1))
    assert ratings(book) == {"Baker Ann": white.new_rating, "Dorn Carl": black.new_rating}


def test_the_order_is_that_of_the_days_not_of_the_entries(book, tmp_path):
    play(book, "Ann Baker 1-0 Carl Dorn, 2026-05-01")
    play(book, "Carl Dorn 1-0 Eve Evans, 2026-02-01")
    (tmp_path / "other").mkdir()
    other = members(club(tmp_path / "other"))
    play(other, "Carl Dorn 1-0 Eve Evans, 2026-02-01")
    play(other, "Ann Baker 1-0 Carl Dorn, 2026-05-01")
    assert ratings(book) == ratings(other)
    assert book.list(date(2026, 3, 1)).players[0].games == 0  # Ann had not played by then


def test_a_correction_says_who_moved_and_through_which_event(book):
    first = play(book, "Ann Baker 1-0 Carl Dorn, 2026-03-01").decision
    play(book, "Carl Dorn 1-0 Eve Evans, 2026-04-01")
    before = ratings(book)
    effect = book.change_game(first, 1, scores=(ZERO, ONE), who="Ann", why="wrong way round")
    told = {one.name: (one.before, one.after, one.event) for one in effect.movers["main"]}
    assert {name: after for name, (_, after, _) in told.items()} == {
        name: rating for name, rating in ratings(book).items() if rating != before[name]
    }
    assert told["Dorn Carl"][2] == told["Baker Ann"][2] == "Ann Baker – Carl Dorn"
    assert told["Evans Eve"][2] == "Carl Dorn – Eve Evans"  # she met a Carl with another rating


def test_an_event_or_a_game_that_does_not_count(book):
    before = ratings(book)
    event = games(
        book, [("Ann Baker", "Carl Dorn", "1-0"), ("Eve Evans", "Ann Baker", "1-0")], "Open", date(2026, 3, 1)
    )
    both = ratings(book)
    book.remove_game(event.decision, 2, who="Ann")
    one = ratings(book)
    assert before != one != both
    book.change_event(event.decision, excluded=True, who="Ann")
    assert ratings(book) == before
    book.change_event(event.decision, excluded=False, who="Ann")
    assert ratings(book) == one


def test_merge_then_split_is_nothing(book):
    """A member entered twice is one person, with both histories, until the merge is taken apart."""
    games(book, [("Ann Baker", "Carl Dorn", "1-0"), ("Anne Baker-Smith", "Eve Evans", "1-0")], "Open", date(2026, 3, 1))
    before, log = book.list().content, ratings(book)
    book.merge("Anne Baker-Smith", "Ann Baker", anyway=True, who="Ann", why="married")
    assert "Anne Baker-Smith" not in ratings(book)
    assert book.find("Anne Baker-Smith").id == "P1"
    assert book.list().content != before
    book.split("P4", who="Ann")
    assert (book.list().content, ratings(book)) == (before, log)
    with pytest.raises(BadInput, match="two people"):
        book.merge("Ann Baker", "Carl Dorn", who="Ann")


def test_an_undo_of_an_undo_counts_again_and_later_decisions_lose_their_effect(book):
    event = play(book, "Ann Baker 1-0 Carl Dorn, 2026-03-01").decision
    book.change_game(event, 1, scores=(ZERO, ONE), who="Ann")
    corrected = ratings(book)
    effect = book.undo(event, who="Ann", why="was never played")
    assert [number for number, _ in effect.idle] == [event + 1]
    assert [str(line.idle) for line in book.log() if line.idle] == [f"There is no event {event}."]
    book.undo(effect.decision, who="Ann")
    assert ratings(book) == corrected
    with pytest.raises(BadInput, match="already"):
        book.undo(effect.decision, who="Ann")


def test_a_decision_on_an_older_state_is_refused(book):
    seen = book.book.last
    play(book, "Ann Baker 1-0 Carl Dorn")
    with pytest.raises(Busy, match="decided something meanwhile"):
        book.change_person("P1", born=1981, who="Ann", based_on=seen)
    book.change_person("P1", born=1981, who="Ann", based_on=book.book.last)


def test_a_decision_has_who_when_why_and_its_state(book):
    play(book, "Ann Baker 1-0 Carl Dorn")
    book.change_person("P2", name="Dorn Charles", who="Ann", why="new passport")
    last = book.decisions()[-1]
    assert (last.who, last.at, last.why, last.based_on) == ("Ann", AT.isoformat(), "new passport", last.number - 1)
    assert book.find("Carl Dorn").name == "Dorn Charles"
    with pytest.raises(BadInput, match="who decides"):
        book.change_person("P2", name="Dorn", who=" ")


def test_published_lists_never_change(book):
    play(book, "Ann Baker 1-0 Carl Dorn, 2026-03-01")
    listed = book.publish(date(2026, 4, 1), who="Ann")
    play(book, "Carl Dorn 1-0 Ann Baker, 2026-03-15")
    assert book.list(date(2026, 4, 1)).fingerprint != listed.fingerprint
    assert book.published(1).players == listed.players
    with pytest.raises(BadInput, match="this ledger never"):
        book.publish(date(2026, 4, 1), who="Ann", why="late game")
    with pytest.raises(BadInput, match="is out"):
        book.undo(book.book.published[0].decision, who="Ann")
    book.set_policy(policy="revise", who="Ann")
    with pytest.raises(BadInput, match="reason"):
        book.publish(date(2026, 4, 1), who="Ann")
    revised = book.publish(date(2026, 4, 1), who="Ann", why="late game")
    assert (revised.number, revised.revision) == (1, 1)
    assert book.published(1, revision=0).fingerprint == listed.fingerprint
    assert book.verify() == (book.book.last, 2, ())


def test_a_window_for_revisions_ends(book):
    book.set_policy(policy="window", window=30, who="Ann")
    for day in (date(2026, 11, 1), date(2026, 9, 1)):
        book.publish(day, who="Ann")
    book.set_rating("P3", rating=1400, day=date(2026, 8, 1), who="Ann")
    assert book.publish(date(2026, 11, 1), who="Ann", why="Eve had one").revision == 1
    with pytest.raises(BadInput, match="30 days"):
        book.publish(date(2026, 9, 1), who="Ann", why="the same")


@pytest.mark.parametrize("what", ["why", "body", "list"])
def test_a_log_or_a_list_that_was_tampered_with_does_not_verify(book, what):
    play(book, "Ann Baker 1-0 Carl Dorn, 2026-03-01")
    book.publish(who="Ann")
    assert book.verify().whole
    change = {
        "why": update(DECISION).where(DECISION.c.number == 3).values(why="another reason"),
        "body": update(DECISION)
        .where(DECISION.c.number == 3)
        .values(body=book.decisions()[2].body.replace('"1"', '"0"')),
        "list": update(FROZEN).values(content=b"{}"),
    }[what]
    with book.store.writing() as connection:
        connection.execute(change)
    assert not book.verify().whole


def test_everything_out_and_in_again(book, tmp_path):
    play(book, "Ann Baker 1-0 Carl Dorn, 2026-03-01")
    book.publish(who="Ann")
    again = ledger.restore(book.export(), str(tmp_path / "again.arpad"))
    assert again.export() == book.export()
    assert again.published(1) == book.published(1)
    assert again.list(AT.date()) == book.list(AT.date())
    assert again.verify().whole


def step(book, chance, number):  # noqa: C901  # one branch for each kind of decision
    """One random decision; some are refused, as they are in a club."""
    events = list(book.book.events)
    people = list(book.book.persons())
    kind = chance.choice(
        ["game"] * 4 + ["event"] * 3 + ["result", "exclude", "rating", "born", "merge", "split", "undo"]
    )
    day = date(2026, 1, 1) + timedelta(days=chance.randrange(300))
    who = {"who": "Ann"}
    try:
        if kind == "game":
            white, black = chance.sample(people, 2)
            names = book.find(white).name, book.find(black).name
            play(book, f"{names[0]} {chance.choice(['1-0', '0-1', '½-½'])} {names[1]}, {day}")
        elif kind == "event":
            pair = chance.sample(people, 2)
            rows = [
                (book.find(pair[0]).name, book.find(pair[1]).name, "1-0"),
                (book.find(pair[1]).name, f"New {number}", "0-1"),
            ]
            games(book, rows, f"Event {number}", day)
        elif kind == "result" and events:
            event = chance.choice(events)
            game = chance.choice(list(book.book.events[event].games))
            book.change_game(event, game, scores=chance.choice([(ONE, ZERO), (HALF, HALF), (ZERO, ONE)]), **who)
        elif kind == "exclude" and events:
            book.change_event(chance.choice(events), excluded=chance.random() < 0.5, **who)
        elif kind == "rating":
            book.set_rating(chance.choice(people), rating=chance.randrange(1000, 2000), day=day, **who)
        elif kind == "born":
            book.change_person(chance.choice(people), born=chance.randrange(1950, 2010), **who)
        elif kind == "merge" and len(people) > 2:  # two who can play each other remain
            one, other = chance.sample(people, 2)
            book.merge(one, other, anyway=True, **who)
        elif kind == "split" and book.book.merged:
            book.split(chance.choice(list(book.book.merged)), **who)
        elif kind == "undo":
            book.undo(chance.randrange(2, book.book.last + 1), **who)
    except BadInput:
        pass


def lists(log):
    """The lists of several days by a log."""
    return [list_at(log, "main", date(2026, month, 1)).content for month in (3, 6, 9, 12)]


@examples(6)
@given(st.integers(0, 10**6))
def test_an_undo_restores_every_list(tmp_path_factory, seed):
    """A random history; one more decision, then its undo, gives the lists that were there before it."""
    chance = random.Random(seed)  # noqa: S311  # a test
    book = members(club(tmp_path_factory.mktemp("history")))
    while book.book.last < 18:
        step(book, chance, book.book.last)
    for number in range(3):
        before, last = lists(book.decisions()), book.book.last
        step(book, chance, 1000 + number)
        if book.book.last > last:
            book.undo(book.book.last, who="Ann")
            assert lists(book.decisions()) == before
    # The same log, the same bytes, and undone decisions are as if they had never been.
    log = book.decisions()
    assert lists(log) == lists(book.store.log())
    assert book.verify().whole
    assert book_of(log).last == len(log)


def test_any_undo_in_a_long_history(tmp_path):
    """Of 300 decisions, each that is undone is as if it had not been made; and undone again, as if it always had.

    Only the people who were new in it stay known, as the book says.
    """
    chance = random.Random(300)  # noqa: S311  # a test
    book = members(club(tmp_path))
    while book.book.last < 300:
        step(book, chance, book.book.last)
    log, base = book.decisions(), book.history()
    days = [date(2026, month, 1) for month in (3, 6, 9, 12)]

    def seen(decisions):
        now = book_of(decisions)
        history = replay(now, "main", base=base)
        return [list_of(history, now, day).content for day in days]

    whole, tried = seen(log), 0
    assert whole == lists(log)
    for decision in log[1:]:
        if decision.number in book.book.undone:
            continue
        tried += 1
        undone = [*log, log[-1]._replace(number=301, kind="undo", body=canonical({"decision": decision.number}))]
        known = {"people": decision.content.get("people", []), "ratings": []}
        never = [one._replace(kind="people", body=canonical(known)) if one is decision else one for one in log]
        assert seen(undone) == seen(never), decision
        assert seen([*undone, undone[-1]._replace(number=302, body=canonical({"decision": 301}))]) == whole
    assert tried > 200


@examples(5)
@given(st.integers(0, 10**6))
def test_the_order_of_independent_events_does_not_matter(tmp_path_factory, seed):
    """Events on different days, entered in any order, give everybody the same rating."""
    chance = random.Random(seed)  # noqa: S311  # a test
    names = ["Ann Baker", "Carl Dorn", "Eve Evans"]
    events = [
        (
            f"Event {no}",
            date(2026, 1, 2) + timedelta(days=7 * no),
            [(*chance.sample(names, 2), chance.choice(["1-0", "1/2-1/2"]))],
        )
        for no in range(8)
    ]
    found = []
    for _ in range(2):
        book = members(club(tmp_path_factory.mktemp("order")))
        for name, day, rows in events:
            games(book, rows, name, day)
        found.append((ratings(book), book.list(date(2026, 2, 1)).content))
        chance.shuffle(events)
    assert found[0] == found[1]


@pytest.mark.parametrize("table", ["Name,Born\nAnn Baker,1980\nCarl Dorn,1990\n", "Name;Geburtsjahr\nAnn Baker;1980\n"])
def test_names_and_years_of_birth_are_members(tmp_path, table):
    """Two columns are enough, with the headings of any language."""
    book = club(tmp_path)
    book.accept_members(book.preview_members(table.encode(), name="members.csv"), who="Ann")
    assert ("Ann Baker", 1980) in {(one.name, one.born) for one in book.book.people.values()}


def test_a_name_is_enough_for_a_member(tmp_path):
    """Somebody without a year of birth and a rating is a member; a line below the table is not."""
    table = b"Name,Born,Rating\nAnn Baker,1980,1600\nCarl Dorn,,\nTotal,,\n"
    preview = club(tmp_path).preview_members(table, name="members.csv")
    assert [(one.reported.name, one.reported.born) for one in preview.entries] == [
        ("Ann Baker", 1980), ("Carl Dorn", None)
    ]  # fmt: skip


def test_a_fact_that_cannot_be_is_refused(tmp_path):
    """A year of birth in two digits or to come, and a fact that no system knows; the ledger stays as it was."""
    book = members(club(tmp_path))
    for facts in ({"born": "80"}, {"born": "2080"}):
        with pytest.raises(BadInput, match="year of birth"):
            book.change_person("P1", **facts, who="Ann")
    with pytest.raises(BadInput, match="Not known here: raing"):
        book.set_rating("P1", raing=1400, day=date(2026, 9, 1), who="Ann")
    with pytest.raises(BadInput, match="no published list yet"):
        book.published(3)
    assert book.book.last == 2


def test_the_log_says_what_was_corrected(tmp_path):
    """An event left out and counted again, and a game with another result and left out, are told apart."""
    book = members(club(tmp_path))
    event = play(book, "Baker Ann 1-0 Dorn Carl, 2026-11-10").decision
    book.change_event(event, excluded=True, who="Ann")
    book.change_event(event, excluded=False, who="Ann")
    book.change_game(event, 1, scores=scores_of("0-1")[:2], who="Ann")
    book.remove_game(event, 1, who="Ann")
    assert [one.about for one in book.log()][-4:] == [
        f"event {event} left out",
        f"event {event} counts again",
        f"game 1 of event {event}: 0–1",
        f"game 1 of event {event} left out",
    ]


def test_who_may_be_meant_is_said_and_can_be_settled(tmp_path):
    """A name almost that of a member: the refusal has the number, the candidate and the reason."""
    book = members(club(tmp_path))
    preview = book.preview_game("Baker Ann 1-0 Dorm Carl, 2026-11-10")
    with pytest.raises(BadInput, match=r"2 Dorm Carl \(P2: almost the name of Dorn Carl"):
        book.accept(preview, who="Ann")
    assert book.accept(preview.settle({2: "P2"}), who="Ann").movers["main"]


def test_a_day_column_that_is_used_is_not_called_unused(tmp_path):
    """A season in one table: only what nothing is done with is named."""
    book = members(club(tmp_path))
    rows = "Date,White,Black,Result,Remark\n2026-09-01,Baker Ann,Dorn Carl,1-0,x\n2026-09-08,Dorn Carl,Baker Ann,1-0,\n"
    preview = book.preview(rows.encode(), name="season.csv")
    (unused,) = [str(note) for note in preview.draft.notes if "Unused" in str(note)]
    assert "Remark" in unused
    assert "Date" not in unused


SEASON = "Date,White,Black,Result\n{},Baker Ann,Dorn Carl,1-0\n{},Dorn Carl,Baker Ann,1-0\n"


@pytest.mark.parametrize(
    ("days", "found"),
    [
        (("11/09/2025", "18/09/2025"), [date(2025, 9, 11), date(2025, 9, 18)]),
        (("11/09/2025", "09/18/2025"), [date(2025, 9, 18), date(2025, 11, 9)]),
    ],
)
def test_one_day_settles_the_order_of_all(tmp_path, days, found):
    """A day above the twelfth shows whether the day or the month comes first, and the preview says so."""
    preview = members(club(tmp_path)).preview(SEASON.format(*days).encode(), name="season.csv")
    assert [day for day, _ in preview.draft.days] == found
    assert days[1] in str(preview.draft.notes[-1])


@pytest.mark.parametrize("days", [("11/09/2025", "12/09/2025"), ("11/09/2025", "18/09/2025", "09/18/2025")])
def test_days_that_may_be_two_are_refused(tmp_path, days):
    """Nothing settles the order, or two rows say the opposite."""
    rows = "Date,White,Black,Result\n" + "".join(f"{day},Baker Ann,Dorn Carl,1-0\n" for day in days)
    with pytest.raises(BadInput, match="11/09/2025"):
        members(club(tmp_path)).preview(rows.encode(), name="season.csv")


def test_a_merge_against_the_facts_is_asked_about(book):
    """Two years of birth, two IDs or an event with both speak for two people: refused, unless somebody insists."""
    game = "White,Black,Result\nBaker Ann,Dorn Carl,1-0\nHill Ida,Dorn Carl,1-0\n"
    event = book.preview(game.encode(), name="g.csv", start=date(2026, 3, 3)).settle(same_names=True)
    number = book.accept(event, who="Ann").decision
    book.change_person("Hill Ida", born=1979, fide=1200003, who="Ann")
    book.change_person("Baker Ann", fide=1200011, who="Ann")
    with pytest.raises(BadInput) as refused:
        book.merge("Hill Ida", "Baker Ann", who="Ann")
    assert "born in 1979 and in 1980" in refused.value.message
    assert "with the IDs 1200003 and 1200011" in refused.value.message
    assert f"both in event {number} (g)" in refused.value.message
    book.merge("Hill Ida", "Baker Ann", anyway=True, who="Ann")
    assert len(book.book.persons()) == 3


def test_what_is_so_already_is_not_decided_again(book):
    """An event left out twice, a result that it has already, its own name: refused, and the log is as it was."""
    event = play(book, "Ann Baker 1-0 Carl Dorn, 2026-03-01").decision
    name = book.event(event).name
    for again in (
        lambda: book.change_event(event, excluded=False, who="Ann"),
        lambda: book.change_event(event, name=name, start=date(2026, 3, 1), who="Ann"),
        lambda: book.change_game(event, 1, scores=(ONE, ZERO), who="Ann"),
    ):
        with pytest.raises(BadInput, match="already"):
            again()
    book.change_event(event, excluded=True, who="Ann")
    with pytest.raises(BadInput, match=f"Event {event} is left out already"):
        book.change_event(event, excluded=True, who="Ann")
    assert book.book.last == event + 1
