"""The processes of a run: `vitrine dev` with its private PostgreSQL, further daemons, and their CPU and memory use."""
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TICKS = os.sysconf("SC_CLK_TCK")
ADMIN_PATHS = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"


class RunFailed(Exception):
    """A failure with a message for the user."""


def tool(name):
    """The path of a tool that scripts/setup.sh installs."""
    found = shutil.which(name, path=ADMIN_PATHS)
    if not found:
        raise RunFailed(f"{name} is missing. Install it with scripts/setup.sh bench")
    return found


def postgres_tool(name, version):
    """A tool of the server's version, without the overhead of Debian's wrappers in /usr/bin."""
    own = f"/usr/lib/postgresql/{version}/bin/{name}"
    return own if os.access(own, os.X_OK) else tool(name)


def stat_fields(pid):
    """The fields of /proc/PID/stat from the third on, or None if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def cpu_seconds(pid, ended_children=False):
    """User and system time of a process, optionally with its exited children."""
    fields = stat_fields(pid)
    if not fields:
        return 0.0
    return sum(int(ticks) for ticks in fields[11:15 if ended_children else 13]) / TICKS


def children(pid):
    """The direct children of a process."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = stat_fields(name)
            if fields and int(fields[1]) == pid:
                found.append(int(name))
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def workspace(purpose):
    """A new folder on the disk of the project: commits to a /tmp in memory would be too fast."""
    parent = os.path.join(ROOT, ".vitrine")
    os.makedirs(parent, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=purpose + "-", dir=parent)
    # The database server may run as another user.
    os.chmod(folder, 0o755)
    return folder


