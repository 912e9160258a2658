#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @fastify/oauth2 8.3.0 redeems a code that is not there. RFC 6749 section 4.1.2.1: a user who says no comes back with
# `error=access_denied` and `state`, and no `code`. The plugin reads `code` alone and sends a token request with an empty one,
# which section 3.2 treats as omitted. The app gets the answer to that, `invalid_request`, and cannot tell a user who said no,
# `login_required` of a `prompt=none`, or `temporarily_unavailable` from a fault of its own; the provider counts a failed
# client request for each.
#
# Seen with @fastify/oauth2 8.3.0 and fastify 5.12.8 on Node.js 20.20.2. Prints what is sent and what the app gets, and
# fails if that changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @fastify/oauth2@8.3.0 fastify@5.12.8

cat >refused.cjs <<'JS'
const http = require('node:http')
const oauth2 = require('@fastify/oauth2')
const fastify = require('fastify')

const provider = http.createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const form = new URLSearchParams(text)
    console.log(`  token request with code "${form.get('code')}"`)
    const valid = form.get('code') !== ''
    response.writeHead(valid ? 200 : 400, { 'Content-Type': 'application/json' })
    response.end(valid ? '{"access_token":"access","token_type":"Bearer"}' : '{"error":"invalid_request"}')
}).listen(0, '127.0.0.1', async () => {
    const host = `http://127.0.0.1:${provider.address().port}`
    const app = fastify()
    app.register(oauth2, { name: 'provider', scope: ['openid'], startRedirectPath: '/sign-in', pkce: 'S256',
        callbackUri: 'https://app.example/callback', credentials: { client: { id: 'app', secret: 'secret' },
            auth: { authorizeHost: host, authorizePath: '/authorize', tokenHost: host, tokenPath: '/token' } } })
    app.get('/callback', async (request, reply) => {
        try { return (await app.provider.getAccessTokenFromAuthorizationCodeFlow(request, reply)).token.token_type }
        catch (error) { return `${error.message}: ${error.data.payload.error}` }
    })
    for (const answer of ['code=code', 'error=access_denied', 'error=login_required', 'error=temporarily_unavailable']) {
        console.log(answer)
        const start = await app.inject('/sign-in')
        const state = new URL(start.headers.location).searchParams.get('state')
        const cookies = Object.fromEntries(start.cookies.map(({ name, value }) => [name, value]))
        console.log(`  ${(await app.inject({ url: `/callback?${answer}&state=${encodeURIComponent(state)}`, cookies })).body}`)
    }
    await app.close()
    provider.close()
})
JS

seen=$(node refused.cjs)
printf '%s\n' "$seen"
[[ "$seen" == 'code=code
  token request with code "code"
  Bearer
error=access_denied
  token request with code ""
  Response Error: 400 Bad Request: invalid_request
error=login_required
  token request with code ""
  Response Error: 400 Bad Request: invalid_request
error=temporarily_unavailable
  token request with code ""
  Response Error: 400 Bad Request: invalid_request' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
