"""Invented rating lists in FIDE's layouts; the same seed gives the same names."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

STARTS = """
Ab Al An Ar As Ba Be Bo Bra Bu Ca Ce Cha Co Cri Da De Di Do Dra Du E El Er Es Fa Fe Fi Flo Fra Ga Ge Gi Go Gra
Gu Ha He Hi Ho Hu I Il Im Is Ja Je Jo Ju Ka Ke Khi Ko Kra Ku La Le Li Lo Lu Ma Me Mi Mo Mu Na Ne Ni No Nu O Ol
Or Pa Pe Pi Po Pra Pu Qua Ra Re Ri Ro Ru Sa Sche Se Sha Shi So Sta Su Ta Te Thi To Tra Tu U Ul Ur Va Ve Vi Vo
Wa We Wi Wo Xa Ya Ye Yu Za Ze Zhi Zo Zu
"""
MIDDLES = """
ba bel bri cha chi dar den dor du fa fel ga ger gin go ha han hor ja kal ken ko kur la lan len li lo lum ma
man mel mi mor na nel ni no pa per pi ra ran ren ri ro sa sel shi so ta tan ten ti to va vel vi vo wa ya ze zi
zo
"""
ENDS = """
ac ade ak an ar as ba berg by ch dal den der di do dorf ek el en er es ev ez feld gar ger ian ic in ini is ja
kin ko kov la len ler li lin low man mar mi na ner nen ni no oglu os ov ova quist ra rez ri ro ruk sen shi
shvili ska ski son ssi stein sz ta ti to tov ulos us va vic ville wal wicz yan za zzi
"""
FEDERATIONS = """
NOR GER FRA ESP IND RUS USA POL BRA ARG CHN EGY HUN ITA NED SWE TUR UKR UZB VIE
"""
TITLES = np.array(["", "CM", "FM", "IM", "GM"])
HEAD = "{:<15}{:<61}{:<4}{:<4}{:<5}{:<5}{:<15}".format("ID Number", "Name", "Fed", "Sex", "Tit", "WTit", "OTit")
RATINGS = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
FOA = "FOA "
PACES = ("standard", "rapid", "blitz")


PART = 50_000  # players made at a time


def players(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Players as on FIDE's list: about a third with a rating, few with a title, some without a year of birth."""
    chance = np.random.default_rng(seed)
    surnames = _words(chance, max(count // 5, 50), (1, 1, 2, 2, 3))
    given = _words(chance, max(count // 60, 40), (0, 1, 1))
    for first in range(0, count, PART):
        columns = _columns(chance, first, min(PART, count - first), surnames, given)
        for values in zip(*(column.tolist() for column in columns.values()), strict=True):
            yield dict(zip(columns, values, strict=True))


def _words(chance: np.random.Generator, count: int, middles: tuple[int, ...]) -> Any:
    """Words made of a beginning, some middles and an ending."""
    word = chance.choice(STARTS.split(), count)
    longer = chance.choice(middles, count)
    for place in range(max(middles)):
        word = np.strings.add(word, np.where(longer > place, chance.choice(MIDDLES.split(), count), ""))
    return np.strings.add(word, chance.choice(ENDS.split(), count))


def _columns(chance: np.random.Generator, first: int, count: int, surnames: Any, given: Any) -> dict[str, Any]:
    """Players by column; a few names are common, most are rare."""

    def often(words: Any) -> Any:
        return words[(len(words) * chance.random(count) ** 2).astype(int)]

    second = np.where(chance.random(count) < 0.15, np.strings.add(" ", often(given)), "")
    name = np.strings.add(np.strings.add(often(surnames), ", "), np.strings.add(often(given), second))
    born = np.where(chance.random(count) < 0.03, 0, chance.integers(1940, 2018, count))
    sex = chance.choice(list("MMMMF"), count)
    ratings: dict[str, Any] = {}
    for pace in PACES:
        rated = chance.random(count) < 0.3
        strong = 450 * (chance.random(count) < 0.02)
        rating = rated * np.minimum(2850, 1400 + 1000 * chance.random(count) ** 2 + strong).astype(int)
        k = np.where(rating >= 2400, 10, np.where((born >= 2007) & (rating < 2300), 40, 20))
        ratings |= {pace: rating, f"{pace}_games": rated * chance.integers(0, 12, count), f"{pace}_k": rated * k}
    inactive = np.where(chance.random(count) < 0.3, "i", "")
    blank = np.full(count, "")
    return {
        "id": 100_000 + 7 * np.arange(first, first + count),
        "name": name,
        "fed": chance.choice(FEDERATIONS.split(), count),
        "sex": sex,
        "born": born,
        "flag": np.strings.add(np.where(sex == "F", "w", ""), inactive),
        "title": TITLES[np.clip((ratings["standard"] - 2200) // 100, 0, 4)],
        **dict.fromkeys(("w_title", "o_title", "foa"), blank),
        **ratings,
    }


PERSON = "%(id)-15s%(name)-61s%(fed)-4s%(sex)-4s%(title)-5s%(w_title)-5s%(o_title)-15s"
RATING = {pace: f"%({pace})-6s%({pace}_games)-4s%({pace}_k)-3s" for pace in PACES}
END = "%(born)-6s%(flag)-4s"
COMBINED = {foa: PERSON + "%(foa)-4s" * foa + "".join(RATING.values()) + END for foa in (True, False)}


def combined_line(person: dict[str, Any], *, foa: bool = True) -> str:
    """A line of the combined list, 162 characters wide, or 158 without FOA."""
    return COMBINED[foa] % person


def single_line(person: dict[str, Any], pace: str = "standard", *, foa: bool = True) -> str:
    """A line of a list of one rating, 136 characters wide."""
    return (PERSON + "%(foa)-4s" * foa + RATING[pace] + END) % person


def old_line(person: dict[str, Any]) -> str:
    """A line in the layout used until 2012."""
    title = {"GM": "g", "IM": "m", "FM": "f"}.get(person["title"], "")
    born = person["born"] or ""
    start = f"{person['id']:>8}  {person['name'][:33]:<34}{title:<4}{person['fed']:<5}"
    return f"{start}{person['standard']:>4}{person['standard_games']:>5}  {born:<6}{person['flag']:<4}"


def combined_head(*, foa: bool = True) -> str:
    """The header of the combined list."""
    names = RATINGS.split()
    widths = [6, 4, 3, 6, 4, 3, 6, 4, 3, 6, 4]
    return HEAD + (FOA if foa else "") + "".join(f"{name:<{width}}" for name, width in zip(names, widths, strict=True))


def single_head(month: str, *, foa: bool = True) -> str:
    """The header of a list of one rating."""
    return HEAD + (FOA if foa else "") + f"{month:<6}{'Gms':<4}{'K':<3}{'B-day':<6}{'Flag':<4}"


OLD_HEAD = "ID number Name                              TitlFed  Mar12 GamesBorn  Flag"


def written(path: Path, head: str, lines: Iterable[str], encoding: str = "ascii") -> Path:
    """A list as a file, with FIDE's line endings."""
    with path.open("w", encoding=encoding, newline="") as file:
        file.write(head + "\r\n")
        file.writelines(line + "\r\n" for line in lines)
    return path


def combined(path: Path, count: int, seed: int = 1) -> Path:
    """A combined list as a file."""
    return written(path, combined_head(), map(combined_line, players(count, seed)))


TAGS = {"fideid": "id", "name": "name", "country": "fed", "sex": "sex", "title": "title", "w_title": "w_title",
        "o_title": "o_title", "foa_title": "foa",
        **{f"{'' if pace == 'standard' else f'{pace}_'}{tag}": f"{pace}{ending}"
           for pace in PACES for tag, ending in (("rating", ""), ("games", "_games"), ("k", "_k"))},
        "birthday": "born", "flag": "flag"}  # fmt: skip
PLAYER = "<player>\n" + "".join(f"<{tag}>%({field})s</{tag}>\n" for tag, field in TAGS.items()) + "</player>\n"


def xml(path: Path, people: Iterable[dict[str, Any]]) -> Path:
    """A list as FIDE's XML, which has no declaration."""
    with path.open("w", encoding="utf-8") as file:
        file.write("<playerslist>\n")
        file.writelines(
            PLAYER % {**person, **{field: person[field] or "" for field in (*PACES, "born")}} for person in people
        )
        file.write("</playerslist>\n")
    return path


def zipped(path: Path, member: Path) -> Path:
    """A file in a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(member, member.name)
    return path
