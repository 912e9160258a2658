# SPDX-License-Identifier: Apache-2.0
"""The command `Benchmarks/refresh-cost`."""

import sys

from operations_cost.program import Program

from refresh_cost import refreshes

_PROGRAM = Program(
    name="refresh-cost",
    subject="refreshes",
    description="Measures what a refresh costs, against a redemption.",
    parts={"refresh": refreshes.measure},
)

if __name__ == "__main__":
    sys.exit(_PROGRAM.run())
