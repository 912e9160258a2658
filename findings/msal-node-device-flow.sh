#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# MSAL for Node.js 7.2.3, which takes other providers too (`protocolMode: 'OIDC'`), polls without a pause in a device flow whose
# response has no `interval`. RFC 8628 section 3.2 makes it optional: a client MUST use five seconds then. MSAL multiplies
# the missing number and waits NaN milliseconds, which is one: hundreds of token requests while the user types the code.
# oidc-provider 9.13.3 is a provider that never sends it. `slow_down`, after which section 3.5 has the client wait five seconds
# longer, ends the sign-in. The endpoint is not that of `device_authorization_endpoint` (section 4): it is the token
# endpoint with `/devicecode` in place of `/token`.
#
# Seen with these versions on Node.js 20.20.2. Prints polls, results, the endpoint and the members of oidc-provider's response,
# and fails if they change. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @azure/msal-node@7.2.3 oidc-provider@9.13.3

cat >device.mjs <<'JS'
import http from 'node:http'
import { PublicClientApplication } from '@azure/msal-node'
import { Provider } from 'oidc-provider'

const issuer = 'https://op.example'
const asked = new Set()
const flows = {
    'interval 1, authorization_pending': { interval: 1, error: 'authorization_pending' },
    'interval 1, slow_down': { interval: 1, error: 'slow_down' },
    'no interval, authorization_pending': { error: 'authorization_pending' },
}
for (const [name, { interval, error }] of Object.entries(flows)) {
    let polls = 0
    const networkClient = { // answers instead of a provider, which gives a token after a second and a half
        start: 0,
        async sendGetRequestAsync() {
            return { status: 200, headers: {}, body: { issuer, authorization_endpoint: `${issuer}/authorize`,
                token_endpoint: `${issuer}/token`, device_authorization_endpoint: `${issuer}/device`,
                jwks_uri: `${issuer}/jwks` } }
        },
        async sendPostRequestAsync(address) {
            if (!address.includes('/token')) {
                this.start = performance.now()
                asked.add(new URL(address).pathname)
                return { status: 200, headers: {}, body: { device_code: 'device', user_code: 'USER', expires_in: 60, interval,
                    verification_uri: `${issuer}/device` } }
            }
            polls++
            if (performance.now() - this.start < 1500) return { status: 400, headers: {}, body: { error } }
            return { status: 200, headers: {}, body: { token_type: 'Bearer', access_token: 'access', expires_in: 300 } }
        },
    }
    const app = new PublicClientApplication({ system: { networkClient, protocolMode: 'OIDC' },
        auth: { clientId: 'app', authority: issuer, knownAuthorities: ['op.example'], protocolMode: 'OIDC' } })
    const result = await app.acquireTokenByDeviceCode({ scopes: ['read'], deviceCodeCallback() {} }).then(
        ({ accessToken }) => accessToken, ({ errorCode }) => errorCode)
    console.log(`${name}: ${polls > 20 ? 'more than 20' : polls} polls, ${result}`)
}
console.log(`device authorization requests to ${[...asked]}`)

const provider = new Provider(issuer, { features: { deviceFlow: { enabled: true } }, clients: [{ client_id: 'app',
    token_endpoint_auth_method: 'none', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    redirect_uris: [], response_types: [] }] })
const server = http.createServer(provider.callback()).listen(0, '127.0.0.1', async () => {
    const response = await fetch(`http://127.0.0.1:${server.address().port}/device/auth`, { method: 'POST',
        body: new URLSearchParams({ client_id: 'app', scope: 'openid' }) })
    console.log(`oidc-provider: ${Object.keys(await response.json()).join(', ')}`)
    process.exit()
})
JS

seen=$(node device.mjs 2>/dev/null | grep -v NOTICE)
printf '%s\n' "$seen"
[[ "$seen" == "interval 1, authorization_pending: 3 polls, access
interval 1, slow_down: 1 polls, post_request_failed
no interval, authorization_pending: more than 20 polls, access
device authorization requests to /devicecode
oidc-provider: device_code, user_code, verification_uri, verification_uri_complete, expires_in" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
