"""P11: start time; memory, transactions and connections at rest; memory under load."""
import time

from deployment import Deployment
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


def measure_rest(bench):
    """What a daemon alone asks of PostgreSQL: at rest nearly every transaction is one statement. Connections are closed after a
    minute without use, so a quick run doesn't count them."""
    waiting, seconds = (75, 20) if bench.is_complete else (10, 8)
    deployment = Deployment(bench.cluster, "rest", bench.folder)
    deployment.start()
    try:
        # The first tasks have work: migrations leave audit events and changes of the read tables.
        time.sleep(waiting)
        before, began = transactions(deployment.database), time.monotonic()
        time.sleep(seconds)
        rate = (transactions(deployment.database) - before) / (time.monotonic() - began)
        bench.results.fact("P11", "transactions at rest", [rate], "/s", 5)
        bench.results.fact("P11", "memory at rest without content", [deployment.daemon.memory()], "MB", 40)
        if bench.is_complete:
            bench.results.fact("P11", "connections at rest", [int(deployment.database.value(
                "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"))], "", 10)
    finally:
        deployment.stop()


def transactions(database):
    """As far as the sessions have reported them, which they do about every second."""
    return int(database.value("select xact_commit + xact_rollback from pg_stat_database where datname = current_database()"))


def measure_memory(bench):
    """The peak memory of the daemon under P1 to P4."""
    bench.results.fact("P11", "memory under P1 to P4", [bench.large.daemon.memory("VmHWM")], "MB", 120)
