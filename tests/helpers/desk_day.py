"""A tournament day for the arbiter's desk: an open of 120 players, saved round by round into a folder."""

import os
import re
import urllib.request
from dataclasses import replace
from datetime import date

from random_events import random_open

from arpad.cli.desk import Desk, DeskCommand, DeskPage
from arpad.core.tournaments import PENDING
from arpad.formats import file_bytes

TODAY = date(2026, 11, 18)
WHOLE = random_open(120, rounds=9, seed=7)


def rate(path):
    return DeskCommand(today=TODAY, day=TODAY, path="").rated(path)


def after(number, results=None):
    """The open after a round; with `results`, the next round is paired, and so many of its boards have a result."""
    entrants = []
    for entrant in WHOLE.entrants:
        rounds = entrant.rounds[:number]
        if results is not None:
            ahead = entrant.rounds[number]
            board = min(entrant.no, ahead.opponent)
            rounds += (ahead if board <= results else replace(ahead, kind=PENDING, score=None),)
        entrants.append(replace(entrant, rounds=rounds, points=None))
    return replace(WHOLE, entrants=tuple(entrants))


def expected_of(number):
    """What the page says when a round is paired, perhaps with some results, and when it is complete."""
    paired = after(number - 1, 11 if number % 3 == 0 else 0)
    made = sum(one.rounds[-1].score is not None for one in paired.entrants) // 2
    first = f"so far round {number}: {made} of 60 results" if made else f"after round {number - 1}"
    return first, f"after round {number}"


def saved(event):
    return file_bytes(event, "trf16")[0]


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Day:
    """A desk on a folder, its page, and what the page showed so far."""

    def __init__(self, folder):
        self.folder, self.clock = folder, Clock()
        self.stamped = 0
        self.open()

    def open(self, port=0):
        self.desk = Desk(str(self.folder), rate, self.clock)
        self.page = DeskPage(self.desk, port)

    def write(self, name, data):
        """Write a file in place, with a time of its own, as on a slower disk."""
        path = self.folder / name
        path.write_bytes(data)
        self.stamped += 1
        os.utime(path, (self.stamped, self.stamped))

    def look(self, times=2):
        for _ in range(times):
            self.clock.now += 0.5
            self.desk.look()

    def get(self, address=""):
        return self.get_bytes(address).decode()

    def get_bytes(self, address):
        with urllib.request.urlopen(self.page.address + address, timeout=600) as answer:  # noqa: S310  # our own page
            return answer.read()

    def status(self):
        """What the page says about the state it shows."""
        line = re.search(r'role="status">(.*?)</p>', self.get(), re.DOTALL)[1]
        return line.partition(" · ")[2].strip()

    def problem(self):
        found = re.search(r'id="problems?">(.*?)</div>', self.get(), re.DOTALL)
        return "" if found is None else found[1]
