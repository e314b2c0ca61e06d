"""Pasted tables and messages: every sample gives its games, and so do its variations.

The samples and their readings are kept outside, in data/pastes; the names in them are invented.
"""

import random

import pytest
from offenders import none_of
from pastes import PLAYED, SAMPLES, compared

from arpad.errors import BadInput
from arpad.reading import read_paste

ONE_LINE_ROWS = ("05", "07", "08", "09", "10", "11", "13", "22", "23", "24", "25", "31")
# The rows of the card in 05, of the pairings in 07 and so on under the headings of another language.
TRANSLATED = [
    ("01", "Rd.\tBr.\tSNr\t\tName\tElo\tLand\tVerein/Ort\tPkt.\tErg.\tK\tElo+/-"),
    ("01", "Ronda\tM.\tNo.Ini.\t\tNombre\tElo\tFED\tClub/Ciudad\tPts.\tRes.\tK\telo+/-"),
    ("01", "Rodada\tTab.\tNº.Inic.\t\tNome\tElo\tFED\tClube/Cidade\tPts.\tResultado\tK\trtg+/-"),
    ("01", "Тур\tBo.\tСт.ном.\t\tИмя\tРейт.\tФЕД.\tКлуб/Город\tОчки\tРез.\tK\tРейт+/-"),
    ("01", "Ronde\tBord\tNr\t\tNaam\tRating\tFED\tVereniging\tPunten\tUitslag\tK\trtg+/-"),
    ("01", "Runda\tSzach.\tNr\t\tNazwisko\tRanking\tFed.\tKlub\tPkt\tWynik\tK\trtg+/-"),
    ("01", "Коло\tТабла\tСт.бр.\t\tИме\tРејт.\tФед.\tКлуб\tБодови\tРезултат\tK\trtg+/-"),
    ("01", "Turno\tSc.\tN.\t\tNome\tElo\tNaz.\tCircolo\tPunti\tRis.\tK\trtg+/-"),
    ("03", "Ronde\tÉch.\tN°\t\tNom\tElo\tFede\tClub/Ville\tPts\tRésultat"),
    ("05", "Kolo\tŠach.\tSt.č.\t\tJméno\tRtg\tFED\tKlub/Místo\tBody\tVýsl."),
    ("07", "Br.\tNr.\t\tWeiß\tElo\tPkt.\tErgebnis\tPkt.\t\tSchwarz\tElo\tNr."),
    ("07", "M.\tNo.\t\tBlancas\tElo\tPts.\tResultado\tPts.\t\tNegras\tElo\tNo."),
    ("08", "Nº.\t\tNome\tElo\tFED\t1.Rd\t2.Rd\t3.Rd\t4.Rd\t5.Rd\tPts."),
    ("08", "Ном.\t\tИмя\tРейт.\tФЕД.\t1.Тур\t2.Тур\t3.Тур\t4.Тур\t5.Тур\tОчки"),
    ("10", "Nr.\t\tName\tElo\t1\t2\t3\t4\t5\tPkt.\tRg."),
    ("24", "Runde\tFarbe\tNr.\tKat.\tGegner\tElo\tErg.\tPkt."),
    ("25", "Round\tOpponent\tScoresheet\tRating\tResult\tWe"),
]
WITHOUT_HEADINGS = ("01", "03", "04", "05", "06", "07", "08", "09", "10", "22", "24", "31")


def read(sample, text):
    """The compared games of a text that is a variation of a sample."""
    return compared(read_paste(text, player=sample.player))


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_each_sample_gives_its_games(sample):
    """Every sample gives its games, with what else it says of them, and leaves out the lines without one."""
    paste = read_paste(sample.text, player=sample.player)
    assert compared(paste) == sample.games
    assert sample.silent(paste) <= {line.text.strip() for line in paste.left_out}
    for game, remarks in zip(paste.games, sample.remarks, strict=True):
        for key in {"rating_state", "points", "national_rating", "capped", "event"} & set(remarks):
            assert getattr(game, key) == remarks[key], (game, key)


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_every_line_is_accounted_for(sample):
    """A line that is not blank has a game in it, tells something about the player, or is left out with a reason."""
    paste = read_paste(sample.text, player=sample.player)
    used = {number for game in paste.games for number in range(game.line, game.line + game.lines)}
    left = {line.line for line in paste.left_out}
    lines = sample.text.split("\n")
    filled = {number for number, line in enumerate(lines, start=1) if line.strip()}
    says = {one.line for one in paste.about.stated.values()}
    events = {number for event in paste.events for number in range(event.line, event.line + event.lines)}
    assert not (used | says | events) & left
    assert used | says | events | left >= filled
    assert all(line.text == lines[line.line - 1] and line.why for line in paste.left_out)


@pytest.mark.parametrize("variation", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\n\n"),
    lambda text: f"\n\n{text}\n\n\n",
    lambda text: text.replace(" ", " "),
    lambda text: f"﻿{text}",
    lambda text: text.translate({ord(digit): chr(ord(digit) + 0xFEE0) for digit in "0123456789"}),
], ids=["windows", "blank lines", "blank ends", "hard spaces", "byte order mark", "full width"])  # fmt: skip
def test_lines_and_spaces_do_not_matter(variation):
    """Line ends of Windows, blank lines, non-breaking spaces and full-width digits change no game."""
    wide, offenders = "１" in variation("1"), []
    for number, sample in SAMPLES.items():
        if wide and number == "17":
            continue  # the digits of a name in PGN stay as they are
        games = read(sample, variation(sample.text))
        if wide and len(games) == len(sample.games):  # the digits of a name stay as they are
            pairs = zip(games, sample.games, strict=True)
            games = [{**game, "name": game["name"] and expected["name"]} for game, expected in pairs]
        offenders += [] if games == sample.games else [f"{number}: {games}"]
    none_of(offenders)


