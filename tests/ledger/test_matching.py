"""Nobody is guessed: what is sure, what is new, and every kind of doubt; damaged submissions never match in silence."""

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest
from ledgers import club, games, members, play

from arpad import ledger
from arpad.errors import ArpadError, BadInput
from arpad.formats import file_bytes
from arpad.ledger import tournament_of
from arpad.ledger.matching import Matcher, Surroundings, _nearly

DAY = date(2026, 3, 1)
SURNAMES = [
    "Abbott",
    "Barnes",
    "Carver",
    "Dalton",
    "Elmwood",
    "Fenner",
    "Gorman",
    "Hewitt",
    "Ingram",
    "Jarvis",
    "Keller",
    "Lomax",
    "Mercer",
    "Norris",
    "Osborn",
]
GIVEN = ["Alice", "Bruno", "Clara", "David", "Edith", "Frank", "Greta", "Henry", "Irene", "James"]


@pytest.fixture
def book(place):
    """Members with and without years and IDs, and two of one name."""
    made = members(club(place))
    table = b"Name,Born,FIDE ID\nMurphy David,1970,2500001\nMurphy David,1995,2500019\nFox Zoe,,2500500\n"
    preview = made.preview_members(table, name="more.csv")
    assert {one.state for one in preview.entries} == {"new"}
    made.accept_members(preview, who="Ann")
    made.change_person("P1", fide="2500123", who="Ann")
    return made


def matched(book, line, *, rating=None):
    """How one player of a table of entrants is matched."""
    table = f"No,Name,Born,FIDE ID,Rating,R1\n1,{line},{rating or ''},2w1\n2,Other Opponent,1960,,,1b0\n"
    preview = book.preview(table.encode(), name="event.csv", start=DAY, called="Event")
    return preview.entries[0]


@pytest.mark.parametrize(
    ("line", "state", "why"),
    [
        ("Baker Ann,1980,", "sure", ""),
        ("Ann BAKER,1980,2500123", "sure", ""),
        ("Baker Ann,,2500123", "sure", ""),
        ("Nobody Known,1985,", "new", ""),
        ("Murphy David,1970,", "sure", ""),
        ("Murphy David,,2500019", "sure", ""),
        ("Baker Ann,,", "doubtful", "no year"),
        ("Fox Zoe,2001,", "doubtful", "no year"),
        ("Fox Zoe,2001,2500500", "sure", ""),
        ("Murphy David,,", "doubtful", "2 people"),
        ("Baker Ann,1982,", "doubtful", "born in 1980"),
        ("Baker Ann,1980,2500019", "doubtful", "belongs to Murphy"),
        ("Murphy David,1970,2500019", "doubtful", "born in 1995"),
        ("Baker Ann,1980,2500777", "doubtful", "not 2500777"),
        ("Bakker Ann,1981,", "doubtful", "almost"),
        ("Karl Dorn,1990,", "doubtful", "almost"),  # of Dorn Carl: another first letter, and the other order
        ("Somebody Else,1981,2500132", "doubtful", "one digit"),
        ("Somebody Else,1981,2500124", "doubtful", "one digit"),
        ("Somebody Else,2026,", "doubtful", "after the event"),
    ],
)
def test_who_a_player_is(book, line, state, why):
    found = matched(book, line)
    assert found.state == state, [str(reason) for reason in found.reasons]
    assert any(why in str(reason) for reason in found.reasons) or not why


def test_a_rating_far_off_or_another_event_makes_a_name_doubtful(book):
    assert matched(book, "Baker Ann,1980,", rating=1650).state == "sure"
    assert "rated 2100" in str(matched(book, "Baker Ann,1980,", rating=2100).reasons[0])
    games(book, [("Ann Baker", "Carl Dorn", "1-0"), ("Carl Dorn", "Ann Baker", "1-0")], "League", DAY)
    assert "plays in League" in str(matched(book, "Baker Ann,1980,").reasons[0])


