"""The policy transformer in PyTorch: what the engine's `bitnet` crate computes, and can be trained.

Weights of the trunk are ternary (BitNet b1.58: the sign of each weight after dividing by the mean
magnitude, one scale per matrix) and its activations are 8-bit integers with one scale per token.
Training keeps real-valued weights behind and passes gradients straight through the rounding.

Shapes, token numbers and the meaning of a sequence are described in docs/bitnet.md.
"""

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn

VOCABULARY = 4608
PLANES = 72
KINDS = 15  # what can stand on a square; see crates/bitnet/src/tokens.rs


@dataclass
class Config:
    """Every size of the model. Widths are multiples of 256, the block of the file format."""

    layers: int = 4
    width: int = 256
    heads: int = 8
    kv_heads: int = 2
    head_size: int = 32
    feed_forward: int = 512
    context: int = 64
    moves: int = 8  # moves after the position that training has seen
    rope_base: float = 100.0
    norm_epsilon: float = 1e-5

    def to_dict(self):
        return asdict(self)


def ternary(weight):
    """The nearest of {-1, 0, +1} to each weight, and the scale of the matrix (a half float)."""
    scale = weight.abs().mean().clamp(min=1e-5).half().float()
    return (weight / scale).round().clamp(-1, 1), scale


def quantise_activations(x):
    """Each token as integers of [-127, 127], and what one of them is worth."""
    step = x.abs().amax(dim=-1, keepdim=True).clamp(min=1e-5) / 127
    return (x / step).round(), step


class TernaryLinear(nn.Module):
    """A matrix product with ternary weights and 8-bit activations.

    `hardness` blends from real weights (0) to ternary ones (1), so that training may begin smoothly.
    """

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * inputs**-0.5)
        self.register_buffer("hardness", torch.tensor(1.0), persistent=False)
        self.fixed = None  # (ternary weights, scale) of a file, used instead of rounding

    def quantised(self):
        return ternary(self.weight) if self.fixed is None else self.fixed

    def forward(self, x):
        integers, step = quantise_activations(x)
        if not self.training:
            weight, scale = self.quantised()
            return F.linear(integers, weight) * (scale * step)
        with torch.no_grad():
            weight, scale = ternary(self.weight)
            weight_error = (weight * scale - self.weight) * self.hardness
            x_error = integers * step - x
        return F.linear(x + x_error, self.weight + weight_error)


class RmsNorm(nn.Module):
    """Divides by the root of the mean square, then scales each channel."""

    def __init__(self, width, epsilon):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + self.epsilon) * self.weight


def rope_tables(positions, head_size, base):
    """Cosines and sines [..., head_size / 2] of the angles of each position."""
    half = head_size // 2
    frequencies = base ** (-torch.arange(half, dtype=torch.float64) / half)
    angles = positions.double().unsqueeze(-1) * frequencies
    return angles.cos().float(), angles.sin().float()


def rotate(x, cos, sin):
    """Turns the pairs (i, i + head_size / 2) of x [batch, heads, tokens, head_size]."""
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


class Attention(nn.Module):
    """Attention in which several query heads share one head of keys and values."""

    def __init__(self, c):
        super().__init__()
        self.c = c
        self.q = TernaryLinear(c.width, c.heads * c.head_size)
        self.k = TernaryLinear(c.width, c.kv_heads * c.head_size)
        self.v = TernaryLinear(c.width, c.kv_heads * c.head_size)
        self.out = TernaryLinear(c.heads * c.head_size, c.width)

    def forward(self, x, cos, sin, mask):
        batch, tokens, _ = x.shape

        def split(y, heads):
            return y.view(batch, tokens, heads, self.c.head_size).transpose(1, 2)

        q = rotate(split(self.q(x), self.c.heads), cos, sin)
        k = rotate(split(self.k(x), self.c.kv_heads), cos, sin)
        v = split(self.v(x), self.c.kv_heads)
        group = self.c.heads // self.c.kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(batch, tokens, -1))


class SwiGlu(nn.Module):
    """The feed-forward part: one product opens or shuts the gates of another."""

    def __init__(self, c):
        super().__init__()
        self.gate = TernaryLinear(c.width, c.feed_forward)
        self.up = TernaryLinear(c.width, c.feed_forward)
        self.down = TernaryLinear(c.feed_forward, c.width)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention_norm = RmsNorm(c.width, c.norm_epsilon)
        self.attention = Attention(c)
        self.attention_scale = nn.Parameter(torch.full((c.width,), 0.5))
        self.feed_forward_norm = RmsNorm(c.width, c.norm_epsilon)
        self.feed_forward = SwiGlu(c)
        self.feed_forward_scale = nn.Parameter(torch.full((c.width,), 0.5))

    def forward(self, x, cos, sin, mask):
        x = x + self.attention_scale * self.attention(self.attention_norm(x), cos, sin, mask)
        return x + self.feed_forward_scale * self.feed_forward(self.feed_forward_norm(x))


class Embedding(nn.Module):
    """One vector per token, also used to score moves.

    The vector of a move is the sum of one for its from-square, one for its to-square and one of its
    own; that of a piece likewise of its kind and its square. Rare moves so learn from common ones.
    The sum is made once for the file: the engine knows only the table.
    """

    def __init__(self, c, reserved):
        super().__init__()
        own = torch.randn(VOCABULARY, c.width) * 0.02
        part = torch.randn(64 + PLANES + KINDS + 64, c.width) * 0.04
        self.own, self.part = nn.Parameter(own), nn.Parameter(part)
        first = torch.arange(VOCABULARY) // PLANES
        second = 64 + torch.arange(VOCABULARY) % PLANES
        pieces = reserved[: KINDS * 64]
        first[pieces] = 64 + PLANES + torch.arange(len(pieces)) // 64
        second[pieces] = 64 + PLANES + KINDS + torch.arange(len(pieces)) % 64
        self.register_buffer("first", first)
        self.register_buffer("second", second)

    def table(self):
        return self.own + self.part[self.first] + self.part[self.second]


class Policy(nn.Module):
    """Sequence of tokens → score of each move token, after every token.

    `reserved` lists the tokens that are not moves, in increasing order.
    """

    def __init__(self, config, reserved):
        super().__init__()
        self.config = config
        self.embedding = Embedding(config, reserved)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = RmsNorm(config.width, config.norm_epsilon)
        self.policy_bias = nn.Parameter(torch.zeros(VOCABULARY))

    def set_hardness(self, hardness):
        for module in self.modules():
            if isinstance(module, TernaryLinear):
                module.hardness.fill_(hardness)

    def forward(self, tokens, pieces, table=None):
        """States after the last token of the position and after each move.

        `tokens` [batch, n]: the pieces, padded with -1 to the same length, GO, then the moves, padded too.
        `pieces`: the padded number of pieces. Gives states [batch, 1 + moves, width] and the table.
        """
        table = self.embedding.table() if table is None else table
        n = tokens.shape[1]
        index = torch.arange(n)
        # All pieces stand at position 0: they are a set. GO is at 1 and the moves follow.
        cos, sin = rope_tables((index - pieces + 1).clamp(min=0), self.config.head_size, self.config.rope_base)
        # The position sees itself whole; a move sees the position and the moves before it.
        visible = (index[None, :] <= pieces) | (index[None, :] <= index[:, None])
        mask = visible[None, None] & (tokens >= 0)[:, None, None, :]
        x = F.embedding(tokens.clamp(min=0), table)
        for block in self.blocks:
            x = block(x, cos, sin, mask)
        return self.norm(x[:, pieces:]), table
