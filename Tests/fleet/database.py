"""PostgreSQL servers of their own, from the system's packages."""

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

from network import SUBNET


def programs():
    """Where the newest server's programs are."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"),
                     key=lambda path: int(path.split("/")[4]), reverse=True)
    for folder in folders:
        if os.path.exists(folder + "/initdb"):
            return folder
    raise RuntimeError("no PostgreSQL server is installed")


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """One server; it does not run as root. On a network it has a member's address and the usual
    port, else a port of its own of this machine."""

    def __init__(self, folder, network=None):
        self.folder, self.network, self.name = folder, network, os.path.basename(folder)
        self.address, self.port = "127.0.0.1", 5432
        if network:
            self.address = network.join(self.name)
        else:
            self.port = free_port()
        self.data = os.path.join(folder, "data")
        self.make_folder()

    def make_folder(self):
        os.makedirs(self.folder, exist_ok=True)
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)

    def command(self, program, *arguments):
        inside = self.network.inside(self.name) if self.network else []
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        return [*inside, *user, os.path.join(programs(), program), *arguments]

    def run(self, program, *arguments):
        return subprocess.run(
            self.command(program, *arguments), check=True, cwd="/", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def make(self, *settings):
        self.run("initdb", "--auth=trust", "--encoding=UTF8", "--username=usher", "--no-sync",
                 "-D", self.data)
        if self.network:
            with open(os.path.join(self.data, "pg_hba.conf"), "a", encoding="utf-8") as file:
                for database in ("all", "replication"):
                    file.write(f"host {database} all {SUBNET}.0/24 trust\n")
        self.set("max_connections = 100", "wal_keep_size = 64", "max_wal_size = 128",
                 "wal_sender_timeout = 5s", "wal_receiver_timeout = 5s",
                 "wal_retrieve_retry_interval = 500ms", *self.location, *settings)
        return self

    @property
    def location(self):
        return (f"port = {self.port}", f"listen_addresses = '{self.address}'",
                f"unix_socket_directories = '{self.folder}'")

    def copy(self, primary, name, *settings):
        """Makes a standby that follows the primary."""
        self.run("pg_basebackup", "-h", primary.address, "-p", str(primary.port), "-U", "usher",
                 "-D", self.data, "-R", "-X", "stream", "-c", "fast")
        self.set(*self.location,
                 f"primary_conninfo = 'host={primary.address} port={primary.port} user=usher "
                 f"application_name={name}'", *settings)
        return self

    def set(self, *lines):
        path = os.path.join(self.data, "postgresql.auto.conf")
        with open(path, "a", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))

    def start(self):
        # What the server prints goes to its log: nothing else keeps this waiting. What is left of a
        # server that was killed may take a moment to end.
        command = self.command("pg_ctl", "start", "-w", "-s", "-D", self.data,
                               "-l", os.path.join(self.folder, "log"))
        for _ in range(100):
            status = subprocess.run(
                command, check=False, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode
            if status == 0:
                return self
            time.sleep(0.1)
        raise RuntimeError(f"the server in {self.folder} does not start")

    def process(self):
        """The server's, where it runs: what is written of one that was killed may by now be the
        number of another process."""
        try:
            with open(os.path.join(self.data, "postmaster.pid"), encoding="ascii") as file:
                number = int(file.readline())
            with open(f"/proc/{number}/cmdline", "rb") as file:
                return number if self.data.encode() in file.read().split(b"\0") else None
        except (OSError, ValueError):
            return None

    def is_up(self):
        """Whether it takes sessions."""
        return subprocess.run(
            self.command("pg_isready", "-q", "-h", self.folder, "-p", str(self.port)), check=False,
            cwd="/").returncode == 0

    def kill(self):
        """Kills the server and all that belongs to it, at once."""
        process = self.process()
        if process is None:
            return
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], check=False,
                               capture_output=True, text=True).stdout.split()
        for number in [process, *map(int, found)]:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for number in [process, *map(int, found)]:
            while os.path.exists(f"/proc/{number}") and not is_zombie(number):
                time.sleep(0.01)

    def promote(self):
        self.run("pg_ctl", "promote", "-w", "-s", "-D", self.data)

    def sql(self, text, database="usher"):
        return self.run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder,
                        "-p", str(self.port), "-U", "usher", "-d", database, "-c", text).strip()

    def remove(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_zombie(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True
