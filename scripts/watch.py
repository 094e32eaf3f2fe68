"""`triage index … --watch`: looks at the sources and updates the index when they have changed and come to rest."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FrameType

from bot.adapters.sources import is_source
from bot.errors import BotError
from config.settings import ConfigError
from retrieval.errors import IndexBusy, RetrievalError

LOOK_S = 2.0
SOURCE_S = 300.0  # between two reads of a source that is no file
# What an editor or an unpacked archive writes in many steps is waited for: two looks that are the same.
Stamp = tuple[tuple[str, int, int, int], ...]


def stamp_of(paths: Iterable[str]) -> Stamp:
    """Give name, inode, time and size of every file under the paths, sorted; what cannot be read is not in it."""
    found: list[str] = []
    beats: list[tuple[str, int, int, int]] = []
    for path in paths:
        if is_source(path):  # nothing tells that it has changed; it is read again at every beat
            beats.append((path, 0, int(time.time() // SOURCE_S), 0))
        elif Path(path).is_dir():
            for folder, folders, names in os.walk(path):
                folders[:] = [name for name in folders if not name.startswith(".")]
                found += [os.path.join(folder, name) for name in names]  # noqa: PTH118 - thousands of them
        else:
            found.append(path)
    return tuple(sorted([*beats, *filter(None, map(_stat, found))]))


def _stat(path: str) -> tuple[str, int, int, int] | None:
    try:
        seen = os.stat(path)  # noqa: PTH116 - thousands of them
    except OSError:
        return None
    return path, seen.st_ino, seen.st_mtime_ns, seen.st_size


class Watch:
    """Runs an update whenever the sources have changed; a failing one is named, and tried again at the next change."""

    def __init__(self, paths: Sequence[str], update: Callable[[], int], *, look_s: float = LOOK_S) -> None:
        """Watch files and folders; `update` gives an exit code."""
        self._paths = paths
        self._update = update
        self._look_s = look_s
        self._stop = threading.Event()

    def stop(self) -> None:
        """End after the update under way."""
        self._stop.set()

    def run(self) -> int:
        """Update now, then at every change until stopped; gives 0."""
        done: Stamp | None = None
        seen: Stamp | None = stamp_of(self._paths)
        while True:
            stamp = stamp_of(self._paths)
            if stamp == seen and stamp != done and self._is_done():
                done = stamp
            seen = stamp
            if self._stop.wait(self._look_s):
                return 0

    def _is_done(self) -> bool:
        """Update once; an index that another process is writing is tried again at the next look."""
        try:
            self._update()
        except (BotError, RetrievalError, ConfigError, OSError) as error:
            print(f"triage: {error}", file=sys.stderr, flush=True)
            return not isinstance(error, IndexBusy)
        return True


def watch(paths: Sequence[str], update: Callable[[], int]) -> int:
    """Watch until SIGINT or SIGTERM."""
    watching = Watch(paths, update)

    def end(_number: int, _frame: FrameType | None) -> None:
        watching.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    print("watching; Ctrl-C ends it", file=sys.stderr, flush=True)
    return watching.run()
