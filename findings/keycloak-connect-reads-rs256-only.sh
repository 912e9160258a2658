#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# keycloak-connect 26.1.1, Keycloak's own adapter for Node.js, refuses tokens that Keycloak signs with another algorithm than
# RS256. Keycloak offers RS512, PS256 and ES256 and others as the realm's or the client's signature algorithm. The adapter
# finds the key by `kid`, and always verifies as RSA with SHA-256 and PKCS #1: it does not read `alg`, and has no option. The
# error is that of a wrong signature, `invalid token (public key signature)`, and does not name the algorithm.
#
# Seen with keycloak-connect 26.1.1 on Node.js 20.20.2. Prints which tokens are valid, and fails if that changes. Needs
# Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact keycloak-connect@26.1.1

cat >algorithms.mjs <<'JS'
import { constants, generateKeyPairSync, sign } from 'node:crypto';
import http from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const GrantManager = require('keycloak-connect/middleware/auth-utils/grant-manager');
const Token = require('keycloak-connect/middleware/auth-utils/token');

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const algorithms = {
  RS256: [rsa, 'sha256', {}],
  RS512: [rsa, 'sha512', {}],
  PS256: [rsa, 'sha256', pss],
  ES256: [ec, 'sha256', { dsaEncoding: 'ieee-p1363' }],
};
const keys = Object.entries(algorithms).map(([alg, [{ publicKey }]]) => (
  { ...publicKey.export({ format: 'jwk' }), kid: alg, alg, use: 'sig' }));
const server = http.createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ keys }));
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const realmUrl = `http://127.0.0.1:${server.address().port}`;

for (const [alg, [{ privateKey }, hash, options]] of Object.entries(algorithms)) {
  const now = Math.floor(Date.now() / 1000);
  const parts = [{ alg, kid: alg, typ: 'JWT' }, { typ: 'Bearer', iss: realmUrl, sub: '1', iat: now, exp: now + 60 }];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign(hash, Buffer.from(input), { key: privateKey, ...options }).toString('base64url');
  const manager = new GrantManager({ realmUrl, clientId: 'app', minTimeBetweenJwksRequests: 10 });
  const result = await manager.validateToken(new Token(`${input}.${signature}`, 'app'), 'Bearer')
    .then(() => 'valid', (error) => error.message);
  console.log(`${alg}: ${result}`);
}
server.close();
JS

seen=$(node algorithms.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "RS256: valid
RS512: invalid token (public key signature)
PS256: invalid token (public key signature)
ES256: invalid token (public key signature)" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
