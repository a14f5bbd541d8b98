"""Types the README and the pages that go on with its service: each command behind '$ ' in their blocks
marked 'console', in a terminal, in a folder of its own. See scripts/check-readme."""

import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

MARK = "--- next command ---"
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
# What differs from run to run in what the service says of itself.
OF_THIS_RUN = [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "INSTANT"), (r"\(\d+ min\)", "(MINUTES)"),
    (r"\d+(\.\d+)? [kM]?B\b", "SIZE"), (r"\b[0-9a-f]{64}\b", "HASH"),
    (r"SQLite [\d.]+ ", "SQLite "),
]


def commands(block):
    """The commands of a block, each with what is printed under it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        count = 1
        while lines[count - 1].endswith("\\\n"):
            count += 1
        if lines[0].endswith("<<'END'\n"):
            count = lines.index("END\n") + 1
        yield "".join(lines[:count]), "".join(lines[count:])


class Shell:
    """A shell whose commands print to a terminal of 100 columns."""

    def __init__(self, folder, path):
        self.screen, there = pty.openpty()
        termios.tcsetattr(there, termios.TCSANOW, self.plain(there))
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        environment = dict(os.environ, PATH=path + ":" + os.environ["PATH"], LANG="en_GB.UTF-8",
                           NO_COLOR="1", TERM="xterm")
        for name in ("LC_ALL", "LC_MESSAGES", "USHER_SOCKETS", "COLUMNS"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            ["bash"], stdin=subprocess.PIPE, stdout=there, stderr=there, cwd=folder,
            env=environment, start_new_session=True)
        os.close(there)

    @staticmethod
    def plain(terminal):
        """Lines end as they were written."""
        modes = termios.tcgetattr(terminal)
        modes[1] &= ~termios.OPOST
        return modes

    def type(self, command, lines):
        """What a command prints. One that goes on in the background prints 'lines' lines."""
        self.process.stdin.write(f"{command}echo '{MARK}'\n".encode())
        self.process.stdin.flush()
        printed = self.read(lambda text: MARK in text).replace(MARK + "\n", "")
        if command.endswith("&\n") and printed.count("\n") < lines:
            printed += self.read(lambda text: (printed + text).count("\n") >= lines)
        return printed

    def read(self, is_enough):
        deadline = time.monotonic() + 60
        text = b""
        while not is_enough(text.decode(errors="replace")):
            ready, _, _ = select.select([self.screen], [], [], deadline - time.monotonic())
            if not ready:
                break
            text += os.read(self.screen, 65536)
        # What a bar of progress has written over.
        return re.sub(r"[^\n]*\x1b\[K", "", text.decode(errors="replace"))

    def end(self):
        """Ends everything that was started in the session."""
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            pass
        # A service that stops still writes next to its ledger.
        deadline = time.monotonic() + 20
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            while time.monotonic() < deadline:
                os.killpg(self.process.pid, 0)
                time.sleep(0.05)
        except ProcessLookupError:
            pass


def same(printed, expected, command):
    """Whether it is what the page says, but for what the service says of this run."""
    if command.startswith(("usher status", "usher ledger")):
        for pattern, name in OF_THIS_RUN:
            printed, expected = (re.sub(pattern, name, text) for text in (printed, expected))
    # The roots in this folder were made in this run.
    if command.startswith("usher serve") and "--policies shop " in command:
        printed, expected = (
            re.sub(r"policy [0-9a-f]{12}", "policy HASH", text) for text in (printed, expected))
    return printed == expected


# Typed one behind the other: the pages go on with the service of the first one.
PAGES = ("README.md", "docs/API.md", "docs/STORIES.md")


def main():
    usher = os.path.abspath(sys.argv[1])
    pages = {name: pathlib.Path(name).read_text(encoding="utf-8") for name in PAGES}
    wrong, typed = 0, 0
    with tempfile.TemporaryDirectory(prefix="usher-tour.") as folder:
        for name in ("demo", "fixtures", "policies"):
            shutil.copytree(name, os.path.join(folder, name))
        os.mkdir(os.path.join(folder, ".bin"))
        os.symlink(usher, os.path.join(folder, ".bin", "usher"))
        shell = Shell(folder, os.path.join(folder, ".bin"))
        try:
            for name, page in pages.items():
                printed = []
                for command, expected in steps(page):
                    got = shell.type(command, expected.count("\n"))
                    if got and not got.endswith("\n"):
                        got += "\n"
                    typed += 1
                    printed.append(got)
                    if not same(got, expected, command):
                        print(f"{name}: $ {command}{got}instead of\n{expected}")
                        wrong += 1
                if "RECORD_SNAPSHOTS" in os.environ:
                    record(pathlib.Path(name), page, printed)
        finally:
            shell.end()
    print(f"tour: {typed} commands of {', '.join(PAGES)}; {wrong} printed something else")
    sys.exit(1 if wrong or not typed else 0)


def steps(page):
    """The commands of all blocks, each with what is printed under it."""
    return (step for block in BLOCK.findall(page) for step in commands(block))


def record(path, page, printed):
    """Writes what is printed into the page; the run fails, so that somebody reads it."""
    outputs = iter(printed)

    def block(found):
        parts = [f"$ {command}{next(outputs)}" for command, _ in commands(found[1])]
        return "```console\n" + "".join(parts) + "```"

    path.write_text(BLOCK.sub(block, page), encoding="utf-8")


main()
