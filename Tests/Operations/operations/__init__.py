# SPDX-License-Identifier: Apache-2.0
"""Faults of operation, done to a running server, and the checks of programs that others wrote."""
