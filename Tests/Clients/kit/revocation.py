# SPDX-License-Identifier: Apache-2.0
"""The revocation of a refresh token by an app whose library does not revoke tokens."""

import requests

from kit.registration import Registration


def revoke(registration: Registration, refresh_token: str) -> None:
    """Revokes a refresh token (RFC 7009)."""
    form = {"token": refresh_token, "token_type_hint": "refresh_token", "client_id": registration.client_id}
    if registration.client_secret is not None:
        form["client_secret"] = registration.client_secret
    requests.post(registration.metadata()["revocation_endpoint"], data=form, timeout=10).raise_for_status()
