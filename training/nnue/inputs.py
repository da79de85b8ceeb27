"""The inputs a position switches on, written from docs/nnue-format.md and not from the Rust code.

    python inputs.py RECORDS   rows of each record (32 bytes), of the side to move and of its opponent

The tests of crates/lab compare them with the trainer's. Needs nothing but Python.
"""

import struct
import sys

KING_BUCKETS = 8
INPUTS_PER_BUCKET = 768
INPUTS = KING_BUCKETS * INPUTS_PER_BUCKET
THREATS = 6 * 5 * 2 * 2 * 64
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


def threats(pieces):
    """Every pair of a piece and a piece it attacks or defends, kings never the latter."""
    board = {square: (piece, owner) for square, piece, owner in pieces}
    for square, piece, owner in pieces:
        if piece == PAWN:
            forward = -1 if owner else 1
            steps, far = [(-1, forward), (1, forward)], 1
        elif piece == KNIGHT:
            steps, far = LEAPS, 1
        else:
            steps = {BISHOP: DIAGONAL, ROOK: STRAIGHT}.get(piece, DIAGONAL + STRAIGHT)
            far = 1 if piece == KING else 7
        for east, north in steps:
            for distance in range(1, far + 1):
                file, rank = square % 8 + east * distance, square // 8 + north * distance
                if not (0 <= file < 8 and 0 <= rank < 8):
                    break
                if 8 * rank + file in board:
                    victim, whose = board[8 * rank + file]
                    if victim != KING:
                        yield owner, piece, whose, victim, 8 * rank + file
                    break


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
        for owner, piece, whose, victim, s in attacks:
            pair = (piece * 5 + victim) * 4 + (owner ^ side) * 2 + (whose ^ side)
            rows.append(INPUTS + pair * 64 + (s ^ flip ^ mirror))
        seen.append(rows)
    return seen[0], seen[1], len(pieces)


def main():
    data = open(sys.argv[1], "rb").read()
    for at in range(0, len(data), 32):
        us, them, _ = inputs(data[at : at + 32])
        print(" ".join(map(str, us)), "|", " ".join(map(str, them)))


if __name__ == "__main__":
    main()
