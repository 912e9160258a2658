# SPDX-License-Identifier: Apache-2.0
"""How many users a broker has signed in, as it says itself."""

import http.client

from operations.wire import Endpoint, get

_SERIES = 'auth_callbacks_total{outcome="signed_in"'


def sign_ins(address: str, operations_port: int) -> int:
    """Returns the number, which may be a second old; 0 while the broker does not answer."""
    try:
        text = get(Endpoint("http", operations_port, name=address), "/metrics").body
    except (OSError, http.client.HTTPException):
        return 0
    lines = (line.rpartition(" ") for line in text.splitlines() if line.startswith(_SERIES))
    return int(sum(float(figure) for _, _, figure in lines))
