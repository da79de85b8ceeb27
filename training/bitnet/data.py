"""Training records as written by `policy_data`, in batches of similar length.

A record is 620 little-endian 16-bit numbers: prefix length, number of targets, source (0 people, 1 engines),
33 prefix tokens, 8 move tokens, and for each of 9 targets the token of the move played followed by other legal moves, 64 in all.
"""

from pathlib import Path

import numpy as np
import torch

PREFIX, MOVES, CANDIDATES, PAD = 33, 8, 64, 0xFFFF
TARGETS = MOVES + 1
HEAD = 3
RECORD = HEAD + PREFIX + MOVES + TARGETS * CANDIDATES
VOCABULARY = 4608


def load(path):
    return np.memmap(path, dtype="<u2", mode="r").reshape(-1, RECORD)


def vocabulary(folder):
    """The move tokens and the others, both in increasing order, as the engine numbers them."""
    moves = np.fromfile(Path(folder) / "moves.u16", dtype="<u2").astype(np.int64)
    others = np.setdiff1d(np.arange(VOCABULARY), moves)
    return torch.from_numpy(moves), torch.from_numpy(others)


class Batches:
    """Cuts the records into batches of similar prefix length, in an order that `seed` decides.

    Without `shuffle` the batches stay in the order of their lengths.
    """

    def __init__(self, records, moves, size, seed, shuffle=True):
        self.records, self.size = records, size
        self.column = np.full(VOCABULARY + 1, -1)
        self.column[moves] = np.arange(len(moves))
        random = np.random.default_rng(seed)
        order = random.permutation(len(records))
        order = order[np.argsort(records[:, 0][order], kind="stable")]
        self.parts = [order[i : i + size] for i in range(0, len(order), size)]
        if shuffle:
            random.shuffle(self.parts)

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, i):
        """(tokens, padded pieces, candidate columns, which targets exist)."""
        r = self.records[np.sort(self.parts[i])].astype(np.int64)
        lengths = r[:, 0]
        pieces = int(lengths.max()) - 1
        prefix = r[:, HEAD : HEAD + PREFIX]
        go = prefix[0, lengths[0] - 1]
        tokens = np.full((len(r), pieces + 1 + MOVES), -1)
        tokens[:, :pieces] = np.where(np.arange(pieces) < (lengths - 1)[:, None], prefix[:, :pieces], -1)
        tokens[:, pieces] = go
        moves = r[:, HEAD + PREFIX : HEAD + PREFIX + MOVES]
        tokens[:, pieces + 1 :] = np.where(moves == PAD, -1, moves)
        candidates = r[:, HEAD + PREFIX + MOVES :].reshape(len(r), TARGETS, CANDIDATES)
        candidates = self.column[np.minimum(candidates, VOCABULARY)]
        widest = int((candidates >= 0).sum(axis=-1).max())
        candidates = candidates[:, :, :widest]
        exists = candidates[:, :, 0] >= 0
        as_tensor = torch.from_numpy
        return as_tensor(tokens), pieces, as_tensor(candidates), as_tensor(exists)
