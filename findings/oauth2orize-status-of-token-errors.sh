#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# oauth2orize 1.12.0 answers token requests with other statuses than RFC 6749 section 5.2, which has 400 for each error code
# (401 for `invalid_client` alone, with `WWW-Authenticate` for a client that used the header): `invalid_grant` and
# `unauthorized_client` are 403, `unsupported_grant_type` is 501, and 401 comes without a challenge. openid-client 6.9.0 reads
# no error code of a 501, so that a client which asks for a grant and falls back on `unsupported_grant_type` does not, and a
# monitor that counts 5xx counts an outage for each.
#
# Seen with oauth2orize 1.12.0 and openid-client 6.9.0 on Node.js 20.20.2. Prints status, challenge and what the client gets,
# and fails if they change. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" oauth2orize@1.12.0 openid-client@6.9.0

cat >status.mjs <<'JS'
import http from 'node:http'
import oauth2orize from 'oauth2orize'
import * as client from 'openid-client'

const provider = oauth2orize.createServer()
provider.exchange(oauth2orize.exchange.refreshToken((app, token, scope, done) => done(null, false)))
provider.exchange('not-for-you', (request, response, next) => next(new oauth2orize.TokenError('no', 'unauthorized_client')))
provider.exchange('who-are-you', (request, response, next) => next(new oauth2orize.TokenError('no', 'invalid_client')))
let last
const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    request.body = Object.fromEntries(new URLSearchParams(text))
    request.user = { id: 'app' }
    provider.token()(request, response, error => provider.errorHandler()(error, request, response, () => {}))
    last = `${response.statusCode}${response.hasHeader('WWW-Authenticate') ? ', challenge' : ''}`
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const configuration = new client.Configuration({ issuer, token_endpoint: `${issuer}/token` }, 'app', 'secret',
    client.ClientSecretBasic('secret'))
client.allowInsecureRequests(configuration) // plain HTTP, for this script
const requests = [['refresh_token', {}], ['refresh_token', { refresh_token: 'ended' }], ['not-for-you', {}],
    ['who-are-you', {}], ['urn:ietf:params:oauth:grant-type:device_code', {}]]
for (const [grant, parameters] of requests) {
    const error = await client.genericGrantRequest(configuration, grant, parameters).catch(error => error)
    console.log(`${last}: ${error.error ?? error.message}`)
}
server.close()
JS

seen=$(node status.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "400: invalid_request
403: invalid_grant
403: unauthorized_client
401: invalid_client
501: unexpected HTTP response status code" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
