"""Values that the Rust tests compare with, computed by PyTorch: `python golden.py MODEL.gguf DATA_FOLDER OUT_FOLDER`.

`parts.txt` holds small inputs and outputs of RMSNorm, RoPE, grouped attention and SwiGLU; `positions.txt` holds
token sequences of held-out games with the scores of legal moves and the value the whole model gives them.
"""

import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

import gguf_file
import reference
from data import Batches, load, vocabulary
from model import RmsNorm, rope_tables, rotate


def text(tensor):
    return " ".join(f"{x:.9g}" for x in tensor.flatten().tolist())


def parts():
    """Lines `name: values` of each part, inputs first."""
    torch.manual_seed(7)
    x, gain = torch.randn(3, 40) * 3, torch.randn(40)
    norm = RmsNorm(40, 1e-5)
    norm.weight.data = gain
    yield from (("rms_norm.x", x), ("rms_norm.gain", gain), ("rms_norm.out", norm(x)))
    head, positions = torch.randn(1, 1, 5, 16), torch.tensor([0, 1, 2, 17, 200])
    cos, sin = rope_tables(positions, 16, 10000.0)
    yield from (("rope.x", head), ("rope.positions", positions.float()), ("rope.out", rotate(head, cos, sin)))
    # Four query heads of 8 share two heads of keys and values; one query, six tokens to see.
    q, k, v = torch.randn(1, 4, 1, 8), torch.randn(1, 2, 6, 8), torch.randn(1, 2, 6, 8)
    out = F.scaled_dot_product_attention(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1))
    yield from (("attention.q", q), ("attention.k", k), ("attention.v", v), ("attention.out", out))
    gate, up = torch.randn(64) * 4, torch.randn(64)
    yield from (("swiglu.gate", gate), ("swiglu.up", up), ("swiglu.out", F.silu(gate) * up))


def positions(model_path, folder, count):
    """Lines `tokens | moves after the position | value | move token:score …`."""
    model, table = gguf_file.load(model_path)
    moves, _ = vocabulary(folder)
    batches = Batches(load(f"{folder}/valid.u16"), moves, 1, 5)
    worst = 0.0
    for i in range(count):
        tokens, pieces, candidates, _, _, exists = batches[i]
        after = min((0, 1, 2, 4, 8)[i % 5], int(exists.sum()) - 1)
        tokens = tokens[:, : pieces + 1 + after]
        state = reference.last_state(model, table, tokens[0], pieces + 1)
        legal = moves[candidates[0, after][candidates[0, after] >= 0]]
        scores = reference.dot(table[legal], state) + model.policy_bias[legal]
        pairs = " ".join(f"{m}:{s:.6f}" for m, s in zip(legal.tolist(), scores.tolist()))
        # How far the order of operations alone moves the scores.
        other = table[legal] @ model(tokens, pieces, table)[0][0, after] + model.policy_bias[legal]
        worst = max(worst, float((other - scores).abs().max()))
        value = float(reference.value(model, state))
        yield f"{' '.join(map(str, tokens[0].tolist()))} | {after} | {value:.6f} | {pairs}"
    print(f"in PyTorch's own order of operations scores differ by up to {worst:.4f}")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("model")
    p.add_argument("data")
    p.add_argument("out", type=Path)
    p.add_argument("--count", type=int, default=100)
    a = p.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        (a.out / "parts.txt").write_text("".join(f"{name}: {text(t)}\n" for name, t in parts()))
        lines = positions(a.model, a.data, a.count)
        (a.out / "positions.txt").write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
