"""The command line: what a hurried person types, and what comes back."""

import json
import re
import subprocess
import sys

import pytest

from arpad.calculation.explain import wrapped
from arpad.cli import command_spec, commands
from arpad.cli.words import OUTPUT, option_of
from doors import asked, run

ON = ["--on", "2026-11-15"]


BAD = [
    (["rate", "-5", "1950:win"], "'-5' is not a rating; a rating is a number from 1 to 4000"),
    (["rate", "10000", "1950:win"], "'10000' is not a rating"),
    (["rate", "abc", "1950:win"], "'abc' is not a rating"),
    (["rate", "nan", "1950:win"], "'nan' is not a rating"),
    (["rate", "1e999999", "1950:win"], "is not a rating"),
    (["rate", "1750.5", "1950:win"], "FIDE ratings are whole numbers"),
    (["rate", "1750", "1950:0.7"], "'0.7' is not a result; a result is win, draw or loss"),
    (["rate", "1750", "1950:won1"], "'won1' is not a result"),
    (["rate", "1750", "1950:0-1@b"], "'0-1' with Black may be your score or White's; write win or loss"),
    (["rate", "1750", "1950"], "write opponent:result, for example 1950:win"),
    (["rate", "1750", "1950-draw"], "for example 1950:draw"),
    (["rate", "1750", "1950", "1800"], "'1950' is not a game"),
    (["rate", "1750", "1950:1", "1"], "'1' is not a game"),
    (["rate", "1750", "-5:win"], "'-5' is not a rating; a rating is a number from 1 to 4000, or 'unrated'"),
    (["rate", "1750", "1e3:win"], "'1e3' is not a rating"),
    (["rate", "1750", "1_950:win"], "'1_950' is not a rating"),
    (["rate", "1750", "1950:win", "--born", "2030", "--on", "2026-11-15"], "born in 2030 cannot play on 2026-11-15"),
    (["rate", "1750", "1950:win", "--base", "99999"], "'99999' is not a rating"),
    (["rate", "1750", "--event", "1950:win", "--rating", "unrated"], "'unrated' is not a rating"),
    (["rate", "1750", "--name", "Open", "--event", "1950:win"], "--name belongs to an event"),
    (["rate", "1750", "--event", "--event", "1950:win"], "An event has at least one game"),
    (["rate", "1750", "--on", "2020-01-01", "--event", "1950:win", "--on", "2021-01-01"], "is after 2020-01-01"),
    (
        ["rate", "1750", "1950:win", "--period", "x.toml"],
        "--period cannot be combined with GAME: the games come from the file.",
    ),
    (["rate", "--period", "x.toml", "--event", "1800:1"], "--period cannot be combined with --event"),
    (["rate", "1750", "1950.5:win"], "1950.5 is not a FIDE rating; FIDE ratings are whole numbers."),
    (["rate", "1750", "99999:win"], "'99999' is not a rating"),
    (["rate", "1750", "1950:win", "--on", "2009-06-30"], "are covered from 2009-07-01; 2009-06-30 is earlier."),
    (["rate", "1750", "1950:win", "--on", "yesterday"], "write it as 2026-11-15 or 2026-11"),
    (
        ["rate", "1750", "1950:win", "--on", "24.12.25"],
        "'24.12.25' is not a date; write it as 2024-12-25 or 2025-12-24",
    ),
    (["rate", "1750", "1950:win", "--on", "3/4/2026"], "write it as 2026-03-04 or 2026-04-03"),
    (["rate", "1750", "1950:win", "--on", "2026-W46-7"], "'2026-W46-7' is not a date"),
    (["rate", "1750", "1950:win", "--k", "0"], "'0' is not a K-factor; K is a number above 0"),
    (["rate", "1750", "1950:win", "--k", "NaN"], "is not a K"),
    (
        ["rate", "1750", "1950:win", "--born", "12"],
        "'12' is not a year of birth; give a year from 1850 on, for example 2010.",
    ),
    (["rate", "1750", "1950:win", "--games", "-1"], "'-1' is not a number of games; give a whole number from 0"),
    (["rate", "1750", "1950:win", "--time", "fast"], "a time control is minutes+seconds, for example 90+30"),
    (["rate", "1750"], "No games were given"),
    (["rate"], "`arpad rate` needs RATING; for example `arpad rate 1750 1950:win "),
    (["expect"], "`arpad expect` needs RATING; for example `arpad expect 1500 1700`."),
    (["list", "import"], "`arpad list import` needs FILE; for example `arpad list import "),
    (["rate", "1750", *["1950:win"] * 2000], "2,000 values are too many; give at most 1000."),
    (["rate", "unrated", "1950:win"], "ask for a first rating (`arpad first`)"),
    (["rate", "1750", "1950:win", "--system", "fide-standart"], "Did you mean 'fide-standard'?"),
    (["rate", "1750", "1950:win", "--brn", "2010"], "Did you mean '--born'?"),
    (["rate", "1750", "1950:win", "--reading", "rounding"], "is not NAME=VALUE; write for example rounding=per-event"),
    (["rate", "1750", "1950:win", "--reading", "rounding=never"], "per-event"),
    (["rate", "1750", "1950:win", "--set", "scale=0", "--system", "elo"], "a scale is a number above 0"),
    (["rate", "1750", "1950:win", "--set", "luck=1", "--system", "elo"], "is called 'luck'. Known: k, scale."),
    (["rate", "1750", "1950:win", "--set", "scale=480"], "is called 'scale'; there are none."),
    (["rate", "1750", "1950:win", "--reading", "k=10", "--system", "elo"], "elo has no disputed rules"),
    (["rate", "--period", "nowhere.toml"], "The file cannot be read"),
    (["first"], "`arpad first` needs GAME, --event or --paste; for example `arpad first "),
    (["first", "1902:1", "--system", "elo"], "elo has no first rating; these systems have one: fide-standard"),
    (["expect", "1500"], "opponent"),
    (["expect", "1500", "x"], "'x' is not a rating"),
    (["pace"], "`arpad pace` needs PACE; for example `arpad pace 25+5`."),
    (["list", "show"], "`arpad list show` needs ID; for example"),
    (["norms", "docs/examples/norms.trf", "--host", "England"], "'England' is not a federation; it has three letters"),
    (
        ["title", "IM", "docs/examples/norms.trf", "--id", "x", "--rating", "2412"],
        "'x' is not a FIDE ID; give its digits",
    ),
    (["need", "1780", "--reach", "1800"], "`arpad need` needs --against; for example `arpad need "),
    (["need", "1780", "--against", "1700"], "`arpad need` needs --reach or --expected; for example"),
    (["need", "1780", "--reach", "1800", "--expected", "1", "--against", "1700"], "Ask either for a target (--reach)"),
    (["need", "--reach", "1800", "--against", "1700"], "depends on the player's rating; give it (RATING)"),
    (["need", "--expected", "0.75", "--against", "1700.5"], "1700.5 is not a FIDE rating"),
    (["need", "--expected", "2", "--against", "1700"], "'2' has no percent sign; write '2 %', or a share such as 0.75"),
    (["need", "--expected", "0", "--against", "1700"], "0 is not an expected score; it is above 0 and at most 1"),
    (
        ["need", "1500", "--expected", "0.5", "--against", "1700"],
        "An expected score gives you the rating; leave RATING out, or ask for a target (--reach).",
    ),
    *(
        (["need", "--expected", "0.5", "--against", "1700", *beside], f"{beside[0]} and --expected cannot be combined")
        for beside in (["--strength", "1800"], ["--typical"], ["--draws", "labelle"], ["--k", "20"])
    ),
    (["need", "--expected", "0.01", "--against", "100"], "Even a rating of 1 is expected to score 0.01"),
    (["need", "1500", "--reach", "1600", "--against", "unrated"], "None of these games would be rated: only games"),
    (["need", "--expected", "1", "--against", "1700", "--system", "elo"], "No rating is expected to score 1 of 1"),
    (["performance"], "`arpad performance` needs GAME or --paste; for example `arpad performance "),
    (["performance", "unrated:win"], "A performance rating needs a game played against a rated opponent"),
    (["performance", "1950:win", "--method", "ptr"], "Did you mean 'tpr'?"),
    (
        ["conversion", "1500", "--on", "2023-01-01"],
        "No list was converted on 2023-01-01; there were conversions on 2024-03-01.",
    ),
    (
        ["conversion", "2283", "--system", "fide-rapid", "--on", "2022-10-01"],
        "depends on the standard rating; give it (--standard)",
    ),
    (["rules", "fide-t"], "Did you mean 'fide-ties' or 'fide-titles'?"),
    (["conversion", "unrated"], "'unrated' is not a rating; a rating is a number from 1 to 4000."),
    (["rules", "fide-standard", "--changes", "2013"], "write it as 2013-01-01..2026-11-15"),
    (["rules", "fide-standard", "--changes", "2014-01-01..2013-01-01"], "the earlier day comes first"),
    (["need", "1780", "--reach", "1800", "--against"], "--against requires a value, for example 1700 1750 1800"),
    (
        ["outlook", "1780", "--against", "--reach", "1800"],
        "--against requires a value, for example 1700 1750 1800 1820.",
    ),
    (["rate", "1750", "1950:win", "--born"], "--born requires a value, for example 2010."),
    (["rate", "1750", "--event", "1950:win", "--on"], "--on requires a value, for example 2026-10-03."),
    (["rate", "1750", "1950:win", "--time"], "--time requires a value, for example 90+30."),
    (["rate", "1750", "1950:win", "--sex"], "--sex requires a value, for example W."),
    (["rate", "1750", "1950:win", "--set"], "--set requires a value, for example scale=480."),
    (["rate", "1750", "1950:win", "--data"], "--data requires a value, for example lists."),
    (["match", "--wins", "3", "--sprt", "1"], "A test has two bounds; give both (--sprt)"),
    (["match", "--sprt"], "--sprt requires a value, for example 0 5."),
    (["match", "+3", "+4"], "'+3 +4' is not a score; write +5 =2 -1"),
    (["match", "+3", "--wins", "3"], "counted twice; give the score or --wins, not both"),
    (["serve", "--port"], "--port requires a value, for example 8080."),
    (["serve", "8080"], "`arpad serve` takes no arguments (got '8080'); `arpad serve --help` lists its"),
    (["expect", "1500", "1700", "1800"], "unexpected argument '1800'; `arpad expect --help` shows"),
    (["need", "1780", "1900", "1850", "--reach", "1800"], "unexpected argument '1900'; opponents go after --against."),
    (["convert", "open.trf"], "`arpad convert` needs OUTPUT; for example `arpad convert "),
    (["rate", "1750", "1950:win", "--plain=3"], "--plain takes no value (got '3')."),
    (["rate", "1750", "1950:win", "--json=3"], "--json takes no value (got '3')."),
    (["rate", "1750", "--event=3", "1950:win"], "--event takes no value (got '3')."),
    (["rate", "1750", "1950:win", "--k", "20", "--k", "40"], "--k was given twice; give it once."),
    (["rate", "1750", "1950:win", "--system", "elo", "--rules", "a.toml"], "--system and --rules cannot be combined"),
    (["rate", "1750", "1950:win", "-k", "20"], "No option is called '-k'. Did you mean '--k'?"),
    (["first", "1800:win", "--born", "2010"], "--born does not belong here; leave it out."),
    (["rate", "1750", "1950:win", "--chart", "x.png"], "--chart does not belong here; leave it out."),
    (["paste", "hello"], "There is no such file. Give the name of a file, or - to read the text from standard input."),
    (["rate", "1750", "1950:win", "--birth", "2010"], "No option is called '--birth'. Did you mean '--born'?"),
    (["rate", "1750", "1950:win", "--date", "2026-11-15"], "No option is called '--date'. Did you mean '--on'?"),
    (["rate", "1750", "1950:win", "--verbose"], "No option is called '--verbose'. The nearest are '--base', "),
    (["rate", "1750", "1950:win", "--player", "Foo"], "--player is only used with --paste; give that too"),
    (["rate", "1750", "1950+"], "'1950+' is not a game; write opponent:result, for example 1950:win."),
    (["rate", "1750", "1,950:win"], "write opponent:result, for example 1950:win."),
    (["event", "docs/examples/open.trf", "--player", "99"], "the numbers go from 1 to 10."),
    (["event", "docs/examples/open.trf", "--by", "BH"], "--by is only used with --to or --page"),
    (["standings", "docs/examples/open.trf", "--share", "hort"], "--share is only used with --prizes"),
    (["need", "1780", "--reach", "+20", "--against", "1800"], "'+20' is not a rating"),
    (["need", "--expected", "75", "--against", "1800"], "'75' has no percent sign"),
    (["rate", "-help"], "No option is called '-help'. Did you mean '--help'?"),
    (["systems", "--xyz"], "No option is called '--xyz'. Known: --brief, "),
    (["completion", "cmd"], "No shell is called 'cmd'"),
    (["rte", "1750"], "No command is called 'rte'. Did you mean 'rate'?"),
    (["RATE", "1750"], "No command is called 'RATE'. Did you mean 'rate'?"),
    (["search", "carlsen"], "No command is called 'search'. Did you mean 'list find'?"),
    (["list", "search", "carlsen"], "No command of `arpad list` is called 'search'. Did you mean 'find'?"),
    (["list", "player", "1503014"], "called 'player'. Did you mean 'show'?"),
    (["list", "delete", "2026-10"], "called 'delete'. Did you mean 'remove'?"),
    (["list", "improt", "list.txt"], "called 'improt'. Did you mean 'import'?"),  # codespell:ignore improt
    (["list", "zzz"], "called 'zzz'. Known: audit, export, fetch, find, import, months, remove, show."),
    (["help", "rte"], "Did you mean 'rate'?"),
    (["rate", "1750", "1950:1", "--system", "FIDE"], "Did you mean 'fide-blitz', 'fide-rapid' or 'fide-standard'?"),
    (["rate", "1750", "1950:1", "--system", "FIDE Standard"], "Did you mean 'fide-standard'?"),
    (["rate", "1750", "1950:1", "--system", "USCF"], "Did you mean 'uschess-blitz', 'uschess-online-blitz',"),
    (["rules", "uscf"], "or 'uschess-regular'?"),
]


