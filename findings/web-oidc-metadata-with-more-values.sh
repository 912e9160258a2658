#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# web-oidc 0.0.19 refuses the metadata of a provider that supports something unknown to it. OpenID Connect Discovery section 3:
# the `*_supported` members list what the provider supports, and other values may be in them. A client uses what it needs.
# `Issuer.discover()` has a closed list for each member, and throws at ES256 beside RS256, `pairwise`, the client_credentials
# grant, a scope of its own or the standard claim `preferred_username`. A provider that adds one value to its
# metadata ends sign-in for all apps with the package.
#
# Seen with web-oidc 0.0.19 on Node.js 20.20.2. Prints what discovery gives, and fails if that changes. Needs Node.js 20 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" web-oidc@0.0.19

cat >discover.mjs <<'JS'
import http from 'node:http'
import { Issuer } from 'web-oidc'

let issuer, added
const provider = http.createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`, jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'],
        subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'], ...added }))
}).listen(0, '127.0.0.1', async () => {
    issuer = `http://127.0.0.1:${provider.address().port}`
    for (added of [
        {},
        { id_token_signing_alg_values_supported: ['RS256', 'ES256'] },
        { subject_types_supported: ['public', 'pairwise'] },
        { grant_types_supported: ['authorization_code', 'client_credentials'] },
        { response_modes_supported: ['query', 'query.jwt'] },
        { scopes_supported: ['openid', 'groups'] },
        { claims_supported: ['sub', 'preferred_username'] },
    ]) {
        const result = await Issuer.discover(issuer)
            .then(() => 'discovered', error => error.issues[0].message.split('.')[0])
        console.log(`${Object.entries(added).flat().join(' ') || 'required members'}: ${result}`)
    }
    process.exit()
})
JS

seen=$(node discover.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'required members: discovered
id_token_signing_alg_values_supported RS256,ES256: Invalid enum value
subject_types_supported public,pairwise: Invalid enum value
grant_types_supported authorization_code,client_credentials: Invalid enum value
response_modes_supported query,query.jwt: Invalid enum value
scopes_supported openid,groups: Invalid enum value
claims_supported sub,preferred_username: Invalid enum value' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
