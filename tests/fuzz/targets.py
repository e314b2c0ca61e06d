"""What is fuzzed: every reader and every door, as functions of some bytes that raise nothing but our own errors.

Nothing of the code under test is imported before a target is run or its inputs are asked for: atheris can follow the
branches of a module only from its import on.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode
from zlib import crc32

from arpad.errors import ArpadError

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
FOUND = Path(__file__).parent / "found"  # inputs that once broke something, by target


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Something that reads bytes, and inputs that it understands."""

    run: Callable[[bytes], object]  # gives the status of a reply, if there is one
    seeds: tuple[bytes, ...]
    guide: tuple[str, ...]  # the modules and packages whose branches guide the search
    made: Callable[[], tuple[bytes, ...]] = tuple  # more of them, which the code under test makes
    longest: int = 400  # bytes of an input
    words: Callable[[], tuple[str, ...]] = tuple  # what inputs are made of

    def inputs(self) -> list[bytes]:
        """The inputs that it understands."""
        return [*self.seeds, *self.made()]

    def __call__(self, data: bytes) -> None:
        """Read some bytes; a refusal is as good as an answer."""
        with contextlib.suppress(ArpadError):
            self.run(data)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _texts(*read: Callable[[str], object]) -> Callable[[bytes], None]:
    """Several readers of one text, each by itself."""

    def run(data: bytes) -> None:
        text = _text(data)
        for one in read:
            with contextlib.suppress(ArpadError):
                one(text)

    return run


def _example(name: str, longest: int = 2000) -> bytes:
    return (EXAMPLES / name).read_bytes()[:longest]


# --- what is typed and pasted ----------------------------------------------------------------------------------------


def _notation(data: bytes) -> None:
    from arpad import reading

    readers: tuple[Callable[[str], object], ...] = (
        reading.parse_game,
        reading.parse_pairing,
        reading.parse_opponent,
        reading.parse_rating,
        reading.parse_no,
        reading.parse_title,
        reading.parse_federation,
        reading.parse_sex,
        reading.parse_percentage,
        reading.names_a_player,
    )
    _texts(*readers)(data)


def _days(data: bytes) -> None:
    from arpad import reading

    _texts(reading.parse_date, reading.parse_birth_year, reading.parse_age, reading.parse_span)(data)


def _paces(data: bytes) -> None:
    from arpad import reading

    _texts(reading.parse_pace, reading.read_pace)(data)


def _paste(data: bytes) -> None:
    from arpad import reading

    text = _text(data)
    _texts(reading.read_paste)(data)
    _texts(lambda _: reading.read_lines(text.splitlines()), lambda _: reading.split_games(text.splitlines()))(data)


# --- files -----------------------------------------------------------------------------------------------------------


WRITTEN = ("trf16", "trf26", "csv", "json")


def _tournament(ending: str) -> Callable[[bytes], None]:
    """A tournament's file; what is read is checked and written again, in a format that depends on the bytes."""

    def run(data: bytes) -> None:
        import arpad
        from arpad.formats import file_bytes, read_bytes

        found = read_bytes(data, f"any.{ending}")
        arpad.inconsistencies(found)
        file_bytes(found, WRITTEN[crc32(data) % len(WRITTEN)])

    return run


def _tables(data: bytes) -> None:
    """The tables that go beside a tournament: what is known of the players, and prizes."""
    from arpad import EloStanding
    from arpad.formats.organiser_tables import players_of, prizes_of

    _texts(lambda text: players_of(text, "any.csv", EloStanding), lambda text: prizes_of(text, "any.csv"))(data)


MEMORY = Path("/dev/shm")  # noqa: S108  # where a file costs no work of a disk


@cache
def _held() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="arpad-fuzz-", dir=MEMORY if MEMORY.is_dir() else None)


def _folder() -> Path:
    """A folder for files that are read by their path; it goes with the process."""
    return Path(_held().name)


def _file(name: str, read: Callable[[str], object]) -> Callable[[bytes], None]:
    """A reader of a file, given the file."""

    def run(data: bytes) -> None:
        path = _folder() / name
        path.write_bytes(data)
        read(str(path))

    return run


