# SPDX-License-Identifier: Apache-2.0
"""nginx and haproxy with configurations that send both forwarding fields, below what the client sent."""

import os
import socket
from pathlib import Path

from operations.installation import Installation
from operations.others.programs import need
from operations.process import Process

_NGINX = """
daemon off;
{user}
pid {directory}/nginx.pid;
error_log stderr;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    map $remote_addr $element {{
        ~^[0-9.]+$ "for=$remote_addr";
        default 'for="[$remote_addr]"';
    }}
    map $http_forwarded $elements {{
        "" $element;
        default "$http_forwarded, $element";
    }}
    server {{
        listen 127.0.0.1:{port};
        {ipv6}
        location / {{
            proxy_pass http://127.0.0.1:{broker};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header Forwarded $elements;
        }}
    }}
}}
"""
# It adds field lines of its own below what the client sent. To haproxy, ::1 is in 0.0.0.0/0, so it looks for a colon.
_HAPROXY = """
global
    maxconn 200
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend users
    bind 127.0.0.1:{port}
    {ipv6}
    option forwardfor
    http-request add-header Forwarded for=%[src] unless {{ src -m sub : }}
    http-request add-header Forwarded 'for="[%[src]]"' if {{ src -m sub : }}
    default_backend broker
backend broker
    server broker 127.0.0.1:{broker}
"""


def nginx(made: Installation, port: int) -> Process:
    """Returns nginx at a port in front of the broker; it is not running yet."""
    text = _NGINX.format(
        user="user root;" if os.geteuid() == 0 else "",
        directory=made.directory,
        port=port,
        ipv6=f"listen [::1]:{port};" if has_ipv6() else "",
        broker=made.endpoint.port,
    )
    file = _written(made.directory / "nginx.conf", text)
    return Process("nginx", [need("nginx", "nginx-light"), "-c", str(file)], made.directory)


def haproxy(made: Installation, port: int) -> Process:
    """Returns haproxy at a port in front of the broker; it is not running yet."""
    ipv6 = f"bind ::1:{port}" if has_ipv6() else ""
    text = _HAPROXY.format(port=port, ipv6=ipv6, broker=made.endpoint.port)
    file = _written(made.directory / "haproxy.cfg", text)
    return Process("haproxy", [need("haproxy", "haproxy"), "-db", "-f", str(file)], made.directory)


def has_ipv6() -> bool:
    """Whether this machine has the address ::1."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def _written(file: Path, text: str) -> Path:
    file.write_text(text)
    return file
