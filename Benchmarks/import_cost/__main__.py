# SPDX-License-Identifier: Apache-2.0
"""The command `Benchmarks/import-cost`."""

import sys

from operations_cost.program import Program

from import_cost import operations, transfer

_PROGRAM = Program(
    name="import-cost",
    subject="imported users",
    description="Measures what a million imported users cost, each against its goal.",
    parts={
        "sqlite": transfer.in_sqlite,
        "postgresql": transfer.in_postgresql,
        "beside": operations.beside,
        "operations": operations.measure,
    },
)

if __name__ == "__main__":
    sys.exit(_PROGRAM.run())
