"""The model computed by PyTorch in exactly the engine's order of operations.

A value that lies between two integers may be rounded either way when sums are taken in another order, and
after a few layers such a step shows in the second decimal of a score. So agreement can only be tested between
programs that add in the same order: over sixteen lanes, which are then folded in halves. `model.py` is the same
model in PyTorch's own order, made for training.
"""

import torch
import torch.nn.functional as F

from model import quantise_activations, rope_tables, rotate

LANES = 16


def fold(lanes):
    """Adds up the last dimension, sixteen lanes, in halves."""
    half = LANES // 2
    while half:
        lanes = lanes[..., :half] + lanes[..., half : 2 * half]
        half //= 2
    return lanes[..., 0]


def lane_sum(terms):
    """The sum of the last dimension: lane by lane from left to right, an odd rest first, then folded."""
    whole = terms.shape[-1] // LANES * LANES
    rest = terms[..., whole:]
    lanes = F.pad(rest, (0, LANES - rest.shape[-1]))
    for start in range(0, whole, LANES):
        lanes = lanes + terms[..., start : start + LANES]
    return fold(lanes)


def dot(a, b):
    return lane_sum(a * b)


def exp(x):
    x = x.clamp(-87.0, 88.0)
    n = (x * 1.44269504088896340736).round()
    r = (x - n * 0.693359375) - n * -2.121944400e-4
    p = torch.full_like(x, 1 / 720)
    for c in (1 / 120, 1 / 24, 1 / 6, 0.5, 1.0, 1.0):
        p = p * r + c
    return p * torch.pow(2.0, n)


def softmax(scores):
    e = exp(scores - scores.amax(-1, keepdim=True))
    # The rest of the last group is added after the others here.
    padded = F.pad(e, (0, -e.shape[-1] % LANES))
    lanes = torch.zeros(*e.shape[:-1], LANES)
    for start in range(0, padded.shape[-1], LANES):
        lanes = lanes + padded[..., start : start + LANES]
    return e / fold(lanes).unsqueeze(-1)


def rms_norm(x, norm):
    mean = dot(x, x).unsqueeze(-1) / x.shape[-1]
    # By way of doubles: PyTorch's root of single floats may be off by the last bit.
    root = (mean + norm.epsilon).double().sqrt().float()
    return x * (1.0 / root) * norm.weight


def product(linear, x):
    integers, step = quantise_activations(x)
    weight, scale = linear.quantised()
    return F.linear(integers, weight) * (scale * step)  # sums of integers are exact in any order


def attention(a, x, cos, sin, visible):
    c, n = a.c, x.shape[0]
    q = rotate(product(a.q, x).view(n, c.heads, -1).transpose(0, 1), cos, sin)
    k = rotate(product(a.k, x).view(n, c.kv_heads, -1).transpose(0, 1), cos, sin)
    v = product(a.v, x).view(n, c.kv_heads, -1).transpose(0, 1)
    group = c.heads // c.kv_heads
    k, v = k.repeat_interleave(group, 0), v.repeat_interleave(group, 0)
    out = torch.zeros(c.heads, n, c.head_size)
    for seen in sorted(set(visible)):
        rows = [i for i in range(n) if visible[i] == seen]
        scores = dot(q[:, rows, None], k[:, None, :seen]) * (1.0 / torch.tensor(float(c.head_size)).sqrt())
        shares, mean = softmax(scores), torch.zeros(c.heads, len(rows), c.head_size)
        for j in range(seen):
            mean = mean + shares[:, :, j, None] * v[:, j, None]
        out[:, rows] = mean
    out = out.transpose(0, 1)
    return product(a.out, out.reshape(n, -1))


def feed_forward(f, x):
    gate = product(f.gate, x)
    return product(f.down, gate / (1.0 + exp(-gate)) * product(f.up, x))


def last_state(model, table, tokens, prefix):
    """The state after the last of `tokens`, the first `prefix` of which are the position."""
    index = torch.arange(len(tokens))
    cos, sin = rope_tables((index + 2 - prefix).clamp(min=0), model.config.head_size, model.config.rope_base)
    visible = (index + 1).clamp(min=prefix).tolist()
    x = table[tokens]
    for block in model.blocks:
        x = x + block.attention_scale * attention(block.attention, rms_norm(x, block.attention_norm), cos, sin, visible)
        x = x + block.feed_forward_scale * feed_forward(block.feed_forward, rms_norm(x, block.feed_forward_norm))
    return rms_norm(x, model.norm)[-1]
