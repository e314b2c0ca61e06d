"""A club's ratings as static pages: lists, people, events, changes, a search and a feed, for any web host.

Only what everybody may see is here: a pseudonym in place of a name, and neither years of birth nor IDs.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from hashlib import sha256
from html import escape
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import quoteattr

from arpad import __version__
from arpad.formats.saving import safe_cell
from arpad.ledger.book import MONTH, Book, LedgerEvent, Person
from arpad.ledger.history import PoolHistory, RatedBatch, SetByHand
from arpad.ledger.rating import replay
from arpad.ledger.views import LedgerList, PersonEvent, PersonPage, PersonPages, list_of, whole_rating
from arpad.messages import apart, figure, say, section, speaking, voice
from arpad.reports.documents.paper import (
    LEFT,
    RIGHT,
    Box,
    Boxes,
    GridColumn,
    Lines,
    Picture,
    PrintedGrid,
    PrintedSheet,
    Working,
    grid,
    head_of,
    remarks,
)
from arpad.reports.page import TEMPLATES, score_text, templates
from arpad.reports.publishing import INDEX, STYLE, Link, Published, publish, published_names

if TYPE_CHECKING:
    from arpad.ledger import Ledger
    from arpad.reports.documents.paper import Block

SEARCH, NAMES, FEED, EMBED, PEOPLE, EVENTS, CHANGES = (
    "search.js", "search-index.js", "changes.atom", "embed.html", "people.html", "events.html", "changes.html",
)  # fmt: skip
STATE = "arpad-state.txt"  # what the folder was made from
NAMED = 3  # events through which somebody's rating changed
EMBEDDED = 20  # people in the part for other sites
WIDTH, HEIGHT, MARGIN = 640, 220, 60  # of a curve
WORDS = ("name", "opponent", "event", "pool", "colour", "white", "black")  # columns of words


def ledger_pages(ledger: Ledger, *, address: str = "") -> dict[str, bytes]:
    """Every file of a published ledger by its name; the same log gives the same bytes on the same day.

    `address` is where the folder will be on the web: the feed and the line for other sites need it.
    """
    with speaking(voice().language, door="page"):
        return _Site(ledger, address).files()


def publish_ledger(ledger: Ledger, folder: str, *, address: str = "", force: bool = False) -> Published:
    """Publish a ledger into a folder. If nothing was decided since, and no file was touched, nothing is even made."""
    state = [__version__, ledger.decisions()[-1].digest, f"{ledger.today()}", voice().language, address]
    key = sha256("\n".join(state).encode()).hexdigest()
    names = published_names(folder) or []
    if STATE in names:
        files = _read(folder, names)
        if files.pop(STATE, b"") == _state(key, files):
            return Published((), (), len(names))
    files = ledger_pages(ledger, address=address)
    return publish({**files, STATE: _state(key, files)}, folder, force=force)


def _read(folder: str, names: Iterable[str]) -> dict[str, bytes]:
    """The files of a folder that are there."""
    found = {}
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = file.read()
        except OSError:
            continue
    return found


def _state(key: str, files: Mapping[str, bytes]) -> bytes:
    """What a folder was made from, and what it has."""
    whole = sha256()
    for name in sorted(files):
        whole.update(f"{name} {len(files[name])}\n".encode() + files[name])
    return f"{key}\n{whole.hexdigest()}\n".encode()


def public_book(book: Book) -> Book:
    """A book in which a pseudonym is the only name, also in what is called after somebody."""
    persons = book.persons()
    names = {id: {*person.names} for id, person in persons.items() if person.pseudonym}
    for event in book.events.values():
        for entry in event.entries.values():
            if (id := book.who(entry.person)) in names:
                names[id].add(entry.reported.name)
    people = dict(book.people)
    for id, person in book.people.items():
        pseudonym = persons[book.who(id)].pseudonym
        if pseudonym:
            people[id] = replace(person, name=pseudonym, former=(), ids={}, title=None, pseudonym=pseudonym)
    called = [(_in_any_order(name), persons[id].shown) for id, theirs in names.items() for name in theirs]
    events = {}
    for event in book.events.values():
        title = event.name
        for name, pseudonym in called:
            title = pseudonym.join(name.split(title))
        events[event.id] = replace(event, name=title)
    return replace(book, people=people, events=events)


def _in_any_order(name: str) -> re.Pattern[str]:
    """A name with the surname first or last: `Baker, Ann` is Ann Baker too."""
    words = [re.escape(word) for word in name.replace(",", " ").split()]
    orders = {r"[\s,]+".join([*words[place:], *words[:place]]) for place in range(len(words))}
    return re.compile(rf"\b(?:{'|'.join(sorted(orders))})\b", re.IGNORECASE)


@dataclass
class _Pool:
    """A pool of the site: its number, everybody's history, and the list."""

    number: int
    history: PoolHistory
    listed: LedgerList
    pages: PersonPages
    events: list[LedgerEvent] = field(default_factory=list)

    @property
    def page(self) -> str:
        return INDEX if self.number == 1 else f"list-{self.number}.html"


