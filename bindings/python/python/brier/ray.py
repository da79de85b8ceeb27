"""The work of :mod:`brier.mass` on a Ray cluster.

Shards go out as tasks of one core each and come back as texts, so the machines need no common
folder. Ray does a task again whose worker or machine is lost.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, Optional, Tuple

from brier import mass


def run(
    work: mass.Work,
    left: Iterable[mass.Shard],
    is_pgn: bool,
    *,
    address: str = "auto",
    workers: Optional[int] = None,
) -> Iterator[Tuple[int, str]]:
    """Shards done by the cluster, as they are ready."""
    try:
        import ray
    except ImportError as error:
        raise RuntimeError(f"expected Ray (pip install brier-chess[ray]), got: {error}") from None
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    task = ray.remote(num_cpus=1, max_retries=mass.TRIES)(mass.text_of)
    cores = workers or int(ray.cluster_resources().get("CPU", 1))
    running: Dict[Any, int] = {}
    left = iter(left)
    while True:
        # Back pressure: twice as many tasks as cores, whatever the size of the input.
        while len(running) < 2 * cores:
            shard = next(left, None)
            if shard is None:
                break
            running[task.remote(work, shard[1], is_pgn)] = shard[0]
        if not running:
            return
        ready, _ = ray.wait(list(running), num_returns=1)
        for reference in ready:
            yield running.pop(reference), ray.get(reference)
