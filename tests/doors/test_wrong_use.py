"""Wrong literals and arguments: a type checker refuses each, or a sentence says what to write.

`CHECKED` are refused by mypy and by basedpyright; `TOLD` by an ArpadError whose sentence has the words named. Most are
refused by both.
"""

import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import arpad
from conftest import ROOT

BIN = Path(sys.executable).parent
HEAD = """\
from datetime import date
from decimal import Decimal
from tempfile import mkdtemp
import arpad
from arpad import Game, Pairing, Player, bulk, win
club = arpad.ledger.new(mkdtemp() + "/club.arpad", system="elo", start=1500, who="Ann")
ON = date(2026, 11, 15)
fide = arpad.system("fide-standard")
glicko = arpad.system("glicko-2")
elo = arpad.system("elo")
dwz = arpad.system("dwz")
change = fide.rate(1750, win(1950), on=ON)
event = arpad.read("docs/examples/open.trf")
"""
CHECKED = """\
Game(1600, 1, colour="whit")
Game(1600, 1, "won")
Pairing(1600, colour="green")
Pairing(1600, how="forfeited")
Player(1500, k=20)
Player(1500, brith_year=2010)
change.explain("rst")
fide.game(1750, 1950, "2-0", on=ON)
fide.game(1750, 1950, "win", on=ON)
fide.league({"Ann": 1750}, [("Ann", "Ann", "won")], on=ON)
arpad.performance([win(1950)], on=ON, method="fied")
arpad.draw_model("davidsen")
arpad.find_norms(event, kind="swis")
arpad.find_norms(event, titles=["FM"])
arpad.find_norms(event, exempt="d")
arpad.chances(event, kind="swis")
arpad.standings(event, share="half")
arpad.tie_breaks(event, kind="swis")
arpad.look_ahead(fide, 1750, [1700], on=ON, kind="league")
arpad.look_ahead(fide, 1750, [1700], on=ON, norm="FM")
change.chart().svg(theme="sepia")
arpad.match(wins=1, losses=1, draws=1, program="cutchess")
arpad.write(event, "copy.xml", "trf20")
Player(1750, title="XM")
Player(1750, sex="x")
fide.player(1750, title="XM")
fide.player(1750, sex="x")
fide.player(1750, rating_deviation=60)
fide.rate(1750, "1950:win", on=ON)
fide.rate(1750, win(1950), on="2026-11-15")
fide.rate(1750, win(1950))
arpad.read(1750)
club.preview_result("Ann Baker", "Carl Dorn", "2-0")
club.change_game(4, 1, how="agreed", who="Ann")
club.add_pool("blitz", "glicko-2", period="week", who="Ann")
club.set_policy(policy="always", who="Ann")
bulk.replays
bulk.method("dwz")
bulk.rate("games.csv", "list.csv", period="2026-12", engine="local2")
""".splitlines()
TOLD = {
    'Game(1600, 1, colour="whit")': "a colour is white or black",
    'Game(1600, 1, "won")': "played, forfeit, bye",
    "Game(1600, 2)": "a score is 1, 0.5 or 0",
    "Game(16000, 1)": "is not a rating",
    'Pairing(1600, colour="green")': "is not a colour",
    "Player(1500, k=20)": ".player(1500, k=...)",
    "Player(1500, brith_year=2010)": "Did you mean 'birth_year'?",
    "Player(1500, birth_year=20)": "(at birth_year)",
    'change.explain("rst")': "Known: html, json, markdown, text",
    'fide.game(1750, 1950, "2-0", on=ON)': "write 1-0, 0-1, 1/2-1/2",
    "fide.game(1750, 1950, 3, on=ON)": "White's score: 1, 0.5 or 0",
    'fide.league({"Ann": 1750}, [("Ann", "Bob", "1-0")], on=ON)': "No player of the league is called 'Bob'",
    'fide.league({"Ann": 1750, "Ben": 1690}, [("Ann", "Ben")], on=ON)': "write White, Black and the result",
    'arpad.performance([win(1950)], on=ON, method="fied")': "Did you mean 'fide'?",
    'arpad.draw_model("davidsen")': "Did you mean 'davidson'?",
    'arpad.draw_model("davidson")': "needs the share of draws",
    'arpad.find_norms(event, kind="swis")': "Did you mean 'swiss'?",
    'arpad.find_norms(event, titles=["FM"])': "No title with norms is called 'FM'",
    'arpad.standings(event, share="half", prizes=[arpad.Prize("1st", Decimal(100))])': "Known: equal, hort, places",
    'arpad.match(wins=1, losses=1, draws=1, program="cutchess")': "Did you mean 'cutechess'?",
    'arpad.write(event, "copy.xml", "trf20")': "No format is called 'trf20'",
    'arpad.system("fide-standart")': "Did you mean 'fide-standard'?",
    'arpad.system("uscf")': "uschess",
    'arpad.system("fide-standard", k=20)': ".player(1500, k=...)",
    'arpad.system("elo", kk=20)': "No setting of elo is called 'kk'",
    'arpad.system("fide-standard", readings="rounding=per-event")': 'readings=dict(rounding="per-event")',
    'arpad.system("lichess", against="engine")': "No kind of opponent at Lichess",
    "glicko.player(1500, games=12)": "it uses `deviation`, `volatility` and `idle`",
    "dwz.player(1500, deviation=60)": "it uses `k` and `index`",
    "glicko.rate(arpad.EloStanding(1500, games=12), win(1500), on=ON)": "glicko-2 does not use `games`",
    'fide.player(1750, title="XM")': "No title is called 'XM'",
    'fide.player(1750, federation="Germany")': "three letters, for example GER",
    'fide.rate(1750, "1950:win", on=ON)': "is not a game",
    'fide.rate(1750, win(1950), on="2026-11-15")': "is not a day",
    "fide.rate(None, win(1950), on=ON)": "ask for a first rating",
    "elo.first_rating([win(1500)], on=ON)": "elo has no first rating; these systems have one: fide-standard",
    "glicko.expected_score(200, on=ON)": "`expect` gives it for two players",
    "elo.conversion(1500)": "these systems have one: fide-standard, fide-rapid, fide-blitz, dwz.",
    'club.change_game(4, 1, how="agreed", who="Ann")': "played, forfeit, short",
    'club.add_pool("blitz", "glicko-2", period="week", who="Ann")': "event, month",
    'club.set_policy(policy="always", who="Ann")': "never, revise, window",
    "arpad.read(1750)": "give a path, the bytes of a file, or an open file",
    "fide.rate(1750, win(1950), on=date(1990, 1, 1))": "from 2009",
}  # fmt: skip


