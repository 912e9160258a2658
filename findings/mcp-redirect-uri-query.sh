#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The authorization server of the MCP SDK for Python drops parameters without a value from the query of a redirect URI.
# RFC 6749 section 3.1.2 says that the query component of a redirection endpoint MUST be retained when parameters are added.
# The user of an app that registered `https://app.example/callback?web=` is sent to another URI than the registered one.
#
# Seen with mcp 2.3.0 on Python 3.11.7. Prints where the user is sent, and fails if that changes. Needs Python 3.10 or later
# with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check mcp==2.3.0

cat >check.py <<'PY'
from mcp.server.auth.provider import construct_redirect_uri

for query in ["web=1", "web=", "web", "web=&tab=2"]:
    print(f"{query}:", construct_redirect_uri(f"https://app.example/callback?{query}", code="code", state="state"))
PY

seen=$(venv/bin/python -W ignore check.py)
printf '%s\n' "$seen"
[[ "$seen" == "web=1: https://app.example/callback?web=1&code=code&state=state
web=: https://app.example/callback?code=code&state=state
web: https://app.example/callback?code=code&state=state
web=&tab=2: https://app.example/callback?tab=2&code=code&state=state" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
