"""The processes of a run: `vitrine dev` with its private PostgreSQL, daemons beside it, and what they cost."""
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
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TICKS = os.sysconf("SC_CLK_TCK")
ADMIN_PATHS = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"


class RunFailed(Exception):
    """What happened, for the person who started the run."""


def tool(name):
    """The path of a program that scripts/setup.sh installs."""
    found = shutil.which(name, path=ADMIN_PATHS)
    if not found:
        raise RunFailed(f"{name} is missing; scripts/setup.sh bench installs it")
    return found


def postgres_tool(name, version):
    """The program of the server's own version; Debian's wrappers in /usr/bin would cost their start each time."""
    own = f"/usr/lib/postgresql/{version}/bin/{name}"
    return own if os.access(own, os.X_OK) else tool(name)


def stat_fields(pid):
    """The fields of /proc/PID/stat from the third on, or None when the process is gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def cpu_seconds(pid, ended_children=False):
    """User and system time of a process; with those of its children that have ended, when asked."""
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
    """A new folder on the project's own disk (where /tmp may be memory, a commit would cost nothing)."""
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
            raise RunFailed(f"there is no program {path}; build it: swift build -c release --product vitrine")

    def environment(self, database_url=None, **settings):
        """Without what the caller's shell sets for a Vitrine or a PostgreSQL of its own."""
        own = {name: value for name, value in os.environ.items()
               if not name.startswith(("VITRINE_", "PG")) and name != "DATABASE_URL"}
        if database_url:
            own["DATABASE_URL"] = database_url
        own.update({"VITRINE_" + name.upper(): str(value) for name, value in settings.items()})
        return own

    def run(self, *words, database_url, **settings):
        done = subprocess.run(
            [self.path, *words], capture_output=True, text=True, timeout=300, cwd=ROOT,
            env=self.environment(database_url, **settings))
        if done.returncode != 0:
            raise RunFailed(f"vitrine {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout


class Cluster:
    """The private PostgreSQL of `vitrine dev`, which stays up beside it for as long as the run lasts."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.data = os.path.join(folder, "postgres")
        try:
            self.start()
        except BaseException:
            # Nobody else knows of it yet, also when the run is ended meanwhile.
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
            raise RunFailed("vitrine dev did not start; run it by hand to see why")
        self.url = json.loads(line)["database_url"]
        self.version = open(os.path.join(self.data, "PG_VERSION")).read().strip()

    def url_of(self, database):
        return self.url.replace("/vitrine?", f"/{database}?", 1)

    def postmaster(self):
        """The process id of the server, or None while it is down."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as file:
                return int(file.readline())
        except (OSError, ValueError):
            return None

    def is_up(self):
        pid = self.postmaster()
        return bool(pid) and stat_fields(pid) is not None

    def tool(self, name, *arguments):
        """Runs one of the server's own programs and gives what it printed."""
        done = subprocess.run([postgres_tool(name, self.version), *arguments], capture_output=True, text=True, cwd=ROOT)
        if done.returncode != 0:
            raise RunFailed(f"{name}: {done.stderr.strip()[:2000]}")
        return done.stdout

    def restart(self):
        """An immediate stop and a start, as after a crash; pg_ctl starts the server with the options that it had."""
        owner = os.stat(self.data)
        command = [postgres_tool("pg_ctl", self.version), "-D", self.data, "-m", "immediate", "-w", "-l", os.devnull, "restart"]
        as_owner = {}
        if os.geteuid() == 0 and owner.st_uid == 0:
            # Where there is no other user, the server runs under a borrowed number.
            command = ["unshare", "--user", "--map-user=1000", *command]
        elif os.geteuid() == 0:
            as_owner = {"user": owner.st_uid, "group": owner.st_gid}
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", **as_owner)
        if done.returncode != 0:
            raise RunFailed(f"pg_ctl: {done.stdout} {done.stderr}")

    def cpu_seconds(self):
        """CPU of the whole server, sessions that have ended included."""
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
    """One `vitrine serve`."""

    running = set()

    def __init__(self, program, database_url, folder, port=None, prefix=(), **settings):
        self.program = program
        self.database_url = database_url
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = os.path.join(folder, f"daemon-{self.port}.log")
        self.settings = {"log_level": "warning", "intake_rate_per_minute": 0, "data_dir": folder, **settings}
        # What starts the program instead of us: with other limits, with another clock.
        self.prefix = list(prefix)
        self.process = None

    @property
    def pid(self):
        return self.process.pid

    def start(self):
        """Starts it and gives the seconds until it was ready."""
        began = time.monotonic()
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [*self.prefix, self.program.path, "serve", "--port", str(self.port)], stdout=log, stderr=log, cwd=ROOT,
                start_new_session=True, env=self.program.environment(self.database_url, **self.settings))
        Daemon.running.add(self)
        while not self.is_ready():
            if self.process.poll() is not None:
                raise RunFailed(f"vitrine serve ended with {self.process.returncode}; see {self.log}")
            if time.monotonic() - began > 60:
                raise RunFailed(f"vitrine serve was not ready after 60 s; see {self.log}")
            time.sleep(0.005)
        return time.monotonic() - began

    def is_ready(self):
        try:
            with urllib.request.urlopen(self.url + "/readyz", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def cpu_seconds(self):
        return cpu_seconds(self.pid)

    def memory(self, line="VmRSS"):
        """Resident memory in MB; `VmHWM` is the most there was."""
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(text.split()[1]) / 1024 for text in file if text.startswith(line))

    def kill(self):
        Daemon.running.discard(self)
        self._signal(signal.SIGKILL)
        self.process.wait()

    def _signal(self, number):
        """To what started the program, too, where that is another one."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def stop(self):
        """Asks it to end and gives its exit status; None when it had to be killed."""
        Daemon.running.discard(self)
        self._signal(signal.SIGTERM)
        try:
            return self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.kill()
            return None


def stop_daemons():
    """Whatever a run that failed has left."""
    for daemon in list(Daemon.running):
        daemon.stop()


def say(text):
    print(text, flush=True)


def note(text):
    print(text, file=sys.stderr, flush=True)