def _section(path: str) -> None:
    from arpad.formats.section import read_section

    read_section(path)


def _rules(path: str) -> None:
    """A rule file and a file of settings: both are TOML."""
    from arpad.systems import system_from
    from arpad.web.settings import settings_from

    for read in (system_from, lambda file: settings_from({"config": file}, {})):
        with contextlib.suppress(ArpadError):
            read(path)


def _plan(path: str) -> None:
    from datetime import date

    from arpad.questions import read_question, spec_of

    asked = read_question(spec_of("outlook"), {"plan": [path]}, today=date(2026, 11, 15), door="command")
    asked.question.answer()


def _list(path: str) -> None:
    from arpad.lists import Hints, recognise

    for rows in recognise(path, Hints(month="2026-11", pace=None)).rows():
        assert rows is not None


def _bulk(path: str) -> None:
    """A table of games for known players, or one of players for known games, as the heading says."""
    from arpad import bulk

    heading = Path(path).read_bytes().partition(b"\n")[0]
    games, players = (str(EXAMPLES / name) for name in ("club-games.csv", "club-list.csv"))
    if b"white" in heading.lower():
        bulk.rate(path, players, period="2026-12")
    else:
        bulk.rate(games, path, period="2026-12")


# --- doors -----------------------------------------------------------------------------------------------------------

NOT_TYPED = ("serve", "mcp", "list", "completion")  # they wait, or change something outside the folder


def _command(data: bytes) -> None:
    """A command line, one word a line, in a folder of its own; no word leaves that folder."""
    from arpad.cli import BROKEN, main

    words = [word for word in _text(data).split("\n") if not word.startswith("/") and ".." not in word]
    if not words or words[0] in NOT_TYPED:
        return
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert main(words) != BROKEN


class _Raising(logging.Handler):
    """A fault that the server would only write down is raised."""

    def emit(self, record: logging.LogRecord) -> None:
        raise AssertionError(record.getMessage()) from (record.exc_info or (None, None))[1]


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Work in a folder of its own and in one thread, with no lists, and raise every fault; draw no picture.

    Pictures are another library's work, and take a hundred times as long as the rest.
    """
    from arpad.reports import page
    from arpad.web import workers

    before, raising = os.getcwd(), _Raising()
    faults = [logging.getLogger(name) for name in ("arpad.faults", "uvicorn.error")]
    os.chdir(_folder())
    with mock.patch.dict(os.environ, ARPAD_DATA=str(_folder() / "data"), ARPAD_DEBUG="1"):
        try:
            for one in faults:
                one.addHandler(raising)
            with mock.patch.object(workers, "THREADS", new=False), mock.patch.object(page, "charts", return_value=[]):
                yield
        finally:
            for one in faults:
                one.removeHandler(raising)
            os.chdir(before)


@cache
def _app() -> Any:
    from arpad.web.app import create_app

    return create_app()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def _asked(method: str, path: str, query: bytes = b"", body: bytes = b"", kind: bytes = b"application/json") -> int:
    """The status of a reply; a fault of the server is raised."""
    statuses: list[int] = []
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": path.encode(),
        "query_string": query, "root_path": "", "scheme": "http", "client": ("127.0.0.1", 1), "server": ("arpad", 80),
        "headers": [(b"host", b"localhost"), (b"content-type", kind), (b"accept", b"text/html")],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    _loop().run_until_complete(_app()(scope, receive, send))
    assert statuses[0] < 500, statuses
    return statuses[0]


def _query(data: bytes) -> int:
    path, _, query = data.partition(b"?")
    return _asked("GET", f"/api/v1/{_text(path)}", query)


def _body(data: bytes) -> int:
    path, _, body = data.partition(b"\n")
    return _asked("POST", f"/api/v1/{_text(path)}", body=body)


def _page(data: bytes) -> int | None:
    """A page, or a part, picture or twin of one; drawing the picture itself is another library's work."""
    path, _, query = data.partition(b"?")
    if path.endswith(b".svg") or path.startswith(b"script"):
        return None
    return _asked("GET", f"/{_text(path)}", query)


