#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jwks-fetch 2.0.1 caches keys for a thousandth of the configured time. Its README says that `ttl` is in seconds, and the cached
# entry ends after so many seconds, but a timer deletes it after so many milliseconds. With `{ cache: true, ttl: 60 }` a key is
# fetched again after 60 ms. OpenID Connect Core section 10.1.1 has `Cache-Control: max-age` for key sets, so that clients
# cache them: a server with one request a second fetches the key set at each request, waits for it, and fails when the
# provider limits it or restarts.
#
# Seen with jwks-fetch 2.0.1 on Node.js 20.20.2. Prints how often the key set is fetched, and fails if that changes. Needs
# Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" jwks-fetch@2.0.1

cat >cache.mjs <<'JS'
import { generateKeyPairSync } from 'node:crypto'
import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { JWKSClient } from 'jwks-fetch'

const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
let requests = 0
const provider = http.createServer((request, response) => {
    requests += 1
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=3600' })
    response.end(JSON.stringify({ keys: [{ ...jwk, kid: 'key' }] }))
}).listen(0, '127.0.0.1', async () => {
    const url = `http://127.0.0.1:${provider.address().port}/jwks`
    for (const ttl of [60, 3600]) {
        const client = new JWKSClient({ cache: true, ttl })
        requests = 0
        for (let use = 0; use < 3; use += 1) {
            await client.retrieve(url, 'key')
            await wait(500)
        }
        console.log(`ttl ${ttl} s, 3 uses in 1.5 s: ${requests} fetched`)
    }
    process.exit()
})
JS

seen=$(node cache.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'ttl 60 s, 3 uses in 1.5 s: 3 fetched
ttl 3600 s, 3 uses in 1.5 s: 1 fetched' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
