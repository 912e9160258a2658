#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# node-jose 2.2.0: one key of a type that it does not know makes the whole key set unreadable. RFC 7517 section 5 says that a
# key with a `kty` that is not understood is ignored in a set. `asKeyStore` is an error instead: an issuer that adds an
# Ed25519 key (OKP) or an ML-DSA key (AKP) next to its RSA key stops the sign-in of each app with this library, also for
# tokens that the RSA key signs. jwks-rsa 4.1.0 and jose 6.2.18 read the rest.
#
# Seen with these versions on Node.js 20.20.2. Prints what is read, and fails if that changes. Needs Node.js 20 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact node-jose@2.2.0 jwks-rsa@4.1.0 jose@6.2.18

cat >set.mjs <<'JS'
import { generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet } from 'jose';
import { JwksClient } from 'jwks-rsa';
import nodeJose from 'node-jose';

const key = (type, options, kid) => ({
  ...generateKeyPairSync(type, options).publicKey.export({ format: 'jwk' }), kid, use: 'sig',
});
const rsa = key('rsa', { modulusLength: 2048 }, 'rsa');
const sets = {
  'RSA alone': [rsa],
  'RSA and P-256': [rsa, key('ec', { namedCurve: 'P-256' }, 'p256')],
  'RSA and Ed25519': [rsa, key('ed25519', {}, 'ed25519')],
  'RSA and secp256k1': [rsa, key('ec', { namedCurve: 'secp256k1' }, 'secp256k1')],
  'RSA and an unknown type': [rsa, { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA', kid: 'akp', use: 'sig' }],
};
const readers = {
  'node-jose': async (keys) => (await nodeJose.JWK.asKeyStore({ keys })).get('rsa').kid,
  'jwks-rsa': async (keys) => {
    const client = new JwksClient({ jwksUri: 'https://id.example.com/jwks', fetcher: async () => ({ keys }) });
    return (await client.getSigningKey('rsa')).kid;
  },
  jose: async (keys) => (await createLocalJWKSet({ keys })({ alg: 'RS256', kid: 'rsa' })) && 'rsa',
};
for (const [title, keys] of Object.entries(sets)) {
  const results = [];
  for (const [library, read] of Object.entries(readers)) {
    results.push(`${library} ${await read(keys).catch((error) => `"${error.message}"`)}`);
  }
  console.log(`${title}: ${results.join(', ')}`);
}
JS

seen=$(node set.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "RSA alone: node-jose rsa, jwks-rsa rsa, jose rsa
RSA and P-256: node-jose rsa, jwks-rsa rsa, jose rsa
RSA and Ed25519: node-jose \"unsupported key type\", jwks-rsa rsa, jose rsa
RSA and secp256k1: node-jose rsa, jwks-rsa rsa, jose rsa
RSA and an unknown type: node-jose \"unsupported key type\", jwks-rsa rsa, jose rsa" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