@pytest.mark.parametrize(("line", "words"), BAD, ids=lambda part: " ".join(part)[:60] if isinstance(part, list) else "")
def test_bad_input(line, words, capsys):
    """What is refused is refused in one clear sentence on standard error, with exit code 2 and no traceback.

    With --json the same sentence is one object on standard output, with the place apart.
    """
    code, out, err = run(capsys, *line)
    assert (code, out) == (2, "")
    assert err.startswith("arpad: ")
    assert words in err
    assert err.count("\n") == 1
    assert "Traceback" not in err
    code, out, err = run(capsys, *line, "--json")
    answer = json.loads(out)
    assert (code, err) == (2, "")
    assert (answer["ok"], sorted(answer)) == (False, ["at", "code", "error", "ok"])
    assert words in f"{answer['error']} {answer['at']}"


@pytest.mark.parametrize("name", commands())
def test_options_without_a_value_and_flags_with_one(name, capsys):
    """An option of any command without its value, or a flag with one, is refused with its place."""
    for field in command_spec(name).fields_at("command").values():
        if field.word:
            continue
        option, flag = option_of(field), field.flag or field.nested
        code, out, err = run(capsys, *name.split(), f"{option}=1" if flag else option)
        assert (code, out) == (2, "")
        assert err.startswith(f"arpad: {option} takes no value" if flag else f"arpad: {option} requires a value")
        assert err.endswith(f"(at {option})\n")
    for option in OUTPUT:
        assert run(capsys, *name.split(), f"--{option}=1")[0] == 2


