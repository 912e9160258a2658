# SPDX-License-Identifier: Apache-2.0
"""The rows of the tables of clients and of admin SDKs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """What is known of a client after its sign-ins; `sub` is None if it was refused by design."""

    client: str
    version: str
    kind: str
    sends: str
    algorithm: str
    settings: str
    result: str
    sub: str | None

    @property
    def cells(self) -> list[str]:
        """The cells of the row, in the order of the columns."""
        return [
            self.client,
            self.version,
            self.kind,
            self.sends,
            self.algorithm,
            self.settings,
            self.result,
        ]


@dataclass(frozen=True)
class AdministrationRow:
    """A row of the table of admin SDKs."""

    name: str
    version: str
    settings: str
    result: str

    @property
    def cells(self) -> list[str]:
        """The cells of the row, in the order of the columns."""
        return [self.name, self.version, self.settings, self.result]
