"""PostgreSQL servers of their own, from the system's packages, and wires to them that can be cut."""

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time


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
    """One server; it does not run as root."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.data = os.path.join(folder, "data")
        os.makedirs(folder)
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)

    def run(self, program, *arguments):
        prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        return subprocess.run(
            [*prefix, os.path.join(programs(), program), *arguments], check=True, cwd="/",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True).stdout

    def make(self, *settings):
        self.run("initdb", "--auth=trust", "--encoding=UTF8", "--username=usher", "--no-sync",
                 "-D", self.data)
        self.set(f"port = {self.port}", "listen_addresses = '127.0.0.1'",
                 f"unix_socket_directories = '{self.folder}'", "max_connections = 100",
                 "wal_keep_size = 256", *settings)
        return self

    def copy(self, primary, name, *settings):
        """Makes a standby that follows the primary."""
        self.run("pg_basebackup", "-h", "127.0.0.1", "-p", str(primary.port), "-U", "usher", "-D",
                 self.data, "-R", "-X", "stream", "-c", "fast")
        self.set(f"port = {self.port}", f"unix_socket_directories = '{self.folder}'",
                 f"primary_conninfo = 'host=127.0.0.1 port={primary.port} user=usher "
                 f"application_name={name}'", *settings)
        return self

    def set(self, *lines):
        path = os.path.join(self.data, "postgresql.auto.conf")
        with open(path, "a", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))

    def start(self):
        # What the server prints goes to its log: nothing else keeps this waiting. What is left of a
        # server that was killed may take a moment to end.
        prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        for _ in range(100):
            status = subprocess.run(
                [*prefix, os.path.join(programs(), "pg_ctl"), "start", "-w", "-s", "-D", self.data,
                 "-l", os.path.join(self.folder, "log")], check=False, cwd="/",
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode
            if status == 0:
                return self
            time.sleep(0.1)
        raise RuntimeError(f"the server in {self.folder} does not start")

    def kill(self):
        """Kills the server and all that belongs to it, at once."""
        try:
            with open(os.path.join(self.data, "postmaster.pid"), encoding="ascii") as file:
                process = int(file.readline())
        except OSError:
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
        return self.run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1",
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


class Wire:
    """A port that leads to a server, until it is cut: silently, as a network does it, or after
    the next question, so that its answer is lost."""

    def __init__(self, server):
        self.server = server
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_cut = False
        self.delay = 0
        self.loses_answers = False
        self.pairs, self.lock = [], threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.server.port))
            except OSError:
                near.close()
                continue
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.pairs.append((near, far))
            for source, target, is_answer in ((near, far, False), (far, near, True)):
                threading.Thread(target=self.carry, args=(source, target, is_answer),
                                 daemon=True).start()

    def carry(self, source, target, is_answer):
        try:
            while data := source.recv(65536):
                while self.is_cut:
                    time.sleep(0.02)
                if self.delay:
                    time.sleep(self.delay)
                if is_answer and self.loses_answers:
                    # The server has done it, and nobody hears of it.
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def lead_to(self, server):
        """Ends what is open; what comes next leads elsewhere."""
        self.server = server
        self.drop()

    def drop(self):
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self):
        self.listener.close()
        self.is_cut = False
        self.drop()