def test_nothing_is_written_while_somebody_is_in_doubt(book):
    table = b"White,Black,Result\nDavid Murphy,Ann Baker,1-0\n"
    last = book.book.last
    preview = book.preview(table, name="games.csv", start=DAY)
    with pytest.raises(BadInput, match="not clear who"):
        book.accept(preview.settle(same_names=True), who="Ann")  # twins are not settled by a name
    assert book.book.last == last
    book.accept(preview.settle({1: "P5"}, same_names=True), who="Ann")
    assert book.person("P5").history[-1].games[0].name == "Baker Ann"


def test_an_event_entered_twice_is_noticed(book):
    rows = [("Ann Baker", "Carl Dorn", "1-0"), ("Carl Dorn", "Eve Evans", "1-0")]
    games(book, rows, "Open", DAY)
    again = book.preview(
        b"White,Black,Result\nAnn Baker,Carl Dorn,1-0\nCarl Dorn,Eve Evans,1-0\n", name="o.csv", start=DAY
    )
    assert "already" in str(again.problems[0])
    with pytest.raises(BadInput, match="already"):
        book.accept(again.settle({1: "P1", 2: "P2", 3: "P3"}), who="Ann")
    play(book, "Ann Baker 1-0 Eve Evans, 2026-05-01")
    with pytest.raises(BadInput, match="already"):
        play(book, "Ann Baker 1-0 Eve Evans, 2026-05-01")


@pytest.mark.parametrize(
    "text", ["Ann Baker Carl Dorn", "Ann Baker 1-0", "1-0", "Ann 1-0 Carl 0-1 Eve", "Ann Baker 2-0 Carl Dorn"]
)
def test_what_is_no_game_is_refused(book, text):
    with pytest.raises(BadInput, match="not a game"):
        book.preview_game(text)


def test_an_unknown_name_is_not_made_a_member(book):
    with pytest.raises(BadInput, match="Not known: Xaver Unknown"):
        book.preview_game("Xaver Unknown 1-0 Ann Baker")


def test_a_row_of_members_that_cannot_be_read_is_not_left_out_in_silence(book):
    preview = book.preview_members(b"Name,Born,Rating\nHill Rose,1970,1500\n,1990,1400\n", name="members.csv")
    with pytest.raises(BadInput, match=",1990,1400"):
        book.accept_members(preview, who="Ann")
    book.accept_members(preview, who="Ann", anyway=True)
    assert book.find("Rose Hill").born == 1970


def test_one_digit_apart():
    assert _nearly("2500123", "2500132")
    assert _nearly("2500123", "2500124")
    assert not _nearly("2500123", "2500123")
    assert not _nearly("2500123", "2500321")
    assert not _nearly("2500123", "250012")


def test_300_damaged_submissions_have_no_wrong_match_in_silence(tmp_path):
    """Swapped digits, twin names, wrong years, misspelt names, missing facts: what is called sure is the person."""
    chance = random.Random(36)  # noqa: S311  # a test
    book = club(tmp_path)
    people = [
        (
            f"{chance.choice(SURNAMES)} {chance.choice(GIVEN)}",
            chance.randrange(1950, 2012),
            str(2500000 + chance.randrange(9000)),
        )
        for _ in range(80)
    ]
    table = "Name,Born,FIDE ID\n" + "".join(f"{name},{born},{id}\n" for name, born, id in dict.fromkeys(people))
    preview = book.preview_members(table.encode(), name="members.csv")
    sure = {one.reported.no: "new" for one in preview.entries}
    book.accept_members(replace(preview, settled=sure), who="Ann")
    by_facts = {(one.name, one.born, one.ids.get("fide")): one.id for one in book.book.people.values()}
    matcher = Matcher(book.book.persons())
    around = Surroundings(DAY, DAY, lambda _: None, lambda _: ())
    from arpad.ledger import Reported

    told = {"sure": 0, "new": 0, "doubtful": 0}
    for _ in range(300):
        name, born, id = chance.choice(people)
        truth = by_facts[name, born, id]
        kind = chance.choice(["digits", "year", "name", "no year", "no id", "other id", "nothing"])
        if kind == "digits":
            at = chance.randrange(len(id) - 1)
            id = id[:at] + id[at + 1] + id[at] + id[at + 2 :]
        elif kind == "year":
            born += chance.choice([-1, 1, 10])
        elif kind == "name":
            at = chance.randrange(len(name) - 1)
            name = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
        elif kind == "no year":
            born, id = None, None
        elif kind == "no id":
            id = None
        elif kind == "other id":
            id = chance.choice(people)[2]
        found = matcher.match(Reported(1, name, born, id), around)
        told[found.state] += 1
        assert found.state != "sure" or found.person == truth, (kind, name, born, id)
        assert found.state != "new", (kind, name, born, id)
    assert min(told["sure"], told["doubtful"]) > 50


