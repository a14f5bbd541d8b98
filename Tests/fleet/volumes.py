"""Small file systems that can be full."""

import os
import subprocess

from network import is_alive, tag


def are_possible(folder):
    """Whether file systems can be mounted here."""
    if os.geteuid() != 0:
        return False
    unmount_left_over()
    try:
        Volume(folder).close()
    except OSError:
        return False
    return True


def unmount_left_over():
    """What processes have left behind that were killed."""
    with open("/proc/self/mounts", encoding="utf-8") as file:
        mounts = [line.split()[:2] for line in file if line.startswith("usher-")]
    for owner, folder in mounts:
        if not is_alive(owner):
            subprocess.run(["umount", "-l", folder], check=False)


class Volume:
    """Lies in memory, over a folder."""

    SIZE = "2g"

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        kept = os.stat(folder)
        self.mount("-t", "tmpfs", "-o", f"size={self.SIZE}", tag(os.getpid()), folder)
        os.chown(folder, kept.st_uid, kept.st_gid)
        os.chmod(folder, kept.st_mode)

    def mount(self, *arguments):
        made = subprocess.run(["mount", *arguments], check=False, capture_output=True, text=True)
        if made.returncode:
            raise OSError(made.stderr.strip())

    def fill(self, left=0):
        """From now on there is no room but what is left."""
        for _ in range(50):
            said = os.statvfs(self.folder)
            used = (said.f_blocks - said.f_bfree) * said.f_frsize
            try:
                return self.mount("-o", f"remount,size={used + left}", self.folder)
            except OSError:
                # More has been written meanwhile.
                continue
        raise OSError(f"{self.folder} is written to too fast")

    def free(self):
        self.mount("-o", f"remount,size={self.SIZE}", self.folder)

    def close(self):
        subprocess.run(["umount", "-l", self.folder], check=False)
