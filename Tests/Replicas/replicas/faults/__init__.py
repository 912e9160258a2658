# SPDX-License-Identifier: Apache-2.0
"""What goes wrong while users sign in."""

from itertools import combinations

from replicas.fault import is_pair
from replicas.faults import brokers, links, points, postgresql, sentinels, servers
from replicas.trial import Trial

FAULTS = [
    *brokers.FAULTS,
    *servers.FAULTS,
    *links.FAULTS,
    *sentinels.FAULTS,
    *postgresql.FAULTS,
    *points.FAULTS,
]
SINGLE = [Trial((fault,), engine) for fault in FAULTS for engine in fault.engines]
SHORT = [Trial((fault,), engine) for fault in FAULTS for engine in fault.short]
PAIRS = [
    Trial((one.faults[0], other.faults[0]), one.engine)
    for one, other in combinations(SINGLE, 2)
    if one.engine == other.engine and is_pair(one.faults[0], other.faults[0])
]
NOTHING = SINGLE[0]
