# SPDX-License-Identifier: Apache-2.0
"""Reloads while users sign in at half of what the server could take."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from operations.check import require

from operations_cost import load
from operations_cost.metrics import Scrapes, scraping
from operations_cost.plan import Plan
from operations_cost.sentence import Ratio, Sentence
from operations_cost.target import Target, make

_MOST = 1.5
_A_MINUTE = 100
_SECONDS_BETWEEN_RELOADS = 60 / _A_MINUTE
_APPLIED = 'auth_reloads_total{outcome="applied"}'
_REFUSED = 'auth_reloads_total{outcome="refused"}'
_REDIRECT_URIS = ["https://app.example.com/callback"]
_PARTS = ("start", "callback", "whole")
_MEANS = ("metrics", "access log", "audit", "limits", "tracing")


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentence about reloads under load."""
    seconds, pairs = plan.amount(5, 60), plan.amount(1, 5)
    configuration = plan.directory / "reloads.json"
    _write(configuration, 0)
    target = make(
        plan,
        "reloads",
        _MEANS,
        ("--config", str(configuration)),
        without=("AUTH_APP_BENCH_REDIRECT_URIS",),
    )
    capacity = load.alone(plan, target, plan.amount(2, 5)).throughput
    rate = capacity / 2
    print(f"capacity {capacity:.0f} sign-ins a second, half of it is {rate:.0f}; p99 in ms")
    ratios: dict[str, list[float]] = {part: [] for part in _PARTS}
    applied = signed_in = 0
    for pair in range(1, pairs + 1):
        # Now one first and now the other: what drifts in the machine drifts for both.
        order = (False, True) if pair % 2 else (True, False)
        runs: dict[bool, load.Run] = {}
        for reloads in order:
            target.clear()
            with (
                plan.off_the_servers_processors(),
                scraping([target], plan.amount(1, 5)) as scrapes,
                _reloading(target, configuration, reloads) as sent,
            ):
                runs[reloads] = load.alone(plan, target, seconds, rate)
            if reloads:
                applied += _require_applied(scrapes, sent)
                runs[reloads].require_success()
                signed_in += runs[reloads].verified
            else:
                runs[reloads].require_few_errors()
            shown = ", ".join(f"{part} {runs[reloads].latencies[part]:.2f}" for part in _PARTS)
            print(f"{pair:5}  {'with' if reloads else 'without'} reloads: {shown}", flush=True)
        for part in _PARTS:
            ratios[part].append(runs[True].latencies[part] / runs[False].latencies[part])
    whole = Ratio(ratios["whole"])
    figure = (
        f"{whole}, of callbacks {Ratio(ratios['callback'])}; {applied} reloads, {signed_in:,} sign-ins at "
        f"{rate:.0f} a second, 0 failed"
    )
    title = f"p99 of sign-ins at half capacity with {_A_MINUTE} reloads a minute, none failed, to without"
    return [Sentence(title, _MOST, _MOST, "", whole.value, figure)]


@contextmanager
def _reloading(target: Target, configuration: Path, on: bool) -> Iterator[list[float]]:
    """Changes the configuration and tells the server, again and again for as long as the block runs."""
    sent: list[float] = []
    has_ended = threading.Event()

    def reload() -> None:
        number = 0
        next_time = time.monotonic()
        while not has_ended.wait(max(0, next_time - time.monotonic())):
            next_time += _SECONDS_BETWEEN_RELOADS
            process = _process(target)
            if process is None:
                continue
            number += 1
            _write(configuration, number)
            try:
                os.kill(process, signal.SIGHUP)
            except ProcessLookupError:
                # It has ended after the load.
                return
            sent.append(time.monotonic())

    thread = threading.Thread(target=reload, daemon=True)
    if on:
        thread.start()
    try:
        yield sent
    finally:
        has_ended.set()
        if on:
            thread.join()


def _process(target: Target) -> int | None:
    """The server's process; None until it handles the signal, which would end it before."""
    try:
        process = int(target.process_file.read_text())
        status = Path(f"/proc/{process}/status").read_text()
    except (OSError, ValueError):
        return None
    # A program that reads signals from a descriptor ignores or blocks them.
    masks = (line.split()[1] for line in status.splitlines() if line.startswith(("SigCgt:", "SigIgn:", "SigBlk:")))
    return process if any(int(mask, 16) & 1 << (signal.SIGHUP - 1) for mask in masks) else None


def _require_applied(scrapes: Scrapes, sent: list[float]) -> int:
    """Raises unless what was sent was applied between the first and the last scrape; returns how many were."""
    applied = scrapes.values("reloads", _APPLIED)
    require(len(applied) >= 2, "/metrics was not read twice during the reloads")
    (first, before), (last, after) = applied[0], applied[-1]
    expected = sum(first <= when <= last for when in sent)
    # One may be under way at either end.
    require(after - before >= expected - 2, f"{after - before:.0f} reloads were applied of {expected}")
    minutes = (last - first) / 60
    require(expected >= _A_MINUTE * minutes - 2, f"only {expected} reloads in {minutes * 60:.0f} s")
    refused = max(value for _, value in scrapes.values("reloads", _REFUSED))
    require(refused == 0, f"{refused:.0f} reloads were refused")
    return int(after - before)


def _write(configuration: Path, number: int) -> None:
    """Puts another configuration in the place of the file, by renaming."""
    uris = [*_REDIRECT_URIS, f"https://app.example.com/{number}"]
    beside = configuration.with_suffix(".new")
    beside.write_text(json.dumps({"auth": {"app": {"bench": {"redirect-uris": uris}}}}))
    beside.replace(configuration)
