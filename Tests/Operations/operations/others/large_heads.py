# SPDX-License-Identifier: Apache-2.0
"""The largest response heads through proxies that are configured as ReverseProxies.md says."""

import os
import re
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from kit.ports import free_port

from operations.check import Check, Setting, require
from operations.installation import Installation, running
from operations.others.programs import need, version
from operations.person import Person
from operations.process import Process
from operations.waiting import wait_until
from operations.wire import Endpoint, Response, get

_PAGE = (
    Path(__file__).resolve().parents[4] / "Sources/OIDCBrokerServer/OIDCBrokerServer.docc/ReverseProxies.md"
)
# What an app passes on to a provider, each of 500 bytes.
_PARAMETERS = ("login_hint", "acr_values", "hd", "domain_hint")
# The lengths of an app's `state` that are tried, in bytes: the first one that the broker takes is the longest.
_STATES = range(8_192, 0, -256)
# What a proxy takes without a word in its configuration, with room: 4 KB at nginx.
_LARGE = 6_000
# The largest head that the page promises, in bytes. Only an error that returns a long `state` has one.
_LARGEST = 15_900
_NGINX = """
daemon off;
{user}
pid {directory}/nginx.pid;
error_log stderr;
events {{ }}
http {{
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    {common}
    server {{
        listen 127.0.0.1:{port};
        {location}
    }}
}}
"""
_APACHE = """
ServerRoot {directory}
ServerName localhost
PidFile {directory}/apache2.pid
DefaultRuntimeDir {directory}
Mutex file:{directory}
ErrorLog {directory}/error.log
Define APACHE_LOG_DIR {directory}
Listen 127.0.0.1:{port}
{modules}
<VirtualHost *:{port}>
{block}
</VirtualHost>
"""
_HAPROXY = """
{block}
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend in
    bind 127.0.0.1:{port}
    default_backend oidc-broker
"""
_MODULES = ("mpm_event", "authz_core", "proxy", "proxy_http", "headers")


def _passes(setting: Setting, make: Callable[[Installation, int], Process], package: str) -> str:
    port = free_port()
    server = {"trusted-proxies": ["127.0.0.1"], "forwarded": "x-forwarded-for"}
    with running(setting, server=server, public_port=port) as made, make(made, port) as proxy:
        wait_until(f"the {proxy.name} listens", lambda: _listens(port))
        target = _longest_start(made, f"localhost:{port}")
        response = get(Endpoint("http", port), target)
        require(response.status == 303, f"status {response.status}")
        require(_size(response) > _LARGE, f"a head of {_size(response)} bytes tells nothing of larger ones")
        target, location = _largest_error(made, f"localhost:{port}")
        error = get(Endpoint("http", port), target)
        require(error.status == 303, f"an error with a head of {_LARGEST} bytes: status {error.status}")
        require(error.location == location, "the proxy changed the location of the error")
        Person(made, endpoint=Endpoint("http", port)).sign_in()
        return f"heads of {_size(response):,} and {_LARGEST:,} bytes; {version(package)}"


def _longest_start(made: Installation, host: str) -> str:
    """Returns the path and query of the start with the longest response that the broker gives itself."""
    # Each byte takes three in a URL.
    hints = urlencode({name: 500 * "&" for name in _PARAMETERS})
    for length in _STATES:
        start = re.sub(r"&state=[^&]*", f"&state={length * 's'}", Person(made).start_target())
        target = f"{start}&{hints}"
        # What is too long is an error for the app.
        if urlsplit(get(made.endpoint, target, {"Host": host}).location).port == made.provider_port:
            return target
    require(False, "no start of this kind is taken")
    return ""


def _largest_error(made: Installation, host: str) -> tuple[str, str]:
    """Returns the path and query of a start whose error has a head of the largest size, and where the error leads."""
    start = re.sub(r"&state=[^&]*", "", Person(made).start_target()) + "&request_uri=urn:x"

    def error(length: int) -> tuple[str, Response]:
        target = f"{start}&state={length * 's'}"
        return target, get(made.endpoint, target, {"Host": host})

    # What is said about a `state` that is too long counts too.
    length = _LARGEST // 2
    _, long = error(length)
    target, response = error(length + _LARGEST - _size(long))
    require(_size(response) == _LARGEST, f"an error with a head of {_size(response)} bytes, not {_LARGEST}")
    return target, response.location


def _size(response: Response) -> int:
    return sum(len(name) + len(value) + 4 for name, value in response.fields.items()) + 30


def _block(language: str) -> str:
    """Returns the first block of the page in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", _PAGE.read_text(), re.MULTILINE | re.DOTALL)
    require(found is not None, f"{_PAGE.name} has no block for {language}")
    return found[1] if found else ""


def _pointed(text: str, pattern: str, target: str) -> str:
    """Returns a block with another broker."""
    changed, count = re.subn(pattern, target, text)
    require(count == 1, f"{_PAGE.name}: {pattern}: {count} times")
    return changed


def _nginx(made: Installation, port: int) -> Process:
    common, location = re.split(r"(?=^location )", _block("nginx"), maxsplit=1, flags=re.MULTILINE)
    text = _NGINX.format(
        user="user root;" if os.geteuid() == 0 else "",
        directory=made.directory,
        port=port,
        common=common.replace("/var/log/nginx", str(made.directory)),
        location=_pointed(location, r"http://unix:\S+;", f"http://127.0.0.1:{made.endpoint.port};"),
    )
    file = made.directory / "nginx.conf"
    file.write_text(text)
    return Process("nginx", [need("nginx", "nginx-light"), "-c", str(file)], made.directory)


def _apache(made: Installation, port: int) -> Process:
    text = _APACHE.format(
        directory=made.directory,
        port=port,
        modules="\n".join(
            f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in _MODULES
        ),
        block=_pointed(_block("apache"), r"http://127\.0\.0\.1:8443/", f"http://127.0.0.1:{made.endpoint.port}/"),
    )
    file = made.directory / "apache2.conf"
    file.write_text(text)
    return Process("apache2", [need("apache2", "apache2-bin"), "-f", str(file), "-X"], made.directory)


def _haproxy(made: Installation, port: int) -> Process:
    block = _pointed(_block("haproxy"), r"127\.0\.0\.1:8443", f"127.0.0.1:{made.endpoint.port}")
    # A backend takes its defaults from a section above it.
    common, backend = re.split(r"(?=^backend )", block, maxsplit=1, flags=re.MULTILINE)
    file = made.directory / "haproxy.cfg"
    file.write_text(_HAPROXY.format(block=common, port=port) + backend)
    return Process("haproxy", [need("haproxy", "haproxy"), "-db", "-f", str(file)], made.directory)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


CHECKS = [
    Check(
        f"the longest start and the longest error through {name}, configured as the documents say",
        "both responses come through, and a person signs in",
        partial(_passes, make=make, package=package),
    )
    for name, make, package in (
        ("nginx", _nginx, "nginx-light"),
        ("Apache", _apache, "apache2-bin"),
        ("haproxy", _haproxy, "haproxy"),
    )
]