def _form(data: bytes) -> int:
    """The tournament's form with a file in it, as a browser posts it."""
    return _asked("POST", "/tournament", body=data, kind=b"multipart/form-data; boundary=x")


class _Transport(asyncio.Transport):
    """A connection to nowhere."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 80), "socket": None})
        self.closed = False

    def write(self, data: Any) -> None: ...

    def abort(self) -> None:
        self.closed = True

    close = abort

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...


@cache
def _serving() -> tuple[Any, Any]:
    import uvicorn
    from uvicorn.server import ServerState

    config = uvicorn.Config(_app(), access_log=False, log_level="error", ws="none")
    config.load()
    return config, ServerState()


def _connection(data: bytes) -> None:
    """Bytes as they come over a connection, in two pieces."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    async def connected() -> None:
        config, state = _serving()
        protocol: Any = H11Protocol(config=config, server_state=state, app_state={}, _loop=_loop())
        transport = _Transport()
        protocol.connection_made(transport)
        half = len(data) // 2
        for piece in (data[:half], data[half:]):
            if piece and not transport.closed:
                protocol.data_received(piece)
        protocol.connection_lost(None)
        await asyncio.gather(*state.tasks)

    _loop().run_until_complete(connected())


READING, FORMATS = ("arpad.reading",), ("arpad.formats",)
DOOR = ("arpad.questions", "arpad.reading")
RATE = b"fide-standard/rate?rating=1750&born=2010&game=1950:win&game=1900:draw&on=2026-11-15"
XML = b"""<?xml version="1.0" encoding="UTF-8"?>
<playerslist><player><fideid>9900001</fideid><name>Holm, Astrid</name><country>NOR</country><sex>F</sex>
<title></title><rating>2101</rating><games>5</games><k>20</k><rapid_rating></rapid_rating><birthday>1998</birthday>
<flag>w</flag></player></playerslist>"""
PLAN = b'rating = 1780\nk = 20\n[[event]]\nname = "Open"\non = 2027-01-10\ngames = ["1700:win", "1800@b"]\n'
FORM = b"""--x\r\nContent-Disposition: form-data; name="system"\r\n\r\nfide-standard\r\n--x\r
Content-Disposition: form-data; name="on"\r\n\r\n2026-11-15\r\n--x\r
Content-Disposition: form-data; name="file"; filename="open.csv"\r\n\r
No;Name;Rtg;R1\n1;Ann;1900;2w1\n2;Bob;1800;1b0\n\r\n--x--\r\n"""
PGN = b"""[White "Ann"]
[Black "Bob"]
[WhiteElo "2000"]
[BlackElo "1900"]
[Round "1.1"]
[Result "1-0"]

1. e4 1-0
"""
TABLE = "No;Name;Rtg;R1\n1;Ann;1900;2w1\n2;Bob;1800;1b0\n"
TRF = b"""012 Open
042 2026/08/15
122 90+30
XXR 2
001    1 m IM Lindqvist, Aron                   2412 SWE    90000017 1988/04/12  1.5    1     2 w 1     3 b =
001    2 m FM Okafor, Chidi                     2318 NGR    90000025 1995/09/30  1.0    2     1 b 0  0000 - U
001    3 w    Brandauer, Lena                        AUT             1999        0.5    3  0000 - -     1 w =
013 Team                                1    2
"""
TYPED = b"won against 1950, lost to 1800"
CHUNKS = b"POST /api/v1/elo/rate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n"
ELO = b"elo/rate?rating=1500&game=1700:1&set=k=20"


SECTION = [{"id": "1", "rating": "1500", "results": "2:1"}, {"id": "2", "rating": "1600", "results": "1:0"}]
US_CHESS = ("start", "floor", "section")  # questions of US Chess alone


def _asked_by_example() -> dict[str, list[Any]]:
    """Every question of the API with what its examples give, by its address; a small file stands for each file."""
    from arpad.questions import questions_at
    from arpad.web.api import path_of

    found: dict[str, list[Any]] = {}
    for spec in questions_at("api").values():
        for example in spec.examples:
            system = str(example.get("system", "uschess-regular" if spec.name in US_CHESS else "fide-standard"))
            path = path_of(spec).removeprefix("/").replace("{system}", system).replace("{id}", "1")
            given = {name: value for name, value in example.items() if name not in ("path", "system", "table", "id")}
            if "path" in example:
                fields = spec.fields_at("api")
                given |= {"text": TRF.decode()} if "text" in fields else {"players": SECTION}
                given |= {"file": "a.trf"} if "file" in fields else {}
            found.setdefault(path, []).append(given)
    return found


