#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# better-auth 1.7.25: a client that follows RFC 8628 gets codes and never a token. Section 3.4 has the token request as a form,
# as all of OAuth 2.0 (RFC 6749 section 4.1.3). `/device/code` of the plugin `deviceAuthorization` takes a form,
# `/device/token` JSON alone: 415, without an `error`, at the first poll, after the user was shown the code. openid-client
# 6.9.0 ends there. With JSON, a request that lacks a parameter is 400 without an `error` too (RFC 6749 section 5.2).
#
# Seen with better-auth 1.7.25 and openid-client 6.9.0 on Node.js 20.20.2. Prints the answers, and fails if they change. Needs
# Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" better-auth@1.7.25 openid-client@6.9.0

cat >device.mjs <<'JS'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { deviceAuthorization } from 'better-auth/plugins'
import * as client from 'openid-client'

const issuer = 'https://op.example/api/auth'
const database = { user: [], session: [], account: [], verification: [], deviceCode: [] }
const auth = betterAuth({ baseURL: 'https://op.example', secret: 's'.repeat(40), database: memoryAdapter(database),
    logger: { disabled: true }, telemetry: { enabled: false },
    plugins: [deviceAuthorization({ verificationUri: '/device', interval: '1s', validateClient: async id => id === 'app' })] })
const configuration = new client.Configuration({ issuer, device_authorization_endpoint: `${issuer}/device/code`,
    token_endpoint: `${issuer}/device/token` }, 'app', undefined, client.None())
configuration[client.customFetch] = async (address, options) => {
    const response = await auth.handler(new Request(address, options))
    console.log(`form to ${new URL(address).pathname}: ${response.status}`)
    return response
}

const device = await client.initiateDeviceAuthorization(configuration, { scope: 'openid' })
await client.pollDeviceAuthorizationGrant(configuration, device).catch(error => console.log(`openid-client: ${error.message}`))
const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device.device_code, client_id: 'app' }
for (const [name, body] of [['JSON', form], ['JSON without device_code', { ...form, device_code: undefined }]]) {
    const response = await auth.handler(new Request(`${issuer}/device/token`, { method: 'POST', body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' } }))
    console.log(`${name}: ${response.status} error ${(await response.json()).error}`)
}
process.exit()
JS

seen=$(node device.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "form to /api/auth/device/code: 200
form to /api/auth/device/token: 415
openid-client: unexpected HTTP response status code
JSON: 400 error authorization_pending
JSON without device_code: 400 error undefined" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
