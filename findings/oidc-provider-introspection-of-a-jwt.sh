#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# oidc-provider 9.13.3: the endpoints for introspection and revocation answer 400 `unsupported_token_type` to a JWT access token
# that the same server issued a moment before. RFC 7662 section 2.2 has 200 with `active`, and says that an unknown token is
# no error; RFC 7009 has the code for revocation alone. A resource server that introspects what it cannot read itself breaks
# when a resource changes `accessTokenFormat` to `jwt`, and a sign-out that revokes both tokens fails for the first one.
#
# Seen with oidc-provider 9.13.3 on Node.js 20.20.2. Prints the answers, and fails if they change. Needs Node.js 20 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact oidc-provider@9.13.3

cat >introspect.mjs <<'JS'
import http from 'node:http';

console.warn = console.info = () => {};
const { Provider } = await import('oidc-provider');

const server = http.createServer((request, response) => handle(request, response));
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{
    client_id: 'app', client_secret: 'secret', grant_types: ['client_credentials'], redirect_uris: [], response_types: [],
  }],
  features: {
    clientCredentials: { enabled: true }, introspection: { enabled: true }, revocation: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (context, resource) => ({ scope: 'read', accessTokenFormat: new URL(resource).pathname.slice(1) }),
    },
  },
});
const handle = provider.callback();

async function post(path, form) {
  const answer = await fetch(`${issuer}${path}`, {
    method: 'POST', body: new URLSearchParams(form),
    headers: { authorization: `Basic ${Buffer.from('app:secret').toString('base64')}`, connection: 'close' },
  });
  return { status: answer.status, ...JSON.parse((await answer.text()) || '{}') };
}
for (const format of ['opaque', 'jwt']) {
  const resource = `https://api.example.com/${format}`;
  const issued = await post('/token', { grant_type: 'client_credentials', scope: 'read', resource });
  console.log(`${format}: issued with ${issued.status}, ${issued.access_token.split('.').length} part(s)`);
  for (const endpoint of ['introspection', 'revocation']) {
    const { status, active, error } = await post(`/token/${endpoint}`, { token: issued.access_token });
    console.log(`${format}, ${endpoint}: ${status}, active ${active}, error ${error}`);
  }
}
server.close();
JS

seen=$(node introspect.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "opaque: issued with 200, 1 part(s)
opaque, introspection: 200, active true, error undefined
opaque, revocation: 200, active undefined, error undefined
jwt: issued with 200, 3 part(s)
jwt, introspection: 400, active undefined, error unsupported_token_type
jwt, revocation: 400, active undefined, error unsupported_token_type" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
