# SPDX-License-Identifier: Apache-2.0
"""Providers that others wrote, at which the broker is a client."""
