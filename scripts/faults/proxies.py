"""Daemons and delivery processes that are killed behind nginx with the shipped configuration."""
import http.client
import os
import random
import re
import secrets
import shutil
import socket
import subprocess
import threading
import time

from curators import Curators
from ledger import Ledger
from processes import ROOT, Daemon, RunFailed, free_port

DAEMONS = 3
READERS = 2
API = ("/v1/items", "/v1/publication")


def proxy(faults):
    """Three daemons and two delivery processes behind deploy/nginx.conf, each killed twice under load: no client notices.

    Delivery processes serve the reads of the API; while both are down, the daemons do.
    """
    daemons = [faults.deployment.daemon]
    while len(daemons) < DAEMONS:
        daemons.append(Daemon(faults.program, faults.deployment.database.url, faults.folder))
        daemons[-1].start()
    delivery = [
        Daemon(faults.program, faults.deployment.database.url, faults.folder, command="deliver") for _ in range(READERS)]
    for process in delivery:
        process.start()
    nginx = Nginx(faults.folder, [daemon.port for daemon in daemons], [process.port for process in delivery])
    ledger = Ledger(f"proxy-{faults.options.seed}-{os.getpid()}")
    curators = Curators(ledger, faults.deployment, [nginx.port], faults.options.clients, faults.options.seed)
    readers = Readers(nginx.port, faults.deployment.authorization)
    try:
        curators.start()
        readers.start()
        for number in range(2 * DAEMONS):
            time.sleep(faults.rng.uniform(1.0, 1.5))
            daemons[number % DAEMONS].kill()
            time.sleep(faults.rng.uniform(0.5, 1.0))
            daemons[number % DAEMONS].start()
        for _ in range(2):
            for process in delivery:
                time.sleep(faults.rng.uniform(0.5, 1.0))
                process.kill()
            time.sleep(faults.rng.uniform(0.5, 1.0))
            for process in delivery:
                process.start()
        readers.stop()
        reads, others = nginx.upstreams()
        ports = {process.port for process in delivery}
        interrupted = len(ledger.interruptions)
        return faults.end(ledger, curators, {
            "kills": 2 * DAEMONS + 2 * READERS, "reads": readers.count, "gap_max": f"{readers.longest:.2f}s",
            "refused": ledger.refusals}, [
            ("inconclusive: there were fewer than 500 reads", readers.count >= 500),
            (f"reads of the API were served by {reads}, not by every delivery process and sometimes by daemons",
             ports < reads),
            (f"delivery processes served other requests: {others & ports}", others and not others & ports),
            (f"reads failed: {readers.failures[:3]}", not readers.failures),
            ("a read took 2 s or longer", readers.longest < 2),
            (f"{interrupted} requests got no response", interrupted == 0)])
    finally:
        readers.stop()
        curators.stopping.set()
        nginx.stop()
        for process in daemons[1:] + delivery:
            process.stop()


FLOODING = ("127.0.0.9", 0)


def flood(faults):
    """One client floods nginx with deploy/nginx.conf: it gets 429, another client passes, and no log has a token."""
    daemon = faults.deployment.daemon
    nginx = Nginx(faults.folder, [daemon.port], [daemon.port], logged=True)
    token = secrets.token_urlsafe(32)
    links = [f"/{link}/{token}" for link in ("login", "welcome", "password", "s", "preview")]
    links += [f"/s/{token}/resubmit", f"/preview/{token}/items/1", f"/v1/feeds/x/rss?key={token}", f"/login?next={token}"]
    readers = Readers(nginx.port, faults.deployment.authorization, count=1, paths=(*API, "/healthz"))
    lines = []
    try:
        readers.start()
        # Slow bodies wait in nginx, and only so many.
        for _ in range(150):
            line = socket.create_connection(("127.0.0.1", nginx.port), timeout=5, source_address=FLOODING)
            line.sendall(b"POST /queue HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
            lines.append(line)
        time.sleep(1)
        slow = daemon_connections(daemon)
        refused = sum(b" 429 " in received(line) for line in lines)
        for line in lines:
            line.close()
        time.sleep(1)
        answers = [status(nginx.port, link) for _ in range(40) for link in links]
        pages = [status(nginx.port, "/login/x") for _ in range(100)]
        readers.stop()
        daemon.stop()
        # Errors of the proxy itself have a log of their own.
        failed = [status(nginx.port, link, source=("127.0.0.1", 0)) for link in links]
        daemon.start()
        logs = nginx.logs()
        limited = answers.count(429) + pages.count(429)
        return {"slow_bodies_refused": refused, "limited": limited, "of": len(answers) + len(pages), "reads": readers.count,
                "gap_max": f"{readers.longest:.2f}s"}, [
            (f"{refused} of 150 slow bodies were refused, not 50", 45 <= refused <= 55),
            (f"{slow} slow bodies reached the daemon", slow < 20),
            (f"{limited} of {len(answers) + len(pages)} requests were limited", limited > 200),
            (f"responses were {set(answers + pages)}", max(answers + pages) < 500),
            (f"another client's reads failed: {readers.failures[:3]}", not readers.failures),
            ("another client made fewer than 50 reads", readers.count >= 50),
            (f"without a daemon the statuses were {set(failed)}", set(failed) <= {429, 502}),
            ("the logs are empty", "/s/-" in logs), ("a log has a token", token not in logs)]
    finally:
        readers.stop()
        nginx.stop()


def daemon_connections(daemon):
    """Sockets of the daemon."""
    names = (os.path.join(f"/proc/{daemon.pid}/fd", name) for name in os.listdir(f"/proc/{daemon.pid}/fd"))
    port = f"{daemon.port:04X}"
    with open("/proc/net/tcp") as table:
        inodes = {f"socket:[{fields[9]}]" for fields in map(str.split, table) if fields[1].endswith(":" + port)}
    return sum(os.readlink(name) in inodes for name in names if os.path.lexists(name))


def received(line):
    line.setblocking(False)
    try:
        return line.recv(1000)
    except OSError:
        return b""


def status(port, path, source=FLOODING):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=source)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


