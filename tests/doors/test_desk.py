"""The arbiter's desk: a tournament day in a folder, with half-written files, renames, deletions and a crash."""

import gc
import os
import re
import shutil
import time
import urllib.error
import weakref
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from desk_day import Day, after, expected_of, saved

import arpad
from arpad.cli import main
from arpad.cli.desk import SETTLED, DeskCommand
from arpad.core.tournaments import ABSENT, PLAYED
from arpad.formats import read_bytes
from arpad.reports.desk import TABS
from conftest import shared

OPEN = Path("docs/examples/open.trf")


@pytest.fixture
def day(tmp_path):
    folder = tmp_path / "saves"
    folder.mkdir()
    started = Day(folder)
    yield started
    started.page.close()


def wait_for(condition, seconds=300):
    """Whether a condition comes true."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def test_a_tournament_day(day):
    """Every save is shown whole and in order; what is half written never is; the last good state survives the rest."""
    assert "No tournament file" in day.get()
    shown, states = [], []
    for number in range(1, 10):
        results = 11 if number % 3 == 0 else 0
        paired = saved(after(number - 1, results))
        whole = saved(after(number))
        before = day.status() if number > 1 else ""
        for part in (0.2, 0.5, 0.93):  # the program writes in pieces, and each piece stays for a while
            day.write("open.trf", paired[: int(len(paired) * part)])
            day.look(3)
            if number > 1:
                assert day.status() == before
                assert day.problem()
            else:
                assert "No tournament file" in day.get()
        day.write("open.trf", paired)
        day.look()
        assert day.problem() == ""
        shown.append(day.status())
        if number == 4:  # saved under another name and renamed
            (day.folder / "open.trf.tmp").write_bytes(whole)
            os.replace(day.folder / "open.trf.tmp", day.folder / "open.trf")
        else:
            day.write("open.trf", whole)
        day.look()
        shown.append(day.status())
        states.append(weakref.ref(day.desk.state.events[0].tabs))
        if number == 5:  # deleted, and saved again
            (day.folder / "open.trf").unlink()
            day.look()
            assert day.status() == "after round 5"
            assert "missing at the moment" in day.problem()
            day.write("open.trf", whole)
            day.look()
            assert day.problem() == ""
        if number == 7:  # the program crashed in the middle of a save, and the desk was started again
            day.write("open.trf", paired[: len(paired) // 3])
            day.page.close()
            day.open()
            day.look(4)
            assert "No tournament file" in day.get()
            day.write("open.trf", whole)
            day.look()
            assert day.status() == "after round 7"
    assert shown == [said for number in range(1, 10) for said in expected_of(number)]
    gc.collect()
    assert [state() is not None for state in states].count(True) == 1  # the desk does not grow
    assert sorted(os.listdir(day.folder)) == ["open.trf"]  # and writes nothing into the folder
    for tab in TABS:
        assert "Riverside Open" in day.get(f"1/{tab}/")


def test_the_chances_of_a_running_event(day):
    """As many runs as the page says, with their seed; and the prizes of the folder."""
    shutil.copy(OPEN.with_name("last-round.trf"), day.folder)
    day.write("prizes.csv", b"prize,amount,condition\n1st,500,\nbest U2300,50,U2300\n")
    day.look()
    before = day.desk.state.version
    day.get("1/chances/")
    assert wait_for(lambda: day.desk.state.version > before)
    shown = day.get("1/chances/")
    assert "played 2500 times with seed 1" in shown
    assert "Zeman, Ludek" in shown
    prizes = shown[shown.index("<h2>Prizes") :]
    assert "U2300" in prizes
    day.write("prizes.csv", b"prize,amount,condition\nbest U1000,50,U1000\n")
    day.look(3)
    day.get("1/chances/")
    assert wait_for(lambda: "played 2500 times" in day.get("1/chances/"))
    assert "nobody is left who may win it: best U1000" in day.get("1/chances/")


def test_every_tab_is_of_the_same_state(day):
    """The table of every tab, the prints, and an address that the desk does not have."""
    shutil.copy(OPEN, day.folder)
    day.look()
    assert "Lindqvist, Aron" in day.get("1/standings/")
    assert "6w1" in day.get("1/crosstable/")
    assert day.get("1/") == day.get("1/standings/")
    # Round 6, by FIDE's table 8.1.2: Lindqvist (2412, K 10) beat Lefevre (1765); 400 points at most, so 0.92 expected.
    row = re.search(r"<tr><td[^>]*>1</td>.*?</tr>", day.get("1/changes/"))[0]
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)
    assert cells[:6] == ["1", "Lindqvist, Aron", "2412", "8 Lefevre, Camille", "1", "+0.80"]
    assert "No inconsistencies" in day.get("1/findings/")
    assert "foreign players without a FIDE ID: 10" in day.get("1/send/")
    assert day.get_bytes("1/send/event.trf") == OPEN.read_bytes()
    assert "Lindqvist" in day.get("1/prints/report.html")
    assert day.get("1/prints/report.csv").count("\n") == 11
    assert "Lindqvist" in day.get("1/prints/wall-by-rank.html")
    pages = re.findall(r'href="([\w-]+)\.html"', day.get("1/prints/"))
    assert {"standings", "pairings", "slips", "titles", "it3", "fa1", "report"} <= set(pages)
    for name in pages:
        assert day.get(f"1/prints/{name}.html").lstrip().startswith("<!doctype html>"), name
    for name, width in (("standings.pdf", 595), ("standings.letter.pdf", 612)):  # points
        assert round(float(re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+)", day.get_bytes(f"1/prints/{name}"))[1])) == width
    with pytest.raises(urllib.error.HTTPError, match="409"):  # nobody has a norm
        day.get("1/prints/it1.html")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        day.get("1/prints/secrets.pdf")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        day.get("2/standings/")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        day.get("1/secrets/")


def test_a_long_event_is_shown_in_its_parts(day):
    """Over 30 days: the round belongs to the part of its month, and each part has its own file and rating report."""
    days = b"  ".join(b"26/%02d/15" % month for month in (8, 8, 9, 9, 10, 10))
    lines = OPEN.read_bytes().replace(b"052 2026/08/20", b"052 2026/10/15").splitlines(keepends=True)
    day.write("long.trf", b"".join(b"132" + b" " * 88 + days + b"\n" if one[:3] == b"132" else one for one in lines))
    day.look()
    html = day.get("1/changes/")
    # October, by table 8.1.2: Lindqvist drew against Brandauer (165 points, 0.72 expected) and beat Lefevre (0.92).
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", re.search(r"<tr><td[^>]*>1</td>.*?</tr>", html)[0])
    assert cells[5:7] == ["+0.80", "\u22121.40"]
    assert "part 3: rounds 5 and 6 of 2026-10" in html
    assert "part 3: rounds 5 and 6 of 2026-10" in day.get("1/send/")
    part = read_bytes(day.get_bytes("1/send/event-3.trf"), "part.trf")
    assert (part.start, part.end) == (date(2026, 10, 15), date(2026, 10, 15))
    assert [played.kind for played in part.entrant(1).rounds] == [ABSENT] * 4 + [PLAYED] * 2
    assert part.entrant(1).points == Decimal("1.5")
    prints = re.findall(r'href="(rating-report[\w-]*)\.html"', day.get("1/prints/"))
    assert prints == ["rating-report-1", "rating-report-2", "rating-report-3"]
    assert "Lindqvist" in day.get("1/prints/rating-report-3.html")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        day.get("1/prints/rating-report-4.html")


def test_norms_say_what_is_needed_and_how_likely_it_is(day):
    """Before the last round: what each result does, and the chance; where a draw is enough it is the greater."""
    shutil.copy("docs/examples/last-round.trf", day.folder)
    day.look()
    html = day.get("1/norms/")
    assert "a draw against 3 makes it" in html
    likely = dict(re.findall(r"<li>14 Farkas, Dorottya: (\w+) with (\d+) %", html))
    assert 0 < int(likely["IM"]) < int(likely["WGM"]) < 100
    assert re.search(r"Round 9", day.get("1/next/"))


def test_chances_of_norms_come_by_themselves(day):
    """Three rounds before the end the rest is simulated beside everything else; then the tab has the chances."""
    event = arpad.read("docs/examples/norms.trf")
    entrants = tuple(replace(one, rounds=one.rounds[:6], points=None, rank=None) for one in event.entrants)
    day.write("mid.trf", saved(replace(event, entrants=entrants, source=None)))
    day.look()
    before = day.desk.state.version
    day.get("1/norms/")
    assert wait_for(lambda: day.desk.state.version > before)  # which tells the page to ask again
    html = day.get("1/norms/")
    assert "simulated runs" in html
    chances = dict(re.findall(r"Farkas, Dorottya</th><td>(\w+)</td><td[^>]*>([\d.]+) %", html))
    assert 0 < float(chances["IM"]) < float(chances["WGM"]) < 100  # IM needs more of the same games


def test_who_gets_which_prize(day):
    """A table of prizes beside the event: by its name, or for all; a change of it shows; what is wrong is said."""
    shutil.copy(OPEN, day.folder)
    day.look()
    assert "open-prizes.csv" in day.get("1/prizes/")  # where to put it
    shutil.copy("docs/examples/prizes.csv", day.folder / "prizes.csv")
    day.look()
    # docs/standings.md: Okafor and Castellani, level on points, share 300 and 100 by Hort as 250 and 150.
    found = re.findall(r"<h2>Prizes (by place|in equal|by Hort)(.*?)</section>", day.get("1/prizes/"), re.DOTALL)
    amounts = {share: re.findall(r'class="n">(\d+\.\d\d)<', html) for share, html in found}
    assert amounts == {
        "by place": ["500.00", "300.00", "100.00", "100.00"],
        "in equal": ["500.00", "200.00", "200.00", "100.00"],
        "by Hort": ["500.00", "250.00", "150.00", "100.00"],
    }
    assert "250.00" in day.get("1/prizes/prizes-hort.html")
    version = day.desk.state.version
    day.write("open-prizes.csv", b"prize,amount\n1st,77\n")
    day.look()
    assert day.desk.state.version > version
    assert "77.00" in day.get("1/prizes/")
    day.write("open-prizes.csv", b"prize,amount,condition\n1st,77,\nbest guest,5,FED=USA\n")  # nobody is American
    day.look()
    assert "nobody is left who may win it: best guest" in day.get("1/prizes/")
    assert "77.00" in day.get("1/prizes/")
    day.write("open-prizes.csv", b"prize,amount\n1st,much\n")
    day.look()
    assert "77.00" in day.get("1/prizes/")
    assert "open-prizes.csv, line 2" in day.get("1/prizes/")
    (day.folder / "open-prizes.csv").unlink()
    day.look()
    assert "500.00" in day.get("1/prizes/")
    assert len(day.desk.state.events) == 1


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("programs/tunx/abs_fem_1378181.TUNX", "TUNX"),
        ("programs/tunx/fexerj_swiss_team_93players.TUMX", "TUMX"),
        ("programs/papi/bre-jeunes-2024-open-a.papi", "papi"),
        ("programs/sce/handicap.sce", "sce"),
        (None, "xlsx"),
    ],
)
def test_files_of_other_programs(day, tmp_path, source, kind):
    """Whole they are shown in every tab, in pieces only if a piece has the whole event; the last good state stays."""
    if source is None:
        arpad.write(arpad.read(OPEN), tmp_path / "open.xlsx")
        whole = (tmp_path / "open.xlsx").read_bytes()
    else:
        whole = shared(f"data/{source}").read_bytes()
    entrants = read_bytes(whole, f"event.{kind}").entrants
    for part in (0.1, 0.5, 0.9, 0.99):
        day.write(f"event.{kind}", whole[: int(len(whole) * part)])
        day.look(3)
        for event in day.desk.state.events:  # a database may end with pages that the event does not need
            assert event.tabs.event.entrants == entrants, part
    day.write(f"event.{kind}", whole)
    day.look()
    assert day.problem() == ""
    shown = day.status()
    assert shown
    for tab in TABS:
        assert "Internal error" not in day.get(f"1/{tab}/"), tab
    for part in (0.3, 0.97):
        day.write(f"event.{kind}", whole[: int(len(whole) * part)])
        day.look()
        assert day.status() == shown
        assert day.problem() or day.desk.state.events[0].tabs.event.entrants == entrants, part
    assert day.get_bytes("1/send/event.trf").startswith((b"012", b"0"))
    assert sorted(os.listdir(day.folder)) == [f"event.{kind}"]


def test_several_events_and_other_files(day):
    """Two events side by side, another file of the same event that is older or newer, and files that are none."""
    shutil.copy(OPEN, day.folder / "a.trf")
    day.write("b.trf", saved(after(2)))
    (day.folder / "notes.txt").write_text("remember the clocks")
    (day.folder / "broken.trf").write_bytes(b"\x00\xff")
    day.look()
    assert [event.tabs.title for event in day.desk.state.events] == ["Riverside Open", "Harbour Open"]
    assert "broken.trf" in day.problem()
    assert "notes.txt" not in day.get()
    day.write("b-later.trf", saved(after(3)))
    day.look()
    assert [Path(event.file).name for event in day.desk.state.events] == ["b-later.trf", "a.trf"]
    assert day.status() == "after round 3"
    os.utime(day.folder / "b.trf", (0, 0))  # an old save, touched: the later one stays
    day.look()
    assert day.status() == "after round 3"


def test_a_lone_file_that_stays_incomplete_is_shown_with_its_findings(day):
    """Nobody knows a better state, and after a while it will not become whole: it is shown with what is wrong."""
    lines = OPEN.read_bytes().splitlines(keepends=True)
    day.write("open.trf", b"".join(line for line in lines if not line.startswith(b"001   10")))
    day.look(4)
    assert "No tournament file" in day.get()
    day.clock.now += SETTLED
    day.look()
    assert "after round" in day.status()
    assert "10" in day.get("1/findings/")


def test_the_folder_itself_may_vanish(day):
    """The last state stays, and comes back to life with the folder."""
    shutil.copy(OPEN, day.folder)
    day.look()
    away = day.folder.with_name("away")
    day.folder.rename(away)
    day.look()
    assert day.status() == "after round 6"
    away.rename(day.folder)
    day.look()
    assert day.status() == "after round 6"


def test_a_bug_does_not_end_the_desk(day, monkeypatch):
    """Whatever a calculation raises, the state before it stays and the desk says what happened."""
    shutil.copy(OPEN, day.folder)
    day.look()

    def broken(path):
        raise ZeroDivisionError(path)

    monkeypatch.setattr(day.desk, "_rate", broken)
    os.utime(day.folder / OPEN.name, (5, 5))
    day.look()
    assert day.status() == "after round 6"
    assert "ZeroDivisionError" in day.problem()


def test_a_file_is_not_a_folder(capsys):
    """The desk follows folders; a file is refused."""
    assert main(["desk", str(OPEN)]) == 2
    assert "not a folder" in capsys.readouterr().err


def test_a_rapid_event_is_rated_as_one(tmp_path):
    """The list is the one of the time control."""
    path = tmp_path / "rapid.trf"
    path.write_bytes(OPEN.read_bytes().replace(b"122 90+30", b"122 15+10"))
    today = date(2026, 11, 18)
    assert DeskCommand(today=today, day=today, path=str(tmp_path)).rated(str(path)).whole.system == "fide-rapid"


def test_the_organisers_mark_says_the_list_where_the_file_has_no_time_control(capsys):
    """A blitz event of Swiss-Manager without a time control: the desk rates it as blitz, the command says so first."""
    path = str(shared("data/programs/tunx/argentine_blitz_1200000.TUNX"))
    today = date(2026, 11, 18)
    assert DeskCommand(today=today, day=today, path="").rated(path).whole.system == "fide-blitz"
    assert main(["event", path]) == 0
    said = capsys.readouterr().out
    assert said.startswith("The organiser marked the event as blitz")
    assert f"arpad event {path} --system fide-blitz" in said
