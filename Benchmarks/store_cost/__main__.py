# SPDX-License-Identifier: Apache-2.0
"""The command `Benchmarks/store-cost`."""

import sys

from operations_cost.program import Program

from store_cost import commands, latency, memory, processor_time, spread, writes

_PROGRAM = Program(
    name="store-cost",
    subject="shared store",
    description="Measures what a store that replicas share costs, each against its goal.",
    parts={
        "processor-time": processor_time.measure,
        "latency": latency.measure,
        "commands": commands.measure,
        "writes": writes.measure,
        "replicas": spread.measure,
        "memory": memory.measure,
    },
    compares_previous=True,
)

if __name__ == "__main__":
    sys.exit(_PROGRAM.run())
