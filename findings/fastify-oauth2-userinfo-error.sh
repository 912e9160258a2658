#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @fastify/oauth2 8.3.0: `userinfo()` succeeds with an error of the provider. OpenID Connect Core section 5.3.3 and RFC 6750
# section 3.1: an access token that has ended is 401 with `invalid_token`. The plugin does not look at the status: a JSON body
# of any error is returned as the user's claims, `{ error: 'invalid_token' }` without `sub`, and an error without a JSON
# body, as 401 with the challenge alone, is a SyntaxError about JSON. An app that stores claims, or greets by `name ?? 'you'`,
# goes on with a user without an identifier, and one that waits for an error to refresh the token never does.
#
# Seen with @fastify/oauth2 8.3.0 and fastify 5.12.8 on Node.js 20.20.2. Prints what `userinfo()` gives, and fails if that
# changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @fastify/oauth2@8.3.0 fastify@5.12.8

cat >userinfo.cjs <<'JS'
const http = require('node:http')
const oauth2 = require('@fastify/oauth2')
const fastify = require('fastify')

const challenge = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }
const answers = {
    valid: [200, {}, '{"sub":"user","name":"Ada"}'],
    ended: [401, challenge, '{"error":"invalid_token"}'],
    'ended, challenge alone': [401, challenge, ''],
    unavailable: [503, { 'Retry-After': '5' }, '{"error":"temporarily_unavailable"}'],
}
let issuer, answer
const provider = http.createServer((request, response) => {
    const json = { 'Content-Type': 'application/json' }
    if (request.url !== '/userinfo') {
        return response.writeHead(200, json).end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`, userinfo_endpoint: `${issuer}/userinfo` }))
    }
    const [status, headers, body] = answer
    response.writeHead(status, { ...json, ...headers }).end(body)
}).listen(0, '127.0.0.1', async () => {
    issuer = `http://127.0.0.1:${provider.address().port}`
    const app = fastify()
    app.register(oauth2, { name: 'provider', scope: ['openid'], callbackUri: 'https://app.example/callback',
        credentials: { client: { id: 'app', secret: 'secret' } }, discovery: { issuer } })
    await app.ready()
    for (const name of Object.keys(answers)) {
        answer = answers[name]
        const result = await app.provider.userinfo('access').then(JSON.stringify, error => `rejected, ${error.name}`)
        console.log(`${name}, ${answer[0]}: ${result}`)
    }
    await app.close()
    provider.close()
})
JS

seen=$(node userinfo.cjs)
printf '%s\n' "$seen"
[[ "$seen" == 'valid, 200: {"sub":"user","name":"Ada"}
ended, 401: {"error":"invalid_token"}
ended, challenge alone, 401: rejected, SyntaxError
unavailable, 503: {"error":"temporarily_unavailable"}' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
