"""Tie-breaks implemented a second time, as simply as possible, from the research note and not from the code.

A player is a list of rounds `(letter, opponent, colour)` with the letters of a report: 1 = 0 W D L + - H F U Z.
"""

import csv
from fractions import Fraction

from conftest import shared

WORTH = {"1": 1, "=": 0.5, "0": 0, "W": 1, "D": 0.5, "L": 0, "+": 1, "-": 0, "H": 0.5, "F": 1, "U": 1, "Z": 0}
PLAYED = "1=0WDL"
WINS = "1W"


def worth(letter):
    """The points for a letter."""
    return Fraction(WORTH[letter])


class Plain:
    """A Swiss event under one edition of the rules; `limited`: with the cap on the dummy since March 2026."""

    def __init__(self, players, *, limited, forfeits_played=False):
        self.players = players
        self.limited = limited
        self.games = PLAYED + "+-" * forfeits_played
        self.rounds = len(next(iter(players.values())))

    def points(self, no):
        return sum((worth(letter) for letter, _, _ in self.players[no]), Fraction(0))

    def is_vur(self, letter):
        return letter in "HZ" or (letter == "-" and "-" not in self.games)

    def adjusted(self, no):
        """Section 4: a requested bye followed only by VURs counts as a draw."""
        total = Fraction(0)
        letters = [letter for letter, _, _ in self.players[no]]
        for place, letter in enumerate(letters):
            last = letter in "HZ" and all(self.is_vur(later) for later in letters[place + 1 :])
            total += Fraction(1, 2) if last else worth(letter)
        return total

    def terms(self, no):
        """Each round as the opponent's or dummy's score, the player's points, and whether it is a VUR."""
        found = []
        for letter, opponent, _ in self.players[no]:
            if letter in self.games:
                found.append((self.adjusted(opponent), worth(letter), False))
                continue
            dummy = self.points(no)
            if self.limited:
                cap = self.adjusted(opponent) if letter in "+-" else Fraction(self.rounds, 2)
                dummy = min(dummy, cap)
            found.append((dummy, worth(letter), self.is_vur(letter)))
        return found

    def cut(self, terms, amounts, order, low, high):
        """Section 5: cut one by one, the VUR with the lowest amount unless that is below the least significant."""
        left = list(range(len(terms)))
        for _ in range(low):
            if not left:
                break
            least = min(left, key=lambda place: order(terms[place]))
            vurs = sorted((place for place in left if terms[place][2]), key=lambda place: amounts[place])
            gone = vurs[0] if vurs and amounts[vurs[0]] >= amounts[least] else least
            left.remove(gone)
        for _ in range(high):
            if left:
                left.remove(max(left, key=lambda place: amounts[place]))
        return sum((amounts[place] for place in left), Fraction(0))

    def bh(self, no, low=0, high=0):
        terms = self.terms(no)
        return self.cut(terms, [score for score, _, _ in terms], lambda term: term[0], low, high)

    def sb(self, no, low=0):
        terms = self.terms(no)
        products = [score * points for score, points, _ in terms]
        return self.cut(terms, products, lambda term: (term[0], term[0] * term[1]), low, 0)

    def fb(self, no, low=0, high=0):
        """Fore Buchholz: every paired game of the last round counts as a draw."""
        drawn = {
            other: [*rounds[:-1], ("=", rounds[-1][1], rounds[-1][2]) if rounds[-1][1] else rounds[-1]]
            for other, rounds in self.players.items()
        }
        return Plain(drawn, limited=self.limited, forfeits_played="+" in self.games).bh(no, low, high)

    def aob(self, no):
        met = [opponent for letter, opponent, _ in self.players[no] if letter in PLAYED]
        return sum((self.bh(other) for other in met), Fraction(0)) / len(met) if met else None

    def ks(self, no, shift=0):
        least = Fraction(self.rounds, 2) + Fraction(shift, 2)
        return sum(
            (
                worth(letter)
                for letter, opponent, _ in self.players[no]
                if letter in PLAYED + "+-" and self.points(opponent) >= least
            ),
            Fraction(0),
        )

    def count(self, no, letters, colour=None):
        return sum(letter in letters and colour in (None, side) for letter, _, side in self.players[no])

    def ps(self, no, low=0):
        sums, total = [], Fraction(0)
        for letter, _, _ in self.players[no]:
            total += worth(letter)
            sums.append(total)
        return sum(sums[low:], Fraction(0))

    def std(self, no):
        return sum((Fraction(1) if worth(x) > 0.5 else worth(x) for x, _, _ in self.players[no]), Fraction(0))

    def encounter(self, tied):
        """Section 8: the tied players as groups, in order."""
        score, missing = {}, {}
        for no in tied:
            score[no], missing[no] = Fraction(0), 0
            for other in tied:
                if other == no:
                    continue
                met = [worth(x) for x, opponent, _ in self.players[no] if opponent == other and x in self.games]
                if met:
                    score[no] += sum(met) / len(met)
                else:
                    missing[no] += 1
        if not any(missing.values()):
            groups = [[no for no in tied if score[no] == total] for total in sorted(set(score.values()), reverse=True)]
        else:
            groups, left = [], list(tied)
            while True:
                first = [no for no in left if all(score[no] > score[x] + missing[x] for x in left if x != no)]
                if len(first) != 1 or len(left) == 1:
                    break
                groups.append(first)
                left.remove(first[0])
            groups += [left] if left else []
        if len(groups) == 1:
            return groups
        return [part for group in groups for part in (self.encounter(group) if len(group) > 1 else [group])]


