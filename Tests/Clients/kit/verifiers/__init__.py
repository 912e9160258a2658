# SPDX-License-Identifier: Apache-2.0
"""The verifiers, one file each."""
