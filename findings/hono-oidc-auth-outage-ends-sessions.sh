#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @hono/oidc-auth 1.8.1: a short outage of the provider signs users out. Every 15 minutes, or as often as
# `OIDC_AUTH_REFRESH_INTERVAL` says, the middleware refreshes the session with the refresh token in its cookie. RFC 9110 section
# 15.6.4: 503 is temporary, and RFC 6749 section 5.2 has `invalid_grant` for a refresh token that is not valid. The middleware
# takes a 503, and a provider that cannot be reached, for the end of the session: status 500, "Invalid session", and the
# cookie is deleted, with it the refresh token. Who opens a page while the provider restarts has to sign in again.
#
# Seen with @hono/oidc-auth 1.8.1, hono 4.13.19 and jose 6.2.18 on Node.js 20.20.2. Prints what happens, and fails if that
# changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @hono/oidc-auth@1.8.1 hono@4.13.19 jose@6.2.18

cat >outage.mjs <<'JS'
import http from 'node:http'
import { initOidcAuthMiddleware, oidcAuthMiddleware } from '@hono/oidc-auth'
import { Hono } from 'hono'
import { SignJWT, generateKeyPair } from 'jose'

const { privateKey } = await generateKeyPair('ES256')
let issuer, nonce, status = 200
const provider = http.createServer(async (request, response) => {
    let body = { error: status === 400 ? 'invalid_grant' : 'temporarily_unavailable' }
    if (request.url.startsWith('/.well-known')) {
        body = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`, scopes_supported: ['openid'], id_token_signing_alg_values_supported: ['ES256'] }
        response.writeHead(200, { 'Content-Type': 'application/json' })
    } else {
        if (status === 200) {
            body = { access_token: 'access', token_type: 'Bearer', refresh_token: 'refresh',
                id_token: await new SignJWT({ nonce }).setProtectedHeader({ alg: 'ES256' }).setIssuer(issuer).setAudience('app')
                    .setSubject('user').setIssuedAt().setExpirationTime('1h').sign(privateKey) }
        }
        response.writeHead(status, { 'Content-Type': 'application/json' })
    }
    response.end(JSON.stringify(body))
}).listen(0, '127.0.0.1', async () => {
    issuer = `http://127.0.0.1:${provider.address().port}`
    const app = new Hono()
    app.use(initOidcAuthMiddleware({ OIDC_AUTH_SECRET: 's'.repeat(32), OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'app',
        OIDC_CLIENT_SECRET: 'secret', OIDC_AUTH_REFRESH_INTERVAL: '-1' })) // each request is due for a refresh
    app.use(oidcAuthMiddleware())
    app.get('/', context => context.text('hello'))
    const get = (path, cookies = []) => app.request(`https://app.example${path}`, { headers: { cookie: cookies.join('; ') } })
    const cookies = response => response.headers.getSetCookie().map(cookie => cookie.split(';')[0])

    const start = await get('/')
    const { searchParams } = new URL(start.headers.get('location'))
    nonce = searchParams.get('nonce')
    const session = cookies(await get(`/callback?code=code&state=${searchParams.get('state')}`, cookies(start)))
    for (status of [200, 400, 503, 'unreachable']) {
        if (status === 'unreachable') provider.close().closeAllConnections()
        const answer = await get('/', session)
        const cookie = cookies(answer).includes('oidc-auth=') ? 'deleted' : 'kept'
        console.log(`provider ${status}: ${answer.status} ${(await answer.text()) || 'sign-in'}, cookie ${cookie}`)
    }
})
JS

seen=$(node outage.mjs 2>/dev/null)
printf '%s\n' "$seen"
[[ "$seen" == "provider 200: 200 hello, cookie kept
provider 400: 302 sign-in, cookie deleted
provider 503: 500 Invalid session, cookie deleted
provider unreachable: 500 Invalid session, cookie deleted" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