def _queries() -> tuple[bytes, ...]:
    """Every example as a query, but for those that need a body."""
    return tuple(
        f"{path}?{urlencode(given, doseq=True, safe=':@')}".encode()
        for path, examples in _asked_by_example().items()
        for given in examples
        if not {"text", "event", "players"} & set(given)
    )


def _bodies() -> tuple[bytes, ...]:
    """Every example as a body."""
    return tuple(
        f"{path}\n{json.dumps(given)}".encode() for path, examples in _asked_by_example().items() for given in examples
    )


def _fields() -> tuple[str, ...]:
    """The names of the fields of every question, and of the systems."""
    from arpad.questions import questions_at
    from arpad.systems import system_names

    return (*system_names(), *dict.fromkeys(name for spec in questions_at("api").values() for name in spec.fields))


def _excel() -> tuple[bytes, ...]:
    """The example as a workbook."""
    import arpad
    from arpad.formats import file_bytes

    return (file_bytes(arpad.read(EXAMPLES / "open.trf"), "xlsx")[0],)


def _swiss_manager() -> tuple[bytes, ...]:
    """Files as the program writes them, of players and of teams."""
    sys.path.append(str(ROOT / "tests" / "helpers"))  # `run.py` is not run by pytest
    from swiss_manager_files import team_file, tunx

    return tunx(), team_file()


def _made(*names: str) -> Callable[[], tuple[bytes, ...]]:
    """Files of other programs, made by the tests: functions of their helper by name."""

    def made() -> tuple[bytes, ...]:
        sys.path.append(str(ROOT / "tests" / "helpers"))
        import program_files

        return tuple(getattr(program_files, name)() for name in names)

    return made


