"""Shortages: descriptors, idle connections, disk space; and resource growth over hours."""
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
    """A client that probes 50 times per second over new connections, like a load balancer."""

    def __init__(self, daemon, path="/healthz", headers=None):
        self.daemon = daemon
        self.path = path
        self.headers = headers or {}
        self.durations = []
        self.failed = 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._probe, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()

    def _probe(self):
        while not self.stopping.is_set():
            began = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=5)
            try:
                connection.request("GET", self.path, headers=self.headers)
                response = connection.getresponse()
                response.read()
                self.failed += response.status != 200
            except (OSError, http.client.HTTPException):
                self.failed += 1
            finally:
                connection.close()
            self.durations.append(1000 * (time.monotonic() - began))
            time.sleep(0.02)

    @property
    def p99(self):
        return statistics.quantiles(self.durations, n=100)[98]


def connect(daemon, count, data=b""):
    """Opens connections and sends `data`, an incomplete request."""
    opened = []
    for _ in range(count):
        line = socket.socket()
        line.settimeout(2)
        try:
            line.connect(("127.0.0.1", daemon.port))
            if data:
                line.send(data)
            opened.append(line)
        except OSError:
            line.close()
    return opened


def wait_until_closed(lines, seconds):
    """Seconds until the server closed all connections, and the number that remained open."""
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
    """256 descriptors and 400 clients with incomplete requests: others are served, no busy loop, the clients are disconnected."""
    daemon = faults.deployment.daemon
    daemon.stop()
    daemon.prefix = ["prlimit", "--nofile=256:256"]
    daemon.start()
    try:
        with Probe(daemon) as probe:
            began, cpu = time.monotonic(), daemon.cpu_seconds()
            lines = connect(daemon, 400, b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
            open_most = len(os.listdir(f"/proc/{daemon.pid}/fd"))
            took, left = wait_until_closed(lines, 25)
            share = (daemon.cpu_seconds() - cpu) / (time.monotonic() - began)
            time.sleep(0.5)
            asked, failed = len(probe.durations), probe.failed
            slowest = max(probe.durations)
    finally:
        daemon.stop()
        daemon.prefix = []
        daemon.start()
    return {"connected": len(lines), "open_most": open_most, "closed_after": f"{took:.1f}s", "cpu": f"{100 * share:.0f}%",
            "probed": asked, "slowest": f"{slowest:.0f}ms"}, [
        ("inconclusive: the clients did not exhaust the descriptors", len(lines) > 256 or open_most >= 250),
        (f"{left} clients were not disconnected", left == 0), (f"{failed} of {asked} probes failed", failed == 0),
        ("the daemon used 20 % of a core or more", share < 0.2)]


def idle(faults):
    """10,000 idle connections: little effect on others, constant threads, all are closed."""
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
    took, left = wait_until_closed(lines, 25)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return {"connections": len(lines), "p99_before": f"{before.p99:.1f}ms", "p99_during": f"{during.p99:.1f}ms",
            "memory_each": f"{1024 * more / max(1, len(lines)):.1f}KB", "threads_more": threads_more,
            "closed_after": f"{4 + took:.1f}s"}, [
        (f"only {len(lines)} of {count} could connect", len(lines) == count), (f"{left} were not closed", left == 0),
        (f"{during.failed} probes failed", during.failed == 0), ("threads were added", threads_more <= 0),
        ("the probe's p99 rose by 50 ms or more", during.p99 < before.p99 + 50)]


def disk(faults):
    """Repeatedly fills the disk of the database under load for three seconds."""
    if os.geteuid() != 0:
        return {"skipped": "requires root to mount a small disk"}, []
    folder = os.path.join(faults.folder, "small")
    os.makedirs(folder)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400m,mode=755", "tmpfs", folder], check=True)
    cluster = deployment = None
    try:
        cluster = Cluster(faults.program, folder)
        # Role names are unique per cluster, so both clusters can use the same names.
        deployment = Deployment(cluster, "small", faults.folder)
        deployment.database.run("alter system set max_wal_size = '48MB'; alter system set min_wal_size = '32MB'; select pg_reload_conf();")
        content.load_live(deployment.database, 100)
        deployment.start()
        ledger = Ledger(f"disk-{faults.options.seed}-{os.getpid()}")
        curators = Curators(ledger, deployment, [deployment.daemon.port], faults.options.clients, faults.options.seed)
        curators.start()
        recovered, restarts = [], 0
        for _ in range(6):
            time.sleep(faults.rng.uniform(1, 2))
            fill(folder)
            time.sleep(3)
            for name in ("filler", "filler.2"):
                os.unlink(os.path.join(folder, name))
            if not cluster.is_up():
                # Without space for its WAL the server exits and must be started again.
                cluster.restart()
                restarts += 1
            recovered.append(faults.seconds_to_acknowledge(ledger))
        alive = deployment.daemon.process.poll() is None
        return faults.end(ledger, curators, {
            "filled": len(recovered), "server_restarts": restarts, "recovered_max": f"{max(recovered):.2f}s",
            "refused": ledger.refusals}, [
            ("inconclusive: no request was made while the disk was full", ledger.refusals > 0), ("the daemon exited", alive),
            ("the first acknowledgment took 10 s or longer after the disk was freed", max(recovered) < 10)], deployment)
    finally:
        if deployment:
            deployment.stop()
        if cluster:
            cluster.stop()
        subprocess.run(["umount", "-l", folder], check=False)


def fill(folder):
    """Writes until the disk is full: large blocks first, then small ones."""
    for name, block in (("filler", 1 << 20), ("filler.2", 1 << 12)):
        with open(os.path.join(folder, name), "wb", buffering=0) as file:
            try:
                while file.write(bytes(block)):
                    pass
            except OSError:
                pass


def soak(faults):
    """Long load: after the first third, memory, descriptors, threads and sessions must not grow. Only runs if named."""
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
    results = {"minutes": f"{faults.options.minutes:g}", "read": len(searches.durations) + len(changes.durations)}
    checks = [("some reads failed", searches.failed + changes.failed == 0)]
    for name in samples[0]:
        # Medians of the second and last third, so that outliers do not matter.
        middle = statistics.median(sample[name] for sample in samples[third:2 * third])
        last = statistics.median(sample[name] for sample in samples[2 * third:])
        results[name] = f"{middle:.4g}..{last:.4g}"
        checks.append((f"{name} grew by more than 5 %, from {middle:.4g} to {last:.4g}", last <= 1.05 * middle))
    return faults.end(ledger, curators, results, checks)


def sample(deployment):
    """Current resource use of the daemon."""
    daemon = deployment.daemon
    return {
        "memory": daemon.memory(), "descriptors": len(os.listdir(f"/proc/{daemon.pid}/fd")),
        "threads": len(os.listdir(f"/proc/{daemon.pid}/task")),
        "sessions": int(deployment.database.value(
            "select count(*) - 1 from pg_stat_activity where datname = current_database() and backend_type = 'client backend'"))}
