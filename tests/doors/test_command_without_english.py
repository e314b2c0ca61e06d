"""No English is left in what a command says in another language: answers, tables, notes, errors, help."""

import re
from functools import cache

import pytest
from offenders import none_of

from arpad.cli import OWN, main
from arpad.messages import shipped
from arpad.questions import HOMES
from arpad.systems import system_names
from conftest import ROOT

ON = ["--on", "2026-11-15"]
SYSTEMS = ("dwz", "ecf", "icu", "uschess-regular", "glicko-2", "lichess", "chesscom", "elo", "fide-rapid")
COMMANDS = [
    ["rate", "1750", "1950:win", "1800:draw", "--born", "2010", *ON],
    ["rate", "1750", "1950:win", "--explain", *ON],
    *(["rate", "1750", "1950:win", "1700:loss", "--system", system, *ON] for system in SYSTEMS),
    *(["rate", "1750", "1950:win", "--system", system, "--explain", *ON] for system in SYSTEMS),
    ["expect", "1500", "1700", *ON],
    ["first", "1500:win", "1600:draw", "1700:loss", "1650:win", "1800:draw", *ON],
    ["first", "1500:win", *ON],
    ["performance", "1950:win", "2010:draw", "1890:win", *ON],
    ["compare", "1750", "1950:win", *ON],
    ["conversion", "1750", "--on", "2024-03-01"],
    ["diary", "1750", "--born", "2010", "--event", "--on", "2026-04-03", "1800:win", "--event", "--on", "2026-10-30",
     "1850:draw"],
    ["need", "1780", "--against", "1800", "1850", "--reach", "1800", *ON],
    ["outlook", "1780", "1700:win", "1800", "1850", "--born", "2010", "--reach", "1800", "--explain", *ON],
    ["outlook", "2460", "2550gm/FRA", "2520gm/ITA", "2610gm/IND", "2480im/POL", "2440im/GER", "2500gm/USA",
     "2390fm/ESP", "2590gm/NED", "2470im/CZE", "--norm", "GM", "--federation", "GER", *ON],
    ["strength", "1950:win", "2010:draw", *ON],
    ["pupils", "docs/examples/pupils.csv", *ON],
    ["paste", "docs/examples/card.txt"],
    ["pace", "25+5"],
    *(["event", "docs/examples/open.trf", *more] for more in ([], ["--explain"])),
    ["check", "docs/examples/open.trf"],
    ["check", "docs/examples/open.trf", "--office", "fide"],
    ["ties", "docs/examples/open.trf", "--by", "BH,SB", "--explain"],
    ["standings", "docs/examples/open.trf"],
    ["norms", "docs/examples/norms.trf"],
    ["next", "docs/examples/last-round.trf"],
    ["chances", "docs/examples/last-round.trf", "--seed", "1"],
    ["certificate", "docs/examples/norms.trf"],
    ["entries", "docs/examples/entries.csv", *ON],
    ["section", "docs/examples/section.trf", "--players", "docs/examples/section-players.csv"],
    ["start", "--born", "2010", *ON],
    ["floor", "--peak", "1950"],
    ["match", "+120", "=300", "-95"],
    ["systems"],
    ["rules"],
    ["rules", "fide-standard", *ON],
    ["rules", "fide-standard", "--changes", "2013-01-01..2026-11-15"],
    *(["rules", system, *ON] for system in ("dwz", "ecf", "icu", "uschess-regular", "lichess", "fide-titles")),
]  # fmt: skip
WRONG = [
    ["rate"], ["rate", "1750"], ["rate", "1750", "abc"], ["rate", "9999", "1950:win"],
    ["rate", "1750", "1950:win", "--foo"],
    ["rate", "1750", "1950:win", "--k"], ["rate", "1750", "1950:win", "--born", "2040"], ["foo"], ["ledger", "foo"],
    ["rate", "1750", "1950:win", "--system", "fidex"], ["rate", "1750", "1950:win", "--on", "1990-01-01"],
    ["event", "nowhere.trf"], ["first", "--born", "x"], ["ties", "docs/examples/open.trf", "--by", "XX"],
    ["outlook", "1780"], ["norms", "docs/examples/open.trf", "--title", "XM"], ["pace", "soon"],
    ["ledger", "list", "nowhere.arpad"], ["list", "find", "carlsen", "--data", "nowhere"],
]  # fmt: skip
HELP = [[], ["ledger"], *(name.split() for name in (*HOMES, *(name for name in OWN if name.startswith("ledger"))))]
# What help says can be typed: values of options, endings of files, columns of tables, variables.
VALUES = {
    "swiss", "team", "continental", "calibrated", "labelle", "davidson", "none", "tpr", "ptp", "linear", "logistic",
    "it", "places", "equal", "hort", "fastchess", "cutechess", "normalized", "bayesian", "event", "month", "main",
    "unrated", "bye", "win", "en", "zip", "xlsx", "csv", "json", "trf", "pdf", "bash", "zsh", "min", "sek", "prize",
    "amount", "condition", "name", "rating", "id", "born", "games", "peak", "reach", "on", "against", "average",
    "spread", "rounds", "no", "never", "revise", "window", "ELO", "EVEN", "PORT", "ARPAD", "DATA", "LANGUAGE",
}  # fmt: skip
# What is called the same everywhere: codes, names of systems, programs, formats and people, and what is typed.
CUT = re.compile(r"\w+(?: \w+)?,?(?: \w+)?…")  # a name in a narrow column
NAMES = re.compile(
    r"\b(?:arpad|Arpad|API|JSON|CSV|TRF\w*|PGN|PDF|HTML|XML|XLSX|ZIP|SQLite|PostgreSQL|JavaScript|Excel|Word|Python|OK|URL"
    r"|FIDE|Elo|DWZ|ECF|ICU|DSB|US Chess|USCF|Chess\.com|Lichess|Glicko(?:-2)?|Glickman|SPRT|LLR|FID|ID|RD"
    r"|Swiss-Manager|Swiss-Chess|Papi|Sharly Chess|Vega|TournamentService|Handbook|chess-results\.com|fast-chess"
    r"|[WFC]?[GIFC]M|W[GIFC]M|IA|FA|TPR|PTP|TPN|ARO|APRO|APPO|Rp|Rc|Ro|chg|dp|PD|SIGMA|TITLE|COMMAND"
    r"|BH|BPG|BWG|DE|EDE|SB|WIN|WON|AOB|FB|KS|PS|REP|STD|RTNG|IT1|IT3|QC|GP|MP|C[12]|LL|LD|DD|WD|WW"
    r"|blitz|bullet|rapid|classical|regular|quick|online|standard|ultraBullet|UltraBullet|crazyhouse"
    r"|HTTP|Model Context Protocol|TOML|Parquet|Ctrl|US|LOS|GE|PTS|lila|scalachess|fastchess|swiss|ln"
    r"|Labelle|Davidson|Carlsen|Magnus|Ada|Ann Baker|Carl Dorn|GER|CRO|exp|Original Life Master|Life Masters?)\b"
)
TYPED = re.compile(
    r"`[^`]*`|'[^']*'|«[^»]*»|„[^“]*“|\"[^\"]*\"|--[\w-]+|[\w./~-]*[a-z]\.[a-z]{2,}\b|\b\w+(?:-\w+)+\b|[\w-]+[:=@/][^\s]*|@\w+|http\S+"
)


