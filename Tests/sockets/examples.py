"""What is in examples/, run against the real program. See scripts/check-examples."""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
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
