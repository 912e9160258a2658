# SPDX-License-Identifier: Apache-2.0
"""haproxy in front of the replicas."""

from collections.abc import Sequence
from pathlib import Path

from operations.others.programs import need
from operations.process import Process

# The field in which a request names the replica that it wants, and in which a response names the one that answered.
WANTED, ANSWERED = "X-Replica", "X-Answered-By"
# The field of a response that haproxy itself made.
BALANCER = "X-Balancer"

_CONFIGURATION = """
global
    maxconn 4000
    nbthread 1
defaults
    mode http
    timeout connect 500ms
    timeout client 40s
    timeout server 18s
    timeout check 1s
    retries 4
    option redispatch 1
frontend users
    bind 127.0.0.1:{port}
    default_backend replicas
backend replicas
    balance roundrobin
    retry-on conn-failure empty-response response-timeout
    http-request disable-l7-retry unless METH_GET
    http-request del-header X-Forwarded-For
    option forwardfor
    http-after-response set-header {answered} %[srv_name]
    {errors}
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
    default-server check port {operations_port} inter 500ms fastinter 200ms downinter 250ms fall 2 rise 1
    {servers}
"""


def haproxy(
    port: int, addresses: Sequence[str], broker_port: int, operations_port: int, directory: Path
) -> Process:
    """Returns haproxy at a port of 127.0.0.1; it is not running yet.

    Requests go to one replica after the other, or to the one that they name. Those that could not be sent are sent to
    another replica, and so is a GET that a replica took and did not answer; what else it does not answer in time, the
    balancer ends. These are the settings that the page on reverse proxies recommends.
    """
    servers = [(str(number + 1), address) for number, address in enumerate(addresses)]
    lines = [f"use-server {name} if {{ req.hdr({WANTED}) {name} }}" for name, _ in servers]
    lines += [f"server {name} {address}:{broker_port}" for name, address in servers]
    errors = [
        f"http-error status {status} content-type text/plain string balancer hdr {BALANCER} {status}"
        for status in (408, 500, 502, 503, 504)
    ]
    file = directory / "haproxy.cfg"
    file.write_text(
        _CONFIGURATION.format(
            port=port,
            answered=ANSWERED,
            operations_port=operations_port,
            errors="\n    ".join(errors),
            servers="\n    ".join(lines),
        )
    )
    return Process("haproxy", [need("haproxy", "haproxy"), "-db", "-f", str(file)], directory)
