# SPDX-License-Identifier: Apache-2.0
"""Addresses of this machine."""

from collections.abc import Iterator


def addresses(network: int, count: int) -> Iterator[str]:
    """Returns addresses of 127.0.0.0/8, beginning with 127.`network`.0.1."""
    for number in range(1, count + 1):
        yield f"127.{network}.{number // 250}.{number % 250 + 1}"
