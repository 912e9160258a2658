#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# oauth 0.10.2 (which passport-oauth2 and passport-openidconnect use) and keycloak-connect 26.1.1: a name in a UserInfo
# response becomes another one where a chunk of the response ends within a letter. Both turn each chunk into a string by
# itself, and UTF-8 has two to four bytes for a letter such as é: each half becomes U+FFFD. JSON stays valid and no error
# is raised, so that the wrong name is stored. HTTP/1.1 lets a server, a proxy or TCP cut anywhere; it shows only now and
# then, with long responses. RFC 8259 section 8.1 has UTF-8 for JSON. `fetch` of Node.js reads the same response correctly.
#
# Seen with these versions on Node.js 20.20.2. Prints the names, and fails if they change. Needs Node.js 18 or later with
# npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact oauth@0.10.2 keycloak-connect@26.1.1

cat >split.mjs <<'JS'
import http from 'node:http';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const { OAuth2 } = require('oauth');
const GrantManager = require('keycloak-connect/middleware/auth-utils/grant-manager');

let whole;
const server = http.createServer((request, response) => {
  const body = Buffer.from(JSON.stringify({ sub: '1', name: 'Zoé' }));
  const within = whole ? body.length : body.indexOf('é') + 1;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.write(body.subarray(0, within));
  setTimeout(() => response.end(body.subarray(within)), 300);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const url = `http://127.0.0.1:${server.address().port}`;

const oauth = new OAuth2('app', 'secret', '', `${url}/authorize`, `${url}/token`);
oauth.useAuthorizationHeaderforGET(true);
const readers = {
  oauth: async () => JSON.parse(await promisify(oauth.get.bind(oauth))(`${url}/userinfo`, 'token')),
  'keycloak-connect': () => new GrantManager({ realmUrl: url, clientId: 'app' }).userInfo('token'),
  fetch: async () => (await fetch(`${url}/userinfo`)).json(),
};
for (whole of [true, false]) {
  for (const [library, read] of Object.entries(readers)) {
    const letters = [...(await read()).name].map((letter) => letter.codePointAt(0).toString(16));
    console.log(`${whole ? 'in one piece' : 'in two chunks'}, ${library}: ${letters.join(' ')}`);
  }
}
server.close();
JS

seen=$(node split.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "in one piece, oauth: 5a 6f e9
in one piece, keycloak-connect: 5a 6f e9
in one piece, fetch: 5a 6f e9
in two chunks, oauth: 5a 6f fffd fffd
in two chunks, keycloak-connect: 5a 6f fffd fffd
in two chunks, fetch: 5a 6f e9" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
