"""An opponent as people write one: a rating with a title, a federation, a deviation or a standard rating."""

from arpad.core import EloStanding, GlickoStanding, Player
from arpad.reading import parse_opponent, parse_pairing


def test_an_opponent_with_title_and_federation():
    """A title is behind the rating, a federation behind a slash; a deviation and an `s` stay what they were."""
    assert parse_opponent("2450gm/ger") == Player(2450, title="GM", federation="GER")
    assert parse_opponent("2250WIM") == Player(2250, title="WIM")
    assert parse_opponent("unrated/FRA") == Player(None, federation="FRA")
    assert parse_opponent("1400/30") == Player(GlickoStanding(1400, deviation=30))
    assert parse_opponent("2100s") == Player(EloStanding(standard=2100))
    assert parse_pairing("2450gm/GER@b:?").colour == "black"
