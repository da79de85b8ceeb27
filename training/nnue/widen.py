"""Gives a checkpoint more lanes: `python widen.py OLD NEW 512`.

The new lanes start random and nothing listens to them yet, so the network's judgement does not change;
training goes on from there with `brier-lab train --start-from NEW --width 512`, built with the new `FT` of
crates/nnue/src/arch.rs. The layout of a checkpoint is described in crates/lab/src/train/checkpoint.rs, that
of the parameters in crates/lab/src/train/model.rs.
"""

import argparse
import struct

import numpy as np

from split_king_buckets import HEADER, INPUTS_PER_BUCKET, fnv1a

OUTPUT_BUCKETS = 8
L1 = 16
REST_OF_HEAD = L1 + 2 * L1 * 32 + 32 + 32 * 5 + 16  # what stands behind the first dense layer's weights
FAN_IN = 32  # pieces on a full board
BIAS = 0.25


def spread(rows, lanes, fresh):
    """Rows of lanes with as many more in each half (pairs are lane i and lane i + half)."""
    old = rows.shape[1]
    out = fresh.copy()
    out[:, : old // 2] = rows[:, : old // 2]
    out[:, lanes // 2 : lanes // 2 + old // 2] = rows[:, old // 2 :]
    return out


def widen_part(part, old, lanes, random):
    """Parameters (or moments, without `random`) of a network with `lanes` lanes instead of `old`."""
    heads = OUTPUT_BUCKETS * (old * L1 + REST_OF_HEAD)
    transformer, biases, heads = np.split(part, [len(part) - heads - old, len(part) - heads])
    rows = transformer.reshape(-1, old)
    fresh = np.zeros((len(rows), lanes), dtype="<f4")
    if random is not None:
        # The part shared by all king buckets stands last and starts random, the buckets' own at zero.
        width = (1 / FAN_IN) ** 0.5
        fresh[-INPUTS_PER_BUCKET:] = random.uniform(-width, width, (INPUTS_PER_BUCKET, lanes))
    bias = np.full((1, lanes), 0 if random is None else BIAS, dtype="<f4")
    parts = [spread(rows, lanes, fresh).ravel(), spread(biases.reshape(1, -1), lanes, bias).ravel()]
    for head in heads.reshape(OUTPUT_BUCKETS, -1):
        listen, rest = head[: old * L1].reshape(L1, old), head[old * L1 :]
        # The products of the side to move come first, then the opponent's: again two halves.
        parts += [spread(listen, lanes, np.zeros((L1, lanes), dtype="<f4")).ravel(), rest]
    return np.concatenate(parts)


def widen(data, lanes, seed):
    """The bytes of a checkpoint with `lanes` lanes that judges as the one in `data` does."""
    magic, old, threats, steps, settings = HEADER.unpack_from(data)
    if magic != b"BRIERCK2":
        raise SystemExit(f"expected a checkpoint, got a file that begins with {magic}")
    if lanes <= old or lanes % 32:
        raise SystemExit(f"expected a multiple of 32 above {old} lanes, got {lanes}")
    head = HEADER.size + settings
    weights, first, second = np.frombuffer(data[head:-8], dtype="<f4").reshape(3, -1)
    random = np.random.default_rng(seed)
    new = [widen_part(weights, old, lanes, random), widen_part(first, old, lanes, None),
           widen_part(second, old, lanes, None)]
    body = HEADER.pack(magic, lanes, threats, steps, settings) + data[HEADER.size : head]
    body += np.concatenate(new).astype("<f4").tobytes()
    return body + struct.pack("<Q", fnv1a(body))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("old", help="checkpoint of `brier-lab train`")
    p.add_argument("new", help="checkpoint to write")
    p.add_argument("lanes", type=int, help="lanes of the new one")
    p.add_argument("--seed", type=int, default=1, help="of the new lanes' first weights [1]")
    a = p.parse_args()
    with open(a.old, "rb") as f:
        data = f.read()
    data = widen(data, a.lanes, a.seed)
    with open(a.new, "wb") as f:
        f.write(data)


if __name__ == "__main__":
    main()
