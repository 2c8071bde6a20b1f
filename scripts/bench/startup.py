"""P11: start time, memory at rest, memory under load."""
import time

from processes import Daemon


def measure_start(bench):
    """On a running database; memory after three idle seconds."""
    seconds, memory = [], []
    for _ in range(bench.results.rounds):
        daemon = Daemon(bench.program, bench.small.database.url, bench.folder)
        seconds.append(daemon.start())
        time.sleep(3)
        memory.append(daemon.memory())
        daemon.stop()
    bench.results.fact("P11", "start to ready", seconds, "s", 0.5)
    bench.results.fact("P11", "memory at rest", memory, "MB", 40)


def measure_memory(bench):
    """The peak memory of the daemon under P1 to P4."""
    bench.results.fact("P11", "memory under P1 to P4", [bench.large.daemon.memory("VmHWM")], "MB", 120)
