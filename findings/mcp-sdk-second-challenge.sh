#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The client of the MCP SDK for TypeScript 1.32.2 reads a Bearer challenge only if it is the first. RFC 9110 section 11.6.1 lets
# `WWW-Authenticate` have several challenges, in several fields or in one, which `Headers` of Fetch joins with commas anyway;
# RFC 9728 section 5.1 puts `resource_metadata` into any of them. Behind a DPoP or a Basic challenge, `resource_metadata` and
# `scope` are not seen, and a challenge of DPoP alone is none. The client goes on with guesses: the well-known address of
# the host, and all scopes of the resource.
#
# Seen with @modelcontextprotocol/sdk 1.32.2 on Node.js 20.20.2. Prints what is read, and fails if that changes. Needs Node.js
# 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" @modelcontextprotocol/sdk@1.32.2

cat >challenge.mjs <<'JS'
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js'

const metadata = 'resource_metadata="https://api.example/metadata"'
const parameters = `scope="read", ${metadata}`
const answers = {
    'Bearer alone': [`Bearer ${parameters}`],
    'Bearer, then DPoP': [`Bearer ${parameters}`, 'DPoP algs="ES256"'],
    'DPoP, then Bearer': ['DPoP algs="ES256"', `Bearer ${parameters}`],
    'Basic, then Bearer': ['Basic realm="api"', `Bearer ${parameters}`],
    'Bearer in one field with DPoP first': [`DPoP algs="ES256", Bearer ${parameters}`],
    'DPoP alone': [`DPoP algs="ES256", ${parameters}`],
}
for (const [name, fields] of Object.entries(answers)) {
    const headers = new Headers()
    for (const field of fields) headers.append('WWW-Authenticate', field)
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(new Response(null, { status: 401, headers }))
    console.log(`${name}: ${resourceMetadataUrl ?? 'no metadata'}, ${scope ? `scope ${scope}` : 'no scope'}`)
}
JS

seen=$(node challenge.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "Bearer alone: https://api.example/metadata, scope read
Bearer, then DPoP: https://api.example/metadata, scope read
DPoP, then Bearer: no metadata, no scope
Basic, then Bearer: no metadata, no scope
Bearer in one field with DPoP first: no metadata, no scope
DPoP alone: no metadata, no scope" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
