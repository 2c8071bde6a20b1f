"""What runs short: descriptors, connections that say nothing, the disk; and what would grow over hours."""
import http.client
import os
import resource
import socket
import statistics
import subprocess
import threading
import time

import content
from curators import Curators
from deployment import Deployment
from ledger import Ledger
from processes import Cluster, note


class Probe:
    """A client that asks over a connection of its own each time, 50 times a second, as a load balancer would."""

    def __init__(self, daemon, path="/healthz", headers=None):
        self.daemon = daemon
        self.path = path
        self.headers = headers or {}
        self.took = []
        self.failed = 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()

    def _ask(self):
        while not self.stopping.is_set():
            began = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=5)
            try:
                connection.request("GET", self.path, headers=self.headers)
                answer = connection.getresponse()
                answer.read()
                self.failed += answer.status != 200
            except (OSError, http.client.HTTPException):
                self.failed += 1
            finally:
                connection.close()
            self.took.append(1000 * (time.monotonic() - began))
            time.sleep(0.02)

    @property
    def p99(self):
        return statistics.quantiles(self.took, n=100)[98]


def connect(daemon, count, words=b""):
    """Connections that are open, and perhaps have begun to say something."""
    opened = []
    for _ in range(count):
        line = socket.socket()
        line.settimeout(2)
        try:
            line.connect(("127.0.0.1", daemon.port))
            if words:
                line.send(words)
            opened.append(line)
        except OSError:
            line.close()
    return opened


def wait_for_cut(lines, seconds):
    """Seconds until the server had closed them all, and how many it had not."""
    began = time.monotonic()
    left = set(lines)
    while left and time.monotonic() - began < seconds:
        for line in list(left):
            try:
                line.setblocking(False)
                if line.recv(4096) == b"":
                    left.discard(line)
            except BlockingIOError:
                pass
            except OSError:
                left.discard(line)
        time.sleep(0.1)
    for line in lines:
        line.close()
    return time.monotonic() - began, len(left)