class Program:
    """The vitrine program."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        if not os.access(self.path, os.X_OK):
            raise RunFailed(f"program {path} not found. Build it with swift build -c release --product vitrine")

    def environment(self, database_url=None, **settings):
        """The environment without settings for other Vitrine and PostgreSQL instances."""
        own = {name: value for name, value in os.environ.items()
               if not name.startswith(("VITRINE_", "PG")) and name != "DATABASE_URL"}
        own["VITRINE_PACKS"] = "places routes lists"
        if database_url:
            own["DATABASE_URL"] = database_url
        own.update({"VITRINE_" + name.upper(): str(value) for name, value in settings.items()})
        return own

    def run(self, *arguments, database_url, **settings):
        done = subprocess.run(
            [self.path, *arguments], capture_output=True, text=True, timeout=300, cwd=ROOT,
            env=self.environment(database_url, **settings))
        if done.returncode != 0:
            raise RunFailed(f"vitrine {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout


class Cluster:
    """The private PostgreSQL of `vitrine dev`, which runs for the whole run."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.data = os.path.join(folder, "postgres")
        try:
            self.start()
        except BaseException:
            # The caller has no reference yet, so stop it here.
            self.stop()
            raise

    def start(self):
        self.process = subprocess.Popen(
            [self.program.path, "dev", "--port", str(free_port()), "--data", self.folder, "--empty", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT, start_new_session=True,
            env=self.program.environment())
        ready, _, _ = select.select([self.process.stdout], [], [], 120)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            raise RunFailed("vitrine dev did not start. Run it manually to see the error")
        self.url = json.loads(line)["database_url"]
        self.version = open(os.path.join(self.data, "PG_VERSION")).read().strip()

    def url_of(self, database):
        return self.url.replace("/vitrine?", f"/{database}?", 1)

    def postmaster(self):
        """The process id of the server, or None if it is not running."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as file:
                return int(file.readline())
        except (OSError, ValueError):
            return None

    def is_up(self):
        pid = self.postmaster()
        return bool(pid) and stat_fields(pid) is not None

    def tool(self, name, *arguments):
        """Runs a tool of the server and returns its output."""
        done = subprocess.run([postgres_tool(name, self.version), *arguments], capture_output=True, text=True, cwd=ROOT)
        if done.returncode != 0:
            raise RunFailed(f"{name}: {done.stderr.strip()[:2000]}")
        return done.stdout

    def restart(self):
        """Immediate stop and start, like a crash. pg_ctl keeps the options of the server."""
        self.run_as_owner([
            postgres_tool("pg_ctl", self.version), "-D", self.data, "-m", "immediate", "-w", "-l", os.devnull, "restart"])

    def run_as_owner(self, command):
        """Runs a command as the user that the server runs as."""
        owner = os.stat(self.data)
        as_owner = {}
        if os.geteuid() == 0 and owner.st_uid == 0:
            # Without another user, the server runs in a user namespace.
            command = ["unshare", "--user", "--map-user=1000", *command]
        elif os.geteuid() == 0:
            as_owner = {"user": owner.st_uid, "group": owner.st_gid}
        # Not a pipe: a server that pg_ctl starts would keep it open.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", **as_owner)
            if done.returncode != 0:
                output.seek(0)
                raise RunFailed(f"{' '.join(command[:4])}: {output.read()[-2000:]}")

    def give_to_owner(self, path):
        """Lets the server use a file or folder."""
        owner = os.stat(self.data)
        if os.geteuid() == 0:
            os.chown(path, owner.st_uid, owner.st_gid)

    @property
    def user(self):
        """The superuser."""
        return urllib.parse.urlsplit(self.url).username

    def cpu_seconds(self):
        """CPU time of the whole server, including closed sessions."""
        pid = self.postmaster()
        if not pid:
            return 0.0
        return cpu_seconds(pid, ended_children=True) + sum(cpu_seconds(child) for child in children(pid))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        pid = self.postmaster()
        if pid and stat_fields(pid):
            os.kill(pid, signal.SIGQUIT)


class Daemon:
    """One `vitrine serve` or `vitrine deliver`."""

    running = set()

    def __init__(self, program, database_url, folder, port=None, prefix=(), command="serve", **settings):
        self.program = program
        self.database_url = database_url
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = os.path.join(folder, f"daemon-{self.port}.log")
        self.settings = {"log_level": "warning", "intake_rate_per_minute": 0, "data_dir": folder, **settings}
        # A command that starts the program with other limits or another clock.
        self.prefix = list(prefix)
        self.command = command
        self.process = None

    @property
    def pid(self):
        return self.process.pid

    def start(self):
        """Starts the daemon and returns the seconds until it was ready."""
        began = time.monotonic()
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [*self.prefix, self.program.path, self.command, "--port", str(self.port)], stdout=log, stderr=log, cwd=ROOT,
                start_new_session=True, env=self.program.environment(self.database_url, **self.settings))
        Daemon.running.add(self)
        while not self.is_ready():
            if self.process.poll() is not None:
                raise RunFailed(f"vitrine {self.command} exited with {self.process.returncode}; see {self.log}")
            if time.monotonic() - began > 60:
                raise RunFailed(f"vitrine {self.command} was not ready after 60 s; see {self.log}")
            time.sleep(0.005)
        return time.monotonic() - began

    def is_ready(self):
        try:
            with urllib.request.urlopen(self.url + "/readyz", timeout=2) as response:
                return response.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def cpu_seconds(self):
        return cpu_seconds(self.pid)

    def memory(self, line="VmRSS"):
        """Resident memory in MB; `VmHWM` for the peak."""
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(text.split()[1]) / 1024 for text in file if text.startswith(line))

    def kill(self):
        Daemon.running.discard(self)
        self._signal(signal.SIGKILL)
        self.process.wait()

    def _signal(self, number):
        """Signals the process group, including the command that started the program."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def stop(self):
        """Stops the daemon and returns its exit status; None if it had to be killed."""
        Daemon.running.discard(self)
        self._signal(signal.SIGTERM)
        try:
            return self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.kill()
            return None


def stop_daemons():
    """Stops daemons that a failed run left behind."""
    for daemon in list(Daemon.running):
        daemon.stop()


def say(text):
    print(text, flush=True)


def note(text):
    print(text, file=sys.stderr, flush=True)
