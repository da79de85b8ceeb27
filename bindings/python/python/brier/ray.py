"""Shards on a Ray cluster, for :mod:`brier.mass` and :mod:`brier.commands`.

Shards go out in tasks of one core each and come back as bytes, so the machines need no common
folder. Ray does a task again whose worker or machine is lost.
"""

from __future__ import annotations

import time
from itertools import islice
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

from brier._shards import TRIES, Shard, Task

#: A task is as many shards as take about this many seconds, because every task costs Ray some milliseconds.
TASK_SECONDS = 2.0
#: At most so many, which are in memory together.
MOST_SHARDS = 64
#: Machines may come and go: how often the cores are counted, in seconds.
COUNT_CORES = 5.0


def several(task: Task, shards: List[Any]) -> Tuple[List[bytes], float]:
    """The files of some shards, and the seconds that one took. This runs in a worker."""
    begin = time.monotonic()
    parts = [task(held) for held in shards]
    return parts, (time.monotonic() - begin) / len(parts)


def run(
    task: Task, left: Iterable[Shard], *, address: str = "auto", workers: Optional[int] = None
) -> Iterator[Tuple[int, bytes]]:
    """Shards done by the cluster, as they are ready."""
    try:
        import ray
    except ImportError as error:
        raise RuntimeError(f"expected Ray (pip install brier-chess[ray]), got: {error}") from None
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    remote = ray.remote(num_cpus=1, max_retries=TRIES)(lambda shards: several(task, shards))
    running: Dict[Any, List[int]] = {}
    left = iter(left)
    cores, counted, size = 0, 0.0, 1
    while True:
        if time.monotonic() - counted > COUNT_CORES or not cores:
            cores = workers or int(ray.cluster_resources().get("CPU", 1))
            counted = time.monotonic()
        # Back pressure: twice as many tasks as cores, whatever the size of the input.
        while len(running) < 2 * cores:
            shards = list(islice(left, size))
            if not shards:
                break
            running[remote.remote([held for _, held in shards])] = [number for number, _ in shards]
        if not running:
            return
        (reference,), _ = ray.wait(list(running), num_returns=1)
        numbers = running.pop(reference)
        try:
            parts, seconds = ray.get(reference)
        except ray.exceptions.RayError as error:
            raise RuntimeError(f"shards {numbers[0]} to {numbers[-1]}: {error}") from error
        size = max(1, min(2 * size, MOST_SHARDS, int(TASK_SECONDS / max(seconds, 1e-3))))
        yield from zip(numbers, parts)
