# SPDX-License-Identifier: Apache-2.0
"""A development provider and a broker for one check, each a process of its own."""

import copy
import json
import os
import secrets
import ssl
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit import certificates
from kit.certificates import Certificates
from kit.demo import demo_beside
from kit.ports import free_port

from operations import broker_configuration
from operations.check import Failed, Setting
from operations.process import Process
from operations.waiting import wait_until
from operations.wire import Endpoint, get

_SECONDS_TO_START = 60
# The broker keeps the text of its metrics for the rest of a second.
_SECONDS_BETWEEN_METRICS = 1.05


@dataclass
class Installation:
    """A provider, a broker that is configured for it, and what a user and an operator need to know of them."""

    setting: Setting
    directory: Path
    certificates: Certificates
    endpoint: Endpoint
    provider_port: int
    operations_port: int
    provider: Process
    broker: Process
    configuration: dict[str, Any]
    app_secret: str
    _stack: ExitStack = field(repr=False)
    _metrics_read: float = field(default=0.0, repr=False)

    @property
    def configuration_file(self) -> Path:
        """The path of the broker's configuration."""
        return self.directory / "broker.json"

    def write(self, configuration: Mapping[str, Any]) -> None:
        """Puts a configuration in the place of the file, by renaming."""
        beside = self.directory / "broker.json.new"
        beside.write_text(json.dumps(configuration))
        beside.replace(self.configuration_file)

    def changed(self) -> dict[str, Any]:
        """Returns a copy of the configuration, to change."""
        return copy.deepcopy(self.configuration)

    def start_provider(self) -> None:
        """Starts the provider, again on the same port if it has run before. It has new keys then."""
        self._stack.enter_context(self.provider)
        wait_until(
            "the provider listens",
            lambda: self._responds(self.provider, Endpoint("http", self.provider_port)),
            _SECONDS_TO_START,
        )

    def start_broker(self) -> None:
        """Starts the broker."""
        self._stack.enter_context(self.broker)
        wait_until(
            "the broker listens", lambda: self._responds(self.broker, self.endpoint), _SECONDS_TO_START
        )

    def operations(self, path: str) -> tuple[int, str]:
        """Returns the status and the body of a path of the listener for operators."""
        response = get(Endpoint("http", self.operations_port), path)
        return response.status, response.body

    def metric(self, name: str, **labels: str) -> float:
        """Returns the sum of a metric's samples that have these labels; 0 if there are none.

        It is that of now: a text that was read before is waited out.
        """
        wanted = [f'{label}="{value}"' for label, value in labels.items()]
        total = 0.0
        time.sleep(max(0.0, self._metrics_read + _SECONDS_BETWEEN_METRICS - time.monotonic()))
        text = self.operations("/metrics")[1]
        self._metrics_read = time.monotonic()
        for line in text.splitlines():
            series, _, value = line.rpartition(" ")
            if series.split("{")[0] == name and all(label in series for label in wanted):
                total += float(value)
        return total

    @staticmethod
    def _responds(process: Process, endpoint: Endpoint) -> bool:
        if process.status is not None:
            raise Failed(f"the {process.name} ended with status {process.status}")
        try:
            get(endpoint, "/__/auth/jwks")
        except OSError:
            return False
        return True


@dataclass(frozen=True)
class Options:
    """What a check needs to be different.

    `auth` and `server` are added to the configuration, from which the keys `without` of `auth` are taken. `wrapper` is
    a command that executes the broker, `preload` the environment of a library that provider and broker load first, and
    `context` what a user's browser trusts. With `public_port` the broker is plain HTTP behind a proxy at that port.
    """

    auth: Mapping[str, Any] = field(default_factory=dict)
    server: Mapping[str, Any] = field(default_factory=dict)
    without: Sequence[str] = ()
    public_port: int | None = None
    wrapper: Sequence[str] = ()
    preload: Mapping[str, str] | None = None
    log_file: Path | None = None
    context: ssl.SSLContext | None = None


@contextmanager
def running(setting: Setting, **options: Any) -> Iterator[Installation]:
    """Runs a provider and a broker with the given `Options`; shows the end of their logs if the block fails."""
    directory = Path(tempfile.mkdtemp(dir=setting.directory))
    with ExitStack() as stack:
        made = _make(setting, Options(**options), directory, stack)
        try:
            made.start_provider()
            made.start_broker()
            yield made
        except BaseException:
            for process in (made.provider, made.broker):
                _show_log(process)
            raise


def unprivileged() -> list[str]:
    """Returns a command that takes from root what makes it read and write every file; empty if we are not root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]


def _make(setting: Setting, options: Options, directory: Path, stack: ExitStack) -> Installation:
    port, provider_port, operations_port = free_port(), free_port(), free_port()
    files = certificates.make(directory)
    endpoint = Endpoint(
        "https", port, options.context or ssl.create_default_context(cafile=str(files.authority))
    )
    origin = endpoint.origin
    if options.public_port is not None:
        endpoint = Endpoint("http", port)
        origin = f"http://localhost:{options.public_port}"
    app_secret = secrets.token_urlsafe(24)
    auth = broker_configuration.auth(origin, provider_port, app_secret) | dict(options.auth)
    tls = files if endpoint.context is not None else None
    configuration = {
        "auth": {key: value for key, value in auth.items() if key not in options.without},
        "server": broker_configuration.server(port, operations_port, tls) | dict(options.server),
    }
    # A library that is loaded first may change the environment, and Swift then finds no arguments any more. So `env`,
    # which loads it as well, executes the program.
    loader = ["env"] if options.preload else []
    provider = [*loader, str(demo_beside(setting.executable)), "provider", "--automatic", "--port", str(provider_port)]
    provider += ["--redirect-uri", f"{origin}/__/auth/handler"]
    broker = [*options.wrapper, *loader, str(setting.executable), "serve", "--config", str(directory / "broker.json")]
    made = Installation(
        directory=directory,
        setting=setting,
        certificates=files,
        endpoint=endpoint,
        provider_port=provider_port,
        operations_port=operations_port,
        provider=Process("provider", provider, directory, options.preload),
        broker=Process("broker", broker, directory, options.preload, options.log_file),
        configuration=configuration,
        app_secret=app_secret,
        _stack=stack,
    )
    made.write(configuration)
    return made


def _show_log(process: Process) -> None:
    if process.log_file.is_file():
        lines = process.lines()
        print(
            f"-- the end of the log of the {process.name}, {len(lines)} lines",
            *lines[-25:],
            sep="\n",
            flush=True,
        )
