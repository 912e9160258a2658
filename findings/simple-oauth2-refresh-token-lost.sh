#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# simple-oauth2 5.1.0: `refresh` loses the refresh token where the response has none. RFC 6749 section 6 lets the server
# issue a new refresh token or none, and a client then uses the old one again. The library means to keep it, but reads it
# from the wrong object: the new token has `refresh_token: undefined`, and the next refresh sends `refresh_token=`, which is
# invalid_request or invalid_grant. Servers with rotation are not affected; without it, the session ends at the second refresh.
#
# Seen with simple-oauth2 5.1.0 on Node.js 20.20.2. Prints the requests, and fails if they change. Needs Node.js 18 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact simple-oauth2@5.1.0

cat >refresh.mjs <<'JS'
import http from 'node:http';
import { AuthorizationCode } from 'simple-oauth2';

const rotated = {};
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    console.log(`  request: ${body}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: 'second', token_type: 'Bearer', expires_in: 3600, ...rotated }));
  });
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const client = new AuthorizationCode({
  client: { id: 'app', secret: 'secret' },
  auth: { tokenHost: `http://127.0.0.1:${server.address().port}` },
});
for (const next of [undefined, 'r-2']) {
  if (next) rotated.refresh_token = next;
  console.log(next ? 'with rotation:' : 'without rotation:');
  let token = client.createToken({ access_token: 'first', refresh_token: 'r-1', expires_in: 60 });
  token = await token.refresh();
  console.log(`  refresh token afterwards: ${token.token.refresh_token}`);
  await token.refresh();
}
server.close();
JS

seen=$(node refresh.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "without rotation:
  request: grant_type=refresh_token&refresh_token=r-1
  refresh token afterwards: undefined
  request: grant_type=refresh_token&refresh_token=
with rotation:
  request: grant_type=refresh_token&refresh_token=r-1
  refresh token afterwards: r-2
  request: grant_type=refresh_token&refresh_token=r-2" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
