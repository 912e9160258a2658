#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @badgateway/oauth2-client 3.3.1 and grant 5.4.24: an authorization endpoint with a query gets a second `?`. RFC 6749
# section 3.1 lets the endpoint have one and says that it is kept when parameters are added, as Azure AD B2C has with
# `?p=B2C_1_sign_in`. Both append `?` and the parameters: the server reads one parameter, `p`, whose value is the policy,
# another `?` and `client_id=…`, and finds no `client_id`. arctic 3.7.0 and client-oauth2 4.3.3 add to the query.
#
# Seen with these versions on Node.js 20.20.2. Prints what a server reads from each URL, and fails if that changes. Needs
# Node.js 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact \
    @badgateway/oauth2-client@3.3.1 grant@5.4.24 arctic@3.7.0 client-oauth2@4.3.3

cat >authorize.mjs <<'JS'
import http from 'node:http';
import { OAuth2Client } from '@badgateway/oauth2-client';
import * as arctic from 'arctic';
import ClientOAuth2 from 'client-oauth2';
import grant from 'grant';

const endpoint = 'https://id.example.com/authorize?p=sign_in';
const redirect = 'https://app.example.com/callback';

async function grantLocation() {
  const handle = grant.node({
    config: {
      defaults: { origin: 'https://app.example.com' },
      tenant: { oauth: 2, authorize_url: endpoint, access_url: 'https://id.example.com/token', key: 'app' },
    },
    session: { secret: 'for the cookie' },
  });
  const server = http.createServer(handle);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/connect/tenant`, { redirect: 'manual' });
  server.close();
  return answer.headers.get('location');
}

const urls = {
  '@badgateway/oauth2-client': await new OAuth2Client({
    server: 'https://id.example.com', authorizationEndpoint: endpoint, clientId: 'app',
  }).authorizationCode.getAuthorizeUri({ redirectUri: redirect, state: 'state' }),
  grant: await grantLocation(),
  arctic: new arctic.OAuth2Client('app', null, redirect).createAuthorizationURL(endpoint, 'state', []).href,
  'client-oauth2': new ClientOAuth2({ clientId: 'app', authorizationUri: endpoint, redirectUri: redirect }).code.getUri(),
};
for (const [library, url] of Object.entries(urls)) {
  const query = new URL(url).searchParams;
  console.log(`${library}: p=${query.get('p')}, client_id=${query.get('client_id')}`);
}
JS

seen=$(node authorize.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "@badgateway/oauth2-client: p=sign_in?client_id=app, client_id=null
grant: p=sign_in?client_id=app, client_id=null
arctic: p=sign_in, client_id=app
client-oauth2: p=sign_in, client_id=app" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
