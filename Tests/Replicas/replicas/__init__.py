# SPDX-License-Identifier: Apache-2.0
"""Several replicas of the broker on one store, and what they may never do, whatever goes wrong."""
