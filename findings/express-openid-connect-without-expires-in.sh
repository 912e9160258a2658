#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# express-openid-connect 3.4.0 keeps an access token to itself where the token response has no `expires_in`. RFC 6749 section
# 5.1 only recommends the member. The session has the access token and the refresh token, `req.oidc.accessToken` is undefined,
# without an error, and `refresh()`, which is a method of it, cannot be called; `fetchUserInfo()` uses the token all the same.
# A refresh whose response leaves the member out, after a sign-in that had it, takes the token away in the middle of a session.
#
# Seen with express-openid-connect 3.4.0, express 5.3.0 and jose 6.2.18 on Node.js 20.20.2. Prints what an app gets, and
# fails if that changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" express-openid-connect@3.4.0 express@5.3.0 jose@6.2.18

cat >expires.mjs <<'JS'
import http from 'node:http'
import express from 'express'
import openid from 'express-openid-connect'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'

const { privateKey, publicKey } = await generateKeyPair('RS256')
const key = { ...await exportJWK(publicKey), kid: 'key', alg: 'RS256' }
let nonce, more
const provider = http.createServer(async (request, response) => {
    const claims = new SignJWT({ nonce }).setProtectedHeader({ alg: 'RS256', kid: 'key' }).setIssuer(issuer).setAudience('app')
    const documents = {
        '/.well-known/openid-configuration': { issuer, authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`, userinfo_endpoint: `${issuer}/userinfo`,
            response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] },
        '/jwks': { keys: [key] }, '/userinfo': { sub: 'user' },
        '/token': { access_token: 'access', token_type: 'Bearer', refresh_token: 'refresh', ...more,
            id_token: await claims.setSubject('user').setIssuedAt().setExpirationTime('1h').sign(privateKey) },
    }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(documents[request.url]))
})
const listen = server => new Promise(resolve => server.listen(0, '127.0.0.1',
    () => resolve(`http://127.0.0.1:${server.address().port}`)))
const handler = express()
const server = http.createServer(handler)
const issuer = await listen(provider)
const app = await listen(server)
handler.use(openid.auth({ issuerBaseURL: issuer, baseURL: app, clientID: 'app', clientSecret: 'secret', secret: 's'.repeat(32),
    authorizationParams: { response_type: 'code', response_mode: 'query', scope: 'openid offline_access' } }))
handler.get('/', async (request, response) => {
    if (request.query.refresh) await request.oidc.accessToken.refresh()
    response.end(`accessToken ${request.oidc.accessToken?.access_token}, refreshToken ${request.oidc.refreshToken}, `
        + `fetchUserInfo ${(await request.oidc.fetchUserInfo()).sub}`)
})

const jar = new Map()
async function get(address) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) jar.set(...line.split(';')[0].split(/=(.*)/s, 2))
    return response
}
for (const [name, members] of [['with expires_in', { expires_in: 300 }], ['without', {}]]) {
    jar.clear()
    more = members
    const { searchParams } = new URL((await get(`${app}/`)).headers.get('location'))
    nonce = searchParams.get('nonce')
    await get(`${app}/callback?code=code&state=${searchParams.get('state')}`)
    console.log(`${name}: ${await (await get(`${app}/`)).text()}`)
    if (!members.expires_in) continue
    more = {}
    console.log(`  refreshed without: ${await (await get(`${app}/?refresh=yes`)).text()}`)
}
for (const it of [provider, server]) it.close().closeAllConnections()
JS
seen=$(node expires.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "with expires_in: accessToken access, refreshToken refresh, fetchUserInfo user
  refreshed without: accessToken undefined, refreshToken refresh, fetchUserInfo user
without: accessToken undefined, refreshToken refresh, fetchUserInfo user" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