@cache
def targets() -> dict[str, Target]:
    """Every target by its name."""
    json_body = json.dumps({"rating": 1780, "game": ["1700:win", "1750:?"], "event": [{"against": [1800]}]}).encode()
    return {
        "notation": Target(
            run=_notation,
            seeds=(b"1950:win", b"1950@b:\xc2\xbd", b"2550gm/FRA", b"@1503014:1", b"unrated:0", b"bye"),
            guide=READING,
            longest=60,
        ),
        "days": Target(
            run=_days, seeds=(b"2026-11-15", b"15.11.2026", b"Nov 2026", b"2010", b"16"), guide=READING, longest=40
        ),
        "time controls": Target(
            run=_paces, seeds=(b"90+30", b"40/90 SD/30;+30", b"G/60 d5", b"25 min + 10 s"), guide=READING, longest=120
        ),
        "pastes": Target(
            run=_paste,
            seeds=(_example("card.txt"), b"1. Bob Carter 1900 1\n2. Cid 1800 0.5\n", PGN, TYPED),
            guide=READING,
            longest=1500,
        ),
        "TRF": Target(
            run=_tournament("trf"), seeds=(TRF, _example("open.trf", 900)), guide=FORMATS, longest=1000
        ),
        "tournament CSV": Target(
            run=_tournament("csv"),
            seeds=(TABLE.encode(), _example("ladder.csv", 400)),
            guide=FORMATS,
            longest=800,
        ),
        "PGN": Target(run=_tournament("pgn"), seeds=(PGN,), guide=FORMATS, longest=800),
        "Excel": Target(run=_tournament("xlsx"), seeds=(), made=_excel, guide=FORMATS, longest=12_000),
        "Swiss-Manager": Target(
            run=_tournament("tunx"), seeds=(), made=_swiss_manager, guide=FORMATS, longest=9_000
        ),
        "Papi": Target(run=_tournament("papi"), seeds=(), made=_made("papi_file"), guide=FORMATS, longest=80_000),
        "Sharly Chess": Target(
            run=_tournament("sce"), seeds=(), made=_made("sharly_open"), guide=FORMATS, longest=80_000
        ),
        "US Chess files": Target(
            run=_tournament("dbf"),
            seeds=(),
            made=_made("report_players", "standings_file"),
            guide=FORMATS,
            longest=6000,
        ),
        "chess-results XML": Target(
            run=_tournament("xml"), seeds=(), made=_made("xml_file"), guide=FORMATS, longest=4000
        ),
        "K and prize tables": Target(
            run=_tables, seeds=(_example("prizes.csv"), b"no,k,born,games\n1,20,2010,30\n2,40,,\n"), guide=FORMATS
        ),
        "sections": Target(
            run=_file("section.csv", _section),
            seeds=(b"id,rating,games,results\n1,1500,20,2:1 3:0.5\n2,1600,30,1:0\n3,,,1:0.5 bye\n",),
            guide=FORMATS,
        ),
        "rules and settings": Target(
            run=_file("rules.toml", _rules),
            seeds=(_example("riverside.toml"), (ROOT / "deploy" / "arpad.toml").read_bytes()),
            guide=("arpad.rulebooks", "arpad.web.settings"),
            longest=2500,
        ),
        "plans": Target(run=_file("plan.toml", _plan), seeds=(PLAN,), guide=("arpad.questions",)),
        "list as text": Target(
            run=_file("standard_nov26frl.txt", _list),
            seeds=(_example("standard_nov26frl.txt", 600),),
            guide=("arpad.lists.importing",),
            longest=1500,
        ),
        "list as XML": Target(
            run=_file("players_list_xml.xml", _list), seeds=(XML,), guide=("arpad.lists.importing",), longest=1500
        ),
        "list as CSV": Target(
            run=_file("club.csv", _list), seeds=(_example("club-list.csv", 300),), guide=("arpad.lists.importing",)
        ),
        "bulk tables": Target(
            run=_file("games.csv", _bulk),
            seeds=(_example("club-games.csv", 400), _example("club-list.csv", 400)),
            guide=("arpad.bulk.tables",),
        ),
        "command": Target(
            run=_command,
            seeds=(
                b"rate\n1750\n1950:win\n--born\n2010\n--explain",
                b"need\n1780\n--reach\n1800\n--against\n1700\n1750\n--json",
                b"outlook\n1780\n1800:?\n1820@b\n--reach\n1790",
                b"match\n+10\n=5\n-3\n--sprt\n0\n5\n--alpha\n0.05",
                b"pace\n25+5",
            ),
            guide=("arpad.cli", *DOOR),
            words=_fields,
        ),
        "query": Target(
            run=_query,
            seeds=(RATE, ELO),
            made=_queries,
            guide=("arpad.web.api", *DOOR),
            words=_fields,
        ),
        "body": Target(
            run=_body,
            seeds=(
                b"fide-standard/outlook\n" + json_body,
                b'fide-standard/need\n{"rating": 1780, "reach": 1800, "against": [1700, "1750"]}',
                b'batch\n{"questions": [{"question": "rate", "rating": 1750, "game": ["1950:win"]}]}',
            ),
            made=_bodies,
            guide=("arpad.web.api", *DOOR),
            longest=800,
            words=_fields,
        ),
        "page": Target(
            run=_page,
            seeds=(
                b"?rating=1750&born=2010&game=1950:win",
                b"need?rating=1780&reach=1800&list=1700+1800",
                b"season.part?rating=1780&k=20&schedule=1700+1800",
                b"chart/rate/expected.json?rating=1750&game=1950:win&k=20",
            ),
            guide=("arpad.web.forms", "arpad.web.pages", *DOOR),
            words=_fields,
        ),
        "upload": Target(run=_form, seeds=(FORM,), guide=("arpad.web.tournament", "arpad.formats"), longest=1000),
        "connection": Target(
            run=_connection,
            seeds=(
                b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
                CHUNKS,
                b"GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.1.1.1\r\nContent-Length: 3\r\n\r\nabc",
            ),
            guide=("arpad.web.server", "arpad.web.middleware"),
        ),
    }  # fmt: skip
