#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# http-message-signatures 1.0.6 cannot sign a member of a Dictionary field if all members are true. RFC 9421 section 2.1.2:
# `;key` names one member of a Dictionary. RFC 8941 section 3.2: of a member that is true, only the name is written. The package tries
# List first, takes `Priority: i` (RFC 9218) for one, and throws. The same component of `Priority: u=1, i` works: a
# signature succeeds or fails by what another member of the field is.
#
# Seen with http-message-signatures 1.0.6 on Node.js 20.20.2. Prints the lines of the signature base, and fails if they change.
# Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --cache "$folder/cache" http-message-signatures@1.0.6

cat >member.mjs <<'JS'
import { httpbis } from 'http-message-signatures'

for (const value of ['u=1, i', 'i, u=1', 'i', 'i;a=1, c']) {
    const message = { method: 'GET', url: 'https://api.example/', headers: { Priority: value } }
    let line
    try {
        line = httpbis.formatSignatureBase(httpbis.createSignatureBase({ fields: ['"priority";key="i"'] }, message))
    } catch (error) { line = error.message }
    console.log(`Priority: ${value}: ${line}`)
}
JS

seen=$(node member.mjs)
printf '%s\n' "$seen"
[[ "$seen" == 'Priority: u=1, i: "priority";key="i": ?1
Priority: i, u=1: "priority";key="i": ?1
Priority: i: Unable to parse header as dictionary
Priority: i;a=1, c: Unable to parse header as dictionary' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
