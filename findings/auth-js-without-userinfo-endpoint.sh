#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Auth.js (@auth/core 0.41.3) signs nobody in with a provider that has no UserInfo endpoint. OpenID Connect Discovery section 3
# only recommends `userinfo_endpoint`, and a provider may put all claims into the ID token. With `type: 'oidc'` Auth.js takes
# the claims from the ID token and asks no UserInfo endpoint, yet wants the member: the user comes back from a successful
# sign-in to "error=Configuration", and the code is not redeemed. Any URL as `userinfo_endpoint` helps; it is not requested.
#
# Seen with @auth/core 0.41.3 and jose 6.2.18 on Node.js 20.20.2. Prints what the provider sees and where the user lands, and
# fails if that changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @auth/core@0.41.3 jose@6.2.18

cat >signin.mjs <<'JS'
import http from 'node:http'
import { Auth } from '@auth/core'
import { SignJWT, generateKeyPair } from 'jose'

const { privateKey } = await generateKeyPair('RS256')
let issuer, more
const provider = http.createServer(async (request, response) => {
    let body = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'], subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'], code_challenge_methods_supported: ['S256'], ...more }
    if (!request.url.startsWith('/.well-known')) console.log(`  ${request.url}`)
    if (request.url === '/token') {
        body = { access_token: 'access', token_type: 'Bearer', expires_in: 300,
            id_token: await new SignJWT({ name: 'Ada', email: 'ada@example.com' }).setProtectedHeader({ alg: 'RS256' })
                .setIssuer(issuer).setAudience('app').setSubject('user').setIssuedAt().setExpirationTime('5m')
                .sign(privateKey) }
    }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(body))
})
await new Promise(resolve => provider.listen(0, '127.0.0.1', resolve))
issuer = `http://127.0.0.1:${provider.address().port}`

const config = { secret: 's'.repeat(32), trustHost: true, basePath: '/auth', logger: { error() {}, warn() {} },
    providers: [{ id: 'op', name: 'op', type: 'oidc', issuer, clientId: 'app', clientSecret: 'secret' }] }
for (more of [{ userinfo_endpoint: `${issuer}/userinfo` }, {}]) {
    console.log(`userinfo_endpoint: ${more.userinfo_endpoint ? 'there' : 'not there'}`)
    const jar = new Map()
    const ask = async (path, options = {}) => {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const headers = { cookie, 'Content-Type': 'application/x-www-form-urlencoded' }
        const response = await Auth(new Request(`https://app.example/auth${path}`, { headers, ...options }), config)
        for (const line of response.headers.getSetCookie()) jar.set(...line.split(';')[0].split(/=(.*)/s, 2))
        return response
    }
    const { csrfToken } = await (await ask('/csrf')).json()
    const start = await ask('/signin/op', { method: 'POST', body: new URLSearchParams({ csrfToken }) })
    const state = new URL(start.headers.get('location')).searchParams.get('state')
    const end = await ask(`/callback/op?code=code${state ? `&state=${state}` : ''}`)
    console.log(`  ${end.headers.get('location')}, user ${(await (await ask('/session')).json())?.user?.name}`)
}
provider.close().closeAllConnections()
JS

seen=$(node signin.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "userinfo_endpoint: there
  /token
  https://app.example, user Ada
userinfo_endpoint: not there
  https://app.example/auth/error?error=Configuration, user undefined" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
