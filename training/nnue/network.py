"""Brier's network in PyTorch, written from docs/nnue-format.md and not from the Rust code.

It is the second opinion on `brier-lab train`: same inputs, same loss, same optimiser, by a library
that thousands of others check. Everything is 32-bit floats on the processor.
"""

import struct

import torch
from torch import nn

from inputs import INPUTS, INPUTS_PER_BUCKET, KING_BUCKETS, THREATS, inputs

FT_ONE = 255  # a transformer weight of one, in the engine's integers
OUTPUT_BUCKETS = 8
L1, L2, OUT = 16, 32, 5
OUT_BIASES = 16  # stored, of which OUT are used
LEVELS = [0.5, 0.25, 0.1, 0.75, 0.9]


def threat_lanes(width: int) -> int:
    """Lanes that threats reach: the first half."""
    return width // 2


class Network(nn.Module):
    """The float network, its parameters in the order of the trainer's flat vector."""

    def __init__(self, width: int, flat: torch.Tensor):
        super().__init__()
        self.width = width
        at = 0

        def take(*shape):
            nonlocal at
            count = 1
            for size in shape:
                count *= size
            part = flat[at : at + count].clone().reshape(shape)
            at += count
            return nn.Parameter(part)

        self.own = take(INPUTS, width)
        self.threats = take(THREATS, threat_lanes(width))
        self.shared = take(INPUTS_PER_BUCKET, width)
        self.bias = take(width)
        self.heads = nn.ModuleList()
        for _ in range(OUTPUT_BUCKETS):
            head = nn.Module()
            head.l1, head.l1_bias = take(L1, width), take(L1)
            head.l2, head.l2_bias = take(L2, 2 * L1), take(L2)
            head.out, head.out_bias = take(OUT, L2), take(OUT_BIASES)
            self.heads.append(head)
        assert at == len(flat), f"expected {at} parameters, got {len(flat)}"

    def flat(self) -> torch.Tensor:
        return torch.cat([p.detach().reshape(-1) for p in self.parameters()])

    def flat_gradient(self) -> torch.Tensor:
        parts = [p.grad if p.grad is not None else torch.zeros_like(p) for p in self.parameters()]
        return torch.cat([part.reshape(-1) for part in parts])

    def accumulate(self, indices, offsets):
        # Rounded as the engine's; the slope is that of the weight before.
        rounded = torch.round(self.threats * FT_ONE) / FT_ONE
        threats = self.threats + (rounded - self.threats).detach()
        threats = nn.functional.pad(threats, (0, self.width - threats.shape[1]))
        table = torch.cat([self.own + self.shared.repeat(KING_BUCKETS, 1), threats])
        return nn.functional.embedding_bag(indices, table, offsets, mode="sum") + self.bias

    def pairs(self, accumulator):
        first, second = accumulator.clamp(0, 1).chunk(2, dim=1)
        return first * second

    def forward(self, us, them, offsets, buckets):
        x = torch.cat(
            [self.pairs(self.accumulate(us, offsets)), self.pairs(self.accumulate(them, offsets))], dim=1
        )
        outputs = torch.zeros(len(buckets), OUT)
        for bucket, head in enumerate(self.heads):
            rows = (buckets == bucket).nonzero().squeeze(1)
            if len(rows) == 0:
                continue
            hidden = (x[rows] @ head.l1.T + head.l1_bias).clamp(0, 1)
            hidden = torch.cat([hidden, hidden * hidden], dim=1)
            hidden = (hidden @ head.l2.T + head.l2_bias).clamp(0, 1)
            outputs = outputs.index_copy(0, rows, hidden @ head.out.T + head.out_bias[:OUT])
        return outputs


def gap(z):
    """0 below -1, a parabola to 1, the identity above."""
    return torch.where(z >= 1, z, (z.clamp(-1, 1) + 1) ** 2 / 4)


def loss(outputs, wanted, squared: float):
    """Quantile losses in win probability plus the median's squared error, summed over positions."""
    q50 = outputs[:, 0]
    q25 = q50 - gap(outputs[:, 1])
    q10 = q25 - gap(outputs[:, 2])
    q75 = q50 + gap(outputs[:, 3])
    q90 = q75 + gap(outputs[:, 4])
    total = squared * ((torch.sigmoid(q50) - wanted) ** 2).sum()
    for level, quantile in zip(LEVELS, (q50, q25, q10, q75, q90)):
        error = wanted - torch.sigmoid(quantile)
        total = total + torch.maximum(level * error, (level - 1) * error).sum()
    return total


def batch(records):
    """Tensors of a list of 32-byte records."""
    us, them, offsets, buckets = [], [], [], []
    for record in records:
        ours, theirs, count = inputs(record)
        offsets.append(len(us))
        us += ours
        them += theirs
        buckets.append(min((count - 2) // 4, OUTPUT_BUCKETS - 1))
    return tuple(torch.tensor(part) for part in (us, them, offsets, buckets))


def targets(records, scale: float, result_share: float):
    """The win probability each record teaches."""
    wanted = []
    for record in records:
        (score,) = struct.unpack_from("<h", record, 24)
        expected = torch.sigmoid(torch.tensor(score / scale))
        wanted.append(expected + result_share * (record[28] / 2 - expected))
    return torch.stack(wanted)
