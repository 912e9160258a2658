#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @openid4vc/oauth2 0.4.6 refuses an ID token for an optional claim that the standard allows. OpenID Connect Core section 5.1:
# `birthdate` may be a year alone, and `email` is an address of RFC 5322, which has quoted names, hosts without a dot and
# address literals, and with RFC 6532 letters beyond ASCII. `verifyIdTokenJwt` checks the form of each standard claim before
# the signature, with a date in full and one pattern for addresses: one user of a provider cannot sign in, and the error is a
# ValidationError, as for a forged token. The claims need not be of interest to the client.
#
# Seen with @openid4vc/oauth2 0.4.6 and jose 6.2.18 on Node.js 20.20.2. Prints the result of each claim, and fails if that
# changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @openid4vc/oauth2@0.4.6 jose@6.2.18

cat >claims.mjs <<'JS'
import { verifyIdTokenJwt } from '@openid4vc/oauth2'
import { SignJWT, exportJWK, generateKeyPair, importJWK, jwtVerify } from 'jose'

const { privateKey, publicKey } = await generateKeyPair('ES256')
const keys = [{ ...await exportJWK(publicKey), kid: 'key', alg: 'ES256' }]
const issuer = 'https://op.example'
const callbacks = {
    fetch: async () => Response.json({ keys }),
    async verifyJwt({ publicJwk, alg }, { compact }) {
        await jwtVerify(compact, await importJWK(publicJwk, alg))
        return { verified: true, signerJwk: publicJwk }
    },
}
const claims = [{ birthdate: '1987-03-22' }, { birthdate: '0000-03-22' }, { birthdate: '1987' },
    { email: 'user@example.com' }, { email: '"a.user"@example.com' }, { email: 'user@localhost' },
    { email: 'user@[192.0.2.1]' }, { email: 'jürgen@example.com' }]
for (const claim of claims) {
    const idToken = await new SignJWT(claim).setProtectedHeader({ alg: 'ES256', kid: 'key' }).setIssuer(issuer)
        .setSubject('user').setAudience('app').setIssuedAt().setExpirationTime('1h').sign(privateKey)
    const result = verifyIdTokenJwt({ idToken, authorizationServer: { issuer, jwks_uri: `${issuer}/jwks` }, clientId: 'app',
        callbacks })
    console.log(`${JSON.stringify(claim)}: ${await result.then(() => 'valid', error => error.constructor.name)}`)
}
JS

seen=$(node claims.mjs)
printf '%s\n' "$seen"
[[ "$seen" == '{"birthdate":"1987-03-22"}: valid
{"birthdate":"0000-03-22"}: valid
{"birthdate":"1987"}: ValidationError
{"email":"user@example.com"}: valid
{"email":"\"a.user\"@example.com"}: ValidationError
{"email":"user@localhost"}: ValidationError
{"email":"user@[192.0.2.1]"}: ValidationError
{"email":"jürgen@example.com"}: ValidationError' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
