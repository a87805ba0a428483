"""Somebody who reads maps all the time while runs come and go: opens `current` of each area again and again, walks what it finds, and
compares it with the inventory in it. A map must be whole each time, and never be missing once it was there.

    map-reader.py --keep N --ready FILE AREA...

Between two such looks it opens the inventory through `current` every millisecond: a glance, which finds a path that leads nowhere for a moment only.

FILE is made once it has looked at every area. On SIGTERM it prints what it saw: {"looks": 812, "glances": 15000, "maps": 7, "complaints": ["…"]}. Nothing of this is
shared with the program that makes the maps but the form of inventory.json.
"""

import argparse
import hashlib
import json
import os
import signal
import stat
import sys
import time

GLANCES = 20
PAUSE = 0.001
hashes = {}


def sha256(path, fd, status):
    """Files do not change, so one look at their bytes is enough until they do."""
    identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if identity not in hashes:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=fd), "rb") as file:
            hashes[identity] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes[identity]


def faults(fd):
    """What is wrong with the map in an open folder, whatever `current` points to meanwhile."""
    with open(os.open("inventory.json", os.O_RDONLY, dir_fd=fd), "rb") as file:
        listed = {entry["path"]: entry for entry in json.load(file)["files"]}
    if not listed:
        yield "the inventory lists no files"
    for path, entry in listed.items():
        try:
            status = os.stat(path, dir_fd=fd, follow_symlinks=False)
        except FileNotFoundError:
            yield f"{path} is missing"
            continue
        if not stat.S_ISREG(status.st_mode):
            yield f"{path} is no file"
        elif status.st_size != entry["bytes"]:
            yield f"{path} has {status.st_size} of {entry['bytes']} bytes"
        elif sha256(path, fd, status) != entry["sha256"]:
            yield f"{path} holds other bytes than the inventory says"
    for folder, _, names, _ in os.fwalk(".", dir_fd=fd):
        for name in names:
            path = os.path.normpath(os.path.join(folder, name))
            if path not in listed and path != "inventory.json":
                yield f"{path} is in no inventory"


class Reader:
    def __init__(self, areas, keep):
        self.areas, self.keep = areas, keep
        self.seen, self.maps, self.looks, self.glances, self.complaints = set(), set(), 0, 0, []

    def may_be_gone(self, area, name):
        """Old maps go once there are enough newer ones; whoever still reads one loses it."""
        return sum(1 for other in os.listdir(area + "/generations") if other > name and other[0] != ".") >= self.keep

    def look(self, area):
        try:
            fd = os.open(area + "/current", os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            if area in self.seen or os.path.lexists(area + "/current"):
                self.complain(f"{area}: current leads nowhere")
            return
        try:
            folder = os.readlink(f"/proc/self/fd/{fd}")
            found = list(self.attempt(fd))
            if found and self.may_be_gone(area, os.path.basename(folder.removesuffix(" (deleted)"))):
                return
            for words in found:
                self.complain(f"{folder}: {words}")
            self.seen.add(area)
            self.maps.add(folder)
            self.looks += 1
        finally:
            os.close(fd)

    def glance(self, area):
        """The path that an app opens: it leads to a file with something in it."""
        try:
            with open(area + "/current/inventory.json", "rb") as file:
                if file.read(1) != b"{":
                    self.complain(f"{area}: the inventory is empty")
            self.glances += 1
        except OSError as error:
            # It is gone for good when the next look says so in its own words.
            if area in self.seen and os.path.lexists(area + "/current"):
                self.complain(f"{area}: {type(error).__name__} at a glance")

    @staticmethod
    def attempt(fd):
        try:
            yield from faults(fd)
        except (OSError, ValueError, KeyError, TypeError) as error:
            yield f"{type(error).__name__}: {error}"

    def complain(self, words):
        if len(self.complaints) < 10 and words not in self.complaints:
            self.complaints.append(words)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=int, required=True)
    parser.add_argument("--ready", required=True)
    parser.add_argument("areas", nargs="+")
    arguments = parser.parse_args()
    reader = Reader(arguments.areas, arguments.keep)
    ended = []
    # Whoever starts it may have blocked the signal for itself, which is inherited.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    parent = os.getppid()
    # At least one look at the end: of what is there then.
    while True:
        is_last = bool(ended)
        for area in reader.areas:
            reader.look(area)
        open(arguments.ready, "a").close()
        if is_last or os.getppid() != parent:
            break
        for _ in range(GLANCES):
            time.sleep(PAUSE)
            if ended:
                break
            for area in reader.areas:
                reader.glance(area)
    json.dump({"looks": reader.looks, "glances": reader.glances, "maps": len(reader.maps), "complaints": reader.complaints}, sys.stdout)


main()
