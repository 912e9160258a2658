# SPDX-License-Identifier: Apache-2.0
"""The memory of `oidc-broker serve` with everything on: idle, and after many reloads."""

import signal
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from operations.addresses import addresses
from operations.check import Effort, Setting, require
from operations.installation import Installation, running
from operations.person import Person
from operations.process import Process
from operations.waiting import wait_until

from operations_cost.plan import Plan
from operations_cost.sentence import Ratio, Sentence

_MEGABYTE = 1024 * 1024
_NETWORK = 211
_APPLIED = b"configuration reloaded"
_IDLE_MEGABYTES = 35
_MOST_GROWTH = 1.05
# For what a start, a reload or a sign-in leaves behind to be given back.
_SECONDS_TO_SETTLE = 3


def idle(plan: Plan) -> list[Sentence]:
    """Returns the sentence about the idle server."""
    resident, proportional = [], []
    for number in range(1, plan.amount(1, 5) + 1):
        with _everything_on(plan) as made:
            Person(made).sign_in()
            made.operations("/metrics")
            time.sleep(_SECONDS_TO_SETTLE)
            resident.append(made.broker.resident_bytes / _MEGABYTE)
            proportional.append(_proportional_bytes(made.broker) / _MEGABYTE)
        print(f"{number:5}  RSS {resident[-1]:.1f} MB, PSS {proportional[-1]:.1f} MB", flush=True)
    value = statistics.median(resident)
    figure = f"{value:.1f} MB, PSS {statistics.median(proportional):.1f} MB"
    title = "RSS idle with TLS, metrics, access log, audit and limits"
    return [Sentence(title, _IDLE_MEGABYTES, _IDLE_MEGABYTES, " MB", value, figure)]


def after_reloads(plan: Plan) -> list[Sentence]:
    """Returns the sentence about many reloads."""
    few, many = 10, plan.amount(100, 1000)
    ratios, last = [], 0.0
    for number in range(1, plan.amount(1, 3) + 1):
        with _everything_on(plan) as made:
            # Whatever is made when it is first needed.
            for source in addresses(_NETWORK, plan.amount(10, 50)):
                Person(made, source).sign_in()
            began = time.monotonic()
            with made.broker.log_file.open("rb") as log:
                first = _reload(made, log, range(few))
                last = _reload(made, log, range(few, many))
            seconds = time.monotonic() - began - 2 * _SECONDS_TO_SETTLE
            applied = made.metric("auth_reloads_total", outcome="applied")
            require(applied == many, f"{applied:.0f} reloads were counted instead of {many}")
            Person(made).sign_in()
        ratios.append(last / first)
        print(
            f"{number:5}  after {few} reloads {first:.1f} MB, after {many} {last:.1f} MB, in {seconds:.0f} s",
            flush=True,
        )
    ratio = Ratio(ratios)
    title = f"RSS after {many:,} reloads, to after {few}"
    return [Sentence(title, _MOST_GROWTH, _MOST_GROWTH, "", ratio.value, f"{ratio}; {last:.1f} MB")]


def _reload(made: Installation, log: BinaryIO, numbers: Iterable[int]) -> float:
    """Has the server take configurations, each as soon as it says that it has taken the one before.

    Returns its memory then. The log says so at once; `/metrics` is made once a second at most.
    """
    written = bytearray()

    def is_applied() -> bool:
        written.extend(log.read())
        return _APPLIED in written

    for number in numbers:
        written.clear()
        changed = made.changed()
        changed["auth"]["app"]["web"]["redirect-uris"].append(f"https://app.example/{number}")
        made.write(changed)
        made.broker.send(signal.SIGHUP)
        wait_until(f"reload {number} is in the log", is_applied)
    time.sleep(_SECONDS_TO_SETTLE)
    return made.broker.resident_bytes / _MEGABYTE


@contextmanager
def _everything_on(plan: Plan) -> Iterator[Installation]:
    """Runs a server with TLS. Its listener for operators and its limits are on by themselves."""
    with tempfile.TemporaryDirectory(dir=plan.directory) as name:
        directory = Path(name)
        setting = Setting(plan.broker, directory, Effort.FULL)
        server = {"log": {"access": True, "audit": str(directory / "audit")}}
        with running(setting, server=server) as made:
            yield made


def _proportional_bytes(process: Process) -> int:
    """The memory that it uses, its share of what it has in common with other processes."""
    for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0
