"""A process beside this one that ends with it."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from typing import Any


class Companion:
    """A process beside this one and the line to it, started when it is needed."""

    process: Any = None
    line: Any = None

    def spawn(self, target: Callable[..., None], *args: Any) -> None:
        """Starts the process: `target` is given its end of the line, then the arguments."""
        context = multiprocessing.get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=target, args=(theirs, *args), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self) -> None:
        """Ends the process, whatever it does."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.line.close()
            self.process = None


def leave_with_parent() -> None:
    """Ends this process when the one that began it is gone, however that died; Ctrl-C is for the parent alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
