"""More than the service can bear: what becomes of those it serves; see scripts/overload.

    overload.py USHER LOAD REPOSITORY [--seconds N] [--only NAME] [--idle N] [--slow N]
                [--hostile N] [--junk N] [--evidence N] [--memory MEBIBYTES] [--patience N]
                [--unpinned]
"""

import argparse
import os
import resource
import sqlite3
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

from health import Health  # noqa: E402
from loads import WARM, Loads, Requests  # noqa: E402
from shop import Shop, stop  # noqa: E402

ACCOUNTS = 500
CONNECTIONS = 8
# So many that more of them get no more answers.
FULL = 64
# What the log may come to again once nobody keeps it (docs/LEDGER.md), and a little.
LOG_MEBIBYTES = 17
# Evidence a second that is genuine, beside evidence that is not.
GENUINE = 50


class Trial:
    """A service under a usual load of questions, and the figures of each phase."""

    def __init__(self, options, shop, process):
        self.options, self.shop, self.process = options, shop, process
        self.requests = Requests(shop)
        self.loads = Loads(options.load, shop, options.unpinned)
        self.health = Health(shop, process, options.patience)
        self.bears = self.takes = self.finds = 0
        self.usual, self.no_retry, self.most_memory, self.recorded = None, 0, 0, 0
        self.missed, self.faults = [], []

    def prepare(self):
        """Fills the ledger; finds out what the service bears."""
        self.requests.questions(ACCOUNTS)
        self.requests.evidence(self.options.evidence, ACCOUNTS)
        self.requests.cold(200_000)
        self.requests.hostile()
        filled = self.shop.buy(self.shop.purchases(ACCOUNTS * 4, ACCOUNTS, 6_000_000), 64)
        if set(filled.values()) != {200}:
            raise RuntimeError("the ledger cannot be filled")
        self.find_questions_thread()
        self.bears = self.loads.run("query", FULL, 1, 0, 2, "questions")["good"] / 2
        self.takes = self.loads.run("usher", FULL, 1, 0, 2, "evidence")["good"] / 2
        self.finds = self.loads.run("usher", FULL, 1, 0, 2, "cold")["good"] / 2
        print(f"bears {self.bears:.0f} questions, {self.takes:.0f} pieces of evidence and"
              f" {self.finds:.0f} questions about accounts that are not in memory a second")

    def find_questions_thread(self):
        """The one that works most while nothing but questions is asked."""
        before = self.worked()
        self.loads.run("query", CONNECTIONS, 1, 0, 1, "questions")
        after = self.worked()
        self.thread = max(after, key=lambda thread: after[thread] - before.get(thread, 0))
        for thread in after:
            if self.options.renice is not None and thread != self.thread:
                os.setpriority(os.PRIO_PROCESS, thread, self.options.renice)

    def worked(self):
        """For how many seconds each thread has had a processor."""
        folder = f"/proc/{self.process.pid}/task"
        return {int(thread): scheduled(f"{folder}/{thread}")[0] for thread in os.listdir(folder)}

    def questions_scheduled(self):
        return scheduled(f"/proc/{self.process.pid}/task/{self.thread}")

    def phase(self, name, *begin):
        """One row: the usual load while others do what `begin` starts."""
        self.health.begin()
        probe = self.loads.begin_probe(CONNECTIONS, self.bears / 3, self.options.seconds)
        others = [start() for start in begin]
        worked, waited = self.questions_scheduled()
        figures = self.loads.end(probe)
        if self.process.poll() is not None:
            raise RuntimeError(f"the service ended with {self.process.returncode}: {self.said()}")
        worked, waited = (after - before for after, before in zip(
            self.questions_scheduled(), (worked, waited)))
        rest = [self.loads.end(other) for other in others]
        genuine = [f", genuine: {one['p50'] / 1000:.1f}/{one['p99'] / 1000:.1f} ms"
                   for one, other in zip(rest, others) if other[1] == "genuine"]
        health, memory = self.health.end()
        self.usual = self.usual or figures
        self.most_memory = max(self.most_memory, memory)
        self.no_retry += sum(one.get("no_retry", 0) for one in rest)
        ratio = figures["p99"] / self.usual["p99"]
        if ratio > 2 or figures["unanswered"] or figures["broken"]:
            self.missed.append(name)
        print(f"| {name} | {figures['p50']:.0f} | {figures['p99']:.0f} | {ratio:.1f} |"
              f" {figures['good']} | {told(rest)}{''.join(genuine)} | {memory:.0f} | {health:.0f} |"
              f" {worked:.1f} + {waited:.1f} |", flush=True)

    def said(self):
        """The end of what the service wrote to its standard error."""
        with open(self.shop.folder + "/errors", encoding="utf-8", errors="replace") as file:
            return file.read()[-2_000:]

    def finish(self):
        """Stops the service, and finds what it did wrong."""
        self.faults += self.health.faults
        if log := self.loads.log_after_reader():
            print(f"log: {log[0]:.0f} MiB while the reader stayed, {log[1]:.0f} MiB after it")
            if log[1] > LOG_MEBIBYTES:
                self.faults.append("the log does not shrink when the reader has gone")
        if code := stop(self.process):
            self.faults.append(f"the service ended with {code}")
        half = self.options.evidence // 2
        recorded = {self.requests.ids[number + (half if file == "late" else 0)]
                    for file, number in self.loads.acknowledged}
        self.recorded = len(recorded)
        if lost := recorded - transactions(self.shop.ledger):
            self.faults.append(f"{len(lost)} acknowledged purchases are lost")
        if self.most_memory > self.options.memory:
            self.faults.append(f"{self.most_memory:.0f} MiB of memory")
        if self.no_retry:
            self.faults.append(f"{self.no_retry} refusals without Retry-After")


