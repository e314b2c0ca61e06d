"""Official figures through a ledger: ratings set, an event accepted from a table, and the list as it was published."""

import csv
import tomllib
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

import pytest
from ledgers import club

CASES = Path(__file__).parents[1] / "cases"
RESULTS = {"W": "1-0", "D": "1/2-1/2", "L": "0-1"}
SCORED = {
    **dict.fromkeys(("win", "1"), "1-0"),
    **dict.fromkeys(("draw", "0.5", "½", "="), "1/2-1/2"),
    **dict.fromkeys(("loss", "0"), "0-1"),
}


def cases(name):
    """The worked cases of a system; each names its published source."""
    return tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))["case"]


def whole_events(name):
    """The events in which everybody is known, without guests from another list."""
    return [case for case in cases(name) if case["do"] == "event" and not case["expect"].get("guests")]


@pytest.mark.parametrize("case", whole_events("icu"), ids=lambda case: case["name"])
def test_icu_events(tmp_path, case):
    """Ireland's published ratings of whole events."""
    book = club(tmp_path, "icu", start=None)
    rows = list(csv.DictReader(StringIO(case["ask"]["table"].strip())))
    names = {row["no"]: f"Player Number{row['no']}" for row in rows}
    members = "No,Name,Rating\n" + "".join(f"{no},{name},\n" for no, name in names.items())
    book.accept_members(
        book.preview_members(members.encode(), name="members.csv"), who="Ann", anyway=True
    )  # numbered names
    for row in rows:
        facts = {key: row[key] for key in ("k", "games") if row.get(key)}
        if row["rating"] not in ("unrated", ""):
            book.set_rating(names[row["no"]], rating=row["rating"], day=case["on"], who="Ann", **facts)
    table = ["Round,White,Black,Result"]
    seen = {}
    for result in case["ask"]["results"].split():
        how = next(letter for letter in result if letter in RESULTS)
        white, _, black = result.partition(how)
        number = 1 + max(seen.get(white, 0), seen.get(black, 0))
        seen |= {white: number, black: number}
        table.append(f"{number},{names[white]},{names[black]},{RESULTS[how]}")
    preview = book.preview("\n".join(table).encode(), name="event.csv", start=case["on"], called=case["name"])
    book.accept(preview.settle(same_names=True), who="Ann")
    new = {line.name: line.rating for line in book.list(case["on"]).players}
    published = {names[no]: rating for no, rating in case["expect"].items() if no.isdigit()}
    assert {name: new.get(name) for name in published} == published


def fide_games():
    """Cases of one rated player whose opponents are given by plain ratings."""
    for case in cases("fide-standard"):
        ask = case["ask"]
        games = ask.get("games", [])
        plain = all(isinstance(game, str) and game.partition(":")[0].isdigit() for game in games)
        known = {"rating", "k", "games", "born", "before", "peak"} >= ask.keys()
        if (
            case["do"] == "rate"
            and "readings" not in case  # another reading of the rules is not a setting of a pool
            and known
            and plain
            and "new_rating" in case["expect"]
            and isinstance(ask["rating"], int)
        ):
            yield case


@pytest.mark.parametrize("case", list(fide_games()), ids=lambda case: case["name"])
def test_a_fide_period(tmp_path, case):
    """FIDE's published changes of a period, in a pool that rates month by month: the list of the month after."""
    ask, on = case["ask"], case["on"]
    book = club(tmp_path, "fide-standard", start=None)
    names = ["Own Player", *(f"Opponent Number{no}" for no in range(len(ask["games"])))]
    born = ["" if "born" not in ask else str(ask["born"]), *([""] * len(ask["games"]))]
    rows = "".join(f"{no + 1},{names[no]},{born[no]},\n" for no in range(len(names)))
    book.accept_members(
        book.preview_members(f"No,Name,Born,Rating\n{rows}".encode(), name="members.csv"), who="Ann", anyway=True
    )
    first = on.replace(day=1)
    facts = {"k": ask["k"]} if "k" in ask else {}
    facts |= {"peak": ask["peak"]} if "peak" in ask else {}
    facts |= {"games": ask["before"]} if "before" in ask else {}
    book.set_rating("Own Player", rating=ask["rating"], day=first, who="Ann", **facts)
    table = ["Round,White,Black,Result"]
    for no, game in enumerate(ask["games"]):
        rating, _, how = game.partition(":")
        book.set_rating(names[no + 1], rating=rating, day=first, who="Ann")
        table.append(f"{no + 1},Own Player,{names[no + 1]},{SCORED[how]}")
    preview = book.preview("\n".join(table).encode(), name="event.csv", start=on, called=case["name"])
    book.accept(preview.settle(same_names=True), who="Ann")
    after = (first + timedelta(days=40)).replace(day=1)
    new = case["expect"]["new_rating"] if isinstance(case["expect"]["new_rating"], int) else None  # unrated again
    assert {line.name: line.rating for line in book.list(after).players}.get("Own Player") == new
    assert {line.name: line.rating for line in book.list(on).players}["Own Player"] == ask["rating"]  # not yet


def test_there_are_figures():
    """None of the tests above is empty."""
    assert len(whole_events("icu")) >= 3
    assert len(list(fide_games())) >= 5
    assert date(2008, 1, 1) < whole_events("icu")[0]["on"]
