"""Load generators and ceilings, each a separate process on loopback: wrk, pgbench, nginx."""
import glob
import itertools
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import time
from dataclasses import dataclass

from processes import RunFailed, free_port, postgres_tool, tool

CORES = os.cpu_count() or 1
# A load generator on the same cores preempts the server whenever a response wakes it. As a batch process it waits for its turn.
AS_BATCH = ["chrt", "--batch", "0"]


@dataclass
class Sample:
    """The result of one load run. Times in milliseconds, costs in microseconds of CPU per request."""
    rate: float
    p50: float
    p95: float
    p99: float
    count: int
    server_cost: float = 0.0
    database_cost: float = 0.0
    memory: float = 0.0


class Wrk:
    """Loads a daemon or nginx and measures the CPU cost of daemon and database."""

    # Numbers the threads, and prints exact values, which wrk's report rounds.
    FRAME = """
local threads = 0
function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end
function done(summary, latency, requests)
    io.write(string.format(
        '{"count":%d,"seconds":%f,"p50":%f,"p95":%f,"p99":%f,"status":%d,"socket":%d}\\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(95) / 1e3,
        latency:percentile(99) / 1e3, summary.errors.status,
        summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
"""

    def __init__(self, folder):
        self.folder = folder
        self.wrk = tool("wrk")
        # Runs may be concurrent.
        self.scripts = itertools.count(1)

    def run(self, url, lua, clients, seconds, daemon=None, cluster=None):
        """One run. Fails on responses of 400 and above and on broken connections."""
        path = os.path.join(self.folder, f"load-{next(self.scripts)}.lua")
        with open(path, "w") as file:
            file.write(self.FRAME + lua)
        threads = min(clients, CORES)
        before = (daemon.cpu_seconds() if daemon else 0, cluster.cpu_seconds() if cluster else 0)
        done = subprocess.run(
            [*AS_BATCH, self.wrk, "-t", str(threads), "-c", str(clients), "-d", f"{seconds}s", "--timeout", "20s", "-s", path, url],
            capture_output=True, text=True, timeout=seconds + 60)
        after = (daemon.cpu_seconds() if daemon else 0, cluster.cpu_seconds() if cluster else 0)
        found = re.search(r"^\{.*\}$", done.stdout, re.MULTILINE)
        if not found:
            raise RunFailed(f"wrk: {done.stdout} {done.stderr}")
        report = json.loads(found.group(0))
        if report["status"] or report["socket"] or not report["count"]:
            raise RunFailed(
                f"wrk on {url}: {report['status']} error responses, {report['socket']} broken connections of {report['count']}; {done.stdout}")
        return Sample(
            rate=report["count"] / report["seconds"], p50=report["p50"], p95=report["p95"], p99=report["p99"], count=report["count"],
            server_cost=(after[0] - before[0]) * 1e6 / report["count"],
            database_cost=(after[1] - before[1]) * 1e6 / report["count"], memory=daemon.memory() if daemon else 0)


class Pgbench:
    """Runs SQL with prepared statements as a plain client on the same socket."""

    def __init__(self, cluster, folder):
        self.cluster = cluster
        self.folder = folder
        self.pgbench = postgres_tool("pgbench", cluster.version)
        self.runs = 0

    def run(self, database, script, clients, seconds=None, transactions=None, sampled=1.0, **variables):
        """One run of `seconds`, or of `transactions` per client. Percentiles come from the transactions sampled."""
        # The duration of pgbench includes connecting, though its rate does not.
        for connecting in (clients // 100, 10):
            length = ["-t", str(transactions)] if transactions else ["-T", str(seconds + connecting)]
            sample = self._run(database, script, clients, length, sampled, variables)
            if sample:
                return sample
        raise RunFailed(f"pgbench completed no transaction with {clients} clients")

    def _run(self, database, script, clients, length, sampled, variables):
        self.runs += 1
        prefix = os.path.join(self.folder, f"pgbench-{self.runs}")
        with open(prefix + ".sql", "w") as file:
            file.write(script)
        given = [word for name, value in variables.items() for word in ("-D", f"{name}={value}")]
        before = self.cluster.cpu_seconds()
        done = subprocess.run(
            [*AS_BATCH, self.pgbench, "-n", "-M", "prepared", "-c", str(clients), "-j", str(min(clients, CORES)), *length,
             "-l", "--log-prefix", prefix, "--sampling-rate", str(sampled), *given, "-f", prefix + ".sql", database.url],
            capture_output=True, text=True, timeout=1800)
        cost = self.cluster.cpu_seconds() - before
        rate = re.search(r"tps = ([\d.]+) \(without", done.stdout)
        count = re.search(r"actually processed: (\d+)", done.stdout)
        if done.returncode != 0 or not count:
            raise RunFailed(f"pgbench: {done.stdout[-500:]} {done.stderr.strip()[-1500:]}")
        count = int(count.group(1))
        times = self._times(prefix)
        if count == 0:
            return None
        return Sample(
            rate=float(rate.group(1)), p50=statistics.median(times), p95=percentile(times, 0.95), p99=percentile(times, 0.99), count=count,
            database_cost=cost * 1e6 / count)

    @staticmethod
    def _times(prefix):
        """Milliseconds of each logged transaction, sorted."""
        times = []
        for path in glob.glob(prefix + ".[0-9]*"):
            with open(path) as log:
                times += [int(line.split()[2]) / 1e3 for line in log]
            os.remove(path)
        return sorted(times) or [0.0]


def percentile(times, share):
    """The percentile of sorted values."""
    return times[min(len(times) - 1, int(len(times) * share))]


class Nginx:
    """Serves files of a folder, tuned for speed."""

    def __init__(self, folder):
        self.root = os.path.join(folder, "nginx")
        self.proxies = os.path.join(folder, "proxies")
        os.makedirs(self.root)
        os.makedirs(self.proxies)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        path = os.path.join(folder, "nginx.conf")
        # As root, nginx would switch to a user without access to the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        with open(path, "w") as file:
            file.write(f"""
daemon off;
{user}
worker_processes {CORES};
pid {folder}/nginx.pid;
error_log {folder}/nginx.log error;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    default_type application/json;
    keepalive_requests 100000000;
    sendfile on;
    tcp_nopush on;
    open_file_cache max=100 inactive=600s;
    open_file_cache_valid 600s;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    server {{ listen 127.0.0.1:{self.port} backlog=4096; root {self.root}; }}
    include {self.proxies}/*.conf;
}}
""")
        self.process = subprocess.Popen(
            [tool("nginx"), "-e", f"{folder}/nginx.log", "-p", folder, "-c", path], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(100):
            if os.path.exists(f"{folder}/nginx.pid"):
                break
            time.sleep(0.05)

    def add(self, name, content):
        with open(os.path.join(self.root, name), "wb") as file:
            file.write(content)
        return f"{self.url}/{name}"

    def proxy(self, backend):
        """The URL of a proxy to the daemon on that port, configured like deploy/nginx.conf but without TLS."""
        port = free_port()
        with open(os.path.join(self.proxies, f"{backend}.conf"), "w") as file:
            file.write(f"""
upstream daemon_{backend} {{ server 127.0.0.1:{backend}; keepalive 64; keepalive_requests 100000000; }}
server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
        proxy_pass http://daemon_{backend};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
    }}
}}
""")
        self.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return f"http://127.0.0.1:{port}"
            time.sleep(0.05)
        raise RunFailed("the nginx proxy did not start")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