def test_a_terminal_gets_its_errors_in_lines(monkeypatch, capsys):
    """On a terminal a long refusal is wrapped to 80 columns; in a pipe it stays one line."""
    line = ["rate", "1750", "1950:foo"]
    in_a_pipe = run(capsys, *line)[2]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    on_a_terminal = run(capsys, *line)[2]
    assert in_a_pipe.count("\n") == 1
    assert on_a_terminal.count("\n") == 2
    assert max(map(len, on_a_terminal.splitlines())) <= 80
    assert on_a_terminal.split() == in_a_pipe.split()


def test_a_future_date_is_answered_with_a_warning(capsys):
    """Past the day the rules were last checked the answer stands, and says the edition may have changed."""
    code, out, _ = run(capsys, "rate", "1750", "1950:win", "--k", "40", "--on", "2031-01-01")
    assert code == 0
    assert "1780" in out
    assert "by 2031-01-01 the edition may have changed" in " ".join(out.split())


def test_shape_of_json():
    """One object: ok, value by the contract's names, steps, rules, notes."""
    answer = asked(["rate", "1750", "1950:win", "1100:draw", "1600:+", "--born", "2010", *ON, "--json"])
    assert answer["ok"] is True
    names = "system on rating k k_used games score expected change new_rating performance per_game"
    assert set(names.split()) <= set(answer["value"])
    assert answer["value"]["change"] == "13.60"
    assert [set(game) >= {"opponent", "score", "difference", "expected", "change", "rated", "why"}
            for game in answer["value"]["per_game"]] == [True] * 3  # fmt: skip
    last = answer["steps"][-1]
    assert (last["key"], last["kind"], last["value"]) == ("new_rating", "found", 1764)
    assert all(place < number for number, step in enumerate(answer["steps"]) for place in step["from"])
    assert {"name", "value", "since", "article", "says", "sure"} <= set(answer["rules"][0])


