# SPDX-License-Identifier: Apache-2.0
"""What a store that replicas share costs the broker, against in memory and a peer."""
