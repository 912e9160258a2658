#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scim-patch 0.8.3: the same `add` with and without `path` has different results. RFC 7644 section 3.5.2.1: without `path`,
# the value's attributes are added to the resource; what it does not name stays, and a value that is already there
# is not added again. With `path`, the library does so. Without it, an `add` of `name` loses its other parts, and members
# that are already in a group are added again, each time the client repeats the request.
#
# Seen with scim-patch 0.8.3 on Node.js 20.20.2. Prints the results, and fails if they change. Needs Node.js 18 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact scim-patch@0.8.3

cat >patch.mjs <<'JS'
import { scimPatch } from 'scim-patch';

const cases = [
  ['add', 'name', () => ({ name: { givenName: 'Grace', familyName: 'Old' } }), { familyName: 'New' }],
  ['add', 'members', () => ({ members: [{ value: '1' }] }), [{ value: '1' }, { value: '2' }]],
];
for (const [op, path, resource, value] of cases) {
  for (const operation of [{ op, path, value }, { op, value: { [path]: value } }]) {
    const result = JSON.stringify(scimPatch(resource(), [operation])).replaceAll('"', '');
    console.log(`${op} ${path}, ${operation.path ? 'path' : 'no path'}: ${result}`);
  }
}
JS

seen=$(node patch.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "add name, path: {name:{givenName:Grace,familyName:New}}
add name, no path: {name:{familyName:New}}
add members, path: {members:[{value:1},{value:2}]}
add members, no path: {members:[{value:1},{value:1},{value:2}]}" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