def test_working_names_the_article_behind_every_number(capsys):
    """`--explain` shows K, table and rounding with their articles."""
    _, out, _ = run(capsys, "rate", "1750", "1950:win", "--born", "2010", *ON, "--explain")
    for article in ("[FIDE 8.3.3]", "[FIDE 8.1.2]", "[FIDE 8.3.4]"):
        assert article in out
    assert "40 × (1 − 0.24) = +30.40" in out


def test_formula_beside_the_table(capsys):
    """Where table and formula differ, both are shown: 2000 against 1608 is .92 by table 8.1.2 and .905 by formula."""
    _, out, _ = run(capsys, "rate", "2000", "1608:win", "--k", "20", *ON, "--formula")
    assert "0.92" in out
    assert "expected 0.905" in out


def test_formula_beside_a_corrected_base(capsys):
    """The formula looks at the list rating, not at the base: 1500 against 1700 is 0.240."""
    _, out, _ = run(capsys, "rate", "1500", "1700:win", "--base", "1900", "--k", "20", *ON, "--formula")
    assert "expected 0.240" in out
    assert "new rating 1915" in out


def test_a_period_file_is_rated_on_the_day_of_its_last_event(tmp_path):
    """Without a day of its own a file has the day of its last event, like the same events typed."""
    file = tmp_path / "2013.toml"
    file.write_text('rating=1895\ngames=5\n[[event]]\non=2013-10-03\ngames=["2003:1","1950:1"]\n', encoding="utf-8")
    typed = asked(["rate", "1895", "--games", "5", "--event", "2003:1", "1950:1", "--on", "2013-10-03", "--json"])
    from_file = asked(["rate", "--period", str(file), "--json"])
    assert from_file["value"] == typed["value"]
    assert (typed["value"]["k"], typed["value"]["on"]) == (30, "2013-10-03")


