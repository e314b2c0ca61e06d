"""Games in words: the same game in many languages, orders and separators, typed in a field or pasted in a message."""

import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.core import DRAW, LOSS, WIN
from arpad.errors import BadInput
from arpad.reading import (
    names_a_player,
    parse_game,
    parse_opponent,
    parse_pairing,
    parse_percentage,
    parse_rating,
    read_paste,
    score_of,
    split_game,
    split_games,
)
from arpad.reading.vocabulary import TALKED, SpokenMeaning, lexicon

FORFEIT = SpokenMeaning("forfeit", "forfeit")

# Won, drew, lost and the word before the opponent; with White, with Black. The words of reference/pastes.md, section 6.
LANGUAGES = {
    "en": ("won", "drew", "lost", "against", "with White", "with Black"),
    "de": ("gewonnen", "Remis", "verloren", "gegen", "mit Weiß", "mit Schwarz"),
    "fr": ("gagné", "nulle", "perdu", "contre", "avec les blancs", "avec les noirs"),
    "es": ("gané", "tablas", "perdí", "contra", "con blancas", "con negras"),
    "it": ("vinto", "patta", "perso", "contro", "col bianco", "col nero"),
    "pt": ("ganhei", "empate", "perdi", "contra", "com brancas", "com pretas"),
    "nl": ("gewonnen", "remise", "verloren", "tegen", "met wit", "met zwart"),
    "pl": ("wygrałem", "remis", "przegrałem", "przeciw", "białymi", "czarnymi"),
    "ru": ("выиграл", "ничья", "проиграла", "против", "белыми", "чёрными"),
    "sr": ("победио", "реми", "изгубила", "против", "белим", "црним"),
    "cs": ("vyhrál", "remíza", "prohrála", "proti", "bílými", "černými"),
    "tr": ("kazandım", "berabere", "kaybettim", "karşı", "beyaz", "siyah"),
    "sv": ("vann", "remi", "förlorade", "mot", "vit", "svart"),
    "hu": ("nyertem", "döntetlen", "vesztettem", "ellen", "világos", "sötét"),
}
SCORES = (WIN, DRAW, LOSS)
RESULTS = ("win", "draw", "loss")
COLOURS = (None, "white", "black")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("result", range(3))
@pytest.mark.parametrize("colour", range(3))
def test_a_game_in_any_language(language, result, colour):
    """The verb, the colour and the opponent are read alike in a field, as an opponent's result, and in a message."""
    words = LANGUAGES[language]
    told = f" {words[3 + colour]}" if colour else ""
    text = f"{words[result]}{told} {words[3]} 1950"
    game = parse_game(text)
    assert (game.opponent.rating, game.score, game.colour) == (1950, SCORES[result], COLOURS[colour])
    read = parse_pairing(text)
    assert (read.score, read.colour) == (SCORES[result], COLOURS[colour])
    assert parse_game(f"1950:{words[result]}").score == score_of(words[result]) == SCORES[result]
    (read,) = read_paste(text).games
    assert (read.opponent, read.result, read.colour) == (1950, RESULTS[result], COLOURS[colour])


@given(st.data())
def test_games_of_several_languages_in_one_message(data):
    """Commas, semicolons, line ends and `and` between games, in languages mixed as one likes."""
    games = data.draw(st.lists(st.tuples(
        st.sampled_from(sorted(LANGUAGES)), st.integers(0, 2), st.integers(100, 3000), st.booleans(), st.booleans(),
        st.sampled_from([", ", "; ", "\n", "\n\n", ",", " and ", " und ", " y "]),
    ), min_size=1, max_size=9))  # fmt: skip
    text = ""
    for language, result, rating, named, bracketed, between in games:
        words = LANGUAGES[language]
        shown = f"({rating})" if bracketed else str(rating)
        text += f"{words[result]} {words[3]} {'Müller ' if named else ''}{shown}{between}"
    read = read_paste(text)
    assert read.doubtful == ()
    assert [(game.opponent, game.result, game.name) for game in read.games] == [
        (rating, RESULTS[result], "Müller" if named else None) for _, result, rating, named, _, _ in games
    ]
    assert [game.round for game in read.games] == list(range(1, len(games) + 1))


