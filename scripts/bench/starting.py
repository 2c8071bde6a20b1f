"""P11: from start to ready, memory at rest, memory under load."""
import time

from processes import Daemon


def measure_start(bench):
    """On a database that is up; the memory is that after three seconds of rest."""
    seconds, memory = [], []
    for _ in range(bench.figures.rounds):
        daemon = Daemon(bench.program, bench.small.database.url, bench.folder)
        seconds.append(daemon.start())
        time.sleep(3)
        memory.append(daemon.memory())
        daemon.stop()
    bench.figures.fact("P11", "start to ready", seconds, "s", 0.5)
    bench.figures.fact("P11", "memory at rest", memory, "MB", 40)


def measure_memory(bench):
    """The most that the daemon held while P1 to P4 loaded it."""
    bench.figures.fact("P11", "memory under P1 to P4", [bench.large.daemon.memory("VmHWM")], "MB", 120)