def test_games_before_the_first_event_are_an_event_with_its_own_day():
    """A day behind the first games is theirs; the answer is of the last event's day."""
    line = ["first", "1902:1", "--on", "2025-01-10", "--event", "1884:½", "2012:1", "1832:½", "1790:1", "1850:0"]
    value = asked([*line, "--on", "2026-11-15", "--json"])["value"]
    assert (value["on"], value["games"]) == ("2026-11-15", 6)


def test_a_time_control_before_the_events_holds_for_all():
    """15 minutes are not standard, in whichever event."""
    value = asked(["rate", "1750", "--time", "15+0", "--k", "20", *ON, "--event", "1950:win", "--json"])["value"]
    assert value["games"] == 0


def test_a_list_rating_may_be_given_for_a_single_event():
    """`--rating` is the list rating of the event, also without `--event`."""
    value = asked(["rate", "1750", "1950:win", "--rating", "1950", "--k", "20", *ON, "--json"])["value"]
    assert (value["expected"], value["new_rating"]) == (0.5, 1760)


def test_what_the_games_do_to_k_is_said(capsys):
    """Reaching 2400 makes K 10 from the next list; the 30th game ends K 40."""
    _, out, _ = run(capsys, "rate", "2395", "2600:win", "--born", "1990", "--games", "100", *ON)
    assert "On the next list K is 10" in out
    _, out, _ = run(capsys, "rate", "1700", "1700:win", "--born", "1990", "--games", "29", *ON)
    assert "On the next list K is 20" in out
    _, out, _ = run(capsys, "rate", "1700", "1700:win", "--born", "1990", "--games", "20", *ON)
    assert "K 40 lasts for 9 more games after these." in out


