#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# oidc-client-ts 3.5.0: a revocation that succeeded is an error where the empty response has another Content-Type than
# JSON. RFC 7009 section 2.2 answers with 200 and says that a client ignores the content of the response. The library
# compares the type before it looks at the status: without a type, and with application/json, it is content, with
# `Content-Length: 0` and text/plain, which many servers send by default, `revokeTokens` throws after the token has ended.
#
# Seen with oidc-client-ts 3.5.0 and jwt-decode 4.0.0 on Node.js 20.20.2. Prints what each type leads to, and fails if that
# changes. Needs Node.js 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact oidc-client-ts@3.5.0 jwt-decode@4.0.0

cat >revoke.mjs <<'JS'
import http from 'node:http';
import { OidcClient } from 'oidc-client-ts';

let type;
const asked = [];
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    asked.push(new URLSearchParams(body).get('token'));
    response.writeHead(200, { 'content-length': 0, ...(type ? { 'content-type': type } : {}) });
    response.end();
  });
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${server.address().port}`;
const client = new OidcClient({
  authority: issuer, client_id: 'app', redirect_uri: `${issuer}/callback`,
  metadata: { issuer, revocation_endpoint: `${issuer}/revoke`, token_endpoint: `${issuer}/token` },
});
const types = [undefined, 'application/json', 'text/plain', 'text/html'];
for (type of types) {
  let result = 'revoked';
  try {
    await client.revokeToken(`token-for-${type}`, 'refresh_token');
  } catch (error) {
    result = error.message.replace(/, from URL.*/, '');
  }
  console.log(`${type ?? 'no Content-Type'}: ${result}`);
}
if (asked.length !== types.length) throw new Error('a revocation was not sent');
server.close();
JS

seen=$(node revoke.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "no Content-Type: revoked
application/json: revoked
text/plain: Invalid response Content-Type: text/plain
text/html: Invalid response Content-Type: text/html" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