UNDERSTOOD = [
    ("½-½ vs Müller 2103", 2103, DRAW, "Müller", None),
    ("won against 1950", 1950, WIN, None, None),
    ("lost to 1800", 1800, LOSS, None, None),
    ("W 1950", 1950, WIN, None, None),
    ("1-0 Müller 2103", 2103, WIN, "Müller", None),
    ("GM 2450 ½", 2450, DRAW, None, "GM"),
    ("2450 GM ½", 2450, DRAW, None, "GM"),
    ("1643P12 1", 1643, WIN, None, None),
    ("2103* 0", 2103, LOSS, None, None),
    ("１９５０ ½", 1950, DRAW, None, None),
    ("1 950 ½", 1950, DRAW, None, None),
    ("1523 (+8) 1", 1523, WIN, None, None),
    ("me (1523) vs foo (1544) 1-0", 1544, WIN, "foo", None),
    ("foo (1544) vs me (1523) 1-0", 1544, LOSS, "foo", None),
    ("½ 2103", 2103, DRAW, None, None),
    ("1899-0", 1899, LOSS, None, None),
    ("beat GM Carlsen, Magnus (2830)", 2830, WIN, "Carlsen, Magnus", "GM"),
]


@pytest.mark.parametrize(("text", "rating", "score", "name", "title"), UNDERSTOOD)
def test_what_any_person_understands(text, rating, score, name, title):
    """The inputs that were refused although any person understands them."""
    game = parse_game(text)
    assert (game.opponent.rating, game.score) == (rating, score)
    assert (game.opponent.name, game.opponent.title) == (name, title)
    opponent, result = split_game(text)
    assert score_of(result) == score
    assert parse_opponent(opponent).rating == rating


@pytest.mark.parametrize(("text", "rating"), [
    ("1643P12", 1643), ("2103*", 2103), ("1502?", 1502), ("1672 F", 1672), ("1523 (+8)", 1523), ("1523 +8", 1523),
    ("1523(-8.4)", 1523), ("1 950", 1950), ("1.950", 1950), ("1,950", 1950), ("1'950", 1950), ("１９５０", 1950),
    ("(1950)", 1950), ("1950er", 1950), ("unrated", None), ("ohne Elo", None),
    ("sin elo", None), ("без рейтинга", None),
])  # fmt: skip
def test_a_rating_with_its_marks(text, rating):
    """Provisional, capped, estimated and changed ratings, thousands with a sign, and ways to say that there is none."""
    assert parse_rating(text) == rating
    assert parse_opponent(text).rating == rating
    assert parse_game(f"{text}:win").opponent.rating == rating


@pytest.mark.parametrize("text", ["19500", "P12", "1950 2000", "(+8)", "1950,5", "1950P", "abc"])
def test_what_is_no_rating(text):
    """A number too long, a mark alone, two numbers, a fraction with a comma."""
    with pytest.raises(BadInput):
        parse_rating(text)


@pytest.mark.parametrize(("typed", "games"), [
    (["won", "against", "1950", "lost", "to", "1800"], ["won against 1950", "lost to 1800"]),
    (["won against 1950, lost to 1800"], ["won against 1950", "lost to 1800"]),
    (["W", "1950", "L", "1800"], ["W 1950", "L 1800"]),
    (["win 1950", "draw 1800"], ["win 1950", "draw 1800"]),
    (["2 103", "1950"], ["2 103", "1950"]),
])  # fmt: skip
def test_sentences_in_a_list(typed, games):
    """A verb before an opponent stays with it, as one word of the command line or as several."""
    assert split_games(typed) == games


@pytest.mark.parametrize(
    ("text", "share"), [("75 %", "0.75"), ("75%", "0.75"), ("0,75", "0.75"), ("1", "1"), ("2,5%", "0.025")]
)
def test_a_percentage(text, share):
    """With its sign or as a share; a number above one without a sign is refused, and so is more than all."""
    assert parse_percentage(text) == Decimal(share)
    for bad in ("75", "101 %", "-1 %", "x"):
        with pytest.raises(BadInput):
            parse_percentage(bad)


def test_a_rating_in_the_text_is_not_looked_up():
    """A name without a rating is somebody of a list; with one it is known."""
    assert names_a_player("Carlsen, Magnus")
    assert not any(map(names_a_player, ("GM 2450", "Müller 2103", "Müller (2103)", "won against 1950")))


def test_carried_results():
    """`drew with 2103 and 1955` is two draws; behind a comma, or with its own `with`, a result is not carried on."""
    assert [game.result for game in read_paste("drew with 2103 and 1955").games] == ["draw", "draw"]
    for text in ("drew with 2103, 1955", "drew with 2103 and against 1955"):
        assert [game.result for game in read_paste(text).games if game.opponent == 1955] in ([], ["to-come"])