def _damaged(chance, lines, kind, people):
    """A tournament report with one thing wrong about a player; or half of it."""
    at = chance.choice([place for place, line in enumerate(lines) if line.startswith("001")])
    line = lines[at]
    name, born, id = next(one for one in people if one[2] in line)
    if kind == "digits":
        place = chance.choice([place for place in range(6) if id[place] != id[place + 1]])
        line = line.replace(id, id[:place] + id[place + 1] + id[place] + id[place + 2 :])
    elif kind == "one digit":
        place = chance.randrange(7)
        line = line.replace(id, id[:place] + str((int(id[place]) + chance.randrange(1, 10)) % 10) + id[place + 1 :])
    elif kind == "somebody's ID":
        line = line.replace(id, chance.choice([other for *_, other in people if other != id]))
    elif kind == "year":
        line = line.replace(f"{born}/", f"{born + chance.choice([-1, 1, 10])}/")
    elif kind == "twin":
        line = line.replace(name, next(one[0] for one in people if one[0] != name).ljust(len(name))[: len(name)])
    elif kind == "twice":
        other = chance.choice([place for place, one in enumerate(lines) if one.startswith("001") and place != at])
        line = line[:14] + lines[other][14:79] + line[79:]
    return [*lines[:at], line, *lines[at + 1 :]]


def test_300_damaged_reports_have_no_wrong_match_in_silence(tmp_path):
    """Swapped and wrong digits, another's ID, twin names, wrong years, players twice, an event again, half a file.

    Whatever can be accepted as it is has the right person for everybody; everything else is asked or said.
    """
    chance = random.Random(300)  # noqa: S311  # a test
    book = club(tmp_path)
    people = [
        (f"{SURNAMES[no % len(SURNAMES)]} {GIVEN[no % len(GIVEN)]}{'e' * (no // len(GIVEN))}", 1950 + 3 * no,
         str(2500000 + 137 * no + no * no)) for no in range(10)
    ]  # fmt: skip
    table = "Name,Born,FIDE ID\n" + "".join(f"{name},{born},{id}\n" for name, born, id in people)
    preview = book.preview_members(table.encode(), name="members.csv")
    book.accept_members(replace(preview, settled=dict.fromkeys(range(1, 11), "new")), who="Ann")
    truth = {one.ids["fide"]: one.id for one in book.book.people.values()}
    rows = [f"{1 + no // 5},{people[(no // 5 + no) % 10][0]},{people[(no // 5 + no + 5) % 10][0]},1-0"
            for no in (0, 1, 2, 3, 4)]  # fmt: skip
    event = book.preview(f"Round,White,Black,Result\n{chr(10).join(rows)}\n".encode(), name="games.csv", start=DAY)
    number = book.accept(event.settle(same_names=True), who="Ann").decision
    report = tournament_of(book.event(number), book.book)
    ids = {name: int(id) for name, _, id in people}
    entrants = [replace(one, player=replace(one.player, fide_id=ids[one.called])) for one in report.entrants]
    whole = file_bytes(replace(report, entrants=tuple(entrants)), None, "open.trf")[0].decode()
    other = ledger.restore(book.export(), str(tmp_path / "before.arpad"))
    other.undo(number, who="Ann")
    lines = whole.splitlines()
    assert other.preview(whole.encode(), name="open.trf").ready  # without damage nothing is asked
    kinds = ["digits", "one digit", "somebody's ID", "year", "twin", "twice", "again", "half"]
    asked = dict.fromkeys(kinds, 0)
    for turn in range(300):
        kind = kinds[turn % len(kinds)]
        text = "\n".join(_damaged(chance, lines, kind, people))
        if kind == "half":
            begin = text.index("001") + 90
            text = text[: chance.randrange(begin, text.rindex("001") + 80)]
        try:
            found = (book if kind == "again" else other).preview(f"{text}\n".encode(), name="open.trf")
        except ArpadError:
            asked[kind] += 1
            continue
        if not found.ready:
            asked[kind] += 1
            continue
        for one in found.entries:
            right = next((truth[id] for name, _, id in people if name == one.reported.name), None)
            assert found.who(one) == right, (kind, one)
    assert asked.pop("half") > 20  # a file that ends behind its last game is whole
    assert asked == {kind: len(range(place, 300, len(kinds))) for place, kind in enumerate(kinds[:-1])}