class _Site:
    """The pages of one ledger."""

    def __init__(self, ledger: Ledger, address: str) -> None:
        self.ledger, self.address = ledger, address and address.rstrip("/") + "/"
        self.today = ledger.today()
        self.book = public_book(ledger.book)
        self.name = self.book.settings.name or _words("club")
        self.people = self.book.persons()
        self.pools = [self._pool(number, name) for number, name in enumerate(self.book.pools, start=1)]
        self.shown = {id for pool in self.pools for id in pool.history.lines}
        self.made: dict[str, bytes] = {}

    def _pool(self, number: int, name: str) -> _Pool:
        """A pool with its list, dated since when it has been as it is, so that a page does not change by itself."""
        history = replay(self.book, name, until=self.today, keep=lambda one: not self.people[one].pseudonym)
        days = [line.day for lines in history.lines.values() for line in lines if line.day <= self.today]
        listed = list_of(history, self.book, max(days, default=self.today))
        return _Pool(number, history, listed, PersonPages(history, self.book, public=True), self.book.events_in(name))

    def files(self) -> dict[str, bytes]:
        """Every file by its name."""
        self.made = {
            STYLE: (TEMPLATES / "published.css").read_bytes(),
            SEARCH: (TEMPLATES / "search.js").read_bytes(),
        }
        for pool in self.pools:
            self._list(pool)
        people = sorted((self.people[id] for id in self.shown), key=lambda one: (one.name, one.id))
        for person in people:
            self._person(person)
        self._people(people)
        self._all_events()
        news = self._changes()
        self.made[NAMES] = self._names(people)
        self.made[FEED] = self._feed(news)
        self.made[EMBED] = self._embedded()
        return self.made

    # the pages -------------------------------------------------------------------------------------------------------

    def _list(self, pool: _Pool) -> None:
        rows = [
            (line.rank, line.name, line.rating, line.deviation, line.games, line.last) for line in pool.listed.players
        ]
        keys = ("place", "name", "rating", "deviation", "games", "last")
        table = _linked(
            _grid(keys, rows, extra=("deviation", "games", "last")),
            [_person_file(line.id) for line in pool.listed.players],
        )
        blocks: list[Block] = [table]
        if not rows:
            blocks = [Lines(lines=(_words("nobody"),))]
        if pool.number == 1:
            blocks += remarks([_words("embed"), self._embed_line()], _words("embed_head"))
        title = _words("list_of", pool=pool.listed.pool) if len(self.pools) > 1 else _words("list")
        subtitle = _words("as_of", day=pool.listed.day, system=voice().system(pool.listed.system))
        value = {
            "pool": pool.listed.pool,
            "system": pool.listed.system,
            "date": pool.listed.day,
            "players": [dict(zip((*keys, "id"), (*row, line.id), strict=True))
                        for row, line in zip(rows, pool.listed.players, strict=True)],
        }  # fmt: skip
        sheet = PrintedSheet(title=title, subtitle=subtitle, blocks=tuple(blocks))
        self._add(pool.page, sheet, value, (keys, rows), (line.id for line in pool.listed.players))

    def _people(self, people: Sequence[Person]) -> None:
        rows = []
        for person in people:
            ratings = [whole_rating(pool.history.standings.get(person.id)) for pool in self.pools]
            rows.append((person.name, *ratings))
        keys = ("name", *(pool.listed.pool for pool in self.pools))
        table = _linked(_grid(keys, rows), [_person_file(person.id) for person in people])
        value = {"people": [{"id": one.id, **dict(zip(keys, row, strict=True))}
                            for one, row in zip(people, rows, strict=True)]}  # fmt: skip
        sheet = PrintedSheet(title=_words("people"), blocks=(table,))
        self._add(PEOPLE, sheet, value, (keys, rows), (one.id for one in people))

    def _person(self, person: Person) -> None:
        """A person: the curve, every event, and every game with its working."""
        blocks: list[Block] = []
        met: set[str] = {person.id}
        table: list[tuple[object, ...]] = []
        pages = []
        for pool in self.pools:
            if person.id not in pool.history.lines:
                continue
            page = pool.pages.page(person)
            pages.append(page)
            blocks += self._in_pool(page, pool)
            for one in page.history:
                for game in one.games:
                    met |= {game.opponent} if game.opponent else set()
                    table.append((pool.listed.pool, one.day, ", ".join(one.names), game.round, game.colour, game.name,
                                  game.rating, game.score, game.change))  # fmt: skip
        keys = ("pool", "day", "event", "round", "colour", "opponent", "rating", "score", "change")
        value = {"id": person.id, "name": person.name, "pools": [_person_value(page) for page in pages]}
        sheet = PrintedSheet(title=person.name, blocks=tuple(blocks))
        self._add(_person_file(person.id), sheet, value, (keys, table), met)

    def _in_pool(self, page: PersonPage, pool: _Pool) -> Iterator[Block]:
        """What a person did in a pool, the newest first."""
        place = next((line for line in pool.listed.players if line.id == page.id), None)
        facts = {
            "pool": page.pool if len(self.pools) > 1 else None,
            "rating": page.rating,
            "place": place and place.rank,
            "games": place and place.games,
        }
        yield Boxes(boxes=tuple(Box(_words(f"fact.{key}"), figure(value), 2) for key, value in facts.items() if value))
        points = [(one.day, one.after) for one in page.history if one.after is not None]
        if len(points) > 1:
            says = _words("curve_says", first=points[0][1], start=points[0][0], last=points[-1][1], end=points[-1][0],
                          best=max(rating for _, rating in points))  # fmt: skip
            yield Picture(svg=curve(points, says), heading=_words("curve"), says=says)
        for one in reversed(page.history):
            yield from self._event_of(one, by_month=pool.history.pool.period == MONTH)

    def _event_of(self, one: PersonEvent, *, by_month: bool) -> Iterator[Block]:
        title = ", ".join(one.names) or str(say("ledger.set_by_hand", day=one.day))
        change = f"{figure(one.before or '–')} → {figure(one.after or '–')}"
        said = [] if one.why is None else [str(one.why)]
        if not one.games:
            yield Lines(lines=(change, *said), heading=title)
            return
        rows = [
            (game.round, game.colour and str(say(f"documents.{game.colour}")), game.name or _words("bye"), game.rating,
             score_text(game.score), game.expected and _short(game.expected), game.change and _signed(game.change))
            for game in one.games
        ]  # fmt: skip
        keys = ("round", "colour", "opponent", "rating", "score", "expected", "change")
        table = _linked(
            _grid(keys, rows, extra=("round", "colour", "rating", "expected")),
            [_person_file(game.opponent) if game.opponent else "" for game in one.games],
        )
        yield replace(table, heading=f"{title}: {change}")
        yield from remarks([*said, *(game.why for game in one.games if game.why)])
        if one.working:
            yield Working(summary=_words("working"), text=one.working)
        if by_month:
            yield from remarks([_words("counts", day=one.day)])

    def _all_events(self) -> None:
        """Every event that counts, the newest first, and a page for each."""
        rows, links, files = [], [], []
        for pool in self.pools:
            changes = _changes_in(pool.history)
            for event in pool.events:
                self._event(event, changes.get(event.id, {}))
                files.append((event, pool))
        for event, pool in sorted(files, key=lambda both: both[0].order, reverse=True):
            rows.append((event.end, event.name, pool.listed.pool if len(self.pools) > 1 else None, len(event.entries),
                         len(event.games)))  # fmt: skip
            links.append(_event_file(event.id))
        keys = ("day", "event", "pool", "players", "games")
        table = _linked(_grid(keys, rows, wide=("event",), extra=("players", "games")), links)
        blocks = (table,) if rows else (Lines(lines=(_words("no_events"),)),)
        value = {"events": [dict(zip(keys, row, strict=True)) for row in rows]}
        everybody = {self.book.who(one.person) for event, _ in files if len(event.games) == 1
                     for one in event.entries.values()}  # fmt: skip
        self._add(EVENTS, PrintedSheet(title=_words("events"), blocks=blocks), value, (keys, rows), everybody)

    def _event(self, event: LedgerEvent, changes: Mapping[str, RatedBatch]) -> None:
        """The players of an event with what it did to them, and its games."""
        person = {no: self.people[self.book.who(entry.person)] for no, entry in event.entries.items()}
        points = dict.fromkeys(event.entries, Decimal(0))
        for game in event.games.values():
            points[game.white] += game.score
            if game.black is not None:
                points[game.black] += game.other
        order = sorted(event.entries, key=lambda no: (-points[no], person[no].name))
        players = []
        for no in order:
            done = changes.get(person[no].id)
            ratings = (None, None, None) if done is None else (
                whole_rating(done.before), done.change, whole_rating(done.after))  # fmt: skip
            players.append((person[no].name, points[no], *ratings))
        shown = [(name, score_text(score), before, change and _signed(change), after)
                 for name, score, before, change, after in players]  # fmt: skip
        table = _linked(
            _grid(("name", "points", "rating", "change", "new"), shown, extra=("rating",)),
            [_person_file(person[no].id) for no in order],
        )
        keys = ("round", "white", "black", "result")
        games = [
            (game.round, person[game.white].name, "" if game.black is None else person[game.black].name,
             score_text(game.score) if game.black is None else f"{score_text(game.score)}–{score_text(game.other)}")
            for game in sorted(event.games.values(), key=lambda one: (one.round, one.id))
        ]  # fmt: skip
        played = replace(_grid(keys, games, wide=("white", "black"), extra=("round",)), heading=_words("games"))
        days = event.end if event.start == event.end else _words("days", start=event.start, end=event.end)
        sheet = PrintedSheet(title=event.name, subtitle=figure(days), blocks=(table, played))
        value = {
            "event": event.name, "pool": event.pool, "start": event.start, "end": event.end,
            "players": [dict(zip(("name", "points", "before", "change", "after"), row, strict=True))
                        for row in players],
            "games": [dict(zip(keys, row, strict=True)) for row in games],
        }  # fmt: skip
        self._add(_event_file(event.id), sheet, value, (keys, games), (one.id for one in person.values()))

    def _changes(self) -> list[tuple[str, str, str]]:
        """What changed between published lists, and since the last of them; the news for the feed, the newest first."""
        at = {one.number: one.at for one in self.ledger.decisions()}
        blocks: list[Block] = []
        news = [(event.id, event.name, _event_file(event.id)) for pool in self.pools for event in pool.events]
        everybody: set[str] = set()
        rows_out = []
        for pool in self.pools:
            name = pool.listed.pool
            newest = {one.number: one for one in self.book.published if one.pool == name}
            lists = [(say("ledger.about.publish", number=number, pool=name, day=one.day),
                      self.ledger.published(number, name)) for number, one in sorted(newest.items())]  # fmt: skip
            news += [(one.decision, str(lists[place][0]), CHANGES) for place, one in enumerate(newest.values())]
            for (_, before), (title, after) in reversed([*pairwise([*lists, (_words("now"), pool.listed)])]):
                moves = _moves(before, after, self.people, self.book)
                if not moves:
                    continue
                shown = []
                for one in moves:
                    through, named = self._through(pool, one.id, before.day, after.day)
                    everybody |= {one.id} | named
                    shown.append((one.name, one.before, one.after, one.change and _signed(one.change), through))
                    row = (name, before.day, max(before.day, after.day), *one[1:], one.change, through)
                    rows_out.append(row)
                table = _linked(
                    _grid(("name", "before", "after", "change", "event"), shown, extra=("before", "event")),
                    [_person_file(one.id) for one in moves],
                )
                blocks.append(replace(table, heading=_words("between", before=before.day, after=title)))
        if not blocks:
            blocks.append(Lines(lines=(_words("no_changes"),)))
        keys = ("pool", "since", "day", "name", "before", "after", "change", "event")
        sheet = PrintedSheet(title=_words("changes"), blocks=tuple(blocks))
        self._add(CHANGES, sheet, {"changes": [dict(zip(keys, row, strict=True)) for row in rows_out]},
                  (keys, rows_out), everybody)  # fmt: skip
        return [(at[number], title, to) for number, title, to in sorted(news, reverse=True)]

    def _through(self, pool: _Pool, id: str, since: date, until: date) -> tuple[str, set[str]]:
        """Through which events somebody's rating changed between two days, or that it was corrected; who they name."""
        lines = [line for line in pool.history.lines.get(id, ()) if since < line.day <= until]
        events = [self.book.events[no] for line in lines if isinstance(line, RatedBatch) for no in line.events]
        told = [event.name for event in events[:NAMED]]
        told += [str(say("ledger.set_by_hand", day=line.day)) for line in lines if isinstance(line, SetByHand)]
        if len(events) > NAMED:
            told.append(str(say("ledger.command.more", more=len(events) - NAMED)))
        players = {self.book.who(entry.person) for event in events[:NAMED] if len(event.games) == 1
                   for entry in event.entries.values()}  # fmt: skip
        return str(apart(told)) if told else _words("corrected"), players

    # beside the pages ------------------------------------------------------------------------------------------------

    def _add(
        self, name: str, sheet: PrintedSheet, value: Mapping[str, Any],
        table: tuple[Sequence[str], Sequence[Sequence[object]]], named: Iterable[str],
    ) -> None:  # fmt: skip
        """A page with its JSON and CSV; search engines leave it out if somebody named there is a minor, or may be."""
        stem = name.removesuffix(".html")
        self.made[f"{stem}.json"] = _json(value)
        self.made[f"{stem}.csv"] = _csv(*table)
        hidden = any(self._minor(id) for id in named)
        downloads = [Link(f"{stem}.{form}", _words(f"as_{form}")) for form in ("json", "csv")]
        self.made[name] = self._page("published.html", name, sheet, hidden=hidden, downloads=downloads)

    def _minor(self, id: str) -> bool:
        """Whether somebody is a minor at any time of this year, or may be, because no year of birth is known."""
        born = self.people[id].born
        return born is None or self.today.year - born <= self.book.settings.adult

    def _page(
        self, template: str, name: str, sheet: PrintedSheet, *, hidden: bool, downloads: Sequence[Link] = ()
    ) -> bytes:
        links = [Link(pool.page, _words("list") if len(self.pools) == 1 else pool.listed.pool) for pool in self.pools]
        links += [Link(PEOPLE, _words("people")), Link(EVENTS, _words("events")), Link(CHANGES, _words("changes"))]
        keys = ("search", "found", "none_found", "feed")
        words = {
            "pages": _published("nav.name"), "downloads": _published("downloads"), "skip": _published("skip"),
            "made": _published("made"), **{key: _words(key) for key in keys},
        }  # fmt: skip
        page = templates().get_template(template)
        text = page.render(
            event=self.name, about="", sheet=sheet, here=name, links=links, downloads=downloads, words=words,
            language=voice().language, hidden=hidden, feed=FEED, scripts=(NAMES, SEARCH),
        )  # fmt: skip
        return text.encode("utf-8", "replace")

    def _names(self, people: Sequence[Person]) -> bytes:
        """What the search looks through: names and events with their pages."""
        rows = [[person.name, _person_file(person.id)] for person in people]
        rows += [[event.name, _event_file(event.id)] for pool in self.pools for event in pool.events]
        return f"const arpadNames = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n".encode()

    def _feed(self, news: Sequence[tuple[str, str, str]]) -> bytes:
        """The newest events and lists as Atom."""
        first = self.ledger.decisions()[0]
        id = f"urn:sha256:{first.digest}"
        entries = "".join(
            f"<entry><id>{id}:{sha256(f'{at} {to} {title}'.encode()).hexdigest()[:16]}</id>"
            f"<title>{escape(title)}</title><updated>{at}</updated>"
            f"<link href={quoteattr(self.address + to)}/></entry>\n"
            for at, title, to in news[:50]
        )
        updated = news[0][0] if news else first.at
        own = f'<link rel="self" href={quoteattr(self.address + FEED)}/>'
        author = f"<author><name>{escape(self.name)}</name></author>"
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
            f"<id>{id}</id><title>{escape(self.name)}</title><updated>{updated}</updated>{author}{own}\n"
            f"{entries}</feed>\n"
        ).encode()

    def _embed_line(self) -> str:
        """The line that shows the top of the list on another site."""
        where = (self.address or "https://…/") + EMBED
        return f'<iframe src={quoteattr(where)} title={quoteattr(self.name)} width="100%" height="640"></iframe>'

    def _embedded(self) -> bytes:
        """The top of the first list, to be shown inside another site."""
        listed = self.pools[0].listed
        top = listed.players[:EMBEDDED]
        table = _linked(
            _grid(("place", "name", "rating"), [(one.rank, one.name, one.rating) for one in top]),
            [_person_file(one.id) for one in top],
        )
        subtitle = _words("as_of", day=listed.day, system=voice().system(listed.system))
        sheet = PrintedSheet(title=self.name, subtitle=subtitle, blocks=(table,))
        return self._page("embedded.html", EMBED, sheet, hidden=True)


