# SPDX-License-Identifier: Apache-2.0
"""caddy holds as many idle connections, for comparison."""

import ssl
from pathlib import Path

from kit import certificates
from kit.ports import free_port

from operations.check import Check, Effort, Setting, require
from operations.connections import Connections
from operations.installation import running
from operations.others.programs import need, version
from operations.process import Process
from operations.waiting import wait_until
from operations.wire import Endpoint, get

_CONNECTIONS = 10_000
_NETWORK = 209
_MEGABYTE = 1024 * 1024
_CADDYFILE = """
{{
    admin off
    auto_https off
}}
https://localhost:{port} {{
    bind 127.0.0.1
    tls {certificate} {private_key}
    respond "hello"
}}
"""


def _beside_caddy(setting: Setting) -> str:
    theirs = _caddy(setting)
    with running(setting, server={"maximum-connections": _CONNECTIONS + 500, "memory-bytes": 512 * _MEGABYTE}) as made:
        ours = _held(made.broker, made.endpoint, "/__/auth/jwks")
    require(ours <= theirs, f"{ours / _MEGABYTE:.0f} MB instead of the {theirs / _MEGABYTE:.0f} MB of caddy")
    return (
        f"{_CONNECTIONS:,} connections: {ours / _MEGABYTE:.0f} MB, caddy {theirs / _MEGABYTE:.0f} MB; "
        f"{version('caddy')}"
    )


def _caddy(setting: Setting) -> int:
    caddy, port, files = need("caddy", "caddy"), free_port(), certificates.make(setting.directory)
    file = setting.directory / "Caddyfile"
    file.write_text(
        _CADDYFILE.format(port=port, certificate=files.certificate, private_key=files.private_key)
    )
    endpoint = Endpoint("https", port, ssl.create_default_context(cafile=str(files.authority)))
    command = [caddy, "run", "--config", str(file), "--adapter", "caddyfile"]
    with Process("caddy", command, setting.directory, _home(setting.directory)) as process:
        wait_until("caddy listens", lambda: _responds(endpoint))
        return _held(process, endpoint, "/")


def _held(process: Process, endpoint: Endpoint, path: str) -> int:
    with Connections(endpoint, _NETWORK) as idle:
        idle.open_idle(_CONNECTIONS, path)
        open_files = process.open_files
        require(open_files >= _CONNECTIONS, f"{process.name} holds only {open_files} files open")
        return process.resident_bytes


def _responds(endpoint: Endpoint) -> bool:
    try:
        return get(endpoint, "/").status == 200
    except OSError:
        return False


def _home(directory: Path) -> dict[str, str]:
    """It writes where its home is."""
    return {name: str(directory) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}


CHECKS = [
    Check(
        "10,000 idle connections over TLS, beside caddy",
        "not more memory in all than caddy with as many connections",
        _beside_caddy,
        Effort.FULL,
    )
]
