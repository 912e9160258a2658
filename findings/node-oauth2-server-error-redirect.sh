#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @node-oauth/oauth2-server 5.3.0: a client whose redirect URI has a query learns of no error. RFC 6749 section 4.1.2.1 adds
# `error` and `state` to the query of the redirect URI, and section 3.1.2 retains the query that is there. The code comes
# with `&`, as it should. An error is dropped with the state: a user who says no is back at the app's callback, which sees
# neither an answer nor whose it is. A redirect URI without a query gets both.
#
# Seen with @node-oauth/oauth2-server 5.3.0 on Node.js 20.20.2. Prints where the user is sent, and fails if that changes.
# Needs Node.js 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @node-oauth/oauth2-server@5.3.0

cat >redirect.cjs <<'JS'
const Server = require('@node-oauth/oauth2-server')

const client = { id: 'app', grants: ['authorization_code'],
    redirectUris: ['https://app.example/callback', 'https://app.example/callback?tenant=one'] }
const server = new Server({
    model: {
        getClient: async () => client,
        getAccessToken: async () => null,
        generateAuthorizationCode: async () => 'a-code',
        saveAuthorizationCode: async (code, client, user) => ({ ...code, client, user }),
    },
    authenticateHandler: { handle: () => ({ id: 'user' }) },
})

async function authorize(redirect_uri, more) {
    const query = { response_type: 'code', client_id: 'app', redirect_uri, state: 'a-state', code_challenge_method: 'S256',
        code_challenge: 'c'.repeat(43), ...more }
    const response = new Server.Response({ headers: {} })
    await server.authorize(new Server.Request({ method: 'GET', headers: {}, query }), response).catch(() => {})
    const { search } = new URL(response.get('location'))
    const names = new URLSearchParams(search)
    names.delete('error_description')
    console.log(`  ${decodeURIComponent(names.toString()) || 'nothing'}`)
}

(async () => {
    for (const uri of client.redirectUris) {
        console.log(uri)
        await authorize(uri, {})
        await authorize(uri, { allowed: 'false' })
        await authorize(uri, { response_type: 'id_token' })
    }
})()
JS

seen=$(node redirect.cjs 2>/dev/null)
printf '%s\n' "$seen"
[[ "$seen" == "https://app.example/callback
  code=a-code&state=a-state
  error=access_denied&state=a-state
  error=unsupported_response_type&state=a-state
https://app.example/callback?tenant=one
  tenant=one&code=a-code&state=a-state
  tenant=one
  tenant=one" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
