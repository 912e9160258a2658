# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in operation, a module for each kind of it."""

from operations.check import Check
from operations.faults import (
    addresses,
    certificate,
    clock,
    configuration,
    connections,
    descriptors,
    disk,
    events,
    provider,
    resets,
    signals,
)

CHECKS: list[Check] = [
    *certificate.CHECKS,
    *configuration.CHECKS,
    *provider.CHECKS,
    *connections.CHECKS,
    *resets.CHECKS,
    *descriptors.CHECKS,
    *disk.CHECKS,
    *clock.CHECKS,
    *signals.CHECKS,
    *events.CHECKS,
    *addresses.CHECKS,
]
