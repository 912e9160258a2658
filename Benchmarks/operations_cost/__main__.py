# SPDX-License-Identifier: Apache-2.0
"""The command `Benchmarks/operations-cost`."""

import sys

from operations_cost import connections, memory, processor_time, reloads
from operations_cost.program import Program

_PROGRAM = Program(
    name="operations-cost",
    subject="operations",
    description="Measures what an operator's means cost, each against its goal.",
    parts={
        "processor-time": processor_time.measure,
        "reloads": reloads.measure,
        "reload-memory": memory.after_reloads,
        "connections": connections.measure,
        "idle": memory.idle,
    },
    # The number of its connections does not change.
    not_quick=frozenset({"connections"}),
)

if __name__ == "__main__":
    sys.exit(_PROGRAM.run())
