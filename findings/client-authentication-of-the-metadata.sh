#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Three clients read the discovery document and not how they should authenticate: openid-client 6.9.0 puts the secret into
# the form, @fastify/oauth2 8.3.0 and @hono/oidc-auth 1.8.1 into the header, whatever `token_endpoint_auth_methods_supported`
# says. OpenID Connect Discovery section 3: without the member it is client_secret_basic; section 2 of Dynamic Client
# Registration says the same of a client. A provider with one method is `invalid_client` for one half of them, with a
# secret that is right; openid-client, without its argument `ClientSecretBasic`, fails with the standards' own default.
#
# Seen with these versions, hono 4.13.19 and fastify 5.12.8 on Node.js 20.20.2. Prints the method that each uses for no
# member, Basic alone and the form alone, and fails if that changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" openid-client@6.9.0 @fastify/oauth2@8.3.0 fastify@5.12.8 \
    @hono/oidc-auth@1.8.1 hono@4.13.19
cat >methods.mjs <<'JS'
import http from 'node:http'
import oauth2 from '@fastify/oauth2'
import { initOidcAuthMiddleware, oidcAuthMiddleware } from '@hono/oidc-auth'
import fastify from 'fastify'
import { Hono } from 'hono'
import * as client from 'openid-client'

let issuer, methods, seen
const provider = http.createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    if (request.url === '/token') {
        seen = request.headers.authorization ? 'client_secret_basic' : 'client_secret_post'
        return response.writeHead(400).end('{"error":"invalid_grant"}')
    }
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`, scopes_supported: ['openid'], token_endpoint_auth_methods_supported: methods }))
})
await new Promise(resolve => provider.listen(0, '127.0.0.1', resolve))
issuer = `http://127.0.0.1:${provider.address().port}`
const callback = location => `/callback?code=code&state=${encodeURIComponent(new URL(location).searchParams.get('state'))}`

const clients = {
    async 'openid-client'() {
        const insecure = { execute: [client.allowInsecureRequests] } // plain HTTP, for this script
        const configuration = await client.discovery(new URL(issuer), 'app', 'secret', undefined, insecure)
        await client.refreshTokenGrant(configuration, 'refresh').catch(() => {})
    },
    async '@fastify/oauth2'() {
        const app = fastify()
        app.register(oauth2, { name: 'provider', startRedirectPath: '/', callbackUri: 'https://app.example/callback',
            credentials: { client: { id: 'app', secret: 'secret' } }, discovery: { issuer } })
        app.get('/callback', request => app.provider.getAccessTokenFromAuthorizationCodeFlow(request))
        const { headers, cookies } = await app.inject('/')
        await app.inject({ url: callback(headers.location),
            cookies: Object.fromEntries(cookies.map(({ name, value }) => [name, value])) })
    },
    async '@hono/oidc-auth'() {
        const app = new Hono()
        app.use(initOidcAuthMiddleware({ OIDC_AUTH_SECRET: 's'.repeat(32), OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'app',
            OIDC_CLIENT_SECRET: 'secret' }))
        app.use(oidcAuthMiddleware())
        const { headers } = await app.request('https://app.example/')
        await app.request(`https://app.example${callback(headers.get('location'))}`,
            { headers: { cookie: headers.getSetCookie().map(cookie => cookie.split(';')[0]).join('; ') } })
    },
}
for (const [name, run] of Object.entries(clients)) {
    const used = []
    for (methods of [undefined, ['client_secret_basic'], ['client_secret_post']]) used.push(await run() ?? seen)
    console.log(`${name}: ${used.join(', ')}`)
}
provider.close()
JS

seen=$(node methods.mjs 2>/dev/null)
printf '%s\n' "$seen"
[[ "$seen" == "openid-client: client_secret_post, client_secret_post, client_secret_post
@fastify/oauth2: client_secret_basic, client_secret_basic, client_secret_basic
@hono/oidc-auth: client_secret_basic, client_secret_basic, client_secret_basic" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
