# SPDX-License-Identifier: Apache-2.0
"""promtool reads what /metrics says."""

from operations.check import Check, Setting, require
from operations.installation import running
from operations.others.programs import need, output, version
from operations.person import Person
from operations.wire import Endpoint, get


def _metrics(setting: Setting) -> str:
    promtool = need("promtool", "prometheus")
    with running(setting) as made:
        Person(made).sign_in()
        # A failing start, for more than one outcome.
        get(made.endpoint, "/__/auth/authorize?client_id=nobody")
        response = get(Endpoint("http", made.operations_port), "/metrics")
        said = output([promtool, "check", "metrics"], given=response.body)
        require(not said.strip(), f"promtool says: {said}")
        series = [line for line in response.body.splitlines() if line and not line.startswith("#")]
        families = [line for line in response.body.splitlines() if line.startswith("# TYPE ")]
        require(any(line.startswith("auth_callbacks_total{") for line in series), "no auth_callbacks_total")
        return f"{len(families)} metrics, {len(series)} series, nothing said; {version('prometheus')}"


CHECKS = [Check("`promtool check metrics`", "nothing is said of `/metrics`", _metrics)]
