#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# arctic 3.7.0 and client-oauth2 4.3.3 put the client secret into the Authorization header as it is. RFC 6749 section 2.3.1
# has the id and the secret encoded as in a form first, and a server decodes them: `+` becomes a space, and `%41` an A. A
# client whose secret has one of these is refused with invalid_client, and most base64 secrets have a `+`. simple-oauth2 5.1.0
# and oauth4webapi 3.8.8 encode. The script's server reads as the RFC says.
#
# Seen with these versions on Node.js 20.20.2. Prints the secret that the server reads, and fails if it changes. Needs
# Node.js 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact \
    arctic@3.7.0 client-oauth2@4.3.3 oauth4webapi@3.8.8 simple-oauth2@5.1.0

cat >basic.mjs <<'JS'
import http from 'node:http';
import * as arctic from 'arctic';
import ClientOAuth2 from 'client-oauth2';
import * as oauth from 'oauth4webapi';
import { ClientCredentials } from 'simple-oauth2';

const secret = 'a+b%41';
let read;
const server = http.createServer((request, response) => {
  const pair = Buffer.from(request.headers.authorization.replace('Basic ', ''), 'base64').toString();
  read = new URLSearchParams(`secret=${pair.slice(pair.indexOf(':') + 1)}`).get('secret');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ access_token: 'token', token_type: 'Bearer' }));
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const tokenHost = `http://127.0.0.1:${server.address().port}`;
const token = `${tokenHost}/token`;

const requests = {
  arctic: () => new arctic.OAuth2Client('app', secret, null).validateAuthorizationCode(token, 'code', null),
  'client-oauth2': () => new ClientOAuth2({
    clientId: 'app', clientSecret: secret, accessTokenUri: token,
  }).credentials.getToken(),
  'simple-oauth2': () => new ClientCredentials({ client: { id: 'app', secret }, auth: { tokenHost } }).getToken({}),
  oauth4webapi: () => oauth.clientCredentialsGrantRequest({ issuer: tokenHost, token_endpoint: token },
    { client_id: 'app' }, oauth.ClientSecretBasic(secret), {}, { [oauth.allowInsecureRequests]: true }),
};
console.log(`the secret: ${secret}`);
for (const [library, request] of Object.entries(requests)) {
  read = 'no request';
  await request();
  console.log(`${library}: ${read}`);
}
server.close();
JS

seen=$(node basic.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "the secret: a+b%41
arctic: a bA
client-oauth2: a bA
simple-oauth2: a+b%41
oauth4webapi: a+b%41" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