def scheduled(thread):
    """For how many seconds a thread had the processor, and for how many it waited for it."""
    with open(thread + "/schedstat", encoding="ascii") as file:
        worked, waited, _ = file.read().split()
    return int(worked) / 1e9, int(waited) / 1e9


def told(rest):
    """What became of those who disturb."""
    counts = {}
    for one in rest:
        words = ("dropped", "broken", "unanswered", "made", "closed")
        figures = one.get("statuses", {}) | {word: one[word] for word in words if one.get(word)}
        for word, count in figures.items():
            counts[word] = counts.get(word, 0) + count
    return ", ".join(f"{word}: {count}" for word, count in sorted(counts.items())) or "-"


def crowded(trial, options):
    """Questions on query.sock of a service that takes so many connections as it can bear."""
    seconds = options.seconds + WARM

    def flood(times):
        return [lambda: trial.loads.begin("query", FULL * times, 1, trial.bears * times, seconds,
                                          "questions")]

    return {"full": (f"{FULL} connections, all that it bears", flood(1)),
            "questions": (f"{3 * FULL} connections, 3 × the questions", flood(3)),
            "questions10": (f"{10 * FULL} connections, 10 × the questions", flood(10))}


def besieged(trial, options):
    """What else may be done to a service that has a usual load of questions."""
    seconds = options.seconds + WARM

    def flood(connections, rate, file):
        return lambda: trial.loads.begin("usher", connections, 1, rate, seconds, file)

    def changes(times):
        return [flood(FULL * times, trial.takes * times, "evidence"),
                flood(FULL * times, trial.finds * times, "cold")]

    def hold(count, period):
        return lambda: trial.loads.begin_hold("query", count, period, seconds)

    return {
        "usual": ("a usual load", []),
        "changes": ("3 × the evidence and cold questions", changes(3)),
        "changes10": ("10 × the evidence and cold questions", changes(10)),
        "idle": (f"{options.idle} idle connections", [hold(options.idle, 0)]),
        "slow": (f"{options.slow} slow connections", [hold(options.slow, 100)]),
        "reader": ("a reader that keeps the log", [
            trial.loads.begin_reader, flood(16, trial.takes, "late")]),
        "hostile": (f"{options.hostile} hostile receipts a second, beside evidence", [
            flood(32, options.hostile, "hostile"), flood(4, GENUINE, "genuine")]),
        "junk": (f"{options.junk} pieces and lists of junk a second, beside evidence", [
            flood(16, options.junk, "junk"), flood(4, GENUINE, "genuine")]),
        "after": ("a usual load again", []),
    }


def main():
    parser = argparse.ArgumentParser()
    for name in ("usher", "load", "repository"):
        parser.add_argument(name)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--only")
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--slow", type=int, default=1_000)
    parser.add_argument("--hostile", type=float, default=64)
    parser.add_argument("--junk", type=float, default=1_300)
    # Handed in again and again, which is without effect.
    parser.add_argument("--evidence", type=int, default=20_000)
    # What takes longer is a service that a watcher takes for dead.
    parser.add_argument("--patience", type=float, default=5)
    parser.add_argument("--memory", type=float, default=512)
    parser.add_argument("--unpinned", action="store_true")
    parser.add_argument("--renice", type=int)
    options = parser.parse_args()
    # Half of the files are for query.sock, less what the service and the usual load need.
    options.idle = min(options.idle, files() // 2 - 1_400)
    print("| what | p50 µs | p99 µs | × | answered | the others, by status | MiB | slowest health"
          " ms | questions' thread worked + waited s |\n|---|---|---|---|---|---|---|---|---|")
    trials = [serve(options, crowded, FULL + CONNECTIONS),
              serve(options, besieged, options.idle + 100)]
    faults = [fault for trial in trials for fault in trial.faults]
    missed = [name for trial in trials for name in trial.missed]
    print("p99 within 2 × " + ("everywhere" if not missed else "but for: " + "; ".join(missed)))
    memory = max(trial.most_memory for trial in trials)
    print("overload: failed: " + "; ".join(faults) if faults else
          f"overload: {sum(trial.recorded for trial in trials)} acknowledged purchases, none lost;"
          f" health answered throughout; at most {memory:.0f} MiB")
    return 1 if faults else 0


def serve(options, phases, connections):
    """A service of its own that takes so many connections; what became of it."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(options.usher, options.repository, os.path.join(folder, "s"))
        shop.options = ["--set", f"limits.connections={connections}",
                        "--set", "limits.reserved-connections=1024",
                        "--set", "limits.accounts-in-memory=50000"]
        with open(shop.folder + "/errors", "wb") as errors:
            process = shop.start([] if options.unpinned else ["taskset", "-c", "0"], errors)
        trial = Trial(options, shop, process)
        try:
            trial.prepare()
            for place, (key, (name, begin)) in enumerate(phases(trial, options).items()):
                if options.only in (None, key) or place == 0:
                    trial.phase(name, *begin)
            trial.finish()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        return trial


def files():
    """How many the service may open; it shares them out between its sockets."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def transactions(ledger):
    database = sqlite3.connect(ledger)
    try:
        return {row[0] for row in database.execute(
            "SELECT json_extract(CAST(payload AS TEXT), '$.transaction.snapshot.transactionId')"
            " FROM entry WHERE kind = 3")}
    finally:
        database.close()


if __name__ == "__main__":
    sys.exit(main())
