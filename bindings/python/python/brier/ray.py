"""Shards on a Ray cluster, for :mod:`brier.mass` and :mod:`brier.commands`.

Shards go out as tasks of one core each and come back as bytes, so the machines need no common
folder. Ray does a task again whose worker or machine is lost.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, Optional, Tuple

from brier._shards import TRIES, Shard, Task


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
    remote = ray.remote(num_cpus=1, max_retries=TRIES)(lambda held: task(held))
    running: Dict[Any, int] = {}
    left = iter(left)
    while True:
        # Back pressure: twice as many tasks as cores, whatever the size of the input. Machines may
        # come and go.
        cores = workers or int(ray.cluster_resources().get("CPU", 1))
        while len(running) < 2 * cores:
            shard = next(left, None)
            if shard is None:
                break
            running[remote.remote(shard[1])] = shard[0]
        if not running:
            return
        ready, _ = ray.wait(list(running), num_returns=1)
        for reference in ready:
            number = running.pop(reference)
            try:
                yield number, ray.get(reference)
            except ray.exceptions.RayError as error:
                raise RuntimeError(f"shard {number}: {error}") from error