def descriptors(faults):
    """256 descriptors and 400 clients that begin a request: others are served, nothing spins, the clients are cut off."""
    daemon = faults.deployment.daemon
    daemon.stop()
    daemon.prefix = ["prlimit", "--nofile=256:256"]
    daemon.start()
    try:
        with Probe(daemon) as probe:
            began, cpu = time.monotonic(), daemon.cpu_seconds()
            lines = connect(daemon, 400, b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
            open_most = len(os.listdir(f"/proc/{daemon.pid}/fd"))
            took, left = wait_for_cut(lines, 25)
            share = (daemon.cpu_seconds() - cpu) / (time.monotonic() - began)
            time.sleep(0.5)
            asked, failed = len(probe.took), probe.failed
            slowest = max(probe.took)
    finally:
        daemon.stop()
        daemon.prefix = []
        daemon.start()
    return {"connected": len(lines), "open_most": open_most, "cut_after": f"{took:.1f}s", "cpu": f"{100 * share:.0f}%",
            "probed": asked, "slowest": f"{slowest:.0f}ms"}, [
        ("the clients did not use up the descriptors: the run shows nothing", len(lines) > 256 or open_most >= 250),
        (f"{left} clients were not cut off", left == 0), (f"{failed} of {asked} probes failed", failed == 0),
        ("the daemon used a fifth of a processor or more", share < 0.2)]


def idle(faults):
    """10,000 connections that say nothing: others feel little, memory and threads stay, all are cut off."""
    daemon = faults.deployment.daemon
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    count = min(10000, hard - 200)
    with Probe(daemon) as before:
        time.sleep(4)
    memory, threads = daemon.memory(), len(os.listdir(f"/proc/{daemon.pid}/task"))
    lines = connect(daemon, count)
    with Probe(daemon) as during:
        time.sleep(4)
        more = daemon.memory() - memory
        threads_more = len(os.listdir(f"/proc/{daemon.pid}/task")) - threads
    took, left = wait_for_cut(lines, 25)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return {"connections": len(lines), "p99_before": f"{before.p99:.1f}ms", "p99_during": f"{during.p99:.1f}ms",
            "memory_each": f"{1024 * more / max(1, len(lines)):.1f}KB", "threads_more": threads_more,
            "cut_after": f"{4 + took:.1f}s"}, [
        (f"only {len(lines)} of {count} could connect", len(lines) == count), (f"{left} were not cut off", left == 0),
        (f"{during.failed} probes failed", during.failed == 0), ("threads were added", threads_more <= 0),
        ("the probe's p99 rose by 50 ms or more", during.p99 < before.p99 + 50)]


def disk(faults):
    """The database's disk is filled to the last byte under load, held for three seconds and freed, again and again."""
    if os.geteuid() != 0:
        return {"skipped": "only root can mount a small disk"}, []
    place = os.path.join(faults.folder, "small")
    os.makedirs(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400m,mode=755", "tmpfs", place], check=True)
    cluster = deployment = None
    try:
        cluster = Cluster(faults.program, place)
        # The database's name makes those of its roles, so this cluster may have the same.
        deployment = Deployment(cluster, "small", faults.folder)
        deployment.database.run("alter system set max_wal_size = '48MB'; alter system set min_wal_size = '32MB'; select pg_reload_conf();")
        content.load_live(deployment.database, 100)
        deployment.start()
        ledger = Ledger(f"disk-{faults.options.seed}-{os.getpid()}")
        curators = Curators(ledger, deployment, [deployment.daemon.port], faults.options.clients, faults.options.seed)
        curators.start()
        recovered, restarts = [], 0
        for _ in range(6):
            time.sleep(faults.chance.uniform(1, 2))
            fill(place)
            time.sleep(3)
            for name in ("filler", "filler.2"):
                os.unlink(os.path.join(place, name))
            if not cluster.is_up():
                # Without room for its log the server ends, and whoever freed the disk starts it again.
                cluster.restart()
                restarts += 1
            recovered.append(faults.seconds_to_acknowledge(ledger))
        alive = deployment.daemon.process.poll() is None
        return faults.end(ledger, curators, {
            "filled": len(recovered), "server_restarts": restarts, "recovered_max": f"{max(recovered):.2f}s",
            "refused": ledger.refusals}, [
            ("no request met the full disk: the run shows nothing", ledger.refusals > 0), ("the daemon ended", alive),
            ("the first acknowledgement came 10 s or more after the disk was freed", max(recovered) < 10)], deployment)
    finally:
        if deployment:
            deployment.stop()
        if cluster:
            cluster.stop()
        subprocess.run(["umount", "-l", place], check=False)


def fill(place):
    """Writes until there is no byte left: large pieces first, then small ones."""
    for name, piece in (("filler", 1 << 20), ("filler.2", 1 << 12)):
        with open(os.path.join(place, name), "wb", buffering=0) as file:
            try:
                while file.write(bytes(piece)):
                    pass
            except OSError:
                pass


def soak(faults):
    """Minutes of load: after a third of them memory, descriptors, threads and sessions grow no more. Run by name alone."""
    ledger, curators = faults.begin("soak")
    daemon = faults.deployment.daemon
    samples = []
    began = time.monotonic()
    until = began + 60 * faults.options.minutes
    reader = {"Authorization": faults.deployment.authorization}
    with Probe(daemon, "/v1/search?q=fault", reader) as searches, Probe(daemon, "/v1/changes?since=0", reader) as changes:
        while time.monotonic() < until:
            time.sleep(min(5, max(0.1, until - time.monotonic())))
            samples.append(sample(faults.deployment))
            if len(samples) % 60 == 0:
                note(f"  soak: {len(samples) // 12} minutes, {samples[-1]}, {ledger.acknowledged} acknowledged")
    third = len(samples) // 3
    figures = {"minutes": f"{faults.options.minutes:g}", "read": len(searches.took) + len(changes.took)}
    demands = [("something could not be read", searches.failed + changes.failed == 0)]
    for name in samples[0]:
        # Medians of the second and of the last third, so that one moment decides nothing.
        early = statistics.median(sample[name] for sample in samples[third:2 * third])
        late = statistics.median(sample[name] for sample in samples[2 * third:])
        figures[name] = f"{early:.4g}..{late:.4g}"
        demands.append((f"{name} grew by more than a twentieth, from {early:.4g} to {late:.4g}", late <= 1.05 * early))
    return faults.end(ledger, curators, figures, demands)


def sample(deployment):
    """What the daemon holds now."""
    daemon = deployment.daemon
    return {
        "memory": daemon.memory(), "descriptors": len(os.listdir(f"/proc/{daemon.pid}/fd")),
        "threads": len(os.listdir(f"/proc/{daemon.pid}/task")),
        "sessions": int(deployment.database.value(
            "select count(*) - 1 from pg_stat_activity where datname = current_database() and backend_type = 'client backend'"))}