@pytest.mark.parametrize("number", ONE_LINE_ROWS)
@pytest.mark.parametrize("separator", [";", "|", " | ", " \t"])
def test_another_separator(number, separator):
    """Semicolons, strokes, or a space beside the tab: a table is a table."""
    sample = SAMPLES[number]
    assert read(sample, sample.text.replace("\t", separator)) == sample.games


@pytest.mark.parametrize(("number", "headings"), TRANSLATED)
def test_headings_in_another_language(number, headings):
    """The same rows under headings of another language are the same games."""
    sample = SAMPLES[number]
    own = next(line for line in sample.ignored if line.count("\t") > 3)
    assert read(sample, sample.text.replace(own, headings)) == sample.games


@pytest.mark.parametrize("number", WITHOUT_HEADINGS)
def test_without_headings(number):
    """Only the rows were copied: the games are read by what stands in the columns."""
    sample = SAMPLES[number]
    rows = [line for line in sample.text.split("\n") if line not in sample.ignored]
    games = read(sample, "\n".join(rows))
    expected = [{**game, "round": None if number in ("06", "07") else game["round"]} for game in sample.games]
    assert games == expected


@pytest.mark.parametrize("number", ["05", "08", "09", "10", "22", "24", "25", "31"])
@pytest.mark.parametrize("seed", range(5))
def test_columns_in_another_order(number, seed):
    """Columns are found by their headings, wherever they stand; a title stays before its name."""
    sample = SAMPLES[number]
    heading = next(line for line in sample.ignored if line.count("\t") > 3)
    cells = heading.split("\t")
    name = next(
        place for place, cell in enumerate(cells) if cell in ("Name", "Имя", "Nom", "OPPONENT", "Gegner", "Teilnehmer")
    )
    blocks = [[place] for place in range(len(cells)) if place not in (name, name - 1)] + [[name - 1, name]]
    rounds = [block for block in blocks if cells[block[0]].strip("R .")[:1].isdigit()]
    others = [block for block in blocks if block not in rounds]
    random.Random(seed).shuffle(others)  # noqa: S311  # the same order again for the same seed
    order = [place for block in [*others[:2], *rounds, *others[2:]] for place in block]
    lines = []
    for line in sample.text.split("\n"):
        own = line.split("\t")
        lines.append("\t".join(own[place] if place < len(own) else "" for place in order) if len(own) > 3 else line)
    assert read(sample, "\n".join(lines)) == sample.games


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_one_bad_row_does_not_spoil_the_others(sample):
    """A row that makes no sense is left out, and the games of the others stay."""
    broken = "99\tx\ty\tz\tnobody\tabc\tq\n" if "\t" in sample.text else "&&& §§§\n"
    paste = read_paste(f"{sample.text.rstrip(chr(10))}\n{broken}", player=sample.player)
    assert [game for game in compared(paste) if game["name"] != "nobody"] == sample.games


@pytest.mark.parametrize("number", ["06", "07", "08", "10", "12", "13", "16", "22"])
def test_whose_games_has_to_be_asked(number):
    """Where a text has several people, nobody's games are read before it is said whose; an unknown name is refused."""
    sample = SAMPLES[number]
    paste = read_paste(sample.text)
    assert paste.games == ()
    assert len(paste.players) > 1
    assert paste.notes
    with pytest.raises(BadInput, match="is not in the text"):
        read_paste(sample.text, player="Nobody Else")


@pytest.mark.parametrize("number", ["08", "16", "17"])
def test_a_name_in_another_order_or_a_part_of_it(number):
    """`Wren Harrowgate`, `HARROWGATE, wren` and a surname that only one has are the same person."""
    sample = SAMPLES[number]
    words = sample.player.replace(",", "").split()
    for player in (" ".join(reversed(words)), sample.player.upper(), words[0]):
        assert compared(read_paste(sample.text, player=player)) == sample.games


def test_played_games_say_what_they_were_read_from():
    """A result comes with the word, score or mark that it was read from."""
    for sample in SAMPLES.values():
        for game in read_paste(sample.text, player=sample.player).games:
            assert game.result not in PLAYED or game.read_from


@pytest.mark.parametrize("text", ["R1 1900 win\nR2 bye\nR3 1850 loss", "R1 1900 win\nR2: bye\nR3 1850 loss"])
def test_a_bye_among_lines(text):
    """A bye is read as one."""
    assert [(game.round, game.result) for game in read_paste(text).games] == [(1, "win"), (2, "bye"), (3, "loss")]


@pytest.mark.parametrize("text", [
    "R1 1900 win\nR2 frei\nR3 1850 loss", "Rd Name Rtg Res\n1 Kim 1900 1\n2 bye\n3 Lee 1850 0",
    "Rd Name Rtg Res\n1 Kim 1900 1\n2 bye 1\n3 Lee 1850 0",
])  # fmt: skip
def test_a_round_left_out_is_asked_about(text):
    """A line that may be a bye and is not read as one is named."""
    doubtful = [left.text for left in read_paste(text).left_out if left.doubtful]
    assert doubtful in (["R2 frei"], ["2 bye"], ["2 bye 1"])