def test_the_words_are_not_loaded_for_the_plain_notation():
    """`1950:win`, `1950@b:½` and `90+30` load no vocabulary and no layout; a sentence does."""
    probe = (
        "import sys\n"
        "from arpad.reading import parse_date, parse_game, parse_pace, parse_rating, split_game, split_games\n"
        "parse_rating('1750')\n"
        "[parse_game(one) for one in split_games(['1950:win', '1800@b:½', '1700', '0-1'], played=True)]\n"
        "split_game('1950 ½'); parse_date('2026-11-15'); parse_pace('90+30')\n"
        "loaded = lambda: [name for name in ('arpad.reading.vocabulary', 'arpad.reading.tables', 'tomllib')"
        " if name in sys.modules]\n"
        "print(loaded()); parse_game('won against 1950'); print(len(loaded()))"
    )
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["[]", "2"]


@pytest.mark.parametrize(("line", "name"), [
    ("1950 Marchetti, Paolo win", "Marchetti, Paolo"),
    ("1950 win Marchetti, Paolo", "Marchetti, Paolo"),
    ("Marchetti, Paolo 1950 win", "Marchetti, Paolo"),
    ("1950 Marchetti win", "Marchetti"),
    ("1950 Kim Won win", "Kim Won"),
])  # fmt: skip
def test_a_name_behind_the_rating(line, name):
    """Surname and forename belong together wherever they are, and the result is no part of them."""
    (game,) = read_paste(line).games
    assert (game.notation, game.name) == ("1950:win", name)


def test_a_forename_with_a_result_is_somebody_else():
    """`Paolo lost` behind a game that has its result is no forename: the line has two results, and gives no game."""
    paste = read_paste("drew 1950 Huber, Paolo lost")
    assert paste.games == ()
    assert paste.doubtful


@pytest.mark.parametrize("line", ["Kim 1950 win", "Kim (1950) win", "Kim 1950 1-0", "Kim 1950 1"])
def test_a_name_at_the_start_of_a_row(line):
    """A name, a rating and a result, as in a table without its frame."""
    (game,) = read_paste(line).games
    assert (game.name, game.opponent, game.result) == ("Kim", 1950, "win")


@pytest.mark.parametrize("line", ["Fast 2200 Remis", "Beinahe 2100 Sieg", "Almost 2200 win", "Почти 2100 победа"])
def test_an_adverb_is_no_name(line):
    """What nearly happened did not happen; `fast` is a harmless word in English and Swedish, and not in German.

    As it may be a name, the row is suggested.
    """
    paste = read_paste(line)
    assert paste.games == ()
    assert len(paste.doubtful[0].suggestion) == 1


@pytest.mark.parametrize("text", [
    "beat the 1850 that beat me last year", "gané al 1850 que me ganó ayer", "my team beat 1850",
    "Kollege gegen 1850 verloren", "Vereinskamerad gegen 1850 remis", "Mannschaft gegen 1850 gewonnen",
    "beat 1850 in the post-mortem", "mi sono perso contro 1850", "won the opening against 1850",
    "vs 1850 he won", "win vs 1850 x2", "beat 1850 3x", "always beat 1850", "beat all but 1850",
    "everyone but 1850 beat me", "beaten, 1850", "beaten again in round 3, 1850", "slagen 1850", "pokonany 1850",
    "geschlagen, 1850", "I flagged vs 1850", "beat 1 950", "le gano siempre a 1850", "beat 1850 and again",
    "lost to 1850 in both rounds", "offered 1850 a draw", "board 2 beat 1850", "opponent beat 1850 yesterday",
    "ein Spieler gewann gegen 1850", "hade jag vunnit mot 1850", "heeft gewonnen van 1850",
    "1850 lost, thanks to me", "1850 won with White", "won vs 1850 NOT", "beat a sub-1850",
    "won a simul game against 2500",
    "friendly win against 1850", "Trainingspartie gegen 1850 gewonnen", "vinto in amichevole contro 1850",
    "My young opponent, 1811, resigned", "mein junger Gegner, 1811, gab auf", "a kid, 1811, resigned",
])  # fmt: skip
def test_what_can_mean_two_things_is_no_game(text):
    """A pronoun that is another language's small word, a count, a habit, a passive without its doer: never a game."""
    assert read_paste(text).games == ()


@pytest.mark.parametrize("text", [
    "won by walkover against 1850", "gané por forfait contra 1850",
    "victoire par forfait contre 1850", "vittoria a tavolino contro 1850", "reglementair gewonnen van 1850",
    "wygrałem walkowerem z 1850", "выиграл неявкой у 1850", "vann på walkover mot 1850",
])  # fmt: skip
def test_a_win_by_forfeit_is_no_played_game(text):
    """Wherever the word for it stands."""
    assert [(game.opponent, game.result) for game in read_paste(text).games] == [(1850, "forfeit-win")]


