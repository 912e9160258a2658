#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Three resource servers compare `htu` of a DPoP proof with the request in three ways. RFC 9449 section 4.3: servers SHOULD
# normalize by syntax and scheme (RFC 3986 section 6.2), so that capitals in the host, `:443`, and `%7E` for `~` match.
# express-oauth2-jwt-bearer 1.10.0 does; oauth4webapi 3.8.8 leaves percent-encoding as it is; @openid4vc/oauth2 0.4.6 normalizes
# only its own side and compares text. A client that signs the address as its configuration has it works with one API, and
# is invalid_dpop_proof at the next.
#
# Seen with these versions, Express 5.3.0 and jose 6.2.18 on Node.js 20.20.2. Prints who accepts each, and fails if that
# changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" express-oauth2-jwt-bearer@1.10.0 express@5.3.0 \
    oauth4webapi@3.8.8 @openid4vc/oauth2@0.4.6 jose@6.2.18

cat >htu.mjs <<'JS'
import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import { verifyResourceRequest } from '@openid4vc/oauth2'
import express from 'express'
import jwtBearer from 'express-oauth2-jwt-bearer'
import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'

const [server, client] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
const jwks = { keys: [{ ...await exportJWK(server.publicKey), kid: 'key', alg: 'ES256', use: 'sig' }] }
const jwk = await exportJWK(client.publicKey)
const [issuer, audience, address] = ['https://op.example', 'https://api.example', 'https://api.example/~user']
const jwksUri = `${issuer}/jwks`
const token = await new SignJWT({ client_id: 'app', cnf: { jkt: await calculateJwkThumbprint(jwk) } })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'key' }).setIssuer(issuer).setAudience(audience).setSubject('user')
    .setJti('token').setIssuedAt().setExpirationTime('5m').sign(server.privateKey)
const hash = data => createHash('sha256').update(data).digest()
const fetchKeys = async () => Response.json(jwks)

const keys = http.createServer((request, response) => response.end(JSON.stringify(jwks)))
const api = express().set('trust proxy', true).set('env', 'test')
const resource = http.createServer(api)
for (const it of [keys, resource]) await new Promise(resolve => it.listen(0, '127.0.0.1', resolve))
api.use(jwtBearer.auth({ issuer, audience, jwksUri: `http://127.0.0.1:${keys.address().port}/`, tokenSigningAlg: 'ES256' }))
api.get('/~user', (request, response) => response.end())

const checks = {
    'express-oauth2-jwt-bearer': headers => new Promise(resolve => http.get({ port: resource.address().port, path: '/~user',
        headers: { ...headers, Host: 'api.example', 'X-Forwarded-Proto': 'https' } },
    response => resolve(response.statusCode === 200))),
    oauth4webapi: headers => oauth.validateJwtAccessToken({ issuer, jwks_uri: jwksUri }, new Request(address, { headers }),
        audience, { [oauth.customFetch]: fetchKeys }).then(() => true, () => false),
    '@openid4vc/oauth2': headers => verifyResourceRequest({ resourceServer: audience,
        authorizationServers: [{ issuer, token_endpoint: `${issuer}/token`, jwks_uri: jwksUri }],
        request: { method: 'GET', url: address, headers: new Headers(headers) },
        callbacks: { hash, fetch: fetchKeys, clientAuthentication() {}, async verifyJwt({ publicJwk, alg }, { compact }) {
            await jwtVerify(compact, await importJWK(publicJwk, alg))
            return { verified: true, signerJwk: publicJwk }
        } } }).then(() => true, () => false),
}
for (const htu of [address, 'https://API.example/~user', 'https://api.example:443/~user', 'https://api.example/%7Euser']) {
    const proof = await new SignJWT({ htu, htm: 'GET', ath: hash(token).toString('base64url') }).setJti(randomUUID())
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).setIssuedAt().sign(client.privateKey)
    const accepted = []
    for (const [name, check] of Object.entries(checks)) {
        if (await check({ Authorization: `DPoP ${token}`, DPoP: proof })) accepted.push(name)
    }
    console.log(`${htu}: ${accepted.join(', ')}`)
}
for (const it of [keys, resource]) it.close().closeAllConnections()
JS

seen=$(node htu.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "https://api.example/~user: express-oauth2-jwt-bearer, oauth4webapi, @openid4vc/oauth2
https://API.example/~user: express-oauth2-jwt-bearer, oauth4webapi
https://api.example:443/~user: express-oauth2-jwt-bearer, oauth4webapi
https://api.example/%7Euser: express-oauth2-jwt-bearer" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
