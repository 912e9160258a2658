#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @openid4vc/oauth2 0.4.6, for OpenID4VC, writes HTTP Basic in base64url without padding. RFC 7617 section 2 has Base64 (RFC
# 4648 section 4), with `+`, `/` and `=`. Two of three lengths of client id and secret lack their padding, and others have `-`
# or `_`. Node.js reads both alphabets, so that a test against a server in JavaScript succeeds; Authlib 1.2.0, with Python's
# standard function, finds no client in the header. Whether a client can sign in depends on its secret, and changes when
# the secret is rotated.
#
# Seen with @openid4vc/oauth2 0.4.6 on Node.js 20.20.2, and python3-authlib 1.2.0-1+deb12u2 of Debian 12. Prints what is sent
# and read, and fails if that changes. Needs Node.js 20 or later with npm, the npm registry, and python3-authlib.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @openid4vc/oauth2@0.4.6

cat >send.mjs <<'JS'
import { clientAuthenticationClientSecretBasic } from '@openid4vc/oauth2'

for (const clientSecret of process.argv.slice(2)) {
    const headers = new Headers()
    await clientAuthenticationClientSecretBasic({ clientId: 'app', clientSecret })({ headers })
    console.log(headers.get('Authorization'))
}
JS
cat >read.py <<'PY'
import sys

from authlib.oauth2.rfc6749.util import extract_basic_authorization

for line in sys.stdin:
    print(line.strip(), extract_basic_authorization({"Authorization": line.strip()}))
PY

seen=$(node send.mjs 'secret' 'secret1' 'secret12' 'secre~~~' | /usr/bin/python3 -W ignore read.py)
printf '%s\n' "$seen"
[[ "$seen" == "Basic YXBwOnNlY3JldA (None, None)
Basic YXBwOnNlY3JldDE (None, None)
Basic YXBwOnNlY3JldDEy ('app', 'secret12')
Basic YXBwOnNlY3Jlfn5- (None, None)" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
