"""Where the deals of a match are played, or other work is done: here, in several processes, or on a Ray cluster.

Results do not depend on it: a deal's result depends on the plan and its number alone, and blocks come back in order.
"""

import importlib
import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Protocol

from stich.core.errors import StichError
from stich.run.process import leave_with_parent

RETRIES = 3

Task = tuple[Any, ...]
"""A function with what it is given: to play some deals, or other work."""


class Workers(Protocol):
    """A place where tasks are done, as blocks of deals are; several may be under way."""

    count: int

    def submit(self, task: Task) -> Any:
        """Begins a task."""

    def result(self, handle: Any) -> tuple[Any, float]:
        """Waits for a task; gives what came of it and its seconds."""

    def close(self) -> None:
        """Ends all work."""


def timed(work: Callable[..., Any], *given: Any) -> tuple[Any, float]:
    """What comes of a task and the seconds that it took."""
    began = time.perf_counter()
    found = work(*given)
    return found, time.perf_counter() - began


class InProcess:
    """This process."""

    count = 1

    def submit(self, task: Task) -> Task:
        """Nothing happens before the result is wanted."""
        return task

    def result(self, handle: Task) -> tuple[Any, float]:
        """Does the task."""
        return timed(*handle)

    def close(self) -> None:
        """There is nothing to end."""


class Processes:
    """Processes of this machine; one that dies is replaced, and its tasks are done again."""

    def __init__(self, count: int) -> None:
        self.count, self.failures = count, 0
        self._open()

    def _open(self) -> None:
        self.pool = ProcessPoolExecutor(self.count, mp_context=get_context("spawn"), initializer=leave_with_parent)

    def submit(self, task: Task) -> list[Any]:
        """Begins a task."""
        return [task, self._begin(task), self.failures]

    def _begin(self, task: Task) -> "Future[tuple[Any, float]] | None":
        try:
            return self.pool.submit(timed, *task)
        except BrokenProcessPool:
            return None

    def result(self, handle: list[Any]) -> tuple[Any, float]:
        """Waits for a task, beginning it again where its process has died."""
        while True:
            task, future, era = handle
            try:
                if future is None:
                    raise BrokenProcessPool
                found: tuple[Any, float] = future.result()
                return found
            except BrokenProcessPool:
                if era == self.failures:  # the first to notice
                    self.failures += 1
                    if self.failures > RETRIES:
                        raise StichError(
                            f"the processes that do the work died {self.failures} times; see --workers 1"
                        ) from None
                    self.pool.shutdown(wait=False, cancel_futures=True)
                    self._open()
                handle[1:] = [self._begin(task), self.failures]

    def close(self) -> None:
        """Ends the processes without waiting for what is under way."""
        self.failures = RETRIES  # nobody begins it again
        for process in list((getattr(self.pool, "_processes", None) or {}).values()):
            process.terminate()
        self.pool.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """A Ray cluster; what a dying node was doing is done elsewhere."""

    def __init__(self, address: str) -> None:
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError:
            raise StichError("a cluster needs Ray: pip install stich[ray]") from None
        self.ray = ray
        check_address(address)
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", ignore_reinit_error=True)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise StichError(f"there is no Ray cluster at {address}: {error}") from None
        self.count = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.remote = ray.remote(num_cpus=1, max_retries=-1)(timed)

    def submit(self, task: Task) -> Any:
        """Begins a task somewhere."""
        return self.remote.remote(*task)

    def result(self, handle: Any) -> tuple[Any, float]:
        """Waits for a task; an error of the program itself is raised as it was."""
        try:
            found: tuple[Any, float] = self.ray.get(handle)
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, StichError) else error from None
        return found

    def close(self) -> None:
        """Leaves the cluster."""
        self.ray.shutdown()


def check_address(address: str) -> None:
    """Refuses an address where nobody listens: Ray itself would wait for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=5).close()
        except OSError as error:
            raise StichError(f"there is no Ray cluster at {address}: {error}") from None


def open_workers(count: int, ray: str | None = None) -> Workers:
    """The workers that a command asks for."""
    if ray is not None:
        return Cluster(ray)
    if count < 1:
        raise StichError(f"at least one worker is needed, not {count}")
    return InProcess() if count == 1 else Processes(count)
