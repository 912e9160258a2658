# SPDX-License-Identifier: Apache-2.0
"""What goes wrong while people sign in."""

from replicas.faults import brokers, links, sentinels, servers

FAULTS = [*brokers.FAULTS, *servers.FAULTS, *links.FAULTS, *sentinels.FAULTS]
