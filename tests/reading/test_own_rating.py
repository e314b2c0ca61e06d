"""A rating that people give as their own in the middle of a message: used as theirs, and never as an opponent's."""

import pytest
from test_corpus import PLAYED, STRANGE

from arpad.reading import read_paste

# A line of each language that gives the writer's rating, 1750, in front of a game.
LINES = {
    "en": "I am 1750 and beat 1950", "de": "Ich bin 1750 und habe gegen 1950 gewonnen",
    "es": "Mi Elo es 1750. Gané a 1950", "fr": "J'ai 1750 Elo et j'ai battu 1950",
    "it": "Il mio Elo è 1750, ho battuto 1950", "pt": "Meu rating é 1750. Ganhei de 1950",
    "nl": "Mijn rating is 1750. Ik won van 1950", "pl": "Mój ranking to 1750. Wygrałem z 1950",
    "ru": "Мой рейтинг — 1750. Выиграл у 1950", "sv": "Jag är 1750 och slog 1950",
}  # fmt: skip


def told(text):
    """The played games of a text, and what it says about the player."""
    paste = read_paste(text)
    games = [(game.opponent, game.result) for game in paste.games]
    return games, {name: stated.value for name, stated in paste.about.stated.items()}, paste.left_out


@pytest.mark.parametrize("language", LINES)
def test_the_writers_rating_beside_a_game(language):
    """The rating is the writer's, the other figure the opponent's, and nothing is left out."""
    assert told(LINES[language]) == ([(1950, "win")], {"rating": 1750}, ())


@pytest.mark.parametrize("language", LINES)
def test_a_strange_word_makes_nobody_an_opponent(language):
    """One word more at any place: what is still read is the same game."""
    words = LINES[language].split()
    lines = [
        " ".join([*words[:place], strange, *words[place:]])
        for strange in STRANGE[language].split()
        for place in range(len(words) + 1)
    ]
    wrong = [
        line for line in lines for game in read_paste(line).games
        if game.result in PLAYED and (game.opponent, game.result) != (1950, "win")
    ]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize(("line", "games", "about"), [
    ("My rating is 1750. I beat 1950", [(1950, "win")], {"rating": 1750}),
    ("beat 1950 (I'm 1750)", [(1950, "win")], {"rating": 1750}),
    ("1950 beat me and I am 1750", [(1950, "loss")], {"rating": 1750}),
    ("I'm 1750, my opponent 1950 resigned", [(1950, "win")], {"rating": 1750}),
    ("My FIDE rating is 1750, drew with 1950", [(1950, "draw")], {"international": 1750}),
    ("I'm 1750 FIDE and lost to 1950", [(1950, "loss")], {"international": 1750}),
    ("Meine DWZ ist 1750, Remis gegen Huber (1905)", [(1905, "draw")], {"national": 1750}),
    ("Meine Elo: 1750. Remis gegen Huber (1905)", [(1905, "draw")], {"rating": 1750}),
    ("У меня 1750, проиграл 1950", [(1950, "loss")], {"rating": 1750}),
    ("tengo 1750 y gané a 1950", [(1950, "win")], {"rating": 1750}),
    ("Mam 1750 i przegrałem z 1950", [(1950, "loss")], {"rating": 1750}),
    ("Mein Rating ist 1750", [], {"rating": 1750}),
])  # fmt: skip
def test_other_ways_to_say_it(line, games, about):
    """In front of the game, behind it or alone, and of the kind that is named."""
    assert told(line) == (games, about, ())


@pytest.mark.parametrize("line", [
    "I am not 1750 and beat 1950", "If I am 1750 and beat 1950", "I'm 1750 and almost beat 1950", "I am 1750 and lost",
    "Tengo 1950 y 1800", "tengo 1950", "My opponent is 1750 and beat 1950", "I was 1750 and beat 1950 and 1800 twice",
    "Meine DWZ ist 1750 und meine Elo ist 1800. Gewonnen gegen 1950", "I am 1750 or so and beat 1950",
    "My rating is 1750. I did not beat 1950", "I am 1750 and meet 1950",
])  # fmt: skip
def test_a_rating_that_may_be_anything(line):
    """A negation, a doubt, an opponent's rating, two ratings of one's own: the line is shown, and nothing is used."""
    games, about, left_out = told(line)
    assert (games, about) == ([], {})
    assert left_out != ()


def test_two_lines_that_differ():
    """Two ratings of one's own are said, and neither is used."""
    paste = read_paste("I am 1750 and beat 1950\nI am 1760 and lost to 1900")
    assert [game.opponent for game in paste.games] == [1950, 1900]
    assert paste.about.rating is None
    assert [note.key for note in paste.notes] == ["reading.note.two_values"]
