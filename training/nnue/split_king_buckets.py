"""Gives a checkpoint more king buckets: `python split_king_buckets.py OLD NEW 0,0,1,1,2,2,3,3`.

The network's judgement does not change; training goes on from there with `brier-lab train --start-from
NEW`, built with the new `BUCKETS` of crates/nnue/src/features.rs. The layout of a checkpoint is described
in crates/lab/src/train/checkpoint.rs.
"""

import argparse
import struct

import numpy as np

INPUTS_PER_BUCKET = 768
HEADER = struct.Struct("<8sIIQI")  # magic, lanes, threats, steps, length of the settings


def fnv1a(data):
    """64 bits of FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def split(data, parents):
    """The bytes of a checkpoint whose bucket i begins with the weights of the old bucket parents[i]."""
    magic, lanes, _, _, settings = HEADER.unpack_from(data)
    if magic != b"BRIERCK2":
        raise SystemExit(f"expected a checkpoint, got a file that begins with {magic}")
    head = HEADER.size + settings
    size = INPUTS_PER_BUCKET * lanes
    old = (max(parents) + 1) * size  # the buckets' weights come first
    # Parameters and both moments of the optimiser, each laid out alike.
    parts = np.frombuffer(data[head:-8], dtype="<f4").reshape(3, -1)
    new = [np.concatenate([*(part[p * size : (p + 1) * size] for p in parents), part[old:]])
           for part in parts]
    body = data[:head] + np.concatenate(new).tobytes()
    return body + struct.pack("<Q", fnv1a(body))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("old", help="checkpoint of `brier-lab train`")
    p.add_argument("new", help="checkpoint to write")
    p.add_argument("parents", help="for each new bucket the old one it begins with, every old one named")
    a = p.parse_args()
    with open(a.old, "rb") as f:
        data = f.read()
    data = split(data, [int(n) for n in a.parents.split(",")])
    with open(a.new, "wb") as f:
        f.write(data)


if __name__ == "__main__":
    main()