class Readers:
    """Threads that read the API and pages one request after another."""

    def __init__(self, port, authorization, count=4, paths=(*API, "/login")):
        self.port = port
        self.paths = paths
        self.authorization = authorization
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(count)]
        self.count = 0
        self.longest = 0.0
        self.failures = []

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            if thread.ident:
                thread.join()

    def _work(self):
        while not self.stopping.is_set():
            for path in self.paths:
                began = time.monotonic()
                # Each request from another address: sign-in pages have a limit for each.
                source = (f"127.1.{random.randrange(256)}.{random.randrange(1, 255)}", 0)
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=source)
                try:
                    connection.request("GET", path, headers={"Authorization": self.authorization})
                    response = connection.getresponse()
                    response.read()
                    if response.status != 200:
                        self.failures.append(f"{path}: {response.status}")
                except (OSError, http.client.HTTPException) as error:
                    self.failures.append(f"{path}: {error!r}")
                finally:
                    connection.close()
                self.longest = max(self.longest, time.monotonic() - began)
                self.count += 1
            time.sleep(0.01)


class Nginx:
    """nginx with deploy/nginx.conf: without TLS, on other ports."""

    def __init__(self, folder, daemons, delivery, logged=False):
        """`logged`: with the shipped logs, in the folder."""
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        if not program:
            raise RunFailed("nginx is missing. Install it with scripts/setup.sh bench")
        self.port = free_port()
        self.folder = folder
        with open(os.path.join(ROOT, "deploy", "nginx.conf")) as file:
            shipped = file.read()
        shipped_server = re.search(r"server 127\.0\.0\.1:8080([^;]*);", shipped)
        if not shipped_server:
            raise RunFailed("deploy/nginx.conf has no server on 127.0.0.1:8080")
        parameters = shipped_server.group(1)
        changed = re.sub(r"^\s*ssl_.*\n", "", shipped, flags=re.M)
        if logged:
            changed = changed.replace("/var/log/nginx/", f"{folder}/nginx-")
        else:
            changed = re.sub(r"^\s*(access|error)_log .*\n", "", changed, flags=re.M)
        changed = changed.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{self.port};")
        servers = "".join(f"    server 127.0.0.1:{port}{parameters};\n" for port in daemons)
        spare = "".join(f"    server 127.0.0.1:{port}{parameters} backup;\n" for port in daemons)
        changed = re.sub(r"(upstream vitrine \{\n(?:\s*#.*\n)*)(?:\s*server .*\n)+", r"\1" + servers, changed)
        changed = re.sub(r"(?:\s*server [^\n]* backup;\n)+", "\n" + spare, changed)
        for shipped, port in zip(("8090", "8091"), delivery):
            changed = changed.replace(f"127.0.0.1:{shipped} ", f"127.0.0.1:{port} ")
        path = os.path.join(folder, "proxy.conf")
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = "\n".join(
            f"    {name}_temp_path {folder}/proxy-{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(path, "w") as file:
            file.write(f"""
daemon off;
{user}
worker_processes 1;
pid {folder}/proxy.pid;
error_log {folder}/proxy.log error;
events {{ worker_connections 1024; }}
http {{
    log_format served '$request_method $uri $upstream_addr';
    access_log {folder}/proxy-access.log served;
{temporary}
{changed}
}}
""")
        self.process = subprocess.Popen(
            [program, "-e", f"{folder}/proxy.log", "-p", folder, "-c", path], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(100):
            try:
                http.client.HTTPConnection("127.0.0.1", self.port, timeout=2).connect()
                return
            except OSError:
                time.sleep(0.05)
        raise RunFailed(f"nginx did not start; see {folder}/proxy.log")

    def upstreams(self):
        """The ports that served reads of the delivery API, and those that served anything else."""
        reads, others = set(), set()
        with open(os.path.join(self.folder, "proxy-access.log")) as log:
            for line in log:
                method, path, *tried = line.split()
                # The last of several tries is the one that responded.
                kind = reads if method == "GET" and path in API else others
                kind.update(int(address.rsplit(":", 1)[1].rstrip(",")) for address in tried[-1:] if address != "-")
        return reads, others

    def logs(self):
        """The text of all shipped logs, and of the log of errors at the usual level."""
        time.sleep(0.5)
        names = [name for name in os.listdir(self.folder) if name.startswith("nginx-") or name == "proxy.log"]
        return "".join(open(os.path.join(self.folder, name)).read() for name in names)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
