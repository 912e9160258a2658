#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# http-message-signatures 1.0.6 has another `@query-param` than RFC 9421. Section 2.2.8: the value is encoded again with the
# percent-encode set of application/x-www-form-urlencoded, and %20 for a space. The set includes ! ' ( ) and ~. The package uses
# encodeURIComponent(), which leaves those five as they are. Most values are the same in both; with a name such as O'Brien,
# the signature of a client that follows the RFC is not valid for the package, and the other way round.
#
# Seen with http-message-signatures 1.0.6 on Node.js 20.20.2. Prints the lines of the signature base, then whether the package
# takes the signature of a client that follows the RFC, and fails if that changes. Needs Node.js 20 or later with npm, and the
# npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" http-message-signatures@1.0.6

cat >query.mjs <<'JS'
import { createHmac } from 'node:crypto'
import { createVerifier, httpbis } from 'http-message-signatures'

const key = Buffer.alloc(32, 'k')
const keyLookup = async () => ({ id: 'key', algs: ['hmac-sha256'], verify: createVerifier(key, 'hmac-sha256') })
const form = text => encodeURIComponent(text).replace(/[!'()~]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
for (const name of ['Ada Lovelace', "O'Brien", 'Ada (work)', '~ada', 'Ada!']) {
    const url = `https://api.example/users?${new URLSearchParams({ name })}`
    const field = '"@query-param";name="name"'
    const [[, [own]]] = httpbis.createSignatureBase({ fields: [field] }, { method: 'GET', url, headers: {} })
    const parameters = `(${field});created=${Math.floor(Date.now() / 1000)};keyid="key";alg="hmac-sha256"`
    const base = `${field}: ${form(name)}\n"@signature-params": ${parameters}`
    const headers = {
        'Signature-Input': `sig=${parameters}`,
        Signature: `sig=:${createHmac('sha256', key).update(base).digest('base64')}:`,
    }
    const valid = await httpbis.verifyMessage({ keyLookup }, { method: 'GET', url, headers }).catch(error => error.message)
    console.log(`RFC 9421: ${form(name)}, package: ${own}, signature of the RFC: ${valid ? 'valid' : 'not valid'}`)
}
JS

seen=$(node query.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "RFC 9421: Ada%20Lovelace, package: Ada%20Lovelace, signature of the RFC: valid
RFC 9421: O%27Brien, package: O'Brien, signature of the RFC: not valid
RFC 9421: Ada%20%28work%29, package: Ada%20(work), signature of the RFC: not valid
RFC 9421: %7Eada, package: ~ada, signature of the RFC: not valid
RFC 9421: Ada%21, package: Ada!, signature of the RFC: not valid" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