EXAMPLES = "docs/examples"
NAMED_FIRST = ("rules", "systems", "compare")  # commands whose lines begin with the name of a system or a rule
NAMED = re.compile(r"^[a-z][a-z_-]*(?:  +|: |$)")
READINGS = {"twice", "counted", "rounded", "games"}  # of rules, as they are typed
CITED = re.compile(r"\[[^\[\]]*\]")  # an article, which keeps its words


@cache
def typed_names():
    """What is typed or given by files: names of commands and systems, and the proper names of the examples."""
    files = " ".join(path.read_text("utf-8", "replace") for path in (ROOT / EXAMPLES).iterdir())
    names = " ".join([*HOMES, *OWN, *system_names()])
    return {*re.findall(r"[A-Za-z]+", names), *re.findall(r"\b[A-Z][A-Za-z]+", files)}


@pytest.fixture
def speak(capsys, monkeypatch):
    """Run commands in a language and give the lines that they say, without what is typed as it stands."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(language, command):
        main([*command, "--language", language])
        written = capsys.readouterr()
        lines = CITED.sub("", written.out + written.err).splitlines()
        if command[0] in NAMED_FIRST:
            lines = [NAMED.sub("", line) for line in lines]
        return [line for line in lines if not line.lstrip().startswith("arpad ")]

    return run


def test_no_english_is_left_in_russian(speak):
    """Every Latin word is a code, a name, or something to type."""
    found = {}
    for command in [*COMMANDS, *WRONG, *([*name, "--help"] for name in HELP)]:
        typed = VALUES if "--help" in command else READINGS
        found |= {line: command for line in speak("ru", command) if {*latin(line)} - typed}
    none_of(f"{latin(line)} in “{line.strip()}” of {' '.join(command)}" for line, command in found.items())


def latin(line):
    """The Latin words of a line that are neither names nor typed."""
    rest = NAMES.sub("", TYPED.sub("", CUT.sub("", line)))
    return [word for word in re.findall(r"[A-Za-z]{2,}", rest) if word not in typed_names()]


# Words that are the same in English and in another language.
SAME = {"de": "", "es": "", "fr": "corrections points"}


@pytest.mark.parametrize("language", [one for one in SAME if one in shipped()])
def test_no_line_is_the_english_one(speak, language):
    """A line that reads the same in English has only names, figures, and words that both languages have."""
    same, found = {*SAME[language].split()}, {}
    for command in [*COMMANDS, *WRONG, *([*name, "--help"] for name in HELP)]:
        english = {*speak("en", command)}
        typed = VALUES if "--help" in command else READINGS
        for line in speak(language, command):
            if line in english and {word for word in latin(line) if len(word) > 2 and word.lower() not in same} - typed:
                found[line] = command
    none_of(f"{latin(line)} in “{line.strip()}” of {' '.join(command)}" for line, command in found.items())


def test_english_that_is_left_is_found():
    """The tests above can fail."""
    assert latin("K: a junior under 2300 [FIDE 8.3.3]") == ["junior", "under"]
    assert latin("rate 1750 `arpad rate` --born FIDE") == []


@pytest.mark.parametrize("language", ["de", "es", "fr", "ru"])
def test_plain_quotation_marks_are_ascii(speak, language):
    """`--plain` has no signs that an old terminal lacks, in no language."""
    lines = speak(language, ["norms", "docs/examples/norms.trf", "--plain"])
    assert any(re.search('" ?Individual: Swiss-System ?"', line) for line in lines)
    none_of([line for line in lines if re.search("[„“”«»‘’\u00a0\u202f]", line)])