def test_a_rule_that_is_not_confirmed_says_so(capsys):
    """The reading of the 400-point rule in 2022 is inferred, and the answer says it without being asked."""
    _, out, _ = run(capsys, "rate", "2700", "2200:1", "2100:1", "--on", "2023-01-01")
    assert "inferred" in out


def test_settings_of_all_events_are_gathered():
    """What may be given more than once is kept, whichever event it stands behind."""
    line = ["rate", "1500", "--event", "1700:win", "--set", "k=20", "--event", "1600:win", "--set", "scale=480"]
    together = ["rate", "1500", "--set", "k=20", "--set", "scale=480", "--event", "1700:win", "--event", "1600:win"]
    end = ["--system", "elo", *ON, "--json"]
    assert asked([*line, *end])["value"]["k"] == 20
    assert asked([*line, *end])["value"] == asked([*together, *end])["value"]


def test_the_place_is_the_game_that_is_wrong():
    """A rating that FIDE does not know is looked for in its game."""
    assert asked(["rate", "1750", "1800:win", "1950.5:win", "--json"])["at"] == "game[1]"


def test_a_bye_is_no_loss_and_a_forfeit_no_win(capsys):
    """Games that were not played are called what they are."""
    _, out, _ = run(capsys, "rate", "1750", "bye", "1950:+", "1950 -", "1900 win", "--k", "20", *ON)
    rows = [" ".join(line.split()[1:]) for line in out.splitlines() if line[:1].isdigit()]
    assert rows[:3] == ["bye not rated", "1950 won by forfeit not rated", "1950 lost by forfeit not rated"]
    assert rows[3].startswith("1900 win")


def test_commas_between_games():
    """A comma is as good as a space."""
    assert asked(["rate", "1750", "1950:win,1800:draw", "--k", "20", *ON, "--json"]) == asked(
        ["rate", "1750", "1950:win", "1800:draw", "--k", "20", *ON, "--json"]
    )


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_any_terminal_can_show_it(encoding):
    """Where the output has no sign for a minus or a half, plain ones are printed."""
    line = [sys.executable, "-m", "arpad", "rate", "1750", "1950:½", "--k", "40", *ON]
    for words in (line, [*line, "--explain"], [*line, "--json"], [sys.executable, "-m", "arpad", "rate", "--help"]):
        ran = subprocess.run(words, capture_output=True, check=False, env={"PYTHONIOENCODING": encoding})
        assert ran.returncode == 0, ran.stderr
        ran.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_any_terminal_can_show_an_error(encoding):
    """Where standard error has no typographic apostrophe, French has a plain one, as on standard output."""
    words = [sys.executable, "-m", "arpad", "rate", "1750", "19x50:win", "--language", "fr"]
    ran = subprocess.run(words, capture_output=True, check=False, env={"PYTHONIOENCODING": encoding})
    assert "n'est pas un Elo" in ran.stderr.decode(encoding)


def test_options_may_stand_anywhere():
    """Options before, between and behind the games mean the same."""
    lines = [
        ["rate", "--k", "20", "1750", "1950:win", "1800:draw", *ON, "--json"],
        ["rate", "1750", "--k", "20", "1950:win", *ON, "1800:draw", "--json"],
        ["rate", "1750", "1950:win", "1800:draw", "--json", *ON, "--k", "20"],
    ]
    assert asked(lines[0]) == asked(lines[1]) == asked(lines[2])


