# SPDX-License-Identifier: Apache-2.0
"""A broker with accounts in SQLite and an app with refresh tokens, and the provider of callback-latency."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from kit.certificates import signing_key
from kit.ports import free_port
from operations.check import Failed
from operations.process import Process
from operations.waiting import wait_until
from operations_cost.plan import Plan

CLIENT_ID = "bench"
REDIRECT_URI = "https://app.example.com/callback"
# The client that the provider knows.
_PROVIDER_CLIENT = "bench"
_PROVIDER_SECRET = "bench-secret-0123456789abcdef"
_MOST = "1000000"


@dataclass(frozen=True)
class Broker:
    """A broker that runs."""

    port: int
    process: Process


@contextmanager
def running(plan: Plan) -> Iterator[Broker]:
    """Runs both, the broker on the processors that are measured."""
    port, provider_port = free_port(), free_port()
    provider = [str(plan.tool), "provider", "--algorithm", "rs256", "--port", str(provider_port)]
    broker = ["taskset", "-c", plan.server_processors, str(plan.broker), "serve"]
    variables = _variables(plan, port, f"http://127.0.0.1:{provider_port}/p0")
    with (
        Process("provider", ["taskset", "-c", plan.own_processors, *provider], plan.directory) as first,
        Process("broker", broker, plan.directory, variables) as second,
    ):
        for process, number, path in (
            (first, provider_port, "/p0/.well-known/openid-configuration"),
            (second, port, "/__/auth/.well-known/openid-configuration"),
        ):
            wait_until(f"the {process.name} listens", partial(_responds, process, number, path))
        yield Broker(port, second)


def _variables(plan: Plan, port: int, issuer: str) -> dict[str, str]:
    return {
        "SERVER_HOST": "127.0.0.1",
        "SERVER_PORT": str(port),
        # Each user has an address of their own, as behind a proxy.
        "SERVER_TRUSTED_PROXIES": "127.0.0.1",
        "SERVER_FORWARDED": "x-forwarded-for",
        "SERVER_RATE_LIMIT_BROWSER_PER_SECOND": "0",
        "SERVER_RATE_LIMIT_FAILURES_PER_SECOND": "0",
        "AUTH_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "AUTH_SIGNING_KEYS": signing_key("RS256"),
        "AUTH_PROVIDERS": "p0",
        "AUTH_PROVIDER_P0_ISSUER": issuer,
        "AUTH_PROVIDER_P0_CLIENT_ID": _PROVIDER_CLIENT,
        "AUTH_PROVIDER_P0_CLIENT_SECRET": _PROVIDER_SECRET,
        "AUTH_PROVIDER_P0_INSECURE_LOOPBACK_ISSUER": "true",
        "AUTH_ACCOUNTS_PROJECT_ID": "bench-people",
        "AUTH_ACCOUNTS_DATABASE": f"sqlite:{plan.directory}/accounts.sqlite",
        "AUTH_ACCOUNTS_SIGNING_KEYS": signing_key("ES256"),
        "AUTH_APPS": CLIENT_ID,
        "AUTH_APP_BENCH_REDIRECT_URIS": REDIRECT_URI,
        "AUTH_APP_BENCH_ID_TOKEN_ALGORITHM": "RS256",
        "AUTH_APP_BENCH_ACCOUNTS": "true",
        # Those of a public app are replaced at each refresh.
        "AUTH_APP_BENCH_REFRESH_TOKENS": "true",
        "AUTH_APP_BENCH_REQUESTS_PER_SECOND": _MOST,
    }


def _responds(process: Process, port: int, path: str) -> bool:
    if process.status is not None:
        lines = "\n".join(process.lines()[-10:])
        raise Failed(f"the {process.name} ended with status {process.status}\n{lines}")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()