def whole(value):
    """A whole number, half up."""
    return int(value // 1) + (value % 1 >= Fraction(1, 2))


def table(name):
    """The rows of a table of FIDE's handbook."""
    with shared(f"reference/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Ratings:
    """Criteria that depend only on ratings and games played; undefined without a game."""

    def __init__(self, players, ratings):
        self.players, self.ratings = players, ratings
        self.dp = {whole(Fraction(row["p"]) * 100): int(row["dp"]) for row in table("fide_dp")}
        self.pd = [(int(row["d_max"] or 10_000), Fraction(row["pd_higher"])) for row in table("fide_pd")]

    def met(self, no):
        """Each game as the opponent and the player's score."""
        return [(opponent, worth(letter)) for letter, opponent, _ in self.players[no] if letter in PLAYED]

    def mean(self, figures):
        return whole(Fraction(sum(figures), len(figures))) if figures else None

    def aro(self, no, low=0, high=0):
        ratings = sorted(self.ratings[opponent] for opponent, _ in self.met(no))
        return self.mean(ratings[low : len(ratings) - high])

    def tpr(self, no):
        met = self.met(no)
        return self.aro(no) + self.dp[whole(100 * sum(score for _, score in met) / len(met))] if met else None

    def expected(self, own, other):
        higher = next(share for most, share in self.pd if abs(own - other) <= most)
        return higher if own >= other else 1 - higher

    def ptp(self, no):
        """The lowest rating whose expected score is the score made, tried one by one."""
        met = self.met(no)
        if not met:
            return None
        score, rated = sum(score for _, score in met), [self.ratings[opponent] for opponent, _ in met]
        if score == 0:
            return min(rated) - 800
        own = min(rated) - 800
        while sum(self.expected(own, other) for other in rated) < score:
            own += 1
        return own

    def of_opponents(self, no, criterion):
        return self.mean([criterion(opponent) for opponent, _ in self.met(no)])


def rating_values(players, ratings, *, limited):
    """Every player's criteria that depend on ratings, by code."""
    event = Ratings(players, ratings)
    return {
        no: {
            "ARO": event.aro(no),
            "ARO/C1": event.aro(no, 1),
            "ARO/C2": event.aro(no, 2),
            "ARO/M1": event.aro(no, 1, 1),
            "ARO/M2": event.aro(no, 2, 2),
            "TPR": event.tpr(no),
            "PTP": event.ptp(no),
            "APRO": event.of_opponents(no, event.tpr),
            "APPO": event.of_opponents(no, event.ptp),
            **({"RTNG": ratings[no]} if limited else {}),
        }
        for no in players
    }


def values(players, *, limited):
    """Every player's criteria that depend on results, by code."""
    event = Plain(players, limited=limited)
    with_forfeits = Plain(players, limited=limited, forfeits_played=True)
    return {
        no: {
            "WIN": event.count(no, "1W+FU"),
            "WON": event.count(no, WINS),
            "BPG": event.count(no, PLAYED, "black"),
            "BWG": event.count(no, WINS, "black"),
            "PS": event.ps(no),
            "PS/C1": event.ps(no, 1),
            "PS/C2": event.ps(no, 2),
            "REP": event.count(no, "10=WDL+FU"),
            "BH": event.bh(no),
            "BH/C1": event.bh(no, 1),
            "BH/C2": event.bh(no, 2),
            "BH/M1": event.bh(no, 1, 1),
            "BH/M2": event.bh(no, 2, 2),
            "BH/P": with_forfeits.bh(no),
            "BH/C1/P": with_forfeits.bh(no, 1),
            "FB": event.fb(no),
            "FB/C1": event.fb(no, 1),
            "FB/M1": event.fb(no, 1, 1),
            "AOB": event.aob(no),
            "SB": event.sb(no),
            "SB/C1": event.sb(no, 1),
            "SB/C2": event.sb(no, 2),
            "SB/P": with_forfeits.sb(no),
            "KS": event.ks(no),
            "KS/L-1": event.ks(no, -1),
            "KS/L+1": event.ks(no, 1),
            **({"STD": event.std(no), "TPN": no} if limited else {}),
        }
        for no in players
    }


def places(players, *, limited, forfeits_played=False):
    """Every player's place by points and direct encounter."""
    event = Plain(players, limited=limited, forfeits_played=forfeits_played)
    found, place = {}, 1
    for total in sorted({event.points(no) for no in players}, reverse=True):
        for group in event.encounter([no for no in players if event.points(no) == total]):
            found |= dict.fromkeys(group, place)
            place += len(group)
    return found
