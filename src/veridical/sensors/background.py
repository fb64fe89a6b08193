"""Writing behind the renderer's back."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from types import TracebackType

_WAITING = 6


class BackgroundWriter:
    """Runs jobs in order in one thread; `put` waits while too many are pending, so memory stays bounded.

    Attributes:
        busy_s: Seconds spent in jobs.
    """

    def __init__(self) -> None:
        self.busy_s = 0.0
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue(_WAITING)
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="veridical-writer", daemon=True)

    def __enter__(self) -> BackgroundWriter:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jobs.put(None)
        self._thread.join()
        if fault is None and self._fault is not None:
            raise self._fault

    def put(self, job: Callable[[], None]) -> None:
        """Hands a job over; raises what an earlier one raised."""
        if self._fault is not None:
            raise self._fault
        self._jobs.put(job)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self._fault is not None:
                continue
            begin = time.perf_counter()
            try:
                job()
            except BaseException as fault:  # handed to the caller's thread
                self._fault = fault
            self.busy_s += time.perf_counter() - begin
