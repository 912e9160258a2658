#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# passport-openidconnect 0.1.2 has an option `responseMode`, sends `response_mode=form_post` and does not read the answer. OAuth
# 2.0 Form Post Response Mode has the browser post `code` and `state` in the body; the strategy reads only the query. A
# callback with a code in the body is a new sign-in for it: it redirects to the provider, which has a session and posts the
# next code, and so on, without an error. An `error` in the body is not seen either, so that a user who says no is asked
# again. The same values in the query lead to the token request.
#
# Seen with passport-openidconnect 0.1.2 on Node.js 20.20.2. Prints what each callback leads to, and fails if that changes.
# Needs Node.js 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact passport-openidconnect@0.1.2

cat >callback.mjs <<'JS'
import OpenIDConnectStrategy from 'passport-openidconnect';

function authenticate(request) {
  return new Promise((resolve) => {
    const strategy = new OpenIDConnectStrategy({
      issuer: 'https://id.example.com', authorizationURL: 'https://id.example.com/authorize',
      tokenURL: 'http://127.0.0.1:9/token', userInfoURL: 'https://id.example.com/userinfo',
      clientID: 'app', clientSecret: 'secret', callbackURL: 'https://app.example.com/callback', responseMode: 'form_post',
    }, (issuer, profile, done) => done(null, profile));
    strategy.redirect = (location) => resolve(new URL(location));
    strategy.fail = (challenge) => resolve(`fails: ${challenge.message}`);
    strategy.error = (error) => resolve(`error: ${error.message}`);
    strategy.success = () => resolve('success');
    strategy.authenticate(request);
  });
}
for (const [title, answer, place] of [
  ['code in the body', { code: 'code' }, 'body'],
  ['error in the body', { error: 'access_denied', error_description: 'The user said no.' }, 'body'],
  ['code in the query', { code: 'code' }, 'query'],
  ['error in the query', { error: 'access_denied', error_description: 'The user said no.' }, 'query'],
]) {
  const session = {};
  const start = await authenticate({ method: 'GET', query: {}, session });
  const values = { ...answer, state: start.searchParams.get('state') };
  const method = place === 'body' ? 'POST' : 'GET';
  const result = await authenticate({ method, query: {}, body: {}, [place]: values, session });
  const text = result instanceof URL ? `redirect to ${result.pathname}` : result;
  console.log(`${start.searchParams.get('response_mode')}, ${title}: ${text}`);
}
JS

seen=$(node callback.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "form_post, code in the body: redirect to /authorize
form_post, error in the body: redirect to /authorize
form_post, code in the query: error: Failed to obtain access token
form_post, error in the query: fails: The user said no." ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
