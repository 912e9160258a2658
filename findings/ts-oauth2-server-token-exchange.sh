#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @jmondi/oauth2-server 4.3.7 has a grant for token exchange whose answer is not that of RFC 8693. Section 2.2.1:
# `issued_token_type` is REQUIRED, as it tells the client what it got; it is missing, also where the request has a
# `requested_token_type`, which goes to the application alone. `scope` is there with no scope in it, which the syntax of RFC
# 6749 section 3.3 does not have. Of several `audience` parameters, which section 2.1 allows, the application gets the last
# one.
#
# Seen with @jmondi/oauth2-server 4.3.7 on Node.js 20.20.2. Prints the members of the answer and what the application gets,
# and fails if they change. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @jmondi/oauth2-server@4.3.7

cat >exchange.mjs <<'JS'
import { AuthorizationServer } from '@jmondi/oauth2-server'
import { requestFromVanilla } from '@jmondi/oauth2-server/vanilla'

const client = { id: 'app', name: 'app', redirectUris: [], allowedGrants: [], scopes: [] }
let got
const server = new AuthorizationServer(
    { getByIdentifier: async () => client, isClientValid: async () => true },
    { issueToken: async () => ({ accessToken: 'access', client, scopes: [] }), persist: async () => {} },
    { getAllByIdentifiers: async () => [], finalize: async () => [] }, 'secret')
server.enableGrantType({ grant: 'urn:ietf:params:oauth:grant-type:token-exchange',
    processTokenExchange: async given => { got = given; return { id: 'user' } } })

const type = 'urn:ietf:params:oauth:token-type:access_token'
const form = [['grant_type', 'urn:ietf:params:oauth:grant-type:token-exchange'], ['client_id', 'app'],
    ['subject_token', 'token'], ['subject_token_type', type], ['requested_token_type', type],
    ['audience', 'https://one.example']]
const requests = { 'one audience': form, 'two audiences': [...form, ['audience', 'https://two.example']] }
for (const [name, parameters] of Object.entries(requests)) {
    const request = await requestFromVanilla(new Request('https://op.example/token', { method: 'POST',
        body: new URLSearchParams(parameters) }))
    const { body } = await server.respondToAccessTokenRequest(request)
    console.log(`${name}: issued_token_type ${body.issued_token_type}, scope ${JSON.stringify(body.scope)}, `
        + `audience ${JSON.stringify(got.audience)}`)
}
JS

seen=$(node exchange.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'one audience: issued_token_type undefined, scope "", audience "https://one.example"
two audiences: issued_token_type undefined, scope "", audience "https://two.example"' ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
