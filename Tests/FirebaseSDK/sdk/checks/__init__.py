# SPDX-License-Identifier: Apache-2.0
"""All checks."""

from sdk.checks import attacks, firebase, popup, redirect, sign_out, surface, web

CHECKS = [
    *surface.CHECKS,
    *popup.CHECKS,
    *redirect.CHECKS,
    *attacks.CHECKS,
    *firebase.CHECKS,
    *web.CHECKS,
    *sign_out.CHECKS,
]