def test_no_phrase_for_a_result_hides_a_forfeit():
    """`vittoria a tavolino` as one word for a win would be rated as a played game."""
    hidden = [
        phrase
        for language in TALKED
        for phrase, found in lexicon(language).written.items()
        if found.kind == "result"
        and any(lexicon(language).look_up(word) == FORFEIT for word in phrase.split())
        and phrase != "forfeited on time"
    ]
    assert hidden == []


@pytest.mark.parametrize("text", [
    "gegen 1905 und 1820 gewonnen", "gegen 1905 und gegen 1820 gewonnen", "gestern gegen 1905 und 1820 gewonnen",
    "gestern habe ich gegen 1905 und 1820 gewonnen", "yesterday won against 1905 and 1820", "ayer gané a 1905 y 1820",
    "hier j'ai battu 1905 et 1820", "ieri ho vinto con 1905 e 1820", "ontem ganhei a 1905 e 1820",
    "gisteren heb ik van 1905 en 1820 gewonnen", "wczoraj z 1905 i 1820 wygrałem", "вчера у 1905 и 1820 выиграл",
    "igår vann jag mot 1905 och 1820",
])  # fmt: skip
def test_one_verb_for_two_opponents(text):
    """The verb is about all opponents, before it or behind it; a word for the day changes nothing."""
    assert [(game.opponent, game.result) for game in read_paste(text).games] == [(1905, "win"), (1820, "win")]


@pytest.mark.parametrize(("text", "names"), [
    ("gestern gegen Huber (1905) und Maier (1820) verloren", ["Huber", "Maier"]),
    ("gegen FM Huber (1905) und Maier, Karl (1820) verloren", ["Huber", "Maier, Karl"]),
    ("gisteren tegen De Vries (1905) en Bakker (1820) verloren", ["De Vries", "Bakker"]),
    ("contra Huber (1905) y Maier (1820) perdí", ["Huber", "Maier"]),
])  # fmt: skip
def test_one_verb_for_two_named_opponents(text, names):
    """A German or Dutch verb at the end, and a Spanish one of the writer's, are about both."""
    games = read_paste(text).games
    assert [(game.opponent, game.result) for game in games] == [(1905, "loss"), (1820, "loss")]
    assert [game.name for game in games] == names


@pytest.mark.parametrize("text", [
    "Remis gegen Huber (1905) und Maier (1820) verloren", "gegen Huber (1905) gespielt und Maier (1820) verloren",
    "Huber (1905) und Maier (1820) verloren", "gegen Huber (1905) und heute Maier (1820) verloren",
    "gegen Huber (1905) und Maier (1820) hat verloren", "morgen gegen Huber (1905) und Maier (1820) verloren",
    "against Huber (1905) and Maier (1820) lost", "verloren und Maier (1820) verloren",
])  # fmt: skip
def test_a_verb_behind_a_name_may_be_about_somebody_else(text):
    """Behind a finished clause, without a word such as `gegen`, or in English, Maier may be the one who lost."""
    assert read_paste(text).games == ()


@pytest.mark.parametrize("text", [
    "gestern gegen 1905 und heute 1820 gewonnen", "morgen gegen 1905 und 1820 gewonnen",
    "gestern gegen 1905 und morgen 1820 gewonnen", "gestern nicht gegen 1905 und 1820 gewonnen",
    "gestern gegen 1905 oder 1820 gewonnen", "gestern gegen 1905 gespielt und 1820 gewonnen",
    "gestern haben wir gegen 1905 und 1820 gewonnen", "gestern hat er gegen 1905 und 1820 gewonnen",
    "gisteren van 1905 en 1820 bijna gewonnen", "вчера у 1905 и завтра у 1820 выиграл",
])  # fmt: skip
def test_a_verb_that_need_not_be_about_both(text):
    """Two days, another subject, a doubt or a second verb, and it is not understood."""
    assert read_paste(text).games == ()


@pytest.mark.parametrize(("text", "games"), [
    ("1850 beat me", [(1850, "loss")]), ("I was beaten by 1850", [(1850, "loss")]),
    ("2001 hat gegen mich gewonnen", [(2001, "loss")]), ("me ganó un 2030", [(2030, "loss")]),
    ("I didn't beat 1850", []), ("almost beat 2200", []), ("beat 2100 twice", []), ("two wins against 1700", []),
    ("won, Elo 1900, DWZ 1850", []), ("1-0 for FM Lind (2105), I was Black", []),
])  # fmt: skip
def test_sentences_that_were_once_misread(text, games):
    """Passives, negations, counts, two ratings and a score for somebody else: as they are meant, or not at all."""
    paste = read_paste(text)
    assert [(game.opponent, game.result) for game in paste.games] == games
    assert games or paste.doubtful


