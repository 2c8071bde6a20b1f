#!/usr/bin/env python3
"""Starts and stops services as systemd does, as far as guides need it, on a machine without systemd.

    systemctl daemon-reload
    systemctl enable --now NAME, systemctl start|stop|restart NAME
"""
import os
import pwd
import shlex
import signal
import socket
import subprocess
import sys
import time


def read(name):
    """The settings of a unit; each may occur several times."""
    settings = {}
    with open(f"/etc/systemd/system/{name}.service") as file:
        for line in file:
            key, found, value = line.strip().partition("=")
            if found and not key.startswith("#"):
                settings.setdefault(key, []).append(value.replace("%S", "/var/lib"))
    return settings


def start(name):
    unit = read(name)
    user = pwd.getpwnam(unit["User"][0])
    environment = {"PATH": os.environ["PATH"], "HOME": user.pw_dir, "USER": user.pw_name}
    for path in unit.get("EnvironmentFile", []):
        with open(path) as file:
            for line in file:
                key, found, value = line.strip().partition("=")
                if found:
                    environment[key] = "".join(shlex.split(value))
    for pair in unit.get("Environment", []):
        key, _, value = pair.partition("=")
        environment[key] = value
    for folder in unit.get("StateDirectory", []):
        os.makedirs(f"/var/lib/{folder}", exist_ok=True)
        os.chown(f"/var/lib/{folder}", user.pw_uid, user.pw_gid)
    path = f"/run/{name}.notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, open(f"/var/log/{name}.log", "a") as log:
        if os.path.exists(path):
            os.remove(path)
        ready.bind(path)
        os.chmod(path, 0o666)
        process = subprocess.Popen(
            shlex.split(unit["ExecStart"][0]), env={**environment, "NOTIFY_SOCKET": path}, cwd=unit["WorkingDirectory"][0],
            user=user.pw_uid, group=user.pw_gid, extra_groups=[], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True)
        ready.settimeout(1)
        until = time.monotonic() + 90
        while time.monotonic() < until and process.poll() is None:
            try:
                if ready.recv(1000).startswith(b"READY=1"):
                    with open(f"/run/{name}.pid", "w") as file:
                        file.write(str(process.pid))
                    return
            except TimeoutError:
                continue
    with open(f"/var/log/{name}.log") as log:
        sys.exit(f"{name} did not start:\n{log.read()[-2000:]}")


def stop(name):
    try:
        with open(f"/run/{name}.pid") as file:
            process = int(file.read())
        os.kill(process, signal.SIGTERM)
    except OSError:
        return
    while os.path.exists(f"/proc/{process}"):
        with open(f"/proc/{process}/stat") as file:
            if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                return
        time.sleep(0.05)


def main():
    action, *names = [word for word in sys.argv[1:] if word != "--now"]
    for name in names:
        if action in ("stop", "restart"):
            stop(name)
        if action in ("enable", "start", "restart"):
            start(name)
        if action not in ("enable", "start", "stop", "restart"):
            sys.exit(f"There is no {action} here.")


if __name__ == "__main__":
    main()
