#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# oauth4webapi 3.8.8, and openid-client 6.9.0 with it: the error code of a token response is missing where RFC 6749 section 5.2
# has the server send one header more. A client that signed in with Basic and is refused gets 401, `WWW-Authenticate` and
# the JSON body with `"error": "invalid_client"`. With the header both raise an error about the challenge, whose `error` is
# undefined, and do not read the body; without it, and with 400, `error` is `invalid_client`. Code that compares
# `error.error`, to find a secret that has ended or was replaced, works with one server and not with another.
#
# Seen with these versions on Node.js 20.20.2. Prints the errors, and fails if they change. Needs Node.js 20 or later with
# npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact oauth4webapi@3.8.8 openid-client@6.9.0

cat >error.mjs <<'JS'
import http from 'node:http';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';

const headers = { 'content-type': 'application/json', connection: 'close' };
const answers = {
  '401 and WWW-Authenticate': [401, { ...headers, 'www-authenticate': 'Basic realm="token"' }],
  '401 without it': [401, headers],
  400: [400, headers],
};
let answer;
const server = http.createServer((request, response) => {
  response.writeHead(...answer);
  response.end(JSON.stringify({ error: 'invalid_client', error_description: 'The secret has ended.' }));
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${server.address().port}`;
const metadata = { issuer, token_endpoint: `${issuer}/token` };
const app = { client_id: 'app' };

const configuration = new client.Configuration(metadata, 'app', {}, client.ClientSecretBasic('secret'));
client.allowInsecureRequests(configuration);
const libraries = {
  oauth4webapi: async () => oauth.processClientCredentialsResponse(metadata, app, await oauth.clientCredentialsGrantRequest(
    metadata, app, oauth.ClientSecretBasic('secret'), {}, { [oauth.allowInsecureRequests]: true })),
  'openid-client': () => client.clientCredentialsGrant(configuration),
};
for (const [title, values] of Object.entries(answers)) {
  answer = values;
  for (const [library, request] of Object.entries(libraries)) {
    const error = await request().catch((raised) => raised);
    console.log(`${title}, ${library}: ${error.name}, error ${error.error}, status ${error.status}`);
  }
}
server.close();
JS

seen=$(node error.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "400, oauth4webapi: ResponseBodyError, error invalid_client, status 400
400, openid-client: ResponseBodyError, error invalid_client, status 400
401 and WWW-Authenticate, oauth4webapi: WWWAuthenticateChallengeError, error undefined, status 401
401 and WWW-Authenticate, openid-client: WWWAuthenticateChallengeError, error undefined, status 401
401 without it, oauth4webapi: ResponseBodyError, error invalid_client, status 401
401 without it, openid-client: ResponseBodyError, error invalid_client, status 401" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
