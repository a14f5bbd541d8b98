"""What the shim before the service does to it: see shim.c, whose struct this file writes."""

import errno
import mmap
import os
import struct
import subprocess


class Orders:
    """The shim, compiled, and the file in which it reads what to do."""

    OFFSET, FIRST, LAST, ERROR, CALLS = range(5)

    def __init__(self, folder, ledger):
        library = os.path.join(folder, "shim.so")
        source = os.path.join(os.path.dirname(__file__), "shim.c")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"],
                       check=True)
        path = os.path.join(folder, "orders")
        with open(path, "wb") as file:
            file.write(bytes(40))
        with open(path, "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 40)
        self.environment = {"LD_PRELOAD": library, "TORTURE_ORDERS": path,
                            "TORTURE_LEDGER": ledger}

    def set(self, place, value):
        # In one piece: the service may be reading it.
        memoryview(self.shared).cast("q")[place] = value

    def get(self, place):
        return struct.unpack_from("=q", self.shared, place * 8)[0]

    def fail(self, first, last, error):
        """From now on the calls with these numbers fail; without an error they lie: they say
        that it is done, and nothing is."""
        self.set(self.CALLS, 0)
        self.set(self.ERROR, getattr(errno, error) if error else 0)
        self.set(self.LAST, last)
        self.set(self.FIRST, first)

    def kill(self, first, last):
        """From now on the service is killed at the calls with these numbers."""
        self.set(self.CALLS, 0)
        self.set(self.ERROR, -1)
        self.set(self.LAST, last)
        self.set(self.FIRST, first)

    def heal(self):
        self.set(self.FIRST, 0)
        self.set(self.CALLS, 0)

    @property
    def calls(self):
        return self.get(self.CALLS)
