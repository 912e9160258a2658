#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Node.js libraries and the name of Ed25519: RFC 9864 deprecates the JWS algorithm `EdDSA` for the name `Ed25519`; key and
# signature are the same. fast-jwt 6.3.6 and aws-jwt-verify 5.2.1 do not know the new name, which they refuse with a correct
# signature. jose 6.2.18 knows both and compares: a token with one name does not match a key of the JWKS with the other, so
# that an issuer has to change `alg` of its published keys and of its tokens at once, or leave it out of the keys.
#
# Seen with these versions on Node.js 20.20.2. Prints which tokens are accepted, and fails if that changes. Needs Node.js 20
# or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact jose@6.2.18 fast-jwt@6.3.6 aws-jwt-verify@5.2.1

cat >names.mjs <<'JS'
import { generateKeyPairSync, sign } from 'node:crypto';
import { JwtVerifier } from 'aws-jwt-verify';
import { createVerifier } from 'fast-jwt';
import { createLocalJWKSet, jwtVerify } from 'jose';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const issuer = 'https://id.example.com';
const exp = Math.floor(Date.now() / 1000) + 60;
function token(alg) {
  const parts = [{ alg, kid: '1' }, { iss: issuer, aud: 'app', sub: '1', exp }];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}
const libraries = {
  jose: (jwt, jwks) => jwtVerify(jwt, createLocalJWKSet(jwks)),
  'fast-jwt': (jwt) => createVerifier({ key: publicKey.export({ type: 'spki', format: 'pem' }) })(jwt),
  'aws-jwt-verify': (jwt, jwks) => {
    const verifier = JwtVerifier.create({ issuer, audience: 'app', jwksUri: `${issuer}/jwks` });
    verifier.cacheJwks(jwks);
    return verifier.verify(jwt);
  },
};
for (const [library, verify] of Object.entries(libraries)) {
  for (const alg of library === 'fast-jwt' ? [undefined] : [undefined, 'EdDSA', 'Ed25519']) {
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg }] };
    const results = [];
    for (const name of ['EdDSA', 'Ed25519']) {
      const result = await Promise.resolve().then(() => verify(token(name), jwks)).then(() => 'accepted', () => 'refused');
      results.push(`${name} ${result}`);
    }
    console.log(`${library}, key with ${alg ?? 'no alg'}: ${results.join(', ')}`);
  }
}
JS

seen=$(node names.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "jose, key with no alg: EdDSA accepted, Ed25519 accepted
jose, key with EdDSA: EdDSA accepted, Ed25519 refused
jose, key with Ed25519: EdDSA refused, Ed25519 accepted
fast-jwt, key with no alg: EdDSA accepted, Ed25519 refused
aws-jwt-verify, key with no alg: EdDSA accepted, Ed25519 refused
aws-jwt-verify, key with EdDSA: EdDSA accepted, Ed25519 refused
aws-jwt-verify, key with Ed25519: EdDSA refused, Ed25519 refused" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
