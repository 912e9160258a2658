# SPDX-License-Identifier: Apache-2.0
"""Programs that others wrote, which look at the broker or stand in front of it."""

from operations.check import Check
from operations.others import (
    container,
    idle_memory,
    large_heads,
    packaging,
    prometheus,
    proxies,
    shells,
    slow_clients,
    tls,
)

CHECKS: list[Check] = [
    *prometheus.CHECKS,
    *proxies.CHECKS,
    *large_heads.CHECKS,
    *shells.CHECKS,
    *packaging.CHECKS,
    *container.CHECKS,
    *idle_memory.CHECKS,
    *slow_clients.CHECKS,
    *tls.CHECKS,
]