def test_there_are_thirty_at_least():
    """More are welcome."""
    assert len({*CHECKED, *TOLD}) >= 30


@pytest.mark.parametrize(("tool", "options", "place"), [
    ("mypy", ["--strict", "--follow-imports=silent", "--python-executable", sys.executable], r"wrong\.py:(\d+): error"),
    ("basedpyright", ["--pythonpath", sys.executable], r"wrong\.py:(\d+):\d+ - error"),
])  # fmt: skip
def test_type_checkers_refuse_each(tool, options, place, tmp_path):
    """Every line has an error, and the lines above them have none."""
    (tmp_path / "wrong.py").write_text(HEAD + "\n".join([*CHECKED, ""]), encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT / "src"}"]}}', encoding="utf-8")
    where = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    line = [str(BIN / tool), *options, "wrong.py"]
    ran = subprocess.run(line, cwd=tmp_path, env=where, capture_output=True, text=True, check=False)
    lines = {int(number) - HEAD.count("\n") - 1 for number in re.findall(place, ran.stdout)}
    assert [wrong for number, wrong in enumerate(CHECKED) if number not in lines] == []
    assert min(lines) == 0, ran.stdout


@pytest.fixture(scope="module")
def scope():
    """The names that the lines use."""
    names = {}
    exec(HEAD.replace("docs/examples", str(ROOT / "docs" / "examples")), names)  # noqa: S102  # above
    return names


@pytest.mark.parametrize("line", TOLD)
def test_a_sentence_says_what_to_write(line, scope):
    """No bare TypeError, no KeyError: an error of Arpad's own, with a sentence."""
    with pytest.raises(arpad.ArpadError) as refused:
        eval(line, scope)  # noqa: S307  # above
    assert TOLD[line] in str(refused.value)
    assert isinstance(refused.value.code, str)
    assert date  # the lines use it
