#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# aws-jwt-verify 5.2.1: `JwtVerifier`, for tokens of any issuer, refuses one without `kid` in its header, also where
# the key set has one key. RFC 7515 section 4.1.4 makes `kid` optional, and OpenID Connect Core section 10.1 asks for it only
# where the set has several keys. An issuer with one key and without names works with jose 6.2.18 and jwks-rsa 4.1.0, not
# with this library.
#
# Seen with these versions on Node.js 20.20.2. Prints what is accepted, and fails if that changes. Needs Node.js 20 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact aws-jwt-verify@5.2.1 jose@6.2.18 jwks-rsa@4.1.0

cat >kid.mjs <<'JS'
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { JwtVerifier } from 'aws-jwt-verify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { JwksClient } from 'jwks-rsa';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const issuer = 'https://id.example.com';
function token(header) {
  const parts = [header, { iss: issuer, aud: 'app', sub: '1', exp: Math.floor(Date.now() / 1000) + 60 }];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
}
const libraries = {
  'aws-jwt-verify': async (jwt, header, jwks) => {
    const verifier = JwtVerifier.create({ issuer, audience: 'app', jwksUri: `${issuer}/jwks` });
    verifier.cacheJwks(jwks);
    await verifier.verify(jwt);
  },
  jose: (jwt, header, jwks) => jwtVerify(jwt, createLocalJWKSet(jwks)),
  'jwks-rsa': async (jwt, header, { keys }) => {
    const client = new JwksClient({ jwksUri: `${issuer}/jwks`, fetcher: async () => ({ keys }) });
    const key = (await client.getSigningKey(header.kid)).publicKey;
    const [, input, signature] = jwt.match(/^(.*)\.(.*)$/);
    if (!verify('sha256', Buffer.from(input), key, Buffer.from(signature, 'base64url'))) throw new Error('signature');
  },
};
for (const header of [{ alg: 'RS256', kid: '1' }, { alg: 'RS256' }]) {
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', ...(header.kid && { kid: header.kid }) }] };
  for (const [library, check] of Object.entries(libraries)) {
    const result = await check(token(header), header, jwks).then(() => 'accepted', (error) => error.message.split(':')[0]);
    console.log(`${header.kid ? 'kid' : 'no kid'}, ${library}: ${result}`);
  }
}
JS

seen=$(node kid.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "kid, aws-jwt-verify: accepted
kid, jose: accepted
kid, jwks-rsa: accepted
no kid, aws-jwt-verify: JWT header does not have valid kid claim
no kid, jose: accepted
no kid, jwks-rsa: accepted" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
