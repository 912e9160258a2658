# SPDX-License-Identifier: Apache-2.0
"""A server of the store, whatever engine it is of."""

import contextlib
import os
import signal
import time
from pathlib import Path

from operations.check import Failed
from operations.waiting import wait_until

from replicas.machine import NodeProcess
from replicas.network import Node

SECONDS_TO_START = 60
_SECONDS_TO_INSIST = 0.5


class Server:
    """A server at a node of its own, which keeps on its disk what it acknowledges."""

    # The signal at which it ends, and its connections with it.
    ending = signal.SIGTERM

    def __init__(self, node: Node, process: NodeProcess, port: int) -> None:
        self.node = node
        self.process = process
        self.port = port

    def answers(self) -> bool:
        """Whether it answers and has read its data."""
        raise NotImplementedError

    def follows(self) -> bool:
        """Whether it answers, and has what its primary has."""
        raise NotImplementedError

    def start(self) -> None:
        """Starts it and waits until it answers."""
        self.process.__enter__()
        wait_until(f"{self.node.name} answers", self.answers, SECONDS_TO_START)

    def kill(self) -> None:
        """Kills it at once, as a machine that loses its power."""
        # Nothing is started while its processes are counted.
        self.process.send(signal.SIGSTOP)
        children = self._send(signal.SIGKILL)
        self.process.wait(SECONDS_TO_START)
        # What they have in common lives as long as the last one, and hinders the next start.
        wait_until(f"{self.node.name} is gone", lambda: not any(map(_lives, children)), SECONDS_TO_START)

    def stop(self) -> None:
        """Tells it to end, again while it has something to do first, and waits for that."""
        end = time.monotonic() + SECONDS_TO_START
        while self.process.status is None and time.monotonic() < end:
            self.process.send(self.ending)
            with contextlib.suppress(Failed):
                self.process.wait(_SECONDS_TO_INSIST)
        self.process.wait(0)

    def pause(self) -> None:
        """Stops it where it is."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets it go on."""
        self._send(signal.SIGCONT)

    def end(self) -> None:
        """Ends it for good, whatever became of it."""
        if self.process.status is None:
            self._send(signal.SIGKILL)
        self.process.__exit__(None, None, None)

    def _send(self, number: signal.Signals) -> list[int]:
        """Sends a signal to it and then to the processes that it has started, which are returned."""
        children = _children(self.process.pid)
        self.process.send(number)
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, number)
        return children


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _lives(pid: int) -> bool:
    """Whether a process has not ended, even if its status was not requested yet."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False
