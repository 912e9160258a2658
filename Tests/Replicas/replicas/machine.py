# SPDX-License-Identifier: Apache-2.0
"""Programs that run at a node."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from operations.process import Process

from replicas.network import Node


class NodeProcess(Process):
    """A program at a node. It may be started again after it ended."""

    def __init__(
        self,
        node: Node,
        name: str,
        arguments: Sequence[str],
        directory: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name, arguments, directory, environment)
        self.node = node

    def __enter__(self) -> Self:
        with self.node.entered():
            return super().__enter__()

    def becomes(self, executable: Path) -> None:
        """Is another build of the program from its next start on."""
        self._arguments[0] = str(executable)
