#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# apple-signin-auth 2.1.0: `getAuthorizationToken`, `refreshAuthorizationToken` and `revokeAuthorizationToken` succeed with an
# error. RFC 6749 section 5.2 has 400 and `error` for a code or a refresh token that is not valid, and so does Apple. The
# functions do not look at the status: the promise resolves to `{ error: 'invalid_grant' }`, whose `access_token` is undefined,
# and to an empty string for an empty 503. Code that asks once a day whether the user still has the app, as Apple recommends
# with the refresh token, and waits for an exception, learns of no user who withdrew it, and an outage looks the same.
#
# Seen with apple-signin-auth 2.1.0 on Node.js 20.20.2, with answers in place of Apple's. Prints the results, and fails if they
# change. Needs Node.js 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" apple-signin-auth@2.1.0

cat >errors.cjs <<'JS'
const apple = require('apple-signin-auth')

const client = { clientID: 'com.example.app', clientSecret: 'secret' }
const calls = {
    getAuthorizationToken: () => apple.getAuthorizationToken('used code', client),
    refreshAuthorizationToken: () => apple.refreshAuthorizationToken('withdrawn', client),
    revokeAuthorizationToken: () => apple.revokeAuthorizationToken('token', { ...client, tokenTypeHint: 'refresh_token' }),
}
const answers = { 400: '{"error":"invalid_grant"}', 401: '{"error":"invalid_client"}', 503: '' };
(async () => {
    for (const [name, call] of Object.entries(calls)) {
        for (const [status, body] of Object.entries(answers)) {
            apple._setFetch(async () => new Response(body, { status }))
            const result = await call().then(value => `resolved, ${JSON.stringify(value)}`, () => 'rejected')
            console.log(`${name}, ${status}: ${result}`)
        }
    }
})()
JS

seen=$(node errors.cjs)
printf '%s\n' "$seen"
[[ "$seen" == 'getAuthorizationToken, 400: resolved, {"error":"invalid_grant"}
getAuthorizationToken, 401: resolved, {"error":"invalid_client"}
getAuthorizationToken, 503: resolved, ""
refreshAuthorizationToken, 400: resolved, {"error":"invalid_grant"}
refreshAuthorizationToken, 401: resolved, {"error":"invalid_client"}
refreshAuthorizationToken, 503: resolved, ""
revokeAuthorizationToken, 400: resolved, {"error":"invalid_grant"}
revokeAuthorizationToken, 401: resolved, {"error":"invalid_client"}
revokeAuthorizationToken, 503: resolved, ""' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
