"""No result is invented: without its word, score or mark a game is to come, or refused, and never rated.

Results are deleted from the samples one by one and all together; whatever text is left or made up, a played game has
its evidence in it.
"""

import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offenders import none_of
from pastes import PLAYED, SAMPLES

from arpad.errors import BadInput
from arpad.reading import read_paste
from arpad.reading.results import meaning_of


def played(text, player):
    """The played games of a text, by opponent, name and result."""
    try:
        games = read_paste(text, player=player).games
    except BadInput:
        return Counter()
    return Counter((game.opponent, game.name, game.result) for game in games if game.result in PLAYED)


def without_mark(evidence):
    """A piece of text without the result in it: the opponent's number and the colour of `6b1` stay."""
    crosstable = re.fullmatch(r"([0-9]+[a-z])[10½+-]", evidence) or re.fullmatch(r"[-+=><]( *[0-9]+[BN])", evidence)
    letter = re.fullmatch(r"[WDL]( *[0-9]+)", evidence)
    return crosstable[1] if crosstable else f" {letter[1]}" if letter else ""


def places(text, game):
    """Where the evidence of a game stands as a cell or a word of its own, in the lines of the game."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: game.line - 1])
    end = start + sum(len(line) + 1 for line in lines[game.line - 1 : game.line - 1 + game.lines])
    word = re.escape(game.read_from)
    word = word.replace("\\.", "[.,]")
    word = word.replace("\\-", r"\s?[-:\s]\s?") if re.fullmatch(r"[10½/.2]+-[10½/.2]+", game.read_from) else word
    word = re.sub(r"(\\ )+", " +", word)
    return [
        found.span()
        for found in re.compile(rf"(?<![\w½.,]){word}(?![\w½.,])", re.IGNORECASE).finditer(text, start, end)
    ]


def without(sample, game):
    """The sample with the result of one game deleted, at each of the places where it may stand."""
    for start, end in places(sample.text, game):
        yield f"{sample.text[:start]}{without_mark(sample.text[start:end])}{sample.text[end:]}"


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_game_without_its_result_is_not_rated(sample):
    """Delete the result of each game: nothing is played that was not, and wherever it stood, the game is gone."""
    before, offenders = played(sample.text, sample.player), []
    for game in read_paste(sample.text, player=sample.player).games:
        if game.result not in PLAYED:
            continue
        key = (game.opponent, game.name, game.result)
        after = {shorter: played(shorter, sample.player) for shorter in without(sample, game)}
        offenders += [f"{game} is played otherwise in {shorter}" for shorter, found in after.items() if found - before]
        if not any(found[key] < before[key] for found in after.values()):
            offenders.append(f"{game} is played all the same")
    none_of(offenders)


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_without_any_result_nothing_is_rated(sample):
    """Delete the results of all games of the player: none is played any more."""
    text = sample.text
    for game in reversed(read_paste(sample.text, player=sample.player).games):
        if game.result in PLAYED:
            for start, end in reversed(places(text, game)):
                text = f"{text[:start]}{without_mark(text[start:end])}{text[end:]}"
    assert not played(text, sample.player)


@pytest.mark.parametrize("number", ["01", "03", "04", "05", "18", "21", "23", "24", "25"])
@pytest.mark.parametrize("headings", [True, False])
def test_a_cell_that_is_missing_moves_no_other_into_its_place(number, headings):
    """Delete one cell of a row with its tab, in turn: points, expected scores and numbers never become the result."""
    sample = SAMPLES[number]
    text = (
        sample.text if headings else "\n".join(line for line in sample.text.split("\n") if line not in sample.ignored)
    )
    expected = {(game["opponent"], game["name"]): game["result"] for game in sample.games}
    rows = text.split("\n")
    for at, row in enumerate(rows):
        cells = row.split("\t")
        for place in range(1, len(cells)):
            shorter = [
                "\t".join(cells[:place] + cells[place + 1 :]) if line == at else rows[line] for line in range(len(rows))
            ]
            for opponent, name, result in played("\n".join(shorter), sample.player):
                if (opponent, name) in expected:
                    assert result == expected[opponent, name], ("\n".join(shorter), result)


def careless_copies(sample):
    """A sample with its headings, its tabs or its lines lost, by what was lost."""
    is_table = not sample.games
    for headings, separator, line_end in product((True, False), ("\t", " ", "    ", ",", ";", " | "), ("\n", " ")):
        lines = [line for line in sample.text.split("\n") if headings or is_table or line not in sample.ignored]
        text = line_end.join(lines[1:] if is_table and not headings else lines).replace("\t", separator)
        yield f"headings {headings}, cells by {separator!r}, lines by {line_end!r}", text


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_careless_copy_gives_no_other_result(sample):
    """Tabs lost, headings lost, lines lost: what is still read has the rating and the result of the careful copy."""
    expected = {(game["opponent"], game["result"]) for game in sample.games}
    results = {result for _, result in expected}
    offenders = []
    for lost, text in careless_copies(sample):
        for player in (sample.player, None):
            found = {(opponent, result) for opponent, _, result in played(text, player)}
            strange = {one for one in found - expected if one[0] is not None or one[1] not in results}
            offenders += [f"{lost}, for {player}: {one}" for one in strange]
    none_of(offenders)


@pytest.mark.parametrize("row", [
    "5\t2\t11\t\tMelnik, Rosa\t1177\tKAZ\tSchool 64\t5\tw",
    "5\t2\t11\t\tMelnik, Rosa\t1177\tKAZ\tSchool 64\t1\tb",
    "5 2 11 Melnik Rosa 1177 KAZ 5 w",
    "5 2 11 Melnik Rosa 1177 KAZ 1 b",
    "5 Melnik Rosa 1177 KAZ 0 s",
    "5;2;11;Melnik, Rosa;1177;KAZ;1;b",
    "Rd.\tSNo\tName\tRtg\tPts.\tRes.\n5\t11\tMelnik, Rosa\t1177\t1\tw",
    "Rd.\tSNo\tName\tRtg\tPts.\tRes.\n5\t11\tMelnik, Rosa\t1177\t1\t",
    "No.\tName\tRtg\t1.Rd\t2.Rd\n1\tMelnik, Rosa\t1177\t2w\t3b",
])  # fmt: skip
def test_a_colour_is_not_a_result(row):
    """A row of a game not played yet, `… 5 w` or `… 1 b`, is a game to come: neither colour nor points are a result."""
    assert {game.result for game in read_paste(row).games} == {"to-come"}


def test_letters_are_colours_where_one_of_them_can_only_be_one():
    """`1950 w` alone is the notation's win; beside `1800 b` both are colours of games to come."""
    assert [game.result for game in read_paste("1950 w\n1800 l").games] == ["win", "loss"]
    assert [(game.result, game.colour) for game in read_paste("1950 w\n1800 b").games] == [
        ("to-come", "white"), ("to-come", "black"),
    ]  # fmt: skip


