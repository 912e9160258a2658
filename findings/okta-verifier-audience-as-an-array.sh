#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @okta/jwt-verifier 4.0.2 refuses an ID token whose `aud` is an array of one, the client itself. OpenID Connect Core section 2
# says that `aud` is an array in the general case, and one string as a special case, which section 3.1.3.7 checks for the
# client among the values. `verifyIdToken` compares the whole claim: the error names the same value twice. An access token
# with the same array is accepted by `verifyAccessToken`.
#
# Seen with @okta/jwt-verifier 4.0.2 on Node.js 20.20.2. Prints what is accepted, and fails if that changes. Needs Node.js
# 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact @okta/jwt-verifier@4.0.2

cat >audience.mjs <<'JS'
import { generateKeyPairSync, sign } from 'node:crypto';
import OktaJwtVerifier from '@okta/jwt-verifier';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const issuer = 'https://id.example.com';
const now = Math.floor(Date.now() / 1000);
function token(aud) {
  const parts = [{ alg: 'RS256', kid: '1' }, { iss: issuer, aud, sub: '1', iat: now, exp: now + 60, nonce: 'n' }];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
}
const verifier = new OktaJwtVerifier({
  issuer, clientId: 'app', getKeysInterceptor: () => [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig' }],
});
for (const aud of ['app', ['app'], ['app', 'api']]) {
  for (const [name, check] of [
    ['ID token', (jwt) => verifier.verifyIdToken(jwt, 'app', 'n')],
    ['access token', (jwt) => verifier.verifyAccessToken(jwt, 'app')],
  ]) {
    const result = await check(token(aud)).then(() => 'accepted', (error) => error.message);
    console.log(`aud ${JSON.stringify(aud).replaceAll('"', "'")}, ${name}: ${result}`);
  }
}
JS

seen=$(node audience.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "aud 'app', ID token: accepted
aud 'app', access token: accepted
aud ['app'], ID token: audience claim app does not match expected client id: app
aud ['app'], access token: accepted
aud ['app','api'], ID token: audience claim app,api does not match expected client id: app
aud ['app','api'], access token: accepted" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
