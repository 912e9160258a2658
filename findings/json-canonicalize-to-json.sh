#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# json-canonicalize 3.0.1 does not sort the members of an object that `toJSON()` returns; canonicalize 4.0.0 does. RFC 8785
# section 3.2.3: members are sorted at all levels. The package hands an object with this method to JSON.stringify(), with
# all that is below it. A Buffer has the method, and so have the documents of many database libraries: the digests of two
# services differ, and a record that is stored as JSON, read and canonicalized again has another digest than before.
#
# Seen with json-canonicalize 3.0.1 and canonicalize 4.0.0 on Node.js 20.20.2. Prints the forms, and fails if they change.
# Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" json-canonicalize@3.0.1 canonicalize@4.0.0

cat >sorted.mjs <<'JS'
import canonicalize from 'canonicalize'
import * as json from 'json-canonicalize'

class Account {
    toJSON() { return { sub: 'user', email: 'ada@example.com', name: { last: 'Lovelace', first: 'Ada' } } }
}
for (const [name, value] of Object.entries({
    'plain object': { user: { sub: 'user', email: 'ada@example.com' } },
    Buffer: { key: Buffer.from('k') },
    'object with toJSON()': { user: new Account() },
})) {
    console.log(name)
    console.log(`  canonicalize: ${canonicalize(value)}`)
    console.log(`  json-canonicalize: ${json.canonicalize(value)}`)
    console.log(`  json-canonicalize, read and written again: ${json.canonicalize(JSON.parse(json.canonicalize(value)))}`)
}
JS

seen=$(node sorted.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'plain object
  canonicalize: {"user":{"email":"ada@example.com","sub":"user"}}
  json-canonicalize: {"user":{"email":"ada@example.com","sub":"user"}}
  json-canonicalize, read and written again: {"user":{"email":"ada@example.com","sub":"user"}}
Buffer
  canonicalize: {"key":{"data":[107],"type":"Buffer"}}
  json-canonicalize: {"key":{"type":"Buffer","data":[107]}}
  json-canonicalize, read and written again: {"key":{"data":[107],"type":"Buffer"}}
object with toJSON()
  canonicalize: {"user":{"email":"ada@example.com","name":{"first":"Ada","last":"Lovelace"},"sub":"user"}}
  json-canonicalize: {"user":{"sub":"user","email":"ada@example.com","name":{"last":"Lovelace","first":"Ada"}}}
  json-canonicalize, read and written again: {"user":{"email":"ada@example.com","name":{"first":"Ada","last":"Lovelace"},"sub":"user"}}' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
