#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# undici-oidc-interceptor 0.6.0 works with JWTs as access tokens only. RFC 6749 section 1.4: the token is usually opaque to the
# client; section 5.1: `expires_in` of the response says when it ends. The interceptor ignores `expires_in` and decodes the
# token to find `exp`. With an opaque token, as many providers have, the first request succeeds, because a new token is
# sent without a look at it. The second request fails, and so does each one after it: a test with one request does not show it.
#
# Seen with undici-oidc-interceptor 0.6.0 and undici 7.30.2 on Node.js 20.20.2. Prints the answers to two requests, and fails if
# they change. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" undici-oidc-interceptor@0.6.0 undici@7.30.2

cat >opaque.cjs <<'JS'
const http = require('node:http')
const { createOidcInterceptor } = require('undici-oidc-interceptor')
const { Agent, request } = require('undici')

const text = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokens = {
    JWT: `${text({ alg: 'ES256' })}.${text({ exp: Math.floor(Date.now() / 1000) + 3600 })}.${text('signature')}`,
    opaque: 'mF_9.B5f-4.1JqM',
}
let token
const server = http.createServer((incoming, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const answer = { access_token: token, token_type: 'Bearer', expires_in: 3600 }
    response.end(incoming.url === '/token' ? JSON.stringify(answer) : '{}')
}).listen(0, '127.0.0.1', async () => {
    const origin = `http://127.0.0.1:${server.address().port}`
    for (const kind of Object.keys(tokens)) {
        token = tokens[kind]
        const dispatcher = new Agent().compose(createOidcInterceptor({
            idpTokenUrl: `${origin}/token`, clientId: 'app', clientSecret: 'secret', urls: [origin] }))
        for (const number of [1, 2]) {
            const result = await request(`${origin}/data`, { dispatcher }).then(
                answer => answer.body.dump().then(() => answer.statusCode), error => error.message)
            console.log(`${kind}, request ${number}: ${result}`)
        }
    }
    process.exit()
})
JS

seen=$(node opaque.cjs)
printf '%s\n' "$seen"
[[ "$seen" == 'JWT, request 1: 200
JWT, request 2: 200
opaque, request 1: 200
opaque, request 2: The token header is not a valid base64url serialized JSON.' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
