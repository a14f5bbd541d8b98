"""Cases that only a running service, a command or odd bytes can show; see scripts/casebook.

    casebook.py USHER REPOSITORY [--jobs N] [CASE…]
"""

import argparse
import concurrent.futures
import os
import sys
import tempfile
import time
import traceback

import lab

# Each module registers its cases.
import apples_words  # noqa: E402,F401
import claims  # noqa: E402,F401
import evidence_forms  # noqa: E402,F401
import payments  # noqa: E402,F401
import with_apple  # noqa: E402,F401
from purchases import Signer  # noqa: E402

HELD, DIFFERS, USAGE = 0, 1, 64


class Arguments(argparse.ArgumentParser):
    """Refuses what it does not know as every script here does."""
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"casebook: {message}\n")


def read_arguments():
    parser = Arguments(prog="scripts/casebook")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    for word in options.cases:
        if not any(name.startswith(word) for name in lab.CASES):
            parser.error(f"no case begins with '{word}'")
    return options


def play(options, name, folder, signer):
    """The checks of a case; one that fails for another reason is a check that does not hold."""
    function = lab.CASES[name]
    begun = time.monotonic()
    work = lab.Lab(options.usher, options.repository, os.path.join(folder, name), signer,
                   **function.changes)
    try:
        function(work)
    except Exception:  # pylint: disable=broad-except
        work.check("runs to its end", False, traceback.format_exc())
    finally:
        work.close()
    return work.checks, time.monotonic() - begun


def main():
    options = read_arguments()
    names = [
        name for name in lab.CASES if not options.cases or any(map(name.startswith, options.cases))
    ]
    count = differs = 0
    # Sockets have short names, and so has their folder.
    with tempfile.TemporaryDirectory(prefix="cb") as folder:
        root = os.path.join(folder, "receipts.pem")
        signer = Signer(options.usher, root)
        signer.receipt_root = root
        signer.sign({})  # It answers once it has written the root.
        try:
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                played = {name: pool.submit(play, options, name, folder, signer) for name in names}
                for name, future in played.items():
                    checks, seconds = future.result()
                    print(f"{name}: {lab.CASES[name].__doc__.splitlines()[0]} ({seconds:.1f} s)")
                    for what, holds, got in checks or [("has checks", False, "none")]:
                        count += 1
                        differs += not holds
                        print(f"    {'holds' if holds else 'DIFFERS'}: {what}" +
                              ("" if holds else f": {got.strip()}"),
                              flush=True)
        finally:
            signer.close()
    print(f"casebook: {len(names)} cases, {count} checks, {differs} differ")
    return DIFFERS if differs else HELD


if __name__ == "__main__":
    sys.exit(main())
