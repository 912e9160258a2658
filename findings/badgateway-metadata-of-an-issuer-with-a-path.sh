#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @badgateway/oauth2-client 3.3.1 looks for the metadata of an issuer with a path in the wrong place. RFC 8414 section 3 puts
# `/.well-known/oauth-authorization-server` between the host and the issuer's path. The library drops the path: it asks for
# the metadata of the host, which a server with several tenants does not have. Then it guesses `/token` and `/authorize`, also
# without the path, and the error is about the token request, not about the metadata. OpenID Connect's place, after the path,
# is not tried either. `discoveryEndpoint` with the correct address works.
#
# Seen with @badgateway/oauth2-client 3.3.1 on Node.js 20.20.2. Prints the requests, and fails if they change. Needs Node.js
# 18 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact @badgateway/oauth2-client@3.3.1

cat >metadata.mjs <<'JS'
import http from 'node:http';
import { OAuth2Client } from '@badgateway/oauth2-client';

let origin;
const server = http.createServer((request, response) => {
  console.log(`  ${request.method} ${request.url}`);
  const found = request.url === '/.well-known/oauth-authorization-server/tenant';
  const issuer = `${origin}/tenant`;
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ? { issuer, token_endpoint: `${issuer}/oauth/token` } : { error: 'not_found' }));
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
origin = `http://127.0.0.1:${server.address().port}`;
for (const settings of [
  { server: `${origin}/tenant` },
  { server: `${origin}/tenant/` },
  { server: `${origin}/tenant`, discoveryEndpoint: '/.well-known/oauth-authorization-server/tenant' },
]) {
  console.log(JSON.stringify(settings).replaceAll(origin, '…'));
  await new OAuth2Client({ clientId: 'app', clientSecret: 'secret', ...settings }).clientCredentials().catch(() => {});
}
server.close();
JS

seen=$(node metadata.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "{\"server\":\"…/tenant\"}
  GET /.well-known/oauth-authorization-server
  POST /token
{\"server\":\"…/tenant/\"}
  GET /.well-known/oauth-authorization-server
  POST /token
{\"server\":\"…/tenant\",\"discoveryEndpoint\":\"/.well-known/oauth-authorization-server/tenant\"}
  GET /.well-known/oauth-authorization-server/tenant
  POST /tenant/oauth/token" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