def curve(points: Sequence[tuple[date, int]], says: str) -> str:
    """A rating over time as SVG, in the colours of the page around it."""
    days = [day.toordinal() for day, _ in points]
    ratings = [rating for _, rating in points]
    low, high = min(ratings), max(ratings)
    across, up = max(days[-1] - days[0], 1), max(high - low, 1)
    places = [
        (MARGIN + (WIDTH - 2 * MARGIN) * (day - days[0]) / across, HEIGHT - 40 - (HEIGHT - 70) * (rating - low) / up)
        for day, rating in zip(days, ratings, strict=True)
    ]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places)
    (left, first), (right, last) = places[0], places[-1]
    texts = (
        f'<text x="{left - 6:.1f}" y="{first + 5:.1f}" text-anchor="end">{ratings[0]}</text>'
        f'<text x="{right + 6:.1f}" y="{last + 5:.1f}">{ratings[-1]}</text>'
        f'<text x="{left:.1f}" y="{HEIGHT - 10}">{figure(points[0][0])}</text>'
        f'<text x="{right:.1f}" y="{HEIGHT - 10}" text-anchor="end">{figure(points[-1][0])}</text>'
    )
    return (
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(says)}">'
        f'<path d="M{path}"/>{dots}{texts}</svg>'
    )


