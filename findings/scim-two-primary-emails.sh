#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scim-patch 0.8.3 and scimmy 1.3.5 leave two primary email addresses. RFC 7643 section 2.4 lets `primary` be true once in an
# attribute, and RFC 7644 section 3.5.2 says of PATCH that the server sets the old one to false when a request makes another
# value primary. Both apply the operation alone, with `add` and with `replace`, and the resource that they return is not
# valid. Who reads the first primary address, as most code does, keeps the old one after the user changed it.
#
# Seen with these versions on Node.js 20.20.2. Prints the addresses, and fails if they change. Needs Node.js 18 or later
# with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact scim-patch@0.8.3 scimmy@1.3.5

cat >primary.mjs <<'JS'
import SCIMMY from 'scimmy';
import { scimPatch } from 'scim-patch';

const user = () => ({
  id: '1', userName: 'grace', emails: [{ value: 'old@example.com', primary: true }, { value: 'other@example.com' }],
});
const operations = {
  add: { op: 'add', path: 'emails', value: [{ value: 'new@example.com', primary: true }] },
  replace: { op: 'replace', path: 'emails[value eq "other@example.com"].primary', value: true },
};
const libraries = {
  'scim-patch': (operation) => scimPatch(user(), [operation]),
  scimmy: (operation) => new SCIMMY.Messages.PatchOp({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation],
  }).apply(new SCIMMY.Schemas.User(user(), 'in')),
};
for (const [library, apply] of Object.entries(libraries)) {
  for (const [name, operation] of Object.entries(operations)) {
    const { emails } = await apply(operation);
    const primary = emails.filter((email) => email.primary).map((email) => email.value);
    console.log(`${library}, ${name}: primary are ${primary.join(' and ')}`);
  }
}
JS

seen=$(node primary.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "scim-patch, add: primary are old@example.com and new@example.com
scim-patch, replace: primary are old@example.com and other@example.com
scimmy, add: primary are old@example.com and new@example.com
scimmy, replace: primary are old@example.com and other@example.com" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
