#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# web-oidc 0.0.19 requires `scope` in token responses, and knows seven error codes. RFC 6749 section 5.1: `scope` is optional if
# it is what the client asked for. Section 8.5: extensions add error codes, such as `invalid_target` (RFC 8707) and
# `authorization_pending` (RFC 8628). Both give a ZodError about the shape of the response. An app that handles OIDCError by its
# code does not see the provider's code; and if the refused response has a rotated refresh token, the session is lost.
#
# Seen with web-oidc 0.0.19 on Node.js 20.20.2. Prints what `refresh()` gives, and fails if that changes. Needs Node.js 20 or
# later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" web-oidc@0.0.19

cat >tokens.mjs <<'JS'
import http from 'node:http'
import { Issuer } from 'web-oidc'

let body
const provider = http.createServer((request, response) => {
    response.writeHead(body.error ? 400 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}).listen(0, '127.0.0.1', async () => {
    const issuer = `http://127.0.0.1:${provider.address().port}`
    const client = new Issuer({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo` }).client({ client_id: 'app' })
    const tokens = { access_token: 'access', token_type: 'Bearer', expires_in: 3600, refresh_token: 'next' }
    for (body of [{ ...tokens, scope: 'openid' }, tokens, { error: 'invalid_grant' }, { error: 'invalid_target' },
        { error: 'authorization_pending' }]) {
        const result = await client.refresh('refresh').then(set => set.refresh_token, error => error.issues
            ? `${error.name} about "${error.issues[0].path[0]}"` : `${error.constructor.name} ${error.code}`)
        console.log(`${body.error ?? `tokens, scope ${body.scope ?? 'not given'}`}: ${result}`)
    }
    process.exit()
})
JS

seen=$(node tokens.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'tokens, scope openid: next
tokens, scope not given: ZodError about "scope"
invalid_grant: OIDCError invalid_grant
invalid_target: ZodError about "error"
authorization_pending: ZodError about "error"' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
