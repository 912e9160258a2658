#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# auth-header 1.0.0 writes challenges without commas: `Bearer realm=api error=invalid_token`. RFC 9110 section 11.6.1: the
# parameters of a challenge have commas between them. auth-header and oauth4webapi read this form too, so that a test with them
# succeeds. http-auth-utils and Python's urllib take the rest for a part of the realm: a client with one of them does not see
# `invalid_token`, and does not refresh its token.
#
# Seen with auth-header 1.0.0, oauth4webapi 3.8.8 and http-auth-utils 6.0.1 on Node.js 20.20.2, and Python 3.11. Prints the
# challenges and what is read, and fails if that changes. Needs Node.js 20 or later with npm, python3 and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" \
    auth-header@1.0.0 oauth4webapi@3.8.8 http-auth-utils@6.0.1

cat >read.py <<'PY'
import json, sys, urllib.request
items = urllib.request.parse_http_list(sys.argv[1].partition(' ')[2])
print(json.dumps(urllib.request.parse_keqv_list(items), separators=(',', ':')))
PY
cat >challenge.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { format, parse } from 'auth-header'
import { parseWWWAuthenticateHeader } from 'http-auth-utils'
import * as oauth from 'oauth4webapi'

const params = { realm: 'api', error: 'invalid_token' }
for (const challenge of ['Bearer realm="api", error="invalid_token"', format({ scheme: 'Bearer', params })]) {
    console.log(challenge)
    const answer = new Response(null, { status: 401, headers: { 'WWW-Authenticate': challenge } })
    const error = await oauth.processUserInfoResponse({ issuer: 'https://op.example' }, { client_id: 'app' },
        oauth.skipSubjectCheck, answer).catch(error => error)
    console.log(`  auth-header: ${JSON.stringify(parse(challenge).params)}`)
    console.log(`  oauth4webapi: ${JSON.stringify(error.cause[0].parameters)}`)
    console.log(`  http-auth-utils: ${JSON.stringify(parseWWWAuthenticateHeader(challenge).data)}`)
    console.log(`  urllib: ${execFileSync('python3', ['read.py', challenge], { encoding: 'utf8' }).trim()}`)
}
JS

seen=$(node challenge.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'Bearer realm="api", error="invalid_token"
  auth-header: {"realm":"api","error":"invalid_token"}
  oauth4webapi: {"realm":"api","error":"invalid_token"}
  http-auth-utils: {"realm":"api","error":"invalid_token"}
  urllib: {"realm":"api","error":"invalid_token"}
Bearer realm=api error=invalid_token
  auth-header: {"realm":"api","error":"invalid_token"}
  oauth4webapi: {"realm":"api","error":"invalid_token"}
  http-auth-utils: {"realm":"api error=invalid_token"}
  urllib: {"realm":"api error=invalid_token"}' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
