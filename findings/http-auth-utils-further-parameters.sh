#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# http-auth-utils 6.0.1 throws if a challenge has a parameter that it does not know: the other parameters are lost. RFC 6750
# section 3: other attributes may be used. Bearer and Basic have more than the package knows, in RFC 6750 (`error_uri`),
# RFC 7617 (`charset`), RFC 9728 (`resource_metadata`) and RFC 9470 (`acr_values`, `max_age`). A client that looks for
# `invalid_token`, to refresh its token, gets E_UNAUTHORIZED_KEY as soon as the server adds one of them.
#
# Seen with http-auth-utils 6.0.1 on Node.js 20.20.2. Prints what is read, and fails if that changes. Needs Node.js 20 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" http-auth-utils@6.0.1

cat >challenges.mjs <<'JS'
import { parseWWWAuthenticateHeader } from 'http-auth-utils'

for (const challenge of [
    'Bearer realm="api", error="invalid_token"',
    'Bearer error="invalid_token", error_uri="https://api.example/errors"',
    'Bearer error="invalid_token", resource_metadata="https://api.example/.well-known/oauth-protected-resource"',
    'Bearer error="insufficient_user_authentication", max_age="60"',
    'Basic realm="api", charset="UTF-8"',
]) {
    let read
    try {
        read = JSON.stringify(parseWWWAuthenticateHeader(challenge).data)
    } catch (error) { read = error.code }
    console.log(`${challenge}: ${read}`)
}
JS

seen=$(node challenges.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'Bearer realm="api", error="invalid_token": {"realm":"api","error":"invalid_token"}
Bearer error="invalid_token", error_uri="https://api.example/errors": E_UNAUTHORIZED_KEY
Bearer error="invalid_token", resource_metadata="https://api.example/.well-known/oauth-protected-resource": E_UNAUTHORIZED_KEY
Bearer error="insufficient_user_authentication", max_age="60": E_UNAUTHORIZED_KEY
Basic realm="api", charset="UTF-8": E_UNAUTHORIZED_KEY' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