def _folder(where, name):
    (where / name).mkdir()
    return where / name


def test_a_season_in_one_table_is_an_event_for_each_day(tmp_path):
    """Every day's games are rated by the ratings after the day before; the same as day by day, and all or none."""
    rows = [
        "2026-02-03,Baker Ann,Dorn Carl,1-0",
        "2026-01-20,Dorn Carl,Evans Eve,1-0",
        "2026-02-03,Evans Eve,Hill Ida,0-1",
    ]
    table = "Date,White,Black,Result\n" + "".join(f"{row}\n" for row in rows)
    season = members(club(_folder(tmp_path, "season")))
    preview = season.preview(table.encode(), name="season.csv")
    assert str(preview.draft.notes[0]) == "The games are of 2 days; each day becomes an event."
    with pytest.raises(BadInput, match="not clear who"):
        season.accept(preview, who="Ann")
    assert season.book.last == 2
    preview = season.effect_of(preview.settle(same_names=True))
    effect = season.accept(preview, who="Ann")
    assert effect.movers["main"] == preview.movers
    assert [(one.name, one.start) for one in season.book.events.values()] == [
        ("season, 2026-01-20", date(2026, 1, 20)), ("season, 2026-02-03", date(2026, 2, 3))
    ]  # fmt: skip
    single = members(club(_folder(tmp_path, "single")))
    games(single, [("Dorn Carl", "Evans Eve", "1-0")], "first", date(2026, 1, 20))
    games(single, [("Baker Ann", "Dorn Carl", "1-0"), ("Evans Eve", "Hill Ida", "0-1")], "second", date(2026, 2, 3))
    assert season.list().content == single.list().content
    assert season.verify().whole
    again = season.effect_of(season.preview(table.encode(), name="season.csv").settle(same_names=True))
    with pytest.raises(BadInput):
        season.accept(again, who="Ann")
    assert season.book.last == 4


def test_a_season_in_an_excel_file_is_an_event_for_each_day(tmp_path):
    """Two sheets with the same headings below a title are one season; each evening is called as the title says."""
    from openpyxl import Workbook

    book = Workbook()
    evenings = ((date(2026, 1, 20), "Dorn Carl"), (date(2026, 2, 3), "Baker Ann"))
    for sheet, (day, white) in zip((book.active, book.create_sheet()), evenings, strict=True):
        for row in (("Club evenings",), ("White", "Black", "Result", "Date"), (white, "Evans Eve", "1-0", day)):
            sheet.append(row)
    book.save(tmp_path / "results.xlsx")
    season = members(club(tmp_path))
    season.accept(season.preview(str(tmp_path / "results.xlsx")).settle(same_names=True), who="Ann")
    assert [(one.name, one.start, len(one.games)) for one in season.book.events.values()] == [
        ("Club evenings, 2026-01-20", date(2026, 1, 20), 1), ("Club evenings, 2026-02-03", date(2026, 2, 3), 1)
    ]  # fmt: skip


