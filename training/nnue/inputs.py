"""The inputs a position switches on, written from docs/nnue-format.md and not from the Rust code.

    python inputs.py RECORDS   rows of each record (32 bytes), of the side to move and of its opponent

The tests of crates/lab compare them with the trainer's. Needs nothing but Python.
"""

import struct
import sys

KING_BUCKETS = 8
INPUTS_PER_BUCKET = 768
INPUTS = KING_BUCKETS * INPUTS_PER_BUCKET
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def king_bucket(square: int) -> int:
    """Bucket of a king's square, already on files a to d."""
    rank, file = divmod(square, 8)
    if rank == 0:
        return file
    if rank == 1:
        return 4 + file // 2
    return 6 if rank == 2 else 7


def lines(square, piece, owner):
    """The squares a piece attacks on an empty board, a list for each direction, the nearest first."""
    if piece == PAWN:
        forward = -1 if owner else 1
        steps, far = [(-1, forward), (1, forward)], 1
    elif piece == KNIGHT:
        steps, far = LEAPS, 1
    else:
        steps = {BISHOP: DIAGONAL, ROOK: STRAIGHT}.get(piece, DIAGONAL + STRAIGHT)
        far = 1 if piece == KING else 7
    for east, north in steps:
        way = [(square % 8 + east * d, square // 8 + north * d) for d in range(1, far + 1)]
        yield [8 * rank + file for file, rank in way if 0 <= file < 8 and 0 <= rank < 8]


def threats(pieces):
    """Every pair of a piece and a piece it attacks or defends, kings never the latter."""
    board = {square: (piece, owner) for square, piece, owner in pieces}
    for square, piece, owner in pieces:
        for line in lines(square, piece, owner):
            target = next((s for s in line if s in board), None)
            if target is not None and board[target][0] != KING:
                yield square, piece, owner, target, *board[target]


def ways(piece, owner):
    """All pairs of squares with an attack; for kings the attacked squares alone."""
    if piece == KING:
        return list(range(64))
    squares = range(8, 56) if piece == PAWN else range(64)
    return sorted((s, to) for s in squares for line in lines(s, piece, owner) for to in line)


def threat_rows():
    """The row of each threat, rows with the same kinds and owners together."""
    rows = {}
    for piece in range(6):
        for victim in range(5):
            for owner in (0, 1):
                for whose in (0, 1):
                    for way in ways(piece, owner):
                        rows[piece, victim, owner, whose, way] = len(rows)
    return rows


THREAT_ROWS = threat_rows()
THREATS = len(THREAT_ROWS)


def inputs(record: bytes):
    """Inputs seen by the side to move and by its opponent, and the number of pieces."""
    (occupied,) = struct.unpack_from("<Q", record, 0)
    pieces = []
    for square in range(64):
        if occupied >> square & 1:
            byte = record[8 + len(pieces) // 2]
            code = byte >> 4 * (len(pieces) % 2) & 15
            pieces.append((square, code & 7, code >> 3))
    seen, attacks = [], list(threats(pieces))
    for side in (0, 1):
        flip = 56 if side else 0
        (king,) = [s for s, piece, owner in pieces if piece == KING and owner == side]
        king ^= flip
        mirror = 7 if king % 8 >= 4 else 0
        base = king_bucket(king ^ mirror) * INPUTS_PER_BUCKET
        rows = [base + ((owner ^ side) * 6 + piece) * 64 + (s ^ flip ^ mirror) for s, piece, owner in pieces]
        for s, piece, owner, to, victim, whose in attacks:
            s, to = s ^ flip ^ mirror, to ^ flip ^ mirror
            way = to if piece == KING else (s, to)
            rows.append(INPUTS + THREAT_ROWS[piece, victim, owner ^ side, whose ^ side, way])
        seen.append(rows)
    return seen[0], seen[1], len(pieces)


def main():
    data = open(sys.argv[1], "rb").read()
    for at in range(0, len(data), 32):
        us, them, _ = inputs(data[at : at + 32])
        print(" ".join(map(str, us)), "|", " ".join(map(str, them)))


if __name__ == "__main__":
    main()
