# SPDX-License-Identifier: Apache-2.0
"""The clock of the machine is set forward and back by an hour."""

import json
from datetime import datetime
from pathlib import Path

from operations.check import Check, Failed, LeftOut, Setting, require
from operations.installation import Installation, running
from operations.person import Person
from operations.waiting import wait_until

_LIBRARY = "/usr/lib/*/faketime/libfaketimeMT.so.1"
_SECONDS_TO_LOG = 30
_STEPS = [("forward by an hour", 3600), ("back again", 0), ("back by an hour", -3600), ("forward again", 0)]


def _stepped(setting: Setting) -> str:
    libraries = list(Path("/").glob(_LIBRARY[1:]))
    if not libraries:
        raise LeftOut("libfaketime is not installed")
    clock = setting.directory / "clock"
    _set(clock, 0)
    library = {
        "LD_PRELOAD": str(libraries[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        # A step changes the time of day only.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    figures = []
    with running(setting, server={"log": {"access": True}}, preload=library) as made:
        Person(made).sign_in()
        before = _time_of_log(made)
        for name, seconds in _STEPS:
            person = Person(made)
            callback = person.log_in(person.begin())
            _set(clock, seconds)
            response = person.open_callback(callback)
            require(response.status < 500, f"{name}: the callback in progress gets status {response.status}")
            took = Person(made).sign_in()
            if seconds == _STEPS[0][1] and not _log_is_at(made, before + seconds):
                raise LeftOut("libfaketime has no effect on this executable")
            outcome = _outcome(response.location, response.status)
            figures.append(f"{name}: the login in progress {outcome}, the next takes {took * 1000:.0f} ms")
        require(made.operations("/healthz")[0] == 200, "/healthz is not 200")
        idle = made.broker.processor_seconds
        Person(made).sign_in()
        require(made.broker.processor_seconds - idle < 1, "it is busy after the steps")
    return "; ".join(figures)


def _set(clock: Path, seconds: int) -> None:
    beside = clock.with_name("clock.new")
    beside.write_text(f"{seconds:+d}\n")
    beside.replace(clock)


def _time_of_log(made: Installation) -> float:
    """Returns the time of the last line of the log."""
    return datetime.fromisoformat(json.loads(made.broker.lines()[-1])["time"]).timestamp()


def _log_is_at(made: Installation, time: float) -> bool:
    """Whether the log comes to a time, give or take ten minutes. Its lines are written a moment after what they say."""
    try:
        return wait_until("a line", lambda: abs(_time_of_log(made) - time) < 600 or None, seconds=_SECONDS_TO_LOG)
    except Failed:
        return False


def _outcome(location: str, status: int) -> str:
    if "code=" in location:
        return "completes"
    return "starts again" if status in (400, 410) else f"ends with status {status}"


CHECKS = [
    Check(
        "the clock of the broker and the provider is set by an hour, four times",
        "no status of 500 or more, the next sign-in holds at once",
        _stepped,
    )
]
