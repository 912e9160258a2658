# SPDX-License-Identifier: Apache-2.0
"""SIGTERM, SIGHUP and both, while users sign in."""

import signal
import socket
import time
from urllib.parse import parse_qs, urlsplit

from operations.broker_configuration import REDIRECT_URI
from operations.check import Check, Setting, require
from operations.crowd import signing_in
from operations.installation import Installation, running
from operations.person import NotSignedIn, Person
from operations.waiting import wait_until
from operations.waiting_callbacks import WaitingCallback, waiting_callbacks
from operations.wire import Response

_PEOPLE = 4
# All are the same user, who may have few codes that are not redeemed.
_WAITING = 8
_DRAIN_DELAY = 3
_SECONDS_TO_SAY_SO = 1.0
_SECONDS_TO_DRAIN = 30
# Callbacks in progress would end it by themselves after five.
_SECONDS_TO_END_AT_ONCE = 3.0


def _terminated(setting: Setting, *, with_hangup: bool = False) -> str:
    """Callbacks are in the handler when the signal comes, and the provider answers only afterwards."""
    with running(setting) as made:
        waiting = waiting_callbacks(made, _WAITING)
        if with_hangup:
            _change(made)
            made.broker.send(signal.SIGHUP)
        made.broker.send(signal.SIGTERM)
        wait_until("no connection is accepted", lambda: not _accepts(made))
        made.provider.send(signal.SIGCONT)
        codes = _codes(waiting)
        began = time.monotonic()
        status = made.broker.wait(_SECONDS_TO_DRAIN)
        require(status == 0, f"the exit status is {status}")
        return f"{codes} callbacks in progress, {codes} codes, status 0 {time.monotonic() - began:.1f} s after the last"


def _delayed(setting: Setting) -> str:
    """With a delay, sign-ins go on: load balancers still send users."""
    server = {"drain-delay-seconds": _DRAIN_DELAY}
    with running(setting, server=server) as made, signing_in(made, _PEOPLE) as crowd:
        waiting = waiting_callbacks(made, _WAITING)
        require(made.operations("/readyz")[0] == 200, "/readyz is not 200 before the signal")
        signaled = time.monotonic()
        made.broker.send(signal.SIGTERM)
        made.provider.send(signal.SIGCONT)
        done = len(crowd.durations)
        wait_until("/readyz says 503", lambda: made.operations("/readyz")[0] == 503, _SECONDS_TO_SAY_SO)
        said = time.monotonic() - signaled
        for each in waiting:
            each.person.redeem(_code(each.answer()))
        # All of this has to be over before the delay is, so those who signed in meanwhile count; some had begun before.
        crowd.require_more(_PEOPLE + 10, since=done)
        Person(made).sign_in()
        crowd.stop()
        crowd.require_success()
        wait_until("no connection is accepted", lambda: not _accepts(made), _DRAIN_DELAY + 2)
        delay = time.monotonic() - signaled
        require(delay >= _DRAIN_DELAY - 0.2, f"connections were refused after {delay:.1f} s already")
        status = made.broker.wait(_SECONDS_TO_DRAIN)
        require(status == 0, f"the exit status is {status}")
        return (
            f"/readyz 503 after {said * 1000:.0f} ms, accepting for {delay:.1f} s, {len(waiting)} callbacks in "
            f"progress redeemed; {crowd.figure}"
        )


def _hung_up(setting: Setting) -> str:
    count = setting.amount(30, 100)
    with running(setting) as made, signing_in(made, _PEOPLE) as crowd:
        waiting = waiting_callbacks(made, _WAITING)
        before = len(made.broker.lines())
        for _ in range(count):
            _change(made)
            made.broker.send(signal.SIGHUP)
            time.sleep(0.02)
        # The metrics are read once a second, of the five that a callback waits.
        made.broker.wait_for_line("configuration reloaded", before)
        made.provider.send(signal.SIGCONT)
        for each in waiting:
            each.person.redeem(_code(each.answer()))
        crowd.require_more(10)
        taken = made.metric("auth_reloads_total", outcome="applied")
        return f"{count} signals, {taken:.0f} reloads, {len(waiting)} callbacks in progress; {crowd.figure}"


def _twice(setting: Setting) -> str:
    with running(setting) as made:
        waiting_callbacks(made, _WAITING)
        made.broker.send(signal.SIGTERM)
        wait_until("no connection is accepted", lambda: not _accepts(made))
        require(made.broker.status is None, "it ended with callbacks in progress")
        began = time.monotonic()
        made.broker.send(signal.SIGTERM)
        status = made.broker.wait(_SECONDS_TO_DRAIN)
        took = time.monotonic() - began
        require(status == 1, f"the exit status is {status}")
        require(took <= _SECONDS_TO_END_AT_ONCE, f"it took {took:.1f} s")
        return f"status 1 after {took * 1000:.0f} ms"


def _change(made: Installation) -> None:
    """Adds a redirect URI, or takes it away again."""
    uris = made.configuration["auth"]["app"]["web"]["redirect-uris"]
    made.configuration["auth"]["app"]["web"]["redirect-uris"] = (
        [REDIRECT_URI] if len(uris) > 1 else [REDIRECT_URI, "https://app.example/other"]
    )
    made.write(made.configuration)


def _accepts(made: Installation) -> bool:
    try:
        socket.create_connection(("127.0.0.1", made.endpoint.port), timeout=1).close()
    except OSError:
        return False
    return True


def _codes(waiting: list[WaitingCallback]) -> int:
    for each in waiting:
        _code(each.answer())
    return len(waiting)


def _code(response: Response) -> str:
    codes = parse_qs(urlsplit(response.location).query).get("code", [])
    if len(codes) != 1:
        raise NotSignedIn("callback in progress", response)
    return codes[0]


CHECKS = [
    Check(
        "SIGTERM while callbacks wait for the provider",
        "no connection is accepted, each callback in progress gets its code, status 0",
        _terminated,
    ),
    Check(
        "SIGHUP and SIGTERM at once while callbacks wait for the provider",
        "no connection is accepted, each callback in progress gets its code, status 0",
        lambda setting: _terminated(setting, with_hangup=True),
    ),
    Check(
        "SIGTERM with `server.drain-delay-seconds` under load",
        f"`/readyz` is 503 at once, sign-ins go on for {_DRAIN_DELAY} s, none fails, status 0",
        _delayed,
    ),
    Check(
        "SIGHUP again and again under load, each with another configuration",
        "no sign-in fails, callbacks in progress get codes that can be redeemed",
        _hung_up,
    ),
    Check(
        "a second SIGTERM while callbacks wait for the provider",
        f"status 1 within {_SECONDS_TO_END_AT_ONCE:g} s",
        _twice,
    ),
]
