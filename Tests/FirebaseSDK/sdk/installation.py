# SPDX-License-Identifier: Apache-2.0
"""The broker with accounts and two development providers, each a process of its own, and two whose sessions end."""

import base64
import json
import secrets
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit import certificates
from kit.demo import demo_beside
from kit.ports import free_port
from kit.server import Server

from sdk import logout_receiver, provider
from sdk.logout_receiver import LogoutReceiver
from sdk.provider import Provider

API_KEY = "web-4f1c5e0d"
# The key of another app, whose pages have the same origin.
OTHER_API_KEY = "other-7d20c1b9"
PROJECT_ID = "people"
# An app that signs in by OpenID Connect.
APP = "shop"
# Where its users come after a sign-out.
SIGNED_OUT = f"https://{APP}.example/signed-out"
# Signs a user in without asking. The ID is the one that the buttons of the app with the SDK ask for.
AUTOMATIC = "google.com"
# Asks the user, who may also refuse.
ASKING = "oidc.acme"
# Their sessions end, in a browser and by their administrators.
_ENDING = "globex", "initech"
_SECONDS_TO_START = 60


@dataclass
class Installation:
    """A broker that responds, at a loopback address and so over plain HTTP."""

    origin: str
    executable: Path
    configuration_file: Path
    broker: Server
    providers: list[Provider]
    logout_receiver: LogoutReceiver
    _stack: ExitStack = field(repr=False)

    @property
    def base(self) -> str:
        """The URL below which the broker's own paths are."""
        return f"{self.origin}/__/auth"

    def stop(self) -> None:
        """Ends the broker: an outage."""
        self.broker.__exit__(None, None, None)

    def start(self) -> None:
        """Starts the broker, also again."""
        self._stack.enter_context(self.broker)
        _wait(self.broker, lambda: _responds(f"{self.base}/.well-known/openid-configuration"))

    def change_signing_key(self) -> None:
        """Replaces the key of the ID tokens, without publishing the old one any longer."""
        keys = json.loads(self.configuration_file.read_text())
        keys["auth"]["signing-keys"] = certificates.signing_key("ES256")
        self.stop()
        self.configuration_file.write_text(json.dumps(keys))
        self.start()

    def change_account(self, operation: str, uid: str) -> None:
        """Changes an account as an operator does."""
        command = [self.executable, "accounts", operation, uid, "--config", self.configuration_file]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)


@contextmanager
def running(executable: Path, directory: Path, email_policy: str = "separate") -> Iterator[Installation]:
    """Runs two providers and a broker; prints their logs if the block fails.

    Both providers have the same users, who have an account for each unless the policy is another one.
    """
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    servers = []
    try:
        with ExitStack() as stack:
            providers = {}
            for name, id, options in (("google", AUTOMATIC, ["--automatic"]), ("acme", ASKING, [])):
                command = [str(demo_beside(executable)), "provider", "--port", "0", *options]
                servers.append(Server(name, [*command, "--redirect-uri", f"{origin}/__/auth/handler"], directory))
                providers[name] = {"id": id} | _provider(stack.enter_context(servers[-1]))
            ending = [stack.enter_context(provider.serve(name, f"{origin}/__/auth")) for name in _ENDING]
            providers |= {each.name: each.keys for each in ending}
            receiver = stack.enter_context(logout_receiver.serve())
            file = directory / "broker.json"
            keys = {
                "auth": _auth(origin, providers, receiver, directory, email_policy),
                "server": {"port": port},
            }
            file.write_text(json.dumps(keys))
            file.chmod(0o600)
            servers.append(Server("broker", [str(executable), "serve", "--config", str(file)], directory))
            installation = Installation(origin, executable, file, servers[-1], ending, receiver, stack)
            installation.start()
            yield installation
    except BaseException:
        for server in servers:
            if server.log_file.exists():
                print(f"-- the log of {server.name}\n{server.log_file.read_text()}", flush=True)
        raise


def _provider(server: Server) -> dict[str, Any]:
    """Returns the keys of a provider, which it prints itself."""
    _wait(server, lambda: "client-secret: " in server.output)
    printed = dict(line.split(": ", 1) for line in server.output.splitlines())
    return {
        "issuer": printed["issuer"],
        "insecure-loopback-issuer": True,
        "client-id": printed["client-id"],
        "client-secret": printed["client-secret"],
        "scopes": ["openid", "email", "profile"],
    }


def _auth(
    origin: str, providers: dict[str, Any], receiver: LogoutReceiver, directory: Path, email_policy: str
) -> dict[str, Any]:
    """Returns the keys of the configuration below `auth`."""
    return {
        "public-url": origin,
        "sealing-keys": [base64.b64encode(secrets.token_bytes(32)).decode()],
        "signing-keys": certificates.signing_key("ES256"),
        "providers": list(providers),
        "provider": providers,
        "apps": [APP],
        "app": {
            APP: {
                "redirect-uris": [f"https://{APP}.example/callback"],
                "post-logout-redirect-uris": [SIGNED_OUT],
                "backchannel-logout-uri": receiver.url,
                "accounts": True,
                "refresh-tokens": True,
            }
        },
        "accounts": {
            "project-id": PROJECT_ID,
            "database": f"sqlite:{directory / 'accounts.sqlite'}",
            "signing-keys": certificates.signing_key("ES256"),
            "email-policy": email_policy,
        },
        "sdk-apps": ["web", "other"],
        "sdk-app": {
            "web": {"api-key": API_KEY, "authorized-domains": ["localhost"]},
            "other": {
                "api-key": OTHER_API_KEY,
                "authorized-domains": ["localhost"],
                "native-audiences": [f"{AUTOMATIC}:of-the-other-app"],
            },
        },
    }


def _responds(url: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _wait(server: Server, is_ready: Any) -> None:
    end = time.monotonic() + _SECONDS_TO_START
    while not is_ready():
        if server.has_ended:
            raise RuntimeError(f"{server.name} ended")
        if time.monotonic() > end:
            raise TimeoutError(f"{server.name} did not start in {_SECONDS_TO_START} s")
        time.sleep(0.05)