FRAGMENTS = st.sampled_from([
    "1950", "2103", "1800", "0", "12", "Müller", "Harrowgate, Wren", "FM", "ENG", "gegen", "against", "vs", "mit",
    "Weiß", "black", "Rd.", "Name", "Rtg", "Res.", "Pts.", "5,5", "3", "2.", "SV 1947", "(1523)", "R4", "morgen",
    "\t", "\n", " ", " ", ";", "|", ",", "K", "20", "0,41", "6b", "13w", "[White", "Elo", "me", "unrated", "bye", "w",
    "b", "s", ":", "@",
])  # fmt: skip
ENDINGS = st.sampled_from([
    "won", "½", "1", "0", "1-0", "0 - 1", "½ - ½", "drew", "Remis", "lost", "+", "-", "1K", "=", "0,5", "6b1", "W 12",
    "d", "l",
])  # fmt: skip
EVIDENCE = re.compile(r"[10½=+<>]|-|\b[wdlWDL]\b|0[.,]5")
ARENA_EVIDENCE = re.compile(r"[0-5]")


def test_numbers_alone_are_no_arena():
    """A row of numbers whose last is more than a game can bring is no win."""
    for text in ("1,1800,55,5", "2.5,56b10,415,5"):
        assert [game.result for game in read_paste(text).games if game.result in PLAYED] == []


@given(st.lists(FRAGMENTS, max_size=30))
def test_text_without_results_has_no_played_games(fragments):
    """Names, ratings, headings, colours and separators give no rated game, but for the notation's own w and 0."""
    text = "".join(fragments)
    letters = re.search(r"(?<![^\W_])w(?![^\W_])", text)
    for game in read_paste(text).games:
        assert game.result not in PLAYED or letters or re.search(r"\D0\D|(?<!\d)0", f" {text} "), (text, game)


@given(st.lists(st.one_of(FRAGMENTS, ENDINGS), max_size=40))
def test_a_played_game_has_its_evidence(fragments):
    """Whatever is pasted, a played game names the text its result was read from, and that is a result."""
    text = "".join(fragments)
    try:
        paste = read_paste(text)
    except BadInput:
        return
    arena = paste.layout == "Lichess arena"  # whose points go up to 5, as a note says
    for game in paste.games:
        if game.result in PLAYED:
            assert game.read_from
            squeezed = "".join(game.read_from.split()).casefold().replace(",", ".")
            assert squeezed in "".join(text.split()).casefold().replace(",", ".").replace("–", "-")
            evidence = ARENA_EVIDENCE if arena else EVIDENCE
            assert evidence.search(game.read_from) or meaning_of(game.read_from) in PLAYED
