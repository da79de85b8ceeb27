"""One training step in PyTorch, for comparison with `brier-lab train`.

    python check_step.py INPUT OUTPUT     used by the tests of crates/lab
    python check_step.py --speed RECORDS  positions a second, for comparison with the trainer

INPUT (little-endian): u32 width, u32 records, then the floats scale, result share, squared weight,
rate, decay, then for each tensor its limit, then the parameters, then the records (32 bytes each).
OUTPUT: the gradient of the mean loss, then the parameters after one AdamW step.
"""

import struct
import sys
import time

import torch

from inputs import INPUTS, INPUTS_PER_BUCKET, THREATS
from network import L1, L2, OUT, OUT_BIASES, OUTPUT_BUCKETS
from network import Network, batch, loss, targets, threat_lanes


def step(source: str, destination: str):
    data = open(source, "rb").read()
    width, count = struct.unpack_from("<II", data, 0)
    scale, result_share, squared, rate, decay = struct.unpack_from("<5f", data, 8)
    at = 28
    shapes = [INPUTS * width, THREATS * threat_lanes(width), INPUTS_PER_BUCKET * width, width]
    shapes += [width * L1, L1, 2 * L1 * L2, L2, L2 * OUT, OUT_BIASES] * OUTPUT_BUCKETS
    limits = struct.unpack_from(f"<{len(shapes)}f", data, at)
    at += 4 * len(shapes)
    flat = torch.frombuffer(bytearray(data[at : at + 4 * sum(shapes)]), dtype=torch.float32)
    at += 4 * sum(shapes)
    records = [data[at + 32 * i : at + 32 * (i + 1)] for i in range(count)]

    network = Network(width, flat)
    mean = loss(network(*batch(records)), targets(records, scale, result_share), squared) / count
    mean.backward()
    gradient = network.flat_gradient()
    weights = [p for p in network.parameters() if p.dim() == 2]
    biases = [p for p in network.parameters() if p.dim() == 1]
    groups = [{"params": weights, "weight_decay": decay}, {"params": biases, "weight_decay": 0.0}]
    torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.999), eps=1e-8).step()
    with torch.no_grad():
        for parameter, limit in zip(network.parameters(), limits):
            parameter.clamp_(-limit, limit)
    with open(destination, "wb") as out:
        out.write(gradient.numpy().tobytes())
        out.write(network.flat().numpy().tobytes())
    print(f"loss {mean.item():.6f}")


def speed(path: str, width: int = 256, size: int = 16384):
    torch.set_num_threads(1)
    data = open(path, "rb").read(32 + 32 * size)[32:]
    records = [data[32 * i : 32 * (i + 1)] for i in range(len(data) // 32)]
    total = (INPUTS + INPUTS_PER_BUCKET + 1) * width + THREATS * threat_lanes(width)
    total += OUTPUT_BUCKETS * (width * L1 + L1 + 2 * L1 * L2 + L2 + L2 * OUT + OUT_BIASES)
    network = Network(width, torch.randn(total) * 0.05)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3)
    # Inputs are found beforehand: only what PyTorch itself does is timed.
    parts, wanted = batch(records), targets(records, 200.0, 0.1)
    began, clock, rounds = time.perf_counter(), time.process_time(), 0
    while rounds < 3 or time.perf_counter() - began < 10:
        optimiser.zero_grad()
        (loss(network(*parts), wanted, 10.0) / len(records)).backward()
        optimiser.step()
        rounds += 1
    done = rounds * len(records)
    wall, used = time.perf_counter() - began, time.process_time() - clock
    print(f"{done / wall:.0f} positions/s by the clock, {done / used:.0f} per second of processor time")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"expected two arguments, got {len(sys.argv) - 1}\n{__doc__}")
    if sys.argv[1] == "--speed":
        speed(sys.argv[2])
    else:
        step(sys.argv[1], sys.argv[2])
