#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @hono/oidc-auth 1.8.1 begins no sign-in where the provider does not advertise each scope. OpenID Connect Discovery section 3
# only recommends `scopes_supported`, and lets a server not advertise some scopes that it supports. Without the member, or
# for a scope that it does not list, as `offline_access` or an API's often is, each page is 500, "Invalid session", also if
# `OIDC_SCOPES` names the scopes. The message that gives the reason is caught and replaced.
#
# Seen with @hono/oidc-auth 1.8.1 and hono 4.13.19 on Node.js 20.20.2. Prints the answers, and fails if they change. Needs
# Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @hono/oidc-auth@1.8.1 hono@4.13.19

cat >scopes.mjs <<'JS'
import http from 'node:http'
import { initOidcAuthMiddleware, oidcAuthMiddleware } from '@hono/oidc-auth'
import { Hono } from 'hono'

let issuer, more
const provider = http.createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'], subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'], ...more }))
}).listen(0, '127.0.0.1', async () => {
    issuer = `http://127.0.0.1:${provider.address().port}`
    const advertised = { 'no list': {}, 'openid email': { scopes_supported: ['openid', 'email'] } }
    for (const [name, members] of Object.entries(advertised)) {
        more = members
        for (const wanted of ['openid email', 'openid offline_access']) {
            const app = new Hono()
            app.use(initOidcAuthMiddleware({ OIDC_AUTH_SECRET: 's'.repeat(32), OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'app',
                OIDC_CLIENT_SECRET: 'secret', OIDC_SCOPES: wanted }))
            app.use(oidcAuthMiddleware())
            const answer = await app.request('https://app.example/')
            const location = answer.headers.get('location')
            const text = location ? new URL(location).searchParams.get('scope') : await answer.text()
            console.log(`advertised: ${name}; wanted: ${wanted}: ${answer.status} ${text}`)
        }
    }
    provider.close()
})
JS

seen=$(node scopes.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "advertised: no list; wanted: openid email: 500 Invalid session
advertised: no list; wanted: openid offline_access: 500 Invalid session
advertised: openid email; wanted: openid email: 302 openid email
advertised: openid email; wanted: openid offline_access: 500 Invalid session" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