@pytest.mark.parametrize(("text", "federation"), [("beat 1950 IND", "IND"), ("won vs 1850 NOR", "NOR")])
def test_a_federation_behind_the_rating(text, federation):
    """A federation is no name, also where it is written like another word."""
    (game,) = read_paste(text).games
    assert (game.federation, game.name) == (federation, None)


@pytest.mark.parametrize(("text", "rounds"), [
    ("lost to 1900 in the third round", [3]), ("round two: beat 1900", [2]), ("ronde drie: gewonnen van 1900", [3]),
    ("beat 1900 in round three and lost to 1800 in round four", [3, 4]), ("Runde drei gegen 1900 gewonnen", [3]),
    ("in der fünften Runde gegen 1900 verloren", [5]), ("en la cuarta ronda perdí contra 1900", [4]),
    ("à la troisième ronde j'ai battu un 1900", [3]), ("nel secondo turno ho perso contro un 1900", [2]),
    ("na terceira rodada ganhei de um 1900", [3]), ("w trzeciej rundzie wygrałem z 1900", [3]),
    ("в седьмом туре выиграл у 1900", [7]), ("andra ronden: vann mot 1900", [2]),
    ("lost to 1900 in the last round", [1]),
])  # fmt: skip
def test_a_round_in_words(text, rounds):
    """A round may be written as a word; where no number is known, the games are counted."""
    assert [game.round for game in read_paste(text).games] == rounds


@pytest.mark.parametrize("text", [
    "2010 поставил мне мат", "1720 satte mig i matt", "1590 zette me mat", "2040 mi ha dato matto", "1540 m'a mis mat",
    "1930 me dio mate", "1650 setzte mich matt", "1870 dał mi mata", "1744 deu-me mate", "1702 made me resign",
])  # fmt: skip
def test_what_somebody_did_to_the_writer(text):
    """A rating alone is the one who did it, since the words say to whom."""
    assert [game.result for game in read_paste(text).games] == ["loss"]


# A mark does not say whose it is beside a word for the opponent, or for the writer as somebody's object.
MISSING_VERB = [
    "1950 has me 1", "1950 hat mich 1", "1950 me ha 0", "1950 me a 1", "1950 mi ha 1", "1950 me tem 1",
    "1950 heeft me 1", "1950 mnie ma 0", "1950 у меня 1", "1950 har mig 1",  # in ten languages
    "1950 hat mich ½", "1950 har mig ½", "1950 has me +", "1950 hat mich w", "1950 him 1", "1950 by me 0",
    "1950 against me 1", "er 1950 1", "my opponent (1950) 1", "wir 1950 1", "1950 hat 1", "1950 hat mich",
    "1950 has me, ½", "1950 hat mich - Remis", "1950 has White", "1950 hat Weiß ½",
]  # fmt: skip


@pytest.mark.parametrize("text", MISSING_VERB)
def test_a_verb_that_is_missing_is_not_made_up(text):
    """With the verb these may be anybody's games, so none is read in a message or a field."""
    assert read_paste(text).games == ()
    with pytest.raises(BadInput):
        parse_game(text)


@pytest.mark.parametrize("text", MISSING_VERB[:10])
def test_a_mark_of_nobody_is_not_suggested(text):
    """`1950 hat mich 1` is as likely the opponent's win as the writer's."""
    assert [line.suggestion for line in read_paste(text).left_out] == [()]


@pytest.mark.parametrize(("text", "result"), [
    ("my opponent (1950) ½", "draw"), ("wir 1950 ½", "draw"), ("I had 1950 1", "win"), ("hatte 1950 ½", "draw"),
    ("ich 1950 0", "loss"), ("me 1950 ½", "draw"), ("1950 was 1-0", "win"), ("1950 hat mich geschlagen", "loss"),
    ("R1 a 1950 1", "win"), ("gestern verloren, mein Gegner hatte 1950", "loss"),
])  # fmt: skip
def test_a_mark_of_the_writers(text, result):
    """A draw is both players', and `I had 1950 1` is about the writer's point."""
    assert [(game.opponent, game.result) for game in read_paste(text).games] == [(1950, result)]
