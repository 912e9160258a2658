# SPDX-License-Identifier: Apache-2.0
"""A trial in a process of its own, and in namespaces of its own, so that it ends in any case and disturbs no other."""

import contextlib
import faulthandler
import os
import pickle
import signal
import tempfile
import time
import traceback
from dataclasses import replace
from pathlib import Path

from operations.check import Failed

from replicas import isolation, trial
from replicas.cluster import Environment
from replicas.network import LoopbackNetwork, NamespaceNetwork
from replicas.report import Result
from replicas.trial import Trial

_SECONDS_BETWEEN_LOOKS = 0.1
# So long before it is killed, a process that hangs writes where it does.
_SECONDS_TO_TELL = 5


class Apart:
    """A trial that runs by itself. It must be made while there is one thread only, and be ended."""

    def __init__(self, made: Trial, environment: Environment, directory: Path) -> None:
        self.trial = made
        self._folder = Path(tempfile.mkdtemp(dir=directory))
        self._deadline = time.monotonic() + made.seconds
        self._pid = os.fork()
        if self._pid == 0:
            _run(made, environment, self._folder)

    def result(self) -> Result | None:
        """Returns what came of it, and `None` while it runs. When its time is over it is killed."""
        ended, status = os.waitpid(self._pid, os.WNOHANG)
        if ended == 0 and time.monotonic() < self._deadline:
            return None
        if ended == 0:
            self.end()
            return self._failed(f"did not end within {self.trial.seconds:g} s")
        self._pid = 0
        file = self._folder / "result"
        if not file.is_file():
            return self._failed(f"its process ended with {os.waitstatus_to_exitcode(status)}")
        made: Result = pickle.loads(file.read_bytes())
        return made

    def end(self) -> None:
        """Kills everything that it started, if it has not ended."""
        if self._pid == 0:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._pid = 0

    def _failed(self, reason: str) -> Result:
        made = Result(self.trial.name, self.trial.engine.title, failure=reason)
        made.folder = str(self._folder)
        return made


def run(made: Trial, environment: Environment, directory: Path) -> Result:
    """Runs one trial and waits for what comes of it."""
    apart = Apart(made, environment, directory)
    try:
        while (result := apart.result()) is None:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        return result
    finally:
        apart.end()


def _run(made: Trial, environment: Environment, folder: Path) -> None:
    """Runs a trial in the process that was forked for it, and never returns."""
    status = 1
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        # Its nodes have the addresses of those of any other trial, behind a bridge of its own.
        if environment.network.has_links and not isolation.isolate():
            raise Failed("the kernel refuses namespaces within namespaces")
        own = NamespaceNetwork() if environment.network.has_links else LoopbackNetwork()
        with (folder / "threads").open("w") as threads:
            faulthandler.dump_traceback_later(made.seconds - _SECONDS_TO_TELL, file=threads)
            result = trial.run(made, replace(environment, network=own), folder)
            faulthandler.cancel_dump_traceback_later()
        (folder / "threads").unlink()
        unfinished = folder / "result.new"
        unfinished.write_bytes(pickle.dumps(result))
        unfinished.rename(folder / "result")
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
