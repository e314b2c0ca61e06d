"""The figures of an answer are the same in every language: of every worked case, step by step."""

import re

import pytest
from offenders import none_of
from worked_cases import CASES

from arpad.calculation.explain import lines
from arpad.messages import locale_of, shipped, speaking
from doors import calculation

LANGUAGES = shipped()[1:]
NUMBER = re.compile(r"[−+]?\d+(?:\.\d+)?")
DAY = re.compile(r"\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{4}")


@pytest.mark.parametrize(("about", "case"), CASES)
def test_the_working_of_a_case_has_the_same_figures(about, case):
    """Every number of every line; only the decimal mark differs, and how a day is written."""
    answer = calculation(case.get("system", about), case)
    english = figures_of(answer, "en")
    assert english
    none_of([f"{one}: {here} for {there}" for one in LANGUAGES
             for there, here in zip(english, figures_of(answer, one), strict=True) if there != here])  # fmt: skip


def figures_of(answer, language):
    """The numbers of each line of the working, as English writes them."""
    mark = locale_of(language).decimal
    with speaking(language):
        texts = [DAY.sub("", line.figures) for line in lines(*answer.trail)]
    return [NUMBER.findall(text.replace(mark, ".")) for text in texts]


def test_another_figure_is_found():
    """The test above can fail."""
    assert NUMBER.findall("1750 − 1950 = −200; +30.40") == ["1750", "1950", "−200", "+30.40"]
    assert DAY.sub("", "01.12.2026 2026-12-01 01/12/2026").split() == []
