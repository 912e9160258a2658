# SPDX-License-Identifier: Apache-2.0
"""The clients, one file each."""
