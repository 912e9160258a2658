# SPDX-License-Identifier: Apache-2.0
"""The process may open no more files, and then it may again."""

import os
import resource
import time

from operations.check import Check, Setting, require
from operations.connections import Connections
from operations.installation import Installation, running
from operations.person import Person
from operations.waiting import wait_until
from operations.wire import read

_NETWORK = 206
_FREE = 6
_SECONDS = 3.0
_PROCESSOR_SHARE = 0.25
_SECONDS_TO_RECOVER = 5.0
# Before the clock is read and behind it.
_LINES_BESIDE = 5


def _exhausted(setting: Setting) -> str:
    with running(setting) as made:
        Person(made).sign_in()
        kept = made.endpoint.connect("127.0.0.1")
        kept.request("GET", "/__/auth/jwks")
        read(kept)
        exhausted = time.monotonic()
        give_back = made.broker.limit(resource.RLIMIT_NOFILE, _first_free(made) + _FREE)
        with Connections(made.endpoint, _NETWORK) as connections:
            for _ in range(5 * _FREE):
                connections.open(tls=False)
            made.broker.wait_for_line("", level="error")
            busy = made.broker.processor_seconds
            time.sleep(_SECONDS)
            share = (made.broker.processor_seconds - busy) / _SECONDS
            require(share <= _PROCESSOR_SHARE, f"it spins: {share:.0%} of a processor")
            kept.request("GET", "/__/auth/jwks")
            require(read(kept).status == 200, "an open connection is not served")
            give_back()
            began = time.monotonic()
            Person(made).sign_in()
            recovered = time.monotonic() - began
            passed = time.monotonic() - exhausted
        require(recovered <= _SECONDS_TO_RECOVER, f"the next sign-in took {recovered:.1f} s")
        wait_until("the connections are gone", lambda: made.metric("auth_connections") <= 1)
        refused = made.metric("auth_limits_total", limit="descriptors")
        require(refused > 0, "auth_limits does not count it")
        errors = len(made.broker.lines(level="error"))
        require(errors <= passed + _LINES_BESIDE, f"{errors} lines at error in {passed:.1f} s")
        return (
            f"{share:.0%} of a processor, {errors} lines at error, an open connection is served; "
            f"the first sign-in {recovered * 1000:.0f} ms after they were given back"
        )


def _first_free(made: Installation) -> int:
    return max(int(name) for name in os.listdir(f"/proc/{made.broker.pid}/fd")) + 1


CHECKS = [
    Check(
        "descriptors are exhausted, and given back",
        f"open connections are served, at most {_PROCESSOR_SHARE:.0%} of a processor, one line a second, "
        f"a sign-in within {_SECONDS_TO_RECOVER:g} s",
        _exhausted,
    )
]
