#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# web-oidc 0.0.19 reads `updated_at` as milliseconds: all profiles are from January 1970. OpenID Connect Core section 5.1: the
# claim is the number of seconds since 1970-01-01T00:00:00Z. The package makes the text of a date from the number, without an
# error. An app that copies name and picture again if `updated_at` is later than its copy never does so.
#
# Seen with web-oidc 0.0.19 on Node.js 20.20.2. Prints what `userinfo()` gives, and fails if that changes. Needs Node.js 20 or
# later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" web-oidc@0.0.19

cat >updated.mjs <<'JS'
import http from 'node:http'
import { Issuer } from 'web-oidc'

let seconds
const provider = http.createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ sub: 'user', updated_at: seconds }))
}).listen(0, '127.0.0.1', async () => {
    const issuer = `http://127.0.0.1:${provider.address().port}`
    const client = new Issuer({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo` }).client({ client_id: 'app' })
    for (const date of ['2001-09-09T00:00:00.000Z', '2024-02-29T12:00:00.000Z', '2026-11-30T00:00:00.000Z']) {
        seconds = Date.parse(date) / 1000
        console.log(`${date} is ${seconds}: ${(await client.userinfo('access')).updated_at}`)
    }
    process.exit()
})
JS

seen=$(node updated.mjs)
printf '%s\n' "$seen"
[[ "$seen" == '2001-09-09T00:00:00.000Z is 999993600: 1970-01-12T13:46:33.600Z
2024-02-29T12:00:00.000Z is 1709208000: 1970-01-20T18:46:48.000Z
2026-11-30T00:00:00.000Z is 1795996800: 1970-01-21T18:53:16.800Z' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
