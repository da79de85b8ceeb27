"""Trains the policy network: `python train.py DATA_FOLDER RUN_FOLDER --minutes 60`.

The budget is wall-clock time, and the learning rate follows it, so a slow or busy machine still ends
with a finished network. Run the same command again to resume. The run folder receives `checkpoint.pt`,
`log.csv` and the learning curve `curve.svg`.
"""

import argparse
import csv
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from tqdm import tqdm

from data import Batches, load, vocabulary
from model import Config, Policy


def losses(model, moves, batch, odd_weight):
    """The loss, and for each target its own loss and the rank of the move played."""
    tokens, pieces, candidates, exists = batch
    states, table = model(tokens, pieces)
    logits = F.linear(states, table[moves], model.policy_bias[moves])
    logits = logits.gather(-1, candidates.clamp(min=0)).masked_fill(candidates < 0, -1e9)
    nll = logits.logsumexp(-1) - logits[..., 0]
    # The engine asks only for the side that moved first; the other side's moves teach the board.
    weight = torch.where(torch.arange(nll.shape[1]) % 2 == 0, 1.0, odd_weight) * exists
    loss = (nll * weight).sum() / weight.sum()
    rank = (logits > logits[..., :1]).sum(-1)
    return loss, nll.detach(), rank


@torch.no_grad()
def evaluate(model, moves, batches, limit):
    """Mean loss, top-1 and top-3 share over targets of even offset, and top-1 right at the position."""
    model.eval()
    total, n = torch.zeros(3), 0
    first, first_n = 0.0, 0
    # Evenly spaced, because batches are ordered by the number of pieces.
    for i in range(0, len(batches), max(1, len(batches) // limit)):
        batch = batches[i]
        _, nll, rank = losses(model, moves, batch, 0.0)
        exists = batch[3]
        even = exists.clone()
        even[:, 1::2] = False
        k = int(even.sum())
        total += torch.stack([nll[even].sum(), (rank[even] < 1).sum(), (rank[even] < 3).sum()])
        n += k
        first += float((rank[:, 0][exists[:, 0]] < 1).sum())
        first_n += int(exists[:, 0].sum())
    model.train()
    nll, top1, top3 = (total / n).tolist()
    return {"loss": nll, "top1": top1, "top3": top3, "top1_fresh": first / first_n}


def draw_curve(rows, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    x = [float(r["sequences"]) / 1000 for r in rows]
    left.plot(x, [float(r["train"]) for r in rows], label="training")
    left.plot(x, [float(r["loss"]) for r in rows], label="held-out games")
    left.set(xlabel="thousand sequences", ylabel="cross-entropy of the move played (nats)")
    left.legend()
    for key, label in (("top1", "first choice"), ("top3", "among the first three")):
        right.plot(x, [100 * float(r[key]) for r in rows], label=label)
    right.set(xlabel="thousand sequences", ylabel="move played, % of held-out positions", ylim=(0, None))
    right.legend()
    figure.savefig(path)
    plt.close(figure)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("data", help="folder with train.u16, valid.u16 and moves.u16")
    p.add_argument("run", type=Path, help="folder for the checkpoint, the log and the curve")
    p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--layers", type=int, default=Config.layers)
    p.add_argument("--feed-forward", type=int, default=Config.feed_forward)
    p.add_argument("--rate", type=float, default=3e-3, help="highest learning rate")
    p.add_argument("--ramp", type=float, default=0.25, help="share of the time until weights are fully ternary")
    p.add_argument("--part", type=int, default=32, help="sequences per forward pass")
    p.add_argument("--parts", type=int, default=3, help="passes per step")
    p.add_argument("--compile", action="store_true",
                   help="fuse small operations, half as fast again; needs a C++ compiler")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--report", type=int, default=250, help="steps between evaluations")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    a.run.mkdir(parents=True, exist_ok=True)
    moves, reserved = vocabulary(a.data)
    train, valid = load(f"{a.data}/train.u16"), load(f"{a.data}/valid.u16")
    valid_batches = Batches(valid, moves, 32, 0, shuffle=False)
    config = Config(layers=a.layers, feed_forward=a.feed_forward)
    model = Policy(config, reserved)
    matrices = [w for n, w in model.named_parameters() if w.dim() == 2 and "embedding" not in n]
    others = [w for n, w in model.named_parameters() if not (w.dim() == 2 and "embedding" not in n)]
    groups = [{"params": matrices, "weight_decay": 0.02}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=a.rate, betas=(0.9, 0.98))
    if a.compile:
        for block in model.blocks:
            block.compile(dynamic=True)
    state = {"step": 0, "seconds": 0.0, "epoch": 0, "part": 0, "rows": []}
    checkpoint = a.run / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        state = saved["state"]
        print(f"resumed at step {state['step']}, {state['seconds'] / 60:.1f} minutes")

    def save():
        new = checkpoint.with_suffix(".new")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "state": state,
                    "config": config.to_dict(), "reserved": reserved}, new)
        new.replace(checkpoint)

    def report():
        with open(a.run / "log.csv", "w", newline="") as f:
            writer = csv.DictWriter(f, state["rows"][0].keys())
            writer.writeheader()
            writer.writerows(state["rows"])
        draw_curve(state["rows"], a.run / "curve.svg")

    print(f"{sum(w.numel() for w in model.parameters()):,} parameters, {sum(w.numel() for w in matrices):,} ternary")
    budget = a.minutes * 60
    batches = Batches(train, moves, a.part, a.seed + state["epoch"])
    bar = tqdm(total=round(budget), initial=round(state["seconds"]), unit="s", mininterval=20)
    clock, running = time.monotonic(), None
    model.train()
    while state["seconds"] < budget:
        done = state["seconds"] / budget
        # Warm up for 200 steps, then fall along a straight line.
        rate = a.rate * min(1.0, (state["step"] + 1) / 200) * max(1.0 - done, 0.01)
        model.set_hardness(1.0 if done >= a.ramp else done / a.ramp)
        for group in optimizer.param_groups:
            group["lr"] = rate
        for _ in range(a.parts):
            if state["part"] == len(batches):
                state["epoch"], state["part"] = state["epoch"] + 1, 0
                batches = Batches(train, moves, a.part, a.seed + state["epoch"])
            loss, _, _ = losses(model, moves, batches[state["part"]], 0.5)
            (loss / a.parts).backward()
            state["part"] += 1
            now_lost = float(loss.detach())
            running = now_lost if running is None else 0.995 * running + 0.005 * now_lost
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        state["step"] += 1
        now = time.monotonic()
        bar.update(round(state["seconds"] + now - clock) - round(state["seconds"]))
        state["seconds"], clock = state["seconds"] + now - clock, now
        if not math.isfinite(now_lost):
            raise SystemExit(f"the loss is {now_lost} at step {state['step']}: lower --rate")
        if state["step"] % a.report == 0 or state["seconds"] >= budget:
            save()  # before the evaluation, which may take long at the end
            with torch.compiler.set_stance("force_eager"):
                held_out = evaluate(model, moves, valid_batches, 40 if state["seconds"] < budget else 200)
            row = {"step": state["step"], "sequences": (state["epoch"] * len(batches) + state["part"]) * a.part,
                   "minutes": round(state["seconds"] / 60, 2), "train": round(running, 4),
                   **{k: round(v, 4) for k, v in held_out.items()}}
            state["rows"].append(row)
            tqdm.write(" ".join(f"{k} {v}" for k, v in row.items()))
            save()
            report()
            clock = time.monotonic()
    bar.close()


if __name__ == "__main__":
    main()
