#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# get-jwks 11.0.3 has an option for a timeout that does nothing. Its README: `timeout` is how long to wait for a key before it
# fails, 5 seconds by default. The option reaches `fetch` as `timeout`, which is no member of `RequestInit` in the Fetch
# Standard, so that Node.js ignores it: each request with a token of a new key waits as long as the provider does, and a slow
# JWKS becomes open requests of the API. `fetchOptions: { signal: AbortSignal.timeout(…) }` does not help, as one signal
# serves all requests: all later ones fail.
#
# Seen with get-jwks 11.0.3 on Node.js 20.20.2. Prints how each ends, and fails if that changes. Needs Node.js 20 or later with
# npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --cache "$folder/cache" get-jwks@11.0.3

cat >timeout.cjs <<'JS'
const http = require('node:http')
const buildGetJwks = require('get-jwks')

let delay
const server = http.createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    const body = JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', kid: 'key', alg: 'ES256' }] })
    setTimeout(() => response.end(body), delay)
}).listen(0, '127.0.0.1', async () => {
    const domain = `http://127.0.0.1:${server.address().port}`
    const ask = (options, name) => {
        const start = performance.now()
        const print = end => console.log(`${name}: ${end} after ${Math.floor((performance.now() - start) / 1000)} s`)
        const key = buildGetJwks(options).getJwk({ domain, alg: 'ES256', kid: 'key' })
        return key.then(() => print('key'), ({ name }) => print(name))
    }
    delay = 2000
    await ask({ timeout: 500 }, 'timeout 500')
    await ask({ fetchOptions: { timeout: 500 } }, 'fetchOptions.timeout 500')
    delay = 7000
    await ask({}, 'default of 5 s')
    const signal = AbortSignal.timeout(500)
    delay = 2000
    await ask({ fetchOptions: { signal } }, 'signal, slow provider')
    delay = 0
    await ask({ fetchOptions: { signal } }, 'signal, quick provider')
    server.closeAllConnections()
    server.close()
})
JS

seen=$(node timeout.cjs)
printf '%s\n' "$seen"
[[ "$seen" == "timeout 500: key after 2 s
fetchOptions.timeout 500: key after 2 s
default of 5 s: key after 7 s
signal, slow provider: TimeoutError after 0 s
signal, quick provider: TimeoutError after 0 s" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
