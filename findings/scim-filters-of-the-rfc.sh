#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scimmy 1.3.5 and scim2-parse-filter 0.2.10 (which scim-patch uses): filters that RFC 7644 itself has as examples do
# not match. Strings compare as their attribute says (RFC 7643 section 2.2), and `userName` is `"caseExact": false`: section
# 3.4.2.2 has `userName sw "J"` with the URI of the schema in front, and `emails co "example.com"`, where a complex attribute
# means its `value`. In both libraries letters compare exactly, an attribute with its URI has no value, and `emails co …`
# matches nothing or is a TypeError. A client that looks for a user before it creates one then creates a second one.
#
# Seen with these versions on Node.js 20.20.2. Prints the results, and fails if they change. Needs Node.js 18 or later with
# npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact scimmy@1.3.5 scim2-parse-filter@0.2.10

cat >filter.mjs <<'JS'
import SCIMMY from 'scimmy';
import { filter, parse } from 'scim2-parse-filter';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const user = {
  userName: 'Jensen', name: { familyName: "O'Malley" }, displayName: 'Barbara "B" Jensen', title: null,
  emails: [{ value: 'b@example.com', type: 'work' }], [enterprise]: { department: 'Tours' },
};
const libraries = {
  scimmy: (text) => new SCIMMY.Types.Filter(text).match([user]).length === 1,
  'scim2-parse-filter': (text) => filter(parse(text))(user),
};
for (const text of [
  'userName sw "J"',
  'userName eq "jensen"',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
  `${enterprise}:department eq "Tours"`,
  'emails co "example.com"',
  'emails.value co "example.com"',
  'emails[type eq "work" and value co "@example"]',
  'displayName eq "Barbara \\"B\\" Jensen"',
]) {
  const results = Object.entries(libraries).map(([name, matches]) => {
    try {
      return `${name} ${matches(text)}`;
    } catch (error) {
      return `${name} ${error.name}`;
    }
  });
  console.log(`${text.replaceAll('urn:ietf:params:scim:schemas:', 'urn:…:')}: ${results.join(', ')}`);
}
JS

seen=$(node filter.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "userName sw \"J\": scimmy true, scim2-parse-filter true
userName eq \"jensen\": scimmy false, scim2-parse-filter false
urn:…:core:2.0:User:userName sw \"J\": scimmy false, scim2-parse-filter false
urn:…:extension:enterprise:2.0:User:department eq \"Tours\": scimmy false, scim2-parse-filter true
emails co \"example.com\": scimmy TypeError, scim2-parse-filter false
emails.value co \"example.com\": scimmy true, scim2-parse-filter true
emails[type eq \"work\" and value co \"@example\"]: scimmy true, scim2-parse-filter true
displayName eq \"Barbara \\\"B\\\" Jensen\": scimmy SCIMError, scim2-parse-filter true" ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
