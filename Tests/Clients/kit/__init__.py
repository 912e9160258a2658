# SPDX-License-Identifier: Apache-2.0
"""Signs in at the broker with OpenID Connect client libraries, as their documentation says, over TLS."""
