# SPDX-License-Identifier: Apache-2.0
"""nginx and haproxy in front of a plain listener, as senders of both forwarding fields."""

import http.client
import json
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kit.ports import free_port

from operations.check import Check, Setting, require
from operations.installation import Installation, running
from operations.others.programs import version
from operations.others.proxy_programs import haproxy, has_ipv6, nginx
from operations.person import NotSignedIn, Person
from operations.process import Process
from operations.waiting import wait_until
from operations.wire import Endpoint, get

_BURST = 4
# What a client says of itself, which must not be trusted.
_CLAIMED = {"X-Forwarded-For": "198.51.100.1", "Forwarded": "for=198.51.100.1"}
_PERSON, _GREEDY, _OTHER = "127.208.0.7", "127.208.0.8", "127.208.0.9"


def _sees_the_client(
    setting: Setting, make: Callable[[Installation, int], Process], package: str, field: str
) -> str:
    port = free_port()
    audit = setting.directory / "audit"
    server = {
        "trusted-proxies": ["127.0.0.1"],
        "forwarded": field,
        "rate-limit": {"browser-per-second": 1, "browser-burst": _BURST},
        "log": {"access": True, "audit": str(audit)},
    }
    in_front = Endpoint("http", port)
    with running(setting, server=server, public_port=port) as made, make(made, port) as proxy:
        wait_until(f"the {proxy.name} listens", lambda: _listens(port))
        Person(made, _PERSON, in_front, _CLAIMED).sign_in()
        wait_until(
            "the access log has the client", lambda: _clients(made.broker.lines(), "address") == [_PERSON] * 3
        )
        wait_until(
            "the audit has the client", lambda: _clients(_lines(audit), "auth.client") == [_PERSON] * 3
        )
        target = Person(made).start_target()
        statuses = [get(in_front, target, _CLAIMED, _GREEDY).status for _ in range(2 * _BURST)]
        require(statuses[0] in (302, 303) and statuses[-1] == 429, f"one client got {statuses}")
        try:
            Person(made, _OTHER, in_front, _CLAIMED).sign_in()
        except NotSignedIn as error:
            require(error.response.status != 429, "a client is limited for another one")
            raise
        if has_ipv6():
            _get_over_ipv6(port)
            # The lines of the requests before it may still be on their way.
            wait_until(
                "the access log has ::1", lambda: _clients(made.broker.lines(), "address")[-1:] == ["::1"]
            )
        # No peer but the proxy is served, even if it claims to be one.
        refused = _is_refused(made.endpoint, _OTHER)
        require(refused, "a connection past the proxy is served")
        unreadable = made.metric("auth_forwarded_unreadable_total")
        require(unreadable == 0, f"{unreadable:.0f} fields could not be read")
        families = "IPv4 and IPv6" if has_ipv6() else "IPv4, no IPv6 on this machine"
        return (
            f"log, audit and limits name the client, {families}; "
            f"{statuses.count(429)} of {len(statuses)} refused; {version(package)}"
        )


def _clients(lines: list[str], name: str) -> list[str]:
    """Returns the addresses in lines about the broker's own paths."""
    events = [json.loads(line) for line in lines]
    return [
        str(each[name])
        for each in events
        if name in each and ("path" not in each or each["path"] != "other") and each.get("status") != 421
    ]


def _lines(file: Path) -> list[str]:
    return file.read_text().split("\n")[:-1]


def _get_over_ipv6(port: int) -> None:
    connection = http.client.HTTPConnection("::1", port, timeout=10)
    connection.request("GET", "/__/auth/jwks", headers={"Host": f"localhost:{port}", **_CLAIMED})
    require(connection.getresponse().status == 200, "no keys over IPv6")
    connection.close()


def _is_refused(endpoint: Endpoint, source: str) -> bool:
    try:
        get(endpoint, "/__/auth/jwks", _CLAIMED, source)
    except (OSError, http.client.HTTPException):
        return True
    return False


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


CHECKS = [
    Check(
        f"{name} sends `{title}`",
        "log, audit and limits name the client, not what it says of itself; a connection past the proxy is closed",
        partial(_sees_the_client, make=make, package=package, field=field),
    )
    for name, make, package in (("nginx", nginx, "nginx-light"), ("haproxy", haproxy, "haproxy"))
    for title, field in (("X-Forwarded-For", "x-forwarded-for"), ("Forwarded", "forwarded"))
]
