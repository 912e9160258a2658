#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @jmondi/oauth2-server 4.3.7 finds a refresh token only by its hint. RFC 7009 section 2.1 makes `token_type_hint` optional,
# and a server that does not find the token by the hint MUST extend its search to all types; RFC 7662 section 2.1 says the
# same of introspection. Without the hint, or with `access_token`, a valid refresh token is `{"active": false}`, and a
# revocation answers 200 and revokes nothing: a client that signs its user out with the token alone leaves the session open.
#
# Seen with @jmondi/oauth2-server 4.3.7 on Node.js 20.20.2. Prints the answers, and fails if they change. Needs Node.js 20
# or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @jmondi/oauth2-server@4.3.7

cat >hint.mjs <<'JS'
import { AuthorizationServer } from '@jmondi/oauth2-server'

const client = { id: 'app', name: 'app', redirectUris: ['https://app.example/callback'], allowedGrants: [], scopes: [] }
const user = { id: 'user' }
const tokens = []
const server = new AuthorizationServer(
    { getByIdentifier: async () => client, isClientValid: async () => true },
    {
        issueToken: async (client, scopes, user) => ({ accessToken: `access-${tokens.length}`, client, scopes, user }),
        issueRefreshToken: async token => Object.assign(token, {
            refreshToken: `refresh-${tokens.length}`, refreshTokenExpiresAt: new Date(Date.now() + 3600000) }),
        persist: async token => { tokens.push(token) },
        revoke: async token => { token.refreshTokenExpiresAt = new Date(0) },
        isRefreshTokenRevoked: async () => false,
        getByRefreshToken: async id => tokens.find(token => token.refreshToken === id),
        getByAccessToken: async id => tokens.find(token => token.accessToken === id),
    },
    { getAllByIdentifiers: async names => names.map(name => ({ name })), finalize: async scopes => scopes },
    'secret')
server.enableGrantType('client_credentials')
server.enableGrantType({ grant: 'password', userRepository: { getUserByCredentials: async () => user } })

const post = async (endpoint, form) => server[endpoint]({ headers: {}, query: {}, body: { client_id: 'app', ...form } })
const { refresh_token: token } = (await post('respondToAccessTokenRequest', {
    grant_type: 'password', username: 'user', password: 'password' })).body

const hints = { 'no hint': {} }
for (const hint of ['access_token', 'refresh_token']) hints[hint] = { token_type_hint: hint }
for (const [name, hint] of Object.entries(hints)) {
    console.log(`introspection, ${name}: active ${(await post('introspect', { token, ...hint })).body.active}`)
}
for (const [name, hint] of Object.entries(hints)) {
    const { status } = await post('revoke', { token, ...hint })
    const { active } = (await post('introspect', { token, ...hints.refresh_token })).body
    console.log(`revocation, ${name}: ${status}, then active ${active}`)
}
JS

seen=$(node hint.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "introspection, no hint: active false
introspection, access_token: active false
introspection, refresh_token: active true
revocation, no hint: 200, then active true
revocation, access_token: 200, then active true
revocation, refresh_token: 200, then active false" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
