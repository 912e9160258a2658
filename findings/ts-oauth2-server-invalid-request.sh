#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @jmondi/oauth2-server 4.3.7 has `invalid_request` where RFC 6749 section 5.2 has `invalid_grant`: for a code that was used or
# belongs to another redirect URI, and for a refresh token that was rotated. Clients decide by
# that code: with `invalid_grant` they let the user sign in again, with `invalid_request` they report a fault of their own.
# A request whose code was issued for the only registered redirect URI, without `redirect_uri`, is invalid_request too:
# section 4.1.3 wants the parameter only where the authorization request had it.
#
# Seen with @jmondi/oauth2-server 4.3.7 on Node.js 20.20.2. Prints the answers, and fails if they change. Needs Node.js 20
# or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @jmondi/oauth2-server@4.3.7

cat >errors.mjs <<'JS'
import { createHash } from 'node:crypto'
import { AuthorizationServer } from '@jmondi/oauth2-server'

const client = { id: 'app', name: 'app', redirectUris: ['https://app.example/callback'], allowedGrants: [], scopes: [] }
const user = { id: 'user' }
const scopes = []
const [revoked, tokens] = [new Set(), new Map()]
let count = 0
const server = new AuthorizationServer(
    { getByIdentifier: async () => client, isClientValid: async () => true },
    {
        issueToken: async () => ({ accessToken: `${count++}`, client, user, scopes }),
        issueRefreshToken: async token => Object.assign(token, { refreshToken: token.accessToken }),
        persist: async token => { tokens.set(token.accessToken, token) }, getByRefreshToken: async id => tokens.get(id),
        revoke: async token => { revoked.add(token) }, isRefreshTokenRevoked: async token => revoked.has(token),
    },
    { getAllByIdentifiers: async () => scopes, finalize: async () => scopes }, 'secret')
const authCodeRepository = { getByIdentifier: async () => null, persist: async () => {},
    issueAuthCode: () => ({ code: `${count++}`, client, user, scopes }),
    isRevoked: async id => revoked.has(id), revoke: async id => { revoked.add(id) } }
server.enableGrantType('refresh_token')
server.enableGrantType({ grant: 'authorization_code', authCodeRepository,
    userRepository: { getUserByCredentials: async () => user } })

const code_verifier = 'v'.repeat(43)
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
const sent = { redirect_uri: client.redirectUris[0] }
async function newCode(more = sent) {
    const request = await server.validateAuthorizationRequest({ headers: {}, body: {}, query: { response_type: 'code',
        client_id: 'app', code_challenge_method: 'S256', code_challenge, ...more } })
    Object.assign(request, { user, isAuthorizationApproved: true })
    return new URL((await server.completeAuthorizationRequest(request)).headers.location).searchParams.get('code')
}
async function post(name, form) {
    const body = { client_id: 'app', ...form }
    try {
        const answer = await server.respondToAccessTokenRequest({ headers: {}, query: {}, body })
        console.log(`${name}: tokens`)
        return answer.body.refresh_token
    } catch (error) { console.log(`${name}: ${error.status} ${error.errorType}`) }
}

const grant = { grant_type: 'authorization_code', code_verifier }
const code = await newCode()
const refresh_token = await post('code', { ...grant, ...sent, code })
await post('code, second time', { ...grant, ...sent, code })
await post('code of another redirect URI', { ...grant, redirect_uri: 'https://app.example/other', code: await newCode() })
await post('redirect_uri in neither request', { ...grant, code: await newCode({}) })
await post('refresh token', { grant_type: 'refresh_token', refresh_token })
await post('refresh token, second time', { grant_type: 'refresh_token', refresh_token })
JS

seen=$(node errors.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "code: tokens
code, second time: 400 invalid_request
code of another redirect URI: 400 invalid_request
redirect_uri in neither request: 400 invalid_request
refresh token: tokens
refresh token, second time: 400 invalid_request" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
