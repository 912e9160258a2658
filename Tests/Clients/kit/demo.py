# SPDX-License-Identifier: Apache-2.0
"""The executable with the demo and the development provider."""

import os
from pathlib import Path


def demo_beside(broker: Path) -> Path:
    """Returns `oidc-broker-demo`, which is built beside the executable of the broker, or is where the environment says."""
    named = os.environ.get("OIDC_BROKER_DEMO")
    return Path(named) if named else broker.with_name("oidc-broker-demo")