def test_members_and_results_as_two_sheets_of_one_file(tmp_path):
    """Members come from the sheet with names, games from the one with results; the line below the members is told."""
    from openpyxl import Workbook

    file, book = tmp_path / "club.xlsx", Workbook()
    for row in (
        ("Membership list",), ("Name", "Year of birth", "Phone", "Old rating"), ("Fox Fay", 1981, "07700 900001", 1620),
        ("Gray Gil", 1999, "07700 900002", 1480), ("Total: 2 members",),
    ):  # fmt: skip
        book.active.append(row)
    results = book.create_sheet()
    for row in (("Date", "White", "Result", "Black"), (date(2026, 1, 20), "Fox Fay", "1-0", "Gray Gil")):
        results.append(row)
    book.save(file)
    season = club(tmp_path)
    found = season.preview_members(str(file))
    assert [one.reported.name for one in found.entries] == ["Fox Fay", "Gray Gil", "Total: 2 members"]
    assert [str(one).partition(" has")[0] for one in found.problems] == ["line 5: 'Total: 2 members'"]
    book["Sheet"].delete_rows(5)
    book.save(file)
    rated = season.preview_members(str(file), pool="main", day=date(2026, 1, 1), columns={"rating": "Old rating"})
    assert rated.ratings == {1: "1620", 2: "1480"}
    season.accept_members(season.preview_members(str(file)), who="Ann")
    season.accept(season.preview(str(file)).settle(same_names=True), who="Ann")
    assert [(one.name, len(one.games)) for one in season.book.events.values()] == [("club", 1)]


def test_an_event_is_called_as_its_table_says(tmp_path):
    """By its column for the event, else by the title above its headings, else by the file."""
    book = members(club(tmp_path))
    head, game = "White,Black,Result", "Baker Ann,Dorn Carl,1-0"
    for table, name in (
        (f"Spring Cup\n{head}\n{game}\n", "Spring Cup"),
        (f"{head},Date,Event\n{game},2026-03-03,Spring Cup\n", "Spring Cup"),
        (f"{head}\n{game}\n", "evening"),
        ("Spring Cup\n\nNo  Name        1  2\n1   Baker Ann   *  1\n2   Dorn Carl   0  *\n", "Spring Cup"),
    ):
        start = None if "Date" in table else date(2026, 3, 3)
        assert book.preview(table.encode(), name="evening.csv", start=start).draft.name == name
    days = f"{head},Date,Event\n{game},2026-03-03,Spring Cup\nEvans Eve,Dorn Carl,1-0,2026-04-04,Autumn Cup\n"
    preview = book.preview(days.encode(), name="evening.csv").settle(same_names=True)
    book.accept(preview, who="Ann")
    assert [one.name for one in book.book.events.values()] == ["Spring Cup, 2026-03-03", "Autumn Cup, 2026-04-04"]
    assert not [str(note) for note in preview.draft.notes if "Unused" in str(note)]


def test_a_long_event_leaves_time_for_others(tmp_path):
    """A championship over the winter does not make everybody doubtful on a club evening; another on that day does."""
    for days, doubts in ((60, 0), (2, 2)):
        book = members(club(_folder(tmp_path, f"{days}")))
        first = date(2026, 1, 10)
        games(book, [("Baker Ann", "Dorn Carl", "1-0"), ("Dorn Carl", "Baker Ann", "1-0")], "Championship", first,
              end=first + timedelta(days=days))  # fmt: skip
        evening = book.preview(b"White,Black,Result\nDorn Carl,Baker Ann,1-0\n", name="g.csv", start=date(2026, 1, 11))
        assert len(evening.settle(same_names=True).open) == doubts
