"""A share of one core for a process, by a control group of its own."""

import os
import time

ROOT = "/sys/fs/cgroup"
# Microseconds: short, so that a process that has used its share up does not wait long.
PERIOD = 10_000


class Share:
    """Limits a process, all of its threads together, to a part of one core until it is ended."""

    def __init__(self, name, part, process):
        is_unified = os.path.exists(os.path.join(ROOT, "cgroup.controllers"))
        base = ROOT if is_unified else os.path.join(ROOT, "cpu")
        self.base, self.process = base, process
        self.path = os.path.join(base, f"usher-fleet-{name}")
        os.mkdir(self.path)
        quota = int(PERIOD * part)
        if is_unified:
            self.write("cpu.max", f"{quota} {PERIOD}")
        else:
            self.write("cpu.cfs_period_us", PERIOD)
            self.write("cpu.cfs_quota_us", quota)
        self.write("cgroup.procs", process)

    def write(self, name, value):
        with open(os.path.join(self.path, name), "w", encoding="ascii") as file:
            file.write(f"{value}\n")

    def end(self):
        try:
            with open(os.path.join(self.base, "cgroup.procs"), "w", encoding="ascii") as file:
                file.write(f"{self.process}\n")
        except OSError:
            pass
        for _ in range(100):
            try:
                os.rmdir(self.path)
                return
            except OSError:
                time.sleep(0.02)
