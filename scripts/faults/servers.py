"""Copies of a cluster's server: standbys, primaries of their own, and servers recovered to a point in time."""
import os
import shutil
import time

from deployment import Database
from processes import RunFailed, free_port, postgres_tool


class Server:
    """A PostgreSQL with a data folder of its own, made by pg_basebackup; its socket is in that folder."""

    def __init__(self, cluster, folder, name):
        self.cluster = cluster
        self.data = os.path.join(folder, name)
        self.port = free_port()
        self.is_running = False

    def tool(self, name, *arguments):
        return self.cluster.run_as_owner([postgres_tool(name, self.cluster.version), *arguments])

    def copy(self, url, *arguments):
        """Copies the server at `url`; with `-R` as its standby."""
        os.makedirs(self.data, mode=0o700)
        # The log in the folder of the cluster belongs to the program that started it.
        for path in (self.data, os.path.join(self.cluster.data, "server.log")):
            self.cluster.give_to_owner(path)
        self.tool("pg_basebackup", "-d", url, "-D", self.data, "-X", "stream", "-c", "fast", *arguments)
        self.configure(port=self.port, listen_addresses="", unix_socket_directories=self.data)

    def configure(self, **settings):
        with open(os.path.join(self.data, "postgresql.auto.conf"), "a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self):
        self.tool("pg_ctl", "-D", self.data, "-w", "-t", "60", "-l", os.path.join(self.data, "log"), "start")
        self.is_running = True

    def stop(self, mode):
        if self.is_running:
            self.is_running = False
            self.tool("pg_ctl", "-D", self.data, "-w", "-t", "60", "-m", mode, "stop")

    def promote(self):
        self.tool("pg_ctl", "-D", self.data, "-w", "-t", "60", "promote")

    def recover(self, archive, moment):
        """Starts a copy that has not run yet, with the changes up to a moment."""
        self.configure(restore_command=f"cp {archive}/%f %p", recovery_target_time=moment, recovery_target_action="promote")
        signal = os.path.join(self.data, "recovery.signal")
        open(signal, "w").close()
        self.cluster.give_to_owner(signal)
        self.start()
        wait_until("the recovery ended", lambda: self.database("postgres").value("select pg_is_in_recovery()") == "f")

    def break_replication(self):
        """The standby keeps what it has, and gets nothing more."""
        self.database("postgres").run("alter system set primary_conninfo = ''; select pg_reload_conf();")
        wait_until("the standby disconnected", lambda: self.database("postgres").value(
            "select count(*) from pg_stat_wal_receiver") == "0")

    def database(self, name):
        return Database(self.cluster, name, create=False, url=self.url(name))

    def url(self, name):
        return url_of([self], self.cluster.user, name)


def url_of(servers, user, name, **settings):
    """The URL of a database that may be on any of these servers."""
    more = "".join(f"&{key}={value}" for key, value in settings.items())
    hosts, ports = ",".join(server.data for server in servers), ",".join(str(server.port) for server in servers)
    return f"postgresql://{user}@/{name}?host={hosts}&port={ports}{more}"


def wait_until(what, condition, seconds=60):
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise RunFailed(f"waited {seconds} s until {what}")
        time.sleep(0.1)


def remove(server):
    server.stop("immediate")
    shutil.rmtree(server.data, ignore_errors=True)