def test_every_form_of_a_result_is_the_same_game():
    """Win w 1 won 1-0, draw d 0.5 ½ = and loss l 0 lost 0-1 are three results, behind a colon or a space."""
    wins = ("win", "w", "1", "WIN", "1.0", "1,0", "won", "1-0", "1:0")
    draws = ("draw", "d", "0.5", "½", "=", "1/2", "0,5", ".5", "½-½", "1/2-1/2", "drawn")
    for forms in (wins, draws, ("loss", "l", "0", "0.0", "lost", "0-1")):
        typed = [f"1950{part}{form}" for form in forms for part in (":", " ")]
        answers = [asked(["rate", "1750", one, "--k", "20", *ON, "--json"]) for one in typed]
        assert all(answer == answers[0] for answer in answers)
    as_words = asked(["rate", "1750", "1950", "win", "1800", "draw", "--k", "20", *ON, "--json"])
    assert as_words == asked(["rate", "1750", "1950 win; draw 1800", "--k", "20", "--on", "15.11.2026", "--json"])


def test_a_period_from_a_file_is_the_period_from_the_command_line(tmp_path):
    """A period file gives what the same events give on the command line."""
    file = tmp_path / "november.toml"
    file.write_text(
        'rating = 2395\non = 2026-11-15\n[[event]]\nname = "Open"\non = 2026-10-03\ngames = ["2103:1", "2250:½"]\n'
        "[[event]]\nrating = 2400\non = 2026-11-01\ngames = ['2310:1']\n",
        encoding="utf-8",
    )
    line = ["rate", "2395", "--event", "2103:1", "2250:½", "--on", "2026-10-03", "--name", "Open",
            "--event", "--rating", "2400", "2310:1", "--on", "2026-11-01", "--json"]  # fmt: skip
    from_file = asked(["rate", "--period", str(file), *ON, "--json"])["value"]
    typed = asked(line)["value"]
    assert from_file["events"] == typed["events"]
    assert (from_file["new_rating"], from_file["k"]) == (typed["new_rating"], 10)


@pytest.mark.parametrize(("text", "words"), [
    ("rating = = 3", "The file is not TOML"),
    ("rating = 2395", "The file has no [[event]]; write one for each tournament."),
    ("rating = 2395\nluck = 3\n[[event]]\ngames = []", "No field is called 'luck'"),
    ("rating = 2395\n[[event]]\ngames = ['2103:x']", "bad.toml, event 1, game 1"),
    ("rating = 'x'\n[[event]]\ngames = ['2103:1']", "is not a rating"),
    ("rating = 2395\n[[event]]\nluck = ['2103:1']", "event 1, luck"),
    ("rating = 2395\non = 2026-11-15T10:00:00\n[[event]]\ngames = ['2103:1']", "is not a date"),
    ("rating = 2395\nsystem = 5\n[[event]]\ngames = ['2103:1']", "No system is called '5'"),
    ("rating = 2395\nbase = true\n[[event]]\ngames = ['2103:1']", "Give a single text or number here. (at "),
    ("rating = 2395\nevent = 5", "The file has no [[event]]; write one"),
    ("rating = 2395\n[event]\ngames = ['2103:1']", "The file has no [[event]]; write one"),
    ("rating = 2395\n[[event]]\ngames = '2103'", "is not a game"),
    ("rating = 2395\n[[event]]\nname = [5]\ngames = ['2103:1']", "event 1, name"),
])  # fmt: skip
def test_bad_period_file(text, words, tmp_path, capsys):
    """A period file that is wrong is refused with the file and the place."""
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    code, _, err = run(capsys, "rate", "--period", str(file))
    assert code == 2
    assert words in err
    assert "bad.toml" in err


def test_where_rounding_per_event_differs_it_is_said(capsys):
    """Twice +2.5 is 5 in one rounding and 6 in two: the note says so."""
    _, out, _ = run(capsys, "rate", "2400", "--event", "2205:1", "--event", "2205:1", "--on", "2025-03-10")
    assert "Rounding each event separately would give 6 instead of 5" in " ".join(out.split())


