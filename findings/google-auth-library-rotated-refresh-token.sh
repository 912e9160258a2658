#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# google-auth-library 10.9.1: `OAuth2Client` drops a refresh token that a refresh returns. RFC 6749 section 6: the client
# discards the old refresh token and replaces it with the new one. The library sets the old one again after each refresh, also
# in `credentials`; only the event `tokens` has the new one. Google does not rotate, but the option `endpoints` is for other
# servers: one that rotates refuses the second refresh, and as a reuse of a refresh token it may end the whole session.
#
# Seen with google-auth-library 10.9.1 on Node.js 20.20.2. Prints the refresh tokens, and fails if they change. Needs Node.js
# 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact google-auth-library@10.9.1

cat >rotate.mjs <<'JS'
import http from 'node:http';
import { OAuth2Client } from 'google-auth-library';

let count = 1;
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    const sent = new URLSearchParams(body).get('refresh_token');
    const good = sent === `r-${count}`;
    if (good) count += 1;
    console.log(`request: ${sent}, response: ${good ? `r-${count}` : 'invalid_grant'}`);
    response.writeHead(good ? 200 : 400, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(good
      ? { access_token: `a-${count}`, token_type: 'Bearer', expires_in: 1, refresh_token: `r-${count}` }
      : { error: 'invalid_grant' }));
  });
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const client = new OAuth2Client({
  clientId: 'app', clientSecret: 'secret', endpoints: { oauth2TokenUrl: `http://127.0.0.1:${server.address().port}/token` },
});
client.on('tokens', (tokens) => console.log(`event: ${tokens.refresh_token}`));
client.setCredentials({ refresh_token: 'r-1' });
for (const turn of ['first', 'second']) {
  const result = await client.getAccessToken().then(({ token }) => token, (error) => error.message);
  console.log(`${turn}: ${result}, refresh token afterwards: ${client.credentials.refresh_token}`);
}
server.close();
JS

seen=$(node rotate.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "request: r-1, response: r-2
event: r-2
first: a-2, refresh token afterwards: r-1
request: r-1, response: invalid_grant
second: invalid_grant, refresh token afterwards: r-1" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
