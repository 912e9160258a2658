#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# passport-openidconnect 0.1.2 drops what an app decides on. Its profile keeps the address of `email` and not
# `email_verified` (OpenID Connect Core section 5.1), of UserInfo and of the ID token: a verify function of three parameters
# cannot tell an address that the provider checked from one that the user typed. `picture` and `locale` are dropped too,
# although Passport's profile has `photos`. And `maxAge: 0` is as if it was not set: section 3.1.2.1 has `max_age=0` for
# signing in again, and the request has no `max_age`; `maxAge: '0'` is sent.
#
# Seen with passport-openidconnect 0.1.2 on Node.js 20.20.2. Prints the profile and the request, and fails if they change.
# Needs Node.js 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact passport-openidconnect@0.1.2

cat >profile.mjs <<'JS'
import http from 'node:http';
import OpenIDConnectStrategy from 'passport-openidconnect';

const claims = { sub: '1', name: 'Grace', email: 'grace@example.com', email_verified: false, picture: 'https://example.com/1' };
let issuer;
const server = http.createServer((request, response) => {
  const now = Math.floor(Date.now() / 1000);
  const parts = [{ alg: 'RS256' }, { iss: issuer, aud: 'app', iat: now, exp: now + 60, ...claims }];
  const id_token = [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), 'signature'].join('.');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(request.url === '/token' ? { access_token: 'token', token_type: 'Bearer', id_token } : claims));
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
issuer = `http://127.0.0.1:${server.address().port}`;

function authenticate(options, request) {
  return new Promise((resolve, reject) => {
    const strategy = new OpenIDConnectStrategy({
      issuer, authorizationURL: `${issuer}/authorize`, tokenURL: `${issuer}/token`, userInfoURL: `${issuer}/userinfo`,
      clientID: 'app', clientSecret: 'secret', callbackURL: 'https://app.example.com/callback', ...options,
    }, (from, profile, done) => done(null, profile));
    strategy.redirect = (location) => resolve(new URL(location).searchParams);
    strategy.fail = strategy.error = reject;
    strategy.success = resolve;
    strategy.authenticate(request);
  });
}
for (const skipUserProfile of [true, false]) {
  const session = {};
  const start = await authenticate({}, { query: {}, session });
  const callback = { query: { code: 'code', state: start.get('state') }, session };
  const profile = await authenticate({ skipUserProfile }, callback);
  console.log(`${skipUserProfile ? 'ID token' : 'with UserInfo'}: ${JSON.stringify(profile).replaceAll('"', '')}`);
}
for (const maxAge of [60, 0, '0']) {
  const start = await authenticate({ maxAge }, { query: {}, session: {} });
  console.log(`maxAge: ${JSON.stringify(maxAge).replaceAll('"', "'")}, max_age=${start.get('max_age')}`);
}
server.close();
JS

seen=$(node profile.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "ID token: {id:1,displayName:Grace,emails:[{value:grace@example.com}]}
with UserInfo: {id:1,displayName:Grace,emails:[{value:grace@example.com}]}
maxAge: 60, max_age=60
maxAge: 0, max_age=null
maxAge: '0', max_age=0" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
