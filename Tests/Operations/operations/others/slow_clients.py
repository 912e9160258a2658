# SPDX-License-Identifier: Apache-2.0
"""slowhttptest: heads, bodies and reads that take as long as they can."""

import re
from collections.abc import Sequence
from functools import partial

from operations.check import Check, Effort, Setting, require
from operations.crowd import signing_in
from operations.installation import running
from operations.others.programs import need, output, version

_CONNECTIONS = 1_000
_SECONDS = 120
_COLORS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_AVAILABLE = re.compile(r"service available:\s*(\w+)")
_ENDED = re.compile(r"Test ended on (\d+)\w+ second\s*Exit status:\s*(.+)")


def _slow(setting: Setting, arguments: Sequence[str], path: str) -> str:
    slowhttptest = need("slowhttptest", "slowhttptest")
    # Its own probe comes from the same address as its connections.
    server = {"maximum-connections-per-address": _CONNECTIONS + 100}
    with running(setting, server=server) as made, signing_in(made) as crowd:
        command = [
            slowhttptest,
            "-c",
            str(_CONNECTIONS),
            "-r",
            "200",
            "-l",
            str(_SECONDS),
            "-p",
            "3",
            "-v",
            "1",
        ]
        said = output([*command, *arguments, "-u", f"{made.endpoint.origin}{path}"], seconds=3 * _SECONDS)
        said = _COLORS.sub("", said)
        available = _AVAILABLE.findall(said)
        require(set(available) == {"YES"}, f"service available: {available}")
        ended = _ENDED.search(said)
        require(
            ended is not None and ended[2] == "No open connections left",
            f"it ended with {ended and ended[2]}",
        )
        crowd.require_more()
        return (
            f"{_CONNECTIONS} connections, none left after {ended and ended[1]} s, service always available; "
            f"{crowd.figure}; {version('slowhttptest')}"
        )


CHECKS = [
    Check(
        f"`slowhttptest {' '.join(arguments)}`: {what}",
        "the service stays available, every connection is closed, sign-ins go on",
        partial(_slow, arguments=arguments, path=path),
        Effort.ALL,
    )
    for what, arguments, path in (
        ("heads that do not end", ["-H", "-i", "2", "-x", "24"], "/__/auth/jwks"),
        ("bodies that do not end", ["-B", "-i", "2", "-s", "8192", "-x", "10"], "/__/auth/token"),
        (
            "responses that are hardly read",
            ["-X", "-w", "1", "-y", "2", "-n", "1", "-z", "32", "-k", "3"],
            "/__/auth/jwks",
        ),
    )
]
