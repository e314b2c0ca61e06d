"""Searching a list: what is forgiven, what narrows, and that anything may be typed."""

import contextlib

import pytest
import rating_lists as made
from imported_lists import lines_of, take

from arpad.errors import ArpadError, BadInput
from arpad.lists import find, reading
from arpad.lists.search import folded, sound
from arpad.lists.store import run

NAMES = [
    "Karpov, Anatoli",
    "Karpova, Anna",
    "Chigorin, Michail",
    "Müller, Jürgen",
    "Ångström, Åsa",
    "Łącki, Paweł",
    "Korchnoi, Viktor",
    "Nakamoto, Hiro",
    "Van der Berg, Jan",
]


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search")
    people = [dict(one) for one in made.players(2000)]
    for one, name in zip(people, NAMES, strict=False):
        one |= {"name": name, "standard": 2500, "standard_k": 10, "fed": "NED", "born": 1951}
    path = made.written(folder / "list.txt", made.combined_head(), lines_of(people), "utf-8")
    take(path, str(folder / "data"))
    return str(folder / "data")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("karpov", "Karpov, Anatoli"), ("Karpov, A", "Karpov, Anatoli"), ("anatoli karpov", "Karpov, Anatoli"),
        ("karpow anatoly", "Karpov, Anatoli"), ("Tschigorin", "Chigorin, Michail"),
        ("mueller jurgen", "Müller, Jürgen"),
        ("MÜLLER", "Müller, Jürgen"), ("angstrom", "Ångström, Åsa"), ("lacki pawel", "Łącki, Paweł"),
        ("Kortschnoi", "Korchnoi, Viktor"), ("korhcnoi", "Korchnoi, Viktor"),
        ("kochnoi", "Korchnoi, Viktor"), ("korchnoy v", "Korchnoi, Viktor"),
        ("nakkamoto", "Nakamoto, Hiro"), ("nakamuto", "Nakamoto, Hiro"), ("aknamoto hiro", "Nakamoto, Hiro"),
        ("kaprov anatoil", "Karpov, Anatoli"), ("oKrchnoi", "Korchnoi, Viktor"), ("Корчной", "Korchnoi, Viktor"),
        ("nakamot", "Nakamoto, Hiro"), ("berg jan van der", "Van der Berg, Jan"), ("100000", "Karpov, Anatoli"),
    ],
)  # fmt: skip
def test_search_forgives(searched, query, name):
    """Accents, alphabets, transliterations, word order, beginnings and slips of the pen: the best match comes first."""
    assert find(query, data=searched).players[0].name == name


def test_search_narrows(searched):
    """A federation and a year of birth narrow a search; nobody found is an empty answer, nothing asked is refused."""
    assert [one.name for one in find("karpov", federation="ned", born=1951, data=searched).players] == [
        "Karpov, Anatoli",
        "Karpova, Anna",
    ]
    assert find("karpov", federation="NOR", data=searched).players == ()
    assert find("xqzwvxq", data=searched).players == ()
    by_year = find("", federation="NED", born=1951, data=searched).players
    assert {one.name for one in by_year[:9]} == set(NAMES)  # at 2500 the best rated of them
    with pytest.raises(BadInput, match="needs a name"):
        find(" , ", data=searched)


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE player; --", "%", "$list", "a" * 5000, "\x00", "@", "＠１２", "²", "9" * 30, "9" * 5000]
)
def test_search_takes_anything(searched, query):
    """Whatever is typed is searched for or refused; nothing of it becomes SQL."""
    with contextlib.suppress(ArpadError):
        find(query, data=searched)
    assert find("karpov", data=searched).players


def test_the_index_folds_and_sounds_as_the_query_does(searched):
    """The words of the index are those that the names of the list are folded to, each with the sound of a query."""
    with reading(searched) as connection:
        names = [name for (name,) in run(connection, "SELECT name FROM player")]
        index = dict(run(connection, "SELECT word, sound FROM word"))
        endings = dict(run(connection, "SELECT word, backwards FROM ending"))
    assert index == {word: sound(word) for name in names for word in folded(name).split()}
    assert endings == {word: heard[::-1] for word, heard in index.items()}
