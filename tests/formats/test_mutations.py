"""Real and invented files, damaged at random: no error but a BadFile, no hang, and whatever is read can be used."""

import io
import random
import zipfile
from functools import cache

import pytest
from damage import KINDS, damaged_at_random
from examples import examples
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from report_files import EXAMPLE, folder
from swiss_manager_files import team_file, tunx
from test_tables_in import PGN

import arpad
from arpad.formats import file_bytes, read_bytes

OPEN = arpad.read(EXAMPLE)
GAMES = "round,white,black,white_rating,black_rating,result\n1.1,Ann,Bob,2000,1900,1-0\n2.1,Bob,Cid,1900,,½-½\n"
# One of each record beside a few players: what a long file has far behind its players.
RECORDS = """012 All records
042 2026/08/15
132                                                                                        26/08/15  26/08/16
142 2
152 W
162  W 3.0    D 1.0    P 1.5
172 CRO FIDON
222 40/6000+30:900+30
352 WBWB
362 TW 3.0   TD 1.0   TL 0.0
XXS W=3 D=1
BBW  3.0
XXC rank white1
XXZ 1 2
XXP 1 2
XXA    1  1.0  0.5
DAT    1 EMAIL      nobody
XRS somewhere
001    1 m  g Lindqvist, Aron                   2412 SWE    90000017 1988/04/12  3.0    1     2 w 1  0000 - U
001    2 w wf Brandauer, Lena                   2247 AUT    90000033 1999        0.0    2     1 b 0     0 - Z
CRO    1   GM Lindqvist, Aron                   2450 RI        12345 1988/04/12
013 Hawks                              1    2
310   1 Hawks                            HAWK    2330    2.0    3.0   1     1    2
240 H   1    1
250  1.0  1.0   1   2    1    2
260   1   2    1    2
299 W         3.0    1    1
300   1   1   2    1 0000
320  2.0  1.0   1 000
330 +-   1   1   2
330 H   1    2
340 +-   2   1   2
801 ignored
"""
SMALL = 12_000  # bytes of a file that is mutated; the shape of a file is in its beginning
EXAMPLES = examples(150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@cache
def sources():
    """Files of every format, real ones among them."""
    real = [path.read_bytes()[:SMALL] for path in sorted(folder().glob("*.trf"))]
    tables = [path.read_bytes()[:SMALL] for path in sorted(folder().glob("*_2026_*.csv"))]
    return {
        "trf": [EXAMPLE.read_bytes(), RECORDS.encode(), *real],
        "csv": [file_bytes(OPEN, "csv")[0], GAMES.encode(), *tables],
        "pgn": [PGN.encode()],
        "xlsx": [file_bytes(OPEN, "xlsx")[0]],
        "tunx": [tunx(), team_file()],
        "json": [file_bytes(OPEN, "json")[0], file_bytes(read_bytes(RECORDS.encode(), "records.trf"), "json")[0]],
    }


@st.composite
def damaged(draw, format):
    """A file of a format with one to six pieces of damage."""
    data = draw(st.sampled_from(sources()[format]))
    return damaged_at_random(data, random.Random(draw(st.integers(0, 2**32))))  # noqa: S311  # damage, not secrets


def survives(data, name):
    """Read, or refused by a BadFile with the file's name; what was read is checked and written."""
    try:
        tournament = read_bytes(data, name)
    except arpad.BadFile as error:
        refused = error.at
    else:
        refused = None
    if refused is not None:
        assert refused.startswith(name)
        return
    assert tournament.entrants
    assert len({one.no for one in tournament.entrants}) == len(tournament.entrants)
    for one in (played for entrant in tournament.entrants for played in entrant.rounds):
        assert one.kind not in ("played", "short", "pending") or one.opponent is not None
    arpad.inconsistencies(tournament)
    for format in ("trf16", "trf26", "csv", "json"):
        try:
            file_bytes(tournament, format)
        except arpad.BadInput as error:
            assert "does not fit" in error.message  # noqa: PT017  # either is right


@pytest.mark.parametrize("format", ["trf", "csv", "pgn", "json", "tunx"])
@EXAMPLES
@given(data=st.data())
def test_damaged_files(format, data):
    """A damaged report, table, PGN, JSON or Swiss-Manager file is read or refused, and nothing else."""
    survives(data.draw(damaged(format)), f"damaged.{format}")


@examples(60, parent=EXAMPLES)
@given(data=st.data())
def test_damaged_excel(data):
    """A damaged Excel file is read or refused, whether the archive or a sheet in it is damaged."""
    whole = data.draw(damaged("xlsx"))
    survives(whole, "damaged.xlsx")
    original = zipfile.ZipFile(io.BytesIO(sources()["xlsx"][0]))
    part = data.draw(st.sampled_from(original.namelist()))
    chance = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in original.namelist():
            piece = original.read(name)
            archive.writestr(name, chance.choice(KINDS)(piece, chance) if name == part else piece)
    survives(packed.getvalue(), "damaged.xlsx")


def test_the_records_are_clean():
    """The file that has one of each record is read whole, so that damaging it starts from something sound."""
    tournament = read_bytes(RECORDS.encode(), "records.trf")
    assert [str(one) for one in tournament.oddities if one.lost] == []
    assert len(tournament.records) == 19


@EXAMPLES
@given(
    st.binary(max_size=400) | st.text(max_size=400).map(str.encode),
    st.sampled_from(["trf", "csv", "pgn", "xlsx", "json", "tunx", ""]),
)
def test_anything_at_all(data, format):
    """Any bytes under any name are read or refused."""
    survives(data, f"any.{format}")