def _changes_in(history: PoolHistory) -> dict[int, dict[str, RatedBatch]]:
    """What every event did to everybody; in a pool by month, what all events of the month did."""
    found: dict[int, dict[str, RatedBatch]] = {}
    for person, lines in history.lines.items():
        for line in lines:
            if isinstance(line, RatedBatch):
                for event in line.events:
                    found.setdefault(event, {})[person] = line
    return found


class _Move(NamedTuple):
    """A person whose rating is not the same on two lists."""

    id: str
    name: str
    before: int | None
    after: int | None

    @property
    def change(self) -> int | None:
        """The difference; None if a rating is missing."""
        return None if self.before is None or self.after is None else self.after - self.before


def _moves(before: LedgerList, after: LedgerList, people: Mapping[str, Person], book: Book) -> list[_Move]:
    """Everybody who moved between two lists, the largest change first; new people at the end."""
    was, now = ({book.who(line.id): line.rating for line in one.players} for one in (before, after))
    moved = [_Move(id, people[id].name, was.get(id), now.get(id)) for id in dict.fromkeys((*was, *now))]
    changed = [one for one in moved if one.before != one.after]
    return sorted(changed, key=lambda one: (one.change is None, -abs(one.change or 0), one.name))


def _person_value(page: PersonPage) -> dict[str, Any]:
    history = [
        {
            "events": one.names, "date": one.day, "before": one.before, "after": one.after,
            "why": None if one.why is None else str(one.why), "working": one.working,
            "games": [{"round": game.round, "opponent": game.opponent, "name": game.name, "colour": game.colour,
                       "score": game.score, "rating": game.rating, "expected": game.expected, "change": game.change,
                       "why": game.why} for game in one.games],
        }
        for one in page.history
    ]  # fmt: skip
    return {"pool": page.pool, "rating": page.rating, "history": history}


