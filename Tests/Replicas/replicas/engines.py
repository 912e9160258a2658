# SPDX-License-Identifier: Apache-2.0
"""The engines of the store, each as an operator runs it."""

from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """What an engine's servers are."""

    VALKEY = auto()
    SENTINELS = auto()
    POSTGRESQL = auto()


@dataclass(frozen=True)
class Engine:
    """An engine: its servers, and how many standbys must have what was acknowledged."""

    title: str
    kind: Kind
    servers: int = 1
    standbys: int = 0

    @property
    def may_forget(self) -> bool:
        """Whether what it acknowledged may be forgotten, because another server than one that has it is promoted."""
        return self.kind is Kind.SENTINELS and self.standbys < self.servers - 1


VALKEY = Engine("Valkey", Kind.VALKEY)
# A primary and two standbys.
SENTINELS, SENTINELS_1, SENTINELS_2 = (
    Engine(f"Sentinel, WAIT {standbys}" if standbys else "Sentinel", Kind.SENTINELS, 3, standbys)
    for standbys in range(3)
)
POSTGRESQL = Engine("PostgreSQL", Kind.POSTGRESQL)
POSTGRESQL_2 = Engine("PostgreSQL and a standby", Kind.POSTGRESQL, 2, 1)
