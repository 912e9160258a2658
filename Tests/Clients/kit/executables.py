# SPDX-License-Identifier: Apache-2.0
"""Clients that are executables of their own: those of Debian packages, and apps in a browser."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from kit.app import RESOURCES, App
from kit.installation import Installation
from kit.ports import free_port
from kit.row import Row

_SECONDS_TO_RUN = 300
# The query that makes the redirect URI of a client the receiver of its logout tokens.
_LOGOUT_QUERIES = {"mod-auth-openidc": "?logout=backchannel"}


@dataclass(frozen=True)
class ExecutableClient:
    """An executable and its two apps. The second one has the code binding `nonce`."""

    path: Path
    app: App
    other: App

    @property
    def apps(self) -> list[App]:
        """The apps, for the broker's configuration."""
        return [self.app, self.other]

    def examine(self, installation: Installation) -> Row:
        """Runs the executable, which prints its row as one JSON object."""
        run = subprocess.run(
            [str(self.path)],
            env=os.environ | self._environment(installation),
            cwd=self.path.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS_TO_RUN,
        )
        if run.returncode != 0:
            raise RuntimeError(f"exit status {run.returncode}\n{run.stdout}{run.stderr}")
        printed = json.loads(run.stdout)
        return Row(
            client=printed["client"],
            version=f"Debian {printed['version']}",
            kind=printed.get("kind", self.app.kind),
            sends=printed.get("sends", "see settings"),
            algorithm=printed["algorithm"],
            settings=printed["settings"],
            result=printed["result"],
            sub=printed["sub"],
        )

    def _environment(self, installation: Installation) -> dict[str, str]:
        mine = installation.registration(self.app)
        other = installation.registration(self.other)
        return {
            "BROKER_ISSUER": installation.issuer,
            "BROKER_CA_FILE": str(installation.certificates.authority),
            "BROKER_EXECUTABLE": str(installation.executable),
            "BROKER_CONFIGURATION_FILE": str(installation.configuration_file),
            "PROVIDER_ISSUER": installation.provider_issuer,
            "CLIENT_ID": mine.client_id,
            "CLIENT_SECRET": mine.client_secret or "",
            "OTHER_CLIENT_ID": other.client_id,
            "OTHER_CLIENT_SECRET": other.secret,
            "REDIRECT_URI": mine.redirect_uri,
            "API_IDENTIFIERS": " ".join(RESOURCES.values()),
            "TLS_CERTIFICATE_FILE": str(installation.certificates.certificate),
            "TLS_PRIVATE_KEY_FILE": str(installation.certificates.private_key),
        }


def find(folder: Path) -> list[ExecutableClient]:
    """Returns the confidential clients of `debian/`, then the public ones of `browser/`, by name."""
    confidential, public = (sorted((folder / name).glob("*.client")) for name in ("debian", "browser"))
    return [
        *(_client(path, is_public=False) for path in confidential),
        *(_client(path, is_public=True, scheme=scheme) for path in public for scheme in ("http", "https")),
    ]


def _client(path: Path, *, is_public: bool, scheme: str = "http") -> ExecutableClient:
    """Returns an executable with apps that are named by its stem, at a loopback port of its own."""
    name = path.stem.replace("-", "") + ("https" if scheme == "https" else "")
    redirect_uri = f"{scheme}://localhost:{free_port()}/callback"
    other = App(f"{name}nonce", redirect_uri, code_binding="nonce")
    query = _LOGOUT_QUERIES.get(path.stem)
    app = App(
        name,
        redirect_uri,
        is_public=is_public,
        keeps_sessions=not is_public,
        logout_uri=None if query is None else redirect_uri + query,
    )
    return ExecutableClient(path, app, other)
