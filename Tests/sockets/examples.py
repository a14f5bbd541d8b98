"""What is in examples/, run against the real program. See scripts/check-examples."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
import integration  # noqa: E402
from proxies import configurations, start_haproxy, start_nginx, wait  # noqa: E402
from shop import Shop, stop  # noqa: E402

EVIDENCE = "fixtures/evidence/production/non-consumable-1-purchase.jws"


def run(command):
    """What a program prints; it must end with 0."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def check_programs(usher, repository, folder, sockets):
    examples = os.path.join(repository, "examples")
    run(["go", "vet", f"{examples}/go/ask.go"])
    run(["go", "build", "-o", f"{folder}/ask", f"{examples}/go/ask.go"])
    with open(f"{examples}/expected.txt", encoding="utf-8") as file:
        expected = file.read()
    for name, command in (
            ("python", ["python3", f"{examples}/python/ask.py"]),
            ("node", ["node", f"{examples}/node/ask.mjs"]),
            ("go", [f"{folder}/ask"]),
            ("swift", [os.path.join(os.path.dirname(usher), "ask-example")])):
        printed = run([*command, sockets, os.path.join(repository, EVIDENCE)])
        if printed != expected:
            raise RuntimeError(f"examples/{name} printed:\n{printed}")
    print("examples: python, node, go, swift: as expected")


def check_proxies(repository, folder, sockets):
    """One question through each, with the configurations as they are."""
    servers, sections = configurations(repository, sockets, "query.sock")
    for start, text, port in (
            (start_nginx, servers, 18081), (start_haproxy, sections, 18082)):
        proxy = start(folder, text)
        try:
            wait(port)
        finally:
            proxy.terminate()
            proxy.wait(timeout=60)
    print("examples: nginx, haproxy: answered")


def wait_for_answer(url):
    for _ in range(500):
        try:
            with urllib.request.urlopen(url, timeout=10):
                return
        except urllib.error.URLError:
            time.sleep(0.05)
    raise RuntimeError(f"nobody answers at {url}")


def check_box(usher, repository, folder):
    """The back end of examples/box, with Apple's library, against the App Store in a box."""
    example = os.path.join(repository, "examples", "box")
    hook = "http://127.0.0.1:18084"
    box = subprocess.Popen(
        [usher, "simulate", "serve", "--listen", "127.0.0.1:18083", "--start", "2026-01-01",
         "--speed", "0", "--out", f"{folder}/box", "--notify", f"{hook}/apple"],
        stdout=subprocess.PIPE, text=True)
    backend = None
    try:
        box.stdout.readline()
        backend = subprocess.Popen(
            [os.environ["APPLE_LIBRARY"], f"{example}/backend.py", "18084",
             "http://127.0.0.1:18083", f"{folder}/box"])
        wait_for_answer(f"{hook}/members/nobody")
        printed = run(["python3", f"{example}/try.py", "http://127.0.0.1:18083", hook])
    finally:
        for process in filter(None, (backend, box)):
            process.terminate()
            process.wait(timeout=60)
    with open(f"{example}/expected.txt", encoding="utf-8") as file:
        if printed != file.read():
            raise RuntimeError(f"examples/box printed:\n{printed}")
    print("examples: box: as expected")


def check_units(repository, folder, usher):
    """The units as systemd reads them, with the binary in the place that they name."""
    units = os.path.join(repository, "examples", "systemd")
    copies = os.path.join(folder, "units")
    os.makedirs(copies)
    names = sorted(name for name in os.listdir(units) if not name.endswith(".d"))
    for name in names:
        with open(os.path.join(units, name), encoding="utf-8") as file:
            text = file.read().replace("/usr/bin/usher", usher)
        with open(os.path.join(copies, name), "w", encoding="utf-8") as file:
            file.write(text)
    verify = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no",
              *(os.path.join(copies, name) for name in names)]
    run(verify)
    # The same with what opens the network.
    shutil.copytree(os.path.join(units, "usher.service.d"),
                    os.path.join(copies, "usher.service.d"))
    run(verify)
    print("examples: systemd: the units are valid, with and without the drop-in")


def main():
    usher, repository = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="usher-examples.") as folder:
        check_units(repository, folder, usher)
        check_box(usher, repository, folder)
        sold = os.path.join(folder, "sold")
        os.mkdir(sold)
        integration.check(usher, repository, sold, Shop(usher, repository, sold), stop)
        shop = Shop(usher, repository, folder)
        service = shop.start()
        try:
            check_programs(usher, repository, folder, shop.sockets)
            check_proxies(repository, folder, shop.sockets)
        finally:
            code = stop(service)
        if code != 0:
            raise RuntimeError(f"the service ended with {code}")


if __name__ == "__main__":
    main()
