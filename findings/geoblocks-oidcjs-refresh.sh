#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @geoblocks/oidcjs 0.5.13 refreshes once or not at all. OpenID Connect Core section 12.2: the response to a refresh might have
# no ID token. RFC 6749 section 6: a new refresh token is optional; without one, the old one stays in use. The package rejects a
# response without `id_token`, and drops the new access token and the rotated refresh token with it. With an ID token but
# no new refresh token, it overwrites the old one with "undefined": there is no further refresh, and the user has to
# sign in again.
#
# Seen with @geoblocks/oidcjs 0.5.13 on Node.js 20.20.2, with a Map as local storage. Prints what two refreshes give, and fails
# if that changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" @geoblocks/oidcjs@0.5.13

cat >refresh.mjs <<'JS'
import http from 'node:http'
import { CodeOIDCClient } from '@geoblocks/oidcjs'

const storage = new Map()
globalThis.localStorage = { getItem: key => storage.get(key) ?? null, setItem: (key, value) => storage.set(key, `${value}`) }
let extra
const provider = http.createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ access_token: 'new', token_type: 'Bearer', expires_in: 3600, ...extra }))
}).listen(0, '127.0.0.1', async () => {
    const client = new CodeOIDCClient({ clientId: 'app', redirectUri: 'https://app.example/', scopes: ['openid'] },
        { token_endpoint: `http://127.0.0.1:${provider.address().port}/token` })
    for (extra of [{ id_token: 'id', refresh_token: 'next' }, { id_token: 'id' }, { refresh_token: 'next' }, {}]) {
        storage.clear()
        client.lset('access_token', 'old')
        client.lset('refresh_token', 'refresh')
        const results = []
        for (let refresh = 0; refresh < 2; refresh += 1) {
            client.lset('access_token_expires_at', '1') // the access token has ended
            results.push(await client.getActiveToken().then(token => token || 'no token', error => error))
        }
        console.error(`${Object.keys(extra).join(' and ') || 'neither'}: ${results.join(', then ')};`,
            `stored: ${storage.get('oidcjs_refresh_token')}`)
    }
    process.exit()
})
JS

seen=$(node refresh.mjs 2>&1 >/dev/null)
printf '%s\n' "$seen"
[[ "$seen" == 'id_token and refresh_token: new, then new; stored: next
id_token: new, then no token; stored: undefined
refresh_token: Did not reveive id or access tokens, then Did not reveive id or access tokens; stored: refresh
neither: Did not reveive id or access tokens, then Did not reveive id or access tokens; stored: refresh' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
