"""Rating lists in FIDE's layouts, made up: invented names, the same ones for the same seed."""

from __future__ import annotations

import random
import zipfile
from typing import TYPE_CHECKING, Any

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
TITLES = ["GM", "IM", "FM", "CM", ""]
HEAD = "{:<15}{:<61}{:<4}{:<4}{:<5}{:<5}{:<15}".format("ID Number", "Name", "Fed", "Sex", "Tit", "WTit", "OTit")
RATINGS = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
FOA = "FOA "
PACES = ("standard", "rapid", "blitz")


def players(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Players as FIDE's list has them: a third with a rating, few with a title, some without a year of birth."""
    chance = random.Random(seed)  # noqa: S311  # names, not secrets
    federations = FEDERATIONS.split()
    surnames = [_word(chance, chance.choice((1, 1, 2, 2, 3))) for _ in range(max(count // 5, 50))]
    given = [_word(chance, chance.choice((0, 1, 1))) for _ in range(max(count // 60, 40))]
    for number in range(count):
        name = f"{surnames[int(len(surnames) * chance.random() ** 2)]}, {given[int(len(given) * chance.random() ** 2)]}"
        if chance.random() < 0.15:
            name += f" {given[int(len(given) * chance.random() ** 2)]}"
        born = 0 if chance.random() < 0.03 else chance.randrange(1940, 2018)
        one = {"id": 100_000 + 7 * number, "name": name, "fed": chance.choice(federations),
               "sex": chance.choice("MMMMF"),
               "born": born, "flag": "", "title": "", "w_title": "", "o_title": "", "foa": ""}  # fmt: skip
        for pace in PACES:
            rated = chance.random() < 0.3
            rating = int(min(2850, 1400 + 1000 * chance.random() ** 2 + (chance.random() < 0.02) * 450)) if rated else 0
            one |= {pace: rating, f"{pace}_games": chance.randrange(12) if rated else 0, f"{pace}_k": _k(rating, born)}
        if one["standard"] >= 2300:
            one["title"] = TITLES[min((2600 - one["standard"]) // 100, 4)] if one["standard"] < 2600 else "GM"
        one["flag"] = ("w" if one["sex"] == "F" else "") + ("i" if chance.random() < 0.3 else "")
        yield one


def _word(chance: random.Random, middles: int) -> str:
    starts, inner, ends = STARTS.split(), MIDDLES.split(), ENDS.split()
    return chance.choice(starts) + "".join(chance.choice(inner) for _ in range(middles)) + chance.choice(ends)


def _k(rating: int, born: int) -> int:
    return 0 if not rating else 10 if rating >= 2400 else 40 if born >= 2007 and rating < 2300 else 20


def combined_line(one: dict[str, Any], *, foa: bool = True) -> str:
    """A line of the combined list, 162 characters wide, or 158 without FOA."""
    ratings = "".join(f"{one[pace]:<6}{one[f'{pace}_games']:<4}{one[f'{pace}_k']:<3}" for pace in PACES)
    return f"{_person(one, foa=foa)}{ratings}{one['born']:<6}{one['flag']:<4}"


def single_line(one: dict[str, Any], pace: str = "standard", *, foa: bool = True) -> str:
    """A line of a list of one rating, 136 characters wide."""
    rating = f"{one[pace]:<6}{one[f'{pace}_games']:<4}{one[f'{pace}_k']:<3}"
    return f"{_person(one, foa=foa)}{rating}{one['born']:<6}{one['flag']:<4}"


def old_line(one: dict[str, Any]) -> str:
    """A line of the layout up to 2012."""
    title = {"GM": "g", "IM": "m", "FM": "f"}.get(one["title"], "")
    born = one["born"] or ""
    person = f"{one['id']:>8}  {one['name'][:33]:<34}{title:<4}{one['fed']:<5}"
    return f"{person}{one['standard']:>4}{one['standard_games']:>5}  {born:<6}{one['flag']:<4}"


def _person(one: dict[str, Any], *, foa: bool) -> str:
    text = f"{one['id']:<15}{one['name']:<61}{one['fed']:<4}{one['sex']:<4}"
    text += f"{one['title']:<5}{one['w_title']:<5}{one['o_title']:<15}"
    return text + (f"{one['foa']:<4}" if foa else "")


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
    """A list as a file, with FIDE's line ends."""
    with path.open("w", encoding=encoding, newline="") as file:
        file.write(head + "\r\n")
        file.writelines(line + "\r\n" for line in lines)
    return path


def combined(path: Path, count: int, seed: int = 1) -> Path:
    """A combined list as a file."""
    return written(path, combined_head(), map(combined_line, players(count, seed)))


TAGS = {"fideid": "id", "name": "name", "country": "fed", "sex": "sex", "title": "title", "w_title": "w_title",
        "o_title": "o_title", "foa_title": "foa"}  # fmt: skip


def xml(path: Path, people: Iterable[dict[str, Any]]) -> Path:
    """The same as FIDE's XML, which has no declaration."""
    with path.open("w", encoding="utf-8") as file:
        file.write("<playerslist>\n")
        for one in people:
            ratings = {}
            for pace in PACES:
                before = "" if pace == "standard" else f"{pace}_"
                ratings |= {f"{before}rating": one[pace] or "", f"{before}games": one[f"{pace}_games"]}
                ratings[f"{before}k"] = one[f"{pace}_k"]
            values = {
                **{tag: one[field] for tag, field in TAGS.items()},
                **ratings,
                "birthday": one["born"] or "",
                "flag": one["flag"],
            }
            file.write(
                "<player>\n" + "".join(f"<{tag}>{value}</{tag}>\n" for tag, value in values.items()) + "</player>\n"
            )
        file.write("</playerslist>\n")
    return path


def zipped(path: Path, member: Path) -> Path:
    """A file in a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(member, member.name)
    return path
