#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scim-patch 0.8.3 cuts each path at its last colon, to find the schema URI in front of an attribute. RFC 7644 sections
# 3.5.2 and 3.10 also have colons elsewhere: in the value of a filter (a URL, `members[$ref eq "https://…"]`), in an
# extension as a whole (its URI is the name of the attribute), and in the keys of a value without `path`. A filter with a URL
# is an error. A change of the extension Enterprise User as an object goes into a new attribute, whose name is the URI
# without `:User`: the request succeeds, and the department stays the old one.
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

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
function show(title, resource, operation) {
  let result;
  try {
    result = JSON.stringify(scimPatch(resource, [operation]));
  } catch (error) {
    result = error.message;
  }
  console.log(`${title}:\n  ${result.replaceAll('urn:ietf:params:scim:schemas:extension', 'urn:…').replaceAll('"', '')}`);
}
show('remove a member by $ref', { members: [{ value: '1', $ref: 'https://example.com/Users/1' }] },
  { op: 'remove', path: 'members[$ref eq "https://example.com/Users/1"]' });
show('remove a member by value', { members: [{ value: '1', $ref: 'https://example.com/Users/1' }] },
  { op: 'remove', path: 'members[value eq "1"]' });
show('replace the extension, path', { [enterprise]: { department: 'old' } },
  { op: 'replace', path: enterprise, value: { department: 'new' } });
show('replace the extension, no path', { [enterprise]: { department: 'old' } },
  { op: 'replace', value: { [enterprise]: { department: 'new' } } });
show('remove the extension', { [enterprise]: { department: 'old' } }, { op: 'remove', path: enterprise });
show('replace an attribute of it', { [enterprise]: { department: 'old' } },
  { op: 'replace', path: `${enterprise}:department`, value: 'new' });
JS

seen=$(node patch.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "remove a member by \$ref:
  Invalid SCIM Patch: This part of the path members[\$ref eq https is invalid for SCIM patch request.
remove a member by value:
  {}
replace the extension, path:
  {urn:…:enterprise:2.0:User:{department:old},urn:…:enterprise:2.0:{User:{department:new}}}
replace the extension, no path:
  {urn:…:enterprise:2.0:User:{department:old},urn:…:enterprise:2.0:{User:{department:new}}}
remove the extension:
  {urn:…:enterprise:2.0:User:{department:old}}
replace an attribute of it:
  {urn:…:enterprise:2.0:User:{department:new}}" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
