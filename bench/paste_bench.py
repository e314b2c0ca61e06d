"""Reading pastes: rows per second, and whether the time per row stays the same as a paste grows.

    make bench

Four shapes people paste: a player's card with the result on the line below, a table of one line per game, sentences,
and messages with a comment behind each game, in four languages.
"""

from __future__ import annotations

from time import process_time

from arpad.reading import read_paste

TIMES = 5

SIZES = (500, 5000)
ALLOWED = 3  # growth of the time per row from the smallest to the largest; 10 would be quadratic
SECONDS = {"sentences": 2.0, "messages": 2.0}  # of the processor, for the largest; 1 for a table
HEAD = "Rd.\tBo.\tSNo\t\tName\tRtg\tFED\tPts.\tRes.\n"
MESSAGES = (
    "Lost to Priya Raman (1934) with White on Sunday, hung a rook in time trouble\n",
    "heute mit Schwarz gegen einen 1765er gewonnen, schöner Angriff\n",
    "ayer empaté con un 2133 en el torneo de mi club, muy contento\n",
    "проиграл черными Смирнову (2088), зевнул коня в цейтноте\n",
)
SHAPES = {
    "card": (HEAD, ("{row}\t1\t{row}\t\tNovak, Jan\t1702\tCZE\t3,5\t\n½\n",)),
    "table": ("Round;Name;Rtg;Result\n", ("{row};Novak, Jan;1702;1\n",)),
    "sentences": ("", ("won against Novak (1702)\n",)),
    "messages": ("", MESSAGES),
}


def seconds(text: str) -> float:
    """The processor seconds of one reading, so that other programs do not count."""
    start = process_time()
    read_paste(text)
    return process_time() - start


def main() -> None:
    """Print a line for each shape and size, and how the time per row grows."""
    print(f"{'paste':<12}{'rows':>8}{'seconds':>10}{'rows per second':>18}{'growth':>9}")
    for shape, (head, row) in SHAPES.items():
        each = {}
        for rows in SIZES:
            text = head + "".join(row[number % len(row)].format(row=number) for number in range(1, rows + 1))
            games = len(read_paste(text).games)
            if games != rows:
                raise SystemExit(f"{shape}: {games} games were read from {rows} rows")
            time = min(seconds(text) for _ in range(TIMES))
            each[rows] = time / rows
            growth = each[rows] / each[SIZES[0]]
            late = " TOO SLOW" if time > SECONDS.get(shape, 1.0) else ""
            bent = " NOT linear" if growth > ALLOWED else ""
            print(f"{shape:<12}{rows:>8,}{time:>10.3f}{rows / time:>18,.0f}{growth:>9.2f}{late}{bent}")


if __name__ == "__main__":
    main()
