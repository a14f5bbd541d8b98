"""The commands of docs/BOX.md, run again. See scripts/check-box."""

import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile

MARK = "--- next command ---"
ADDRESS = "127.0.0.1:8421"
# Of the root, which is signed anew by each box.
FINGERPRINT = re.compile(r"(?<=root \(SHA-256\)  )[0-9a-f]{64}")


def start(usher, folder):
    """The box of the page on a free port, and what it prints."""
    process = subprocess.Popen(
        [usher, "simulate", "serve", "--listen", "127.0.0.1:0", "--start", "2026-01-01", "--speed",
         "0", "--out", "box", "--lang", "en"],
        stdout=subprocess.PIPE, text=True, cwd=folder)
    ready, _, _ = select.select([process.stdout], [], [], 60)
    lines = [process.stdout.readline() for _ in range(18)] if ready else [""]
    if not lines[-1]:
        process.kill()
        raise RuntimeError("the box does not start")
    return process, "".join(lines)


def commands(page):
    """All lines behind '$ ' in blocks of the console, with what is printed under them."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def main():
    usher, path = sys.argv[1], pathlib.Path("docs/BOX.md")
    page = path.read_text()
    with tempfile.TemporaryDirectory(prefix="usher-box.") as folder:
        process, printed = start(os.path.abspath(usher), folder)
        address = re.search(r"http://(127\.0\.0\.1:\d+)", printed)[1]
        try:
            script = "".join(
                f"{command.replace(ADDRESS, address)}\necho '{MARK}'\n"
                for command, _ in commands(page))
            done = subprocess.run(
                ["bash", "-u", "-c", script], capture_output=True, text=True, cwd=folder,
                timeout=300, check=False)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)
    got = [part.lstrip("\n") for part in done.stdout.split(MARK + "\n")]
    wrong = 0
    if "RECORD_SNAPSHOTS" in os.environ:
        record(path, page, printed.replace(address, ADDRESS), got)
    if FINGERPRINT.sub("", printed.replace(address, ADDRESS)) not in FINGERPRINT.sub("", page):
        print(f"the box prints:\n{printed}")
        wrong += 1
    for (command, expected), output in zip(commands(page), got):
        output = output.replace(address, ADDRESS)
        if output and not output.endswith("\n"):
            output += "\n"
        if output != expected:
            print(f"$ {command}\n{output}instead of\n{expected}")
            wrong += 1
    print(f"box: {len(got) - 1} commands of docs/BOX.md, {wrong} printed something else")
    sys.exit(1 if wrong or done.stderr else 0)


def record(path, page, serving, got):
    """Writes what is printed into the page; the run fails, so that somebody reads it."""
    outputs = iter(got)

    def block(found):
        text = "```console\n"
        for part in re.split(r"^\$ ", found[1], flags=re.MULTILINE)[1:]:
            output = next(outputs)
            text += "$ " + part.partition("\n")[0] + "\n" + output
            if output and not output.endswith("\n"):
                text += "\n"
        return text + "```"

    page = re.sub(r"^```console\n(.*?)^```", block, page, flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"(?<=--out box &\n).*?(?=^```)", lambda _: serving, page, count=1,
                  flags=re.DOTALL | re.MULTILINE)
    path.write_text(page)


main()
