"""Damage to files and texts, as caused by transmission, editors and people."""


def byte_flip(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def line_cut(data, chance):
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    return b"\n".join(lines)


def line_twice(data, chance):
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join([*lines[:at], lines[at], *lines[at:]])


def column_shift(data, chance):
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    column = chance.randrange(len(lines[at]) + 1)
    gap = chance.choice([b" ", b"  ", b"\t", b",", b'"', b"\xc3\xa9", b"\xe9"])
    lines[at] = lines[at][:column] + (gap if chance.random() < 0.5 else b"") + lines[at][column + chance.randrange(2) :]
    return b"\n".join(lines)


def file_cut(data, chance):
    return data[: chance.randrange(len(data) + 1)]


def piece_moved(data, chance):
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[start : min(end, start + 400)] + data[at:]


KINDS = (byte_flip, line_cut, line_twice, column_shift, file_cut, piece_moved)


def damaged_at_random(data, chance):
    """Some bytes with one to six pieces of damage."""
    for _ in range(chance.randint(1, 6)):
        data = chance.choice(KINDS)(data, chance) if data else data
    return data