def test_plain_output_is_ascii(capsys):
    """`--plain` prints neither colour nor typographic signs."""
    for line in (
        ["rate", "1750", "1950:½", "1100:1"],
        ["expect", "1500", "1700"],
        ["rate", "1750", "1950:0", "--explain"],
    ):
        _, out, _ = run(capsys, *line, "--k", "40", *ON, "--plain")
        assert out.isascii(), out


def test_nothing_is_wider_than_80_columns(capsys):
    """Every command fits a terminal of 80 columns."""
    lines = [
        ["rate", "2395", "--event", "2103:1", "1500:½", "unrated:1", "2000:+", "--event", "2310:1", "--rating", "2400"],
        ["rate", "1750", "1950:win", "1100:1", "--born", "2010", "--explain", "--formula"],
        ["expect", "2700", "2000", "--explain"],
        ["first", "1902:0", "1877:1", "1884:½", "2012:0", "1832:½", "--explain"],
        ["need", "1780", "--reach", "1800", "--against", "1700", "1750"],
        ["performance", "1950:1", "2010:½", "--explain"],
        ["rules", "fide-standard"],
        ["rules", "fide-rapid", "--changes", "2012-07-01..2026-11-15"],
        ["systems"],
        ["--help"],
    ]
    for line in lines:
        _, out, _ = run(capsys, *line)
        assert [text for text in out.splitlines() if len(text) > 80] == [], line


@pytest.mark.parametrize("length", range(60, 80))
def test_an_option_is_never_cut_in_two(length):
    """A note that names an option can be copied: no line ends within `--event-kind` or a day."""
    rows = wrapped(f"{'x' * length} (--event-kind) since 2026-11-15 and more of it")
    assert "--event-kind" in " ".join(rows).replace("- ", "-\n")
    assert "2026-11-15" in " ".join(rows)
    assert all(len(row) <= 80 for row in rows)


@pytest.mark.parametrize("name", commands())
def test_help(name, capsys):
    """Every command has help with an example, within 80 columns; `arpad help NAME` is the same."""
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert [line for line in out.splitlines() if len(line) > 80] == []
    assert "for example:" in out
    assert f"arpad {name}" in out
    assert run(capsys, "help", *name.split()) == (0, out, "")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion(shell, capsys):
    """The completion script knows commands and options."""
    code, out, _ = run(capsys, "completion", shell)
    assert code == 0
    assert "performance" in out
    assert "--born" in out
    assert re.search(r"^_shtab_arpad_subparsers=\(.*\blist\b|^ +list:", out, re.MULTILINE)  # a family of commands


def test_a_fault_of_our_own_shows_no_traceback(monkeypatch, capsys):
    """An unforeseen error is one sentence and another exit code."""
    monkeypatch.setattr("arpad.questions.ratings.Rate.answer", lambda _: 1 / 0)
    monkeypatch.delenv("ARPAD_DEBUG", raising=False)
    code, _, err = run(capsys, "rate", "1750", "1950:win")
    assert code == 70
    assert "internal error: this is a bug in Arpad" in err
    assert "Traceback" not in err


def test_the_real_command():
    """`python -m arpad` in a process of its own answers, refuses, and survives a closed pipe."""
    base = [sys.executable, "-m", "arpad"]
    good = subprocess.run([*base, "rate", "1750", "1950:win", "--k", "40"], capture_output=True, text=True, check=True)
    assert "1780" in good.stdout
    bad = subprocess.run([*base, "rate", "x", "1950:win"], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "\x1b" not in good.stdout
    version = subprocess.run([*base, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("arpad ")


def test_rules_without_a_name_lists_the_rulebooks(capsys):
    """Who asks for rules and names none sees what there is: every system, and the regulations beside them."""
    code, out, _ = run(capsys, "rules")
    assert code == 0
    assert {"elo", "fide-standard", "fide-titles", "fide-ties", "fide-performance"} <= {
        line.split(" ")[0] for line in out.splitlines()
    }


def test_the_collector_is_left_as_it_was():
    """A program that calls the command line keeps its own garbage collector."""
    import gc

    assert gc.isenabled()
    asked(["expect", "1500", "1700", *ON, "--json"])
    assert gc.isenabled()