def _grid(
    keys: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    wide: Sequence[str] = ("name", "opponent"),
    extra: Sequence[str] = (),
) -> PrintedGrid:
    heads = section(voice().language, "ledger.site.head")
    columns = [
        GridColumn(heads.get(key) or head_of(key), LEFT if key in WORDS else RIGHT, key in wide, key in extra)
        for key in keys
    ]
    return grid(columns, rows)


def _linked(table: PrintedGrid, targets: Sequence[str]) -> PrintedGrid:
    """A table whose first wide column leads to pages, row by row."""
    place = next((place for place, column in enumerate(table.columns) if column.wide), 0)
    rows = [
        replace(row, links=tuple(to if at == place else "" for at in range(len(row.cells))))
        for row, to in zip(table.rows, targets, strict=True)
    ]
    return replace(table, rows=tuple(rows))


def _json(value: Mapping[str, Any]) -> bytes:
    """A page's figures for programs; without line breaks, which would take as long as the page itself."""
    return (json.dumps(value, ensure_ascii=False, default=str) + "\n").encode()


def _csv(keys: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(keys)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _short(number: Decimal) -> str:
    return figure(round(number, 2))


def _signed(number: Decimal | int) -> str:
    return figure(number if isinstance(number, int) else round(number, 1), signed=True)


def _person_file(id: str) -> str:
    return f"person-{id}.html"


def _event_file(number: int) -> str:
    return f"event-{number}.html"


def _words(key: str, **values: object) -> str:
    return str(say(f"ledger.site.{key}", **values))


def _published(key: str) -> str:
    return str(say(f"publish.{key}"))
