#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scimmy 1.3.5 does not replace in a PATCH request what RFC 7644 section 3.5.2.3 does. A `replace` with the path of a complex
# attribute removes it first: `givenName`, which the request does not name, is lost, and the section leaves it unchanged. A
# `replace` without `path` is only an `add`: the new email addresses join the old ones, and a group keeps the members that
# the client took away.
#
# Seen with scimmy 1.3.5 on Node.js 20.20.2. Prints the results, and fails if they change. Needs Node.js 18 or later with
# npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact scimmy@1.3.5

cat >patch.mjs <<'JS'
import SCIMMY from 'scimmy';

async function show(title, attribute, operation) {
  const Schema = attribute === 'members' ? SCIMMY.Schemas.Group : SCIMMY.Schemas.User;
  const before = new Schema({
    id: '1', userName: 'grace', displayName: 'Grace',
    name: { givenName: 'Grace', familyName: 'Old' },
    emails: [{ value: 'old@example.com', type: 'work' }, { value: 'home@example.com', type: 'home' }],
    members: [{ value: '1' }, { value: '2' }],
  }, 'in');
  const request = new SCIMMY.Messages.PatchOp({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [{ op: 'replace', ...operation }],
  });
  const after = await request.apply(before);
  console.log(`${title}:\n  ${JSON.stringify(after[attribute]).replaceAll('"', '')}`);
}
await show('name, path', 'name', { path: 'name', value: { familyName: 'New' } });
await show('name, no path', 'name', { value: { name: { familyName: 'New' } } });
const emails = [{ value: 'new@example.com', type: 'work' }];
await show('emails, path', 'emails', { path: 'emails', value: emails });
await show('emails, no path', 'emails', { value: { emails } });
await show('members, no path', 'members', { value: { members: [{ value: '2' }] } });
JS

seen=$(node patch.mjs)
printf '%s\n' "$seen"
[[ "$seen" == "name, path:
  {familyName:New}
name, no path:
  {familyName:New,givenName:Grace}
emails, path:
  [{value:new@example.com,type:work}]
emails, no path:
  [{value:old@example.com,type:work},{value:home@example.com,type:home},{value:new@example.com,type:work}]
members, no path:
  [{value:1},{value:2},{value:2}]" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
