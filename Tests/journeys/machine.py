"""An empty server for guides: namespaces of its own, with PostgreSQL as its Debian package starts it, and a stand-in for systemd.

What is written to /etc, /opt, /usr/local, /var and /run stays in the machine, every port is free, and users are its own. Needs root.
"""
import os
import subprocess

from patience import seconds
from workspace import ROOT, start

CHECKOUT = "/srv/checkout"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SETUP = f"""set -e
exec 2>&1
mount -t tmpfs tmpfs /mnt
for folder in etc opt srv usr/local var; do
    mkdir -p /mnt/$folder/upper /mnt/$folder/work
    mount -t overlay overlay -o lowerdir=/$folder,upperdir=/mnt/$folder/upper,workdir=/mnt/$folder/work /$folder
done
mount -t tmpfs tmpfs /run
ip link set lo up
mkdir -p {CHECKOUT} /mnt/checkout/upper /mnt/checkout/work /etc/systemd/system
mount -t overlay overlay -o lowerdir="$ROOT",upperdir=/mnt/checkout/upper,workdir=/mnt/checkout/work {CHECKOUT}
mkdir -p {CHECKOUT}/.build
rm -rf {CHECKOUT}/.build/release
ln -s "$PROGRAMS" {CHECKOUT}/.build/release
install -m 0755 "$SYSTEMCTL" /usr/local/bin/systemctl
install -d -o postgres -g postgres -m 2775 /run/postgresql
rm -rf /etc/postgresql/* /var/lib/postgresql/* /etc/vitrine /var/lib/vitrine
pg_createcluster --locale C.UTF-8 "$(ls /usr/lib/postgresql | sort -n | tail -1)" main --start > /dev/null
echo ready
exec cat > /dev/null
"""


class Machine:
    def __init__(self, program):
        self.keeper = start(
            ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", SETUP], text=True,
            stdout=subprocess.PIPE, stdin=subprocess.PIPE, env={
                "PATH": PATH, "ROOT": ROOT, "PROGRAMS": os.path.dirname(program),
                "SYSTEMCTL": os.path.join(ROOT, "Tests/journeys/systemctl.py")})
        lines = []
        for line in self.keeper.stdout:
            if line == "ready\n":
                break
            lines.append(line)
        else:
            raise SystemExit("The machine could not be made: " + "".join(lines))
        with open(f"/proc/{self.keeper.pid}/task/{self.keeper.pid}/children") as file:
            self.init = file.read().split()[0]
        self.environment = {"PATH": PATH, "HOME": "/root", "USER": "root", "LANG": "C.UTF-8"}

    def enter(self, *command):
        """The command line that runs a command in the machine."""
        return ["nsenter", "--target", self.init, "--mount", "--net", "--pid", *command]

    def take(self, path, other):
        """Copies a folder from another machine."""
        with subprocess.Popen(other.enter("tar", "-C", "/", "-cf", "-", path.lstrip("/")), stdout=subprocess.PIPE) as source:
            subprocess.run(self.enter("tar", "-C", "/", "-xf", "-"), stdin=source.stdout, check=True, timeout=seconds(60))

    def stop(self):
        """Its first process ends with its input, also when this program is killed, and everything in the machine with it."""
        self.keeper.stdin.close()
        self.keeper.wait(seconds(60))
