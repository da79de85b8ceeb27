"""What Ray costs: the same work by local processes and by a cluster on this machine, in turns.

    python compare/ray_overhead.py positions.fen --nodes 2000 --rounds 3

The cluster has nodes of one core each and runs before the clock does. Its processor time is that of all its processes
(services, workers, the command) while the command works. Results are compared byte for byte.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

#: In the environment of every process of the cluster.
MARK = f"BRIER_MEASURED={os.getpid()}".encode()
TICKS = os.sysconf("SC_CLK_TCK")
#: Seconds from one look at the processes to the next. Looking costs the clock of those that work: 3 % of a core at 0.2.
LOOK = 2.0


def used():
    """Seconds of the processor that each marked process has used, with its name."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if MARK not in (entry / "environ").read_bytes():
                continue
            words = (entry / "cmdline").read_bytes().split(b"\0")
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        found[int(entry.name)] = (name(words), (int(fields[11]) + int(fields[12])) / TICKS)
    return found


def name(words):
    """What a process is in a few letters."""
    text = b" ".join(words).decode(errors="replace")
    if "brier.mass" in text:
        return "the command"
    services = ["gcs_server", "raylet/raylet", "Agent", "agent", "monitor", "dashboard"]
    return "services" if any(service in text for service in services) else "workers"


class Watch(threading.Thread):
    """Looks again and again, because a process that has ended tells no more."""

    def __init__(self):
        super().__init__(daemon=True)
        self.first, self.last, self.over = used(), {}, threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(LOOK):
            self.last.update(used())

    def end(self):
        self.over.set()
        self.join()
        self.last.update(used())
        sums = Counter()
        for pid, (what, seconds) in self.last.items():
            sums[what] += seconds - self.first.get(pid, (what, 0.0))[1]
        return sums


def command(given, out, *more):
    """The call of `brier.mass`."""
    size = ["--nodes", str(given.nodes), "--shard", str(given.shard)]
    return [sys.executable, "-m", "brier.mass", given.source, str(out), *size, *more]


def locally(given, out, workers):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command(given, out, "--workers", str(workers)), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begin, Counter(processes=seconds)


def by_ray(given, out, nodes):
    from ray.cluster_utils import Cluster

    os.environ.update([MARK.decode().split("=")])
    # Ray gives its workers a low priority; what else this machine does would stand before them.
    os.environ["RAY_worker_niceness"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        time.sleep(given.settle)
        watch, begin = Watch(), time.monotonic()
        subprocess.run(command(given, out, "--ray", cluster.address), check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - begin, watch.end()
    finally:
        cluster.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="what brier.mass reads")
    parser.add_argument("--nodes", type=int, default=2000, help="of each search")
    parser.add_argument("--shard", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--machines", default="1,2", help="nodes of the clusters, with commas")
    parser.add_argument("--settle", type=float, default=20, help="seconds that a new cluster is left alone")
    given = parser.parse_args()
    machines = [int(number) for number in given.machines.split(",")]
    for turn in range(given.rounds):
        for number in machines:
            print(f"round {turn + 1}, load {os.getloadavg()[0]:.1f}", flush=True)
            folder = Path(tempfile.mkdtemp())
            results = [
                (f"{number} local", *locally(given, folder / "local", number)),
                (f"{number} Ray", *by_ray(given, folder / "ray", number)),
            ]
            for what, clock, sums in results:
                parts = ", ".join(f"{part} {seconds:.1f}" for part, seconds in sums.most_common())
                print(f"{what}: {clock:.1f} s of the clock, {sum(sums.values()):.1f} of the processor ({parts})")
            share = sum(results[1][2].values()) / sum(results[0][2].values()) - 1
            print(f"Ray costs {100 * share:+.1f} % of processor time", flush=True)
            for part in sorted((folder / "local").glob("part-*")):
                if part.read_bytes() != (folder / "ray" / part.name).read_bytes():
                    raise SystemExit(f"{part.name} differs")
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
