# SPDX-License-Identifier: Apache-2.0
"""The broker and its provider, each a process of its own with sockets of its own."""

import base64
import json
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import requests

from kit import certificates
from kit.accounts import ADMIN_TOKEN, NATIVE_CLIENT, Accounts
from kit.app import RESOURCES, App
from kit.certificates import Certificates
from kit.demo import demo_beside
from kit.ports import free_port
from kit.registration import Registration
from kit.server import Server

_SECONDS_TO_START = 60


@dataclass(frozen=True)
class Installation:
    """A broker that responds, and what its clients need to know.

    `loopback` is the host and port of the loopback listener, which there is with accounts only.
    """

    origin: str
    issuer: str
    provider_issuer: str
    certificates: Certificates
    log_file: Path
    executable: Path
    configuration_file: Path
    loopback: str | None = None

    def registration(self, app: App) -> Registration:
        """Returns what the client of an app is told."""
        return Registration(self.issuer, app.name, app.secret, app.redirect_uri)


@contextmanager
def running(
    executable: Path,
    files: Certificates,
    apps: Sequence[App],
    directory: Path,
    accounts: Accounts | None = None,
) -> Iterator[Installation]:
    """Runs a provider and a broker with the apps and the accounts; prints their logs if the block fails."""
    # Not localhost, for which cryptojwt (of idpyoidc) does not verify the certificate.
    origin = f"https://127.0.0.1:{free_port()}"
    loopback_port = free_port() if accounts is not None else None
    issuer = f"{origin}/__/auth"
    configuration_file = directory / "broker.json"
    command = [str(demo_beside(executable)), "provider", "--automatic", "--port", "0", "--native-client", NATIVE_CLIENT]
    provider = Server("provider", [*command, "--redirect-uri", f"{issuer}/handler"], directory)
    broker = Server("broker", [str(executable), "serve", "--config", str(configuration_file)], directory)
    try:
        with provider:
            wait(provider, lambda: "client-secret: " in provider.output)
            printed = dict(line.split(": ", 1) for line in provider.output.splitlines())
            auth = _configuration(origin, printed, apps)
            if accounts is not None:
                auth |= accounts.keys(directory)
            configuration = {"auth": auth, "server": listener(origin, files, loopback_port)}
            configuration_file.write_text(json.dumps(configuration))
            with broker:
                loopback = None if loopback_port is None else f"127.0.0.1:{loopback_port}"
                installation = Installation(
                    origin,
                    issuer,
                    printed["issuer"],
                    files,
                    broker.log_file,
                    executable,
                    configuration_file,
                    loopback,
                )
                wait(broker, lambda: responds(issuer, files.authority))
                yield installation
    except BaseException:
        for server in (provider, broker):
            if server.log_file.exists():
                print(f"-- the log of the {server.name}\n{server.log_file.read_text()}", flush=True)
        raise


@contextmanager
def temporary_files() -> Iterator[tuple[Path, Certificates]]:
    """Yields a directory that is removed afterwards, and certificates in it."""
    with TemporaryDirectory() as name:
        yield Path(name), certificates.make(Path(name))


def _configuration(origin: str, provider: dict[str, str], apps: Sequence[App]) -> dict[str, object]:
    """Returns the keys of the configuration below `auth`."""
    return {
        "public-url": origin,
        "sealing-keys": [base64.b64encode(secrets.token_bytes(32)).decode()],
        "signing-keys": certificates.signing_key("ES256") + certificates.signing_key("RS256"),
        "resource-signing-keys": certificates.signing_key("ES256"),
        "resources": list(RESOURCES),
        "resource": {name: {"identifier": identifier} for name, identifier in RESOURCES.items()},
        "providers": ["development"],
        "provider": {
            "development": {
                "issuer": provider["issuer"],
                "insecure-loopback-issuer": True,
                "client-id": provider["client-id"],
                "client-secret": provider["client-secret"],
                "scopes": ["openid", "email", "profile", "groups"],
                "claims": ["groups"],
            }
        },
        "apps": [app.name for app in apps],
        "app": {app.name: app.keys for app in apps},
    }


def listener(origin: str, files: Certificates, loopback_port: int | None) -> dict[str, object]:
    """Returns the keys of the configuration below `server`."""
    keys: dict[str, object] = {
        "port": int(origin.rsplit(":", 1)[1]),
        "tls": {
            "certificate-chain": str(files.certificate),
            "private-key": str(files.private_key),
        },
    }
    if loopback_port is not None:
        keys["loopback"] = {"port": loopback_port, "admin-token": ADMIN_TOKEN, "owner": True}
    return keys


def responds(issuer: str, authority: Path) -> bool:
    """Whether the metadata of a server can be fetched over TLS."""
    try:
        response = requests.get(f"{issuer}/.well-known/openid-configuration", verify=str(authority), timeout=5)
    except (requests.ConnectionError, requests.Timeout):
        return False
    return response.ok


def wait(server: Server, is_ready: Callable[[], bool]) -> None:
    """Waits until a server is ready; raises if it ends before, or takes too long."""
    end = time.monotonic() + _SECONDS_TO_START
    while not is_ready():
        if server.has_ended:
            raise RuntimeError(f"the {server.name} ended")
        if time.monotonic() > end:
            raise TimeoutError(f"the {server.name} did not start in {_SECONDS_TO_START} s")
        time.sleep(0.05)
