"""The folders, processes and ports of a test. Processes end with it, also when it is killed; then the next test removes its folder."""
import atexit
import contextlib
import fcntl
import functools
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from patience import seconds

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PREFIX = "vitrine-journey-"

folders, processes, held = [], [], []


def folder(on_disk=False):
    """A new folder: in memory, where a database doesn't wait for the disk, if there is room. `on_disk` is for tests of what
    survives and of the owners of files."""
    remove_abandoned()
    memory = "/dev/shm"
    name = os.path.basename(sys.argv[0]).removesuffix(".py")
    path = tempfile.mkdtemp(prefix=f"{PREFIX}{name}-", dir=memory if has_room(memory) and not on_disk else "/tmp")
    folders.append(path)
    # The database server is another user.
    os.chmod(path, 0o755)
    lock = open(os.path.join(path, "new"), "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    held.append(lock)
    # Named when it is locked, so that nobody finds it unlocked.
    os.rename(lock.name, os.path.join(path, "lock"))
    return path


def has_room(path):
    if not os.path.isdir(path):
        return False
    room = os.statvfs(path)
    # Guides run programs in their folder.
    return room.f_bavail * room.f_frsize >= 2 << 30 and not room.f_flag & os.ST_NOEXEC


def remove_abandoned():
    """Removes the folders of killed tests."""
    for lock in glob.glob(f"/dev/shm/{PREFIX}*/lock") + glob.glob(f"/tmp/{PREFIX}*/lock"):
        with contextlib.suppress(OSError), open(lock) as file:  # its test is running, or another one removes it
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            end_all(os.path.dirname(lock))
            shutil.rmtree(os.path.dirname(lock), ignore_errors=True)


def end_all(path):
    """Ends what works in a folder, such as a database server whose daemon was killed."""
    until = time.monotonic() + seconds(10)
    while time.monotonic() < until:
        found = False
        for link in glob.glob("/proc/[0-9]*/cwd"):
            with contextlib.suppress(OSError):  # it has ended
                if os.readlink(link).startswith(path + "/"):
                    found = True
                    os.kill(int(link.split("/")[2]), signal.SIGQUIT)
        if not found:
            return
        time.sleep(0.1)


def start(command, **options):
    """A process that gets SIGTERM when this one ends, in whatever way."""
    process = subprocess.Popen(command, **options)
    processes.append(process)
    print(process.pid, file=guard().stdin, flush=True)
    return process


@functools.cache
def guard():
    """A process that outlives this one."""
    return subprocess.Popen([sys.executable, os.path.abspath(__file__)], stdin=subprocess.PIPE, text=True, start_new_session=True)


def keep_guard():
    """Ends the processes whose numbers come from the standard input, when nobody can write to it any more. PR_SET_PDEATHSIG would send
    a signal for each thread of the test, and the second one ends `vitrine dev` before its database."""
    watched = []
    for line in sys.stdin:
        with contextlib.suppress(OSError):  # it has ended
            watched.append(os.pidfd_open(int(line)))
    for process in watched:
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(process, signal.SIGTERM)


@atexit.register
def end():
    running = [process for process in processes if process.poll() is None]
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(seconds(120))
        except subprocess.TimeoutExpired:
            process.kill()
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)


def port():
    """A port for a server whose URL must be known before it runs, or that comes back at the same one. The system gives it to nobody
    else: it is bound, and only sockets with SO_REUSEADDR, which servers have, can use it, too."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    held.append(holder)
    return holder.getsockname()[1]


def responds(number):
    """Whether a server listens at this port."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", number)) == 0


def listening(log):
    """The URL of a daemon on any free port, as its log says; None until it listens."""
    with open(log) as file:
        found = re.search(r" listening .*\bport=(\d+)", file.read())
    return found and f"http://127.0.0.1:{found[1]}"


if __name__ == "__main__":
    keep_guard()
