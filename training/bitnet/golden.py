"""Values that the Rust tests compare with, computed by PyTorch: `python golden.py write MODEL.gguf DATA_FOLDER OUT_FOLDER`.

`parts.txt` holds small inputs and outputs of RMSNorm, RoPE, grouped attention and SwiGLU; `positions.txt` holds
token sequences of held-out games with the scores the whole model gives their legal moves.
"""

import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from tqdm import tqdm

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


def score(model, table, tokens, after, legal):
    """The scores of move tokens after all `tokens`, the last `after` of which are moves."""
    state = reference.last_state(model, table, tokens, len(tokens) - after)
    return reference.dot(table[legal], state) + model.policy_bias[legal]


def positions(model_path, folder, count):
    """Lines `tokens | moves after the position | move token:score …`."""
    model, table = gguf_file.load(model_path)
    moves, _ = vocabulary(folder)
    batches = Batches(load(f"{folder}/valid.u16"), moves, 1, 5)
    worst = 0.0
    for i in tqdm(range(count), mininterval=5):
        tokens, pieces, candidates, exists = batches[i]
        after = min((0, 1, 2, 4, 8)[i % 5], int(exists.sum()) - 1)
        tokens = tokens[:, : pieces + 1 + after]
        legal = moves[candidates[0, after][candidates[0, after] >= 0]]
        scores = score(model, table, tokens[0], after, legal)
        # How far the order of operations alone moves the scores.
        other = table[legal] @ model(tokens, pieces, table)[0][0, after] + model.policy_bias[legal]
        worst = max(worst, float((other - scores).abs().max()))
        pairs = " ".join(f"{m}:{s:.6f}" for m, s in zip(legal.tolist(), scores.tolist()))
        yield f"{' '.join(map(str, tokens[0].tolist()))} | {after} | {pairs}"
    print(f"in PyTorch's own order of operations scores differ by up to {worst:.4f}")


def write(a):
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "parts.txt").write_text("".join(f"{name}: {text(t)}\n" for name, t in parts()))
    (a.out / "positions.txt").write_text("".join(f"{line}\n" for line in positions(a.model, a.data, a.count)))


def check(a):
    model, table = gguf_file.load(a.model)
    lines = a.golden.read_text().splitlines()[: a.count]
    for number, line in enumerate(lines, 1):
        tokens, after, pairs = line.split(" | ")
        pairs = [pair.split(":") for pair in pairs.split(" ")]
        want = torch.tensor([float(s) for _, s in pairs])
        legal = torch.tensor([int(m) for m, _ in pairs])
        scores = score(model, table, torch.tensor([int(t) for t in tokens.split(" ")]), int(after), legal)
        error = float((scores - want).abs().max())
        if error > 1e-3:
            raise SystemExit(f"position {number}: expected the scores of the file, got some that differ by {error}")
    print(f"{len(lines)} positions agree")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = p.add_subparsers(required=True)
    c = commands.add_parser("write", help="compute the values from a model and held-out records")
    c.add_argument("model")
    c.add_argument("data", help="folder with valid.u16 and moves.u16")
    c.add_argument("out", type=Path)
    c.add_argument("--count", type=int, default=100)
    c.set_defaults(run=write)
    c = commands.add_parser("check", help="compute the values of a file again and compare")
    c.add_argument("model")
    c.add_argument("golden", type=Path)
    c.add_argument("--count", type=int, default=3)
    c.set_defaults(run=check)
    a = p.parse_args()
    with torch.no_grad():
        a.run(a)


if __name__ == "__main__":
    main()
