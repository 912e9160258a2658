#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# firebase-tools 15.34.2, `auth:export` and `auth:import`: files that are taken for a full copy of the users are not. A link
# with an OpenID Connect or SAML provider (`oidc.…`, `saml.…`) is in neither format, without a warning, and import refuses a
# JSON file that has one. CSV has no second factors. In CSV only the names are quoted: a comma in a photo's URL moves each
# following column, so that import makes the rest of the URL the user's Google account and the phone number the value of
# `disabled`. A quote in a custom claim ends its column early, and a reader of RFC 4180 refuses the whole file.
#
# Seen with firebase-tools 15.34.2 and csv-parse 7.0.3, which import uses, on Node.js 20.20.2. The script's server is the
# answer of the API; only the parts for accounts are loaded. Prints what import gets from an exported user, and fails if that
# changes. Needs Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact --ignore-scripts csv-parse@7.0.3 undici@6.29.1 retry@0.13.1 \
    colorette@2.0.20 form-data@4.0.6 jsonwebtoken@9.0.3 open@6.4.0 portfinder@1.0.38 configstore@5.0.1 lodash@4.18.1 \
    fs-extra@10.1.0 yaml@2.9.1 ora@5.4.1 winston@3.19.0 triple-beam@1.4.1 @inquirer/prompts@7.10.1 \
    google-auth-library@9.15.1
npm pack --silent firebase-tools@15.34.2 >/dev/null
mkdir node_modules/firebase-tools
tar -xzf firebase-tools-15.34.2.tgz --strip-components=1 -C node_modules/firebase-tools

cat >export.js <<'JS'
const http = require('node:http');
const { PassThrough } = require('node:stream');
const { parse } = require('csv-parse/sync');

const users = {
  links: { localId: '1', providerUserInfo: ['google.com', 'oidc.acme'].map((providerId) => ({ providerId, rawId: '7' })) },
  photo: { localId: '2', photoUrl: 'https://example.com/w_64,h_64/2.jpg', phoneNumber: '+15555550100' },
  claims: { localId: '3', customAttributes: JSON.stringify({ title: 'the "first"' }) },
  factor: { localId: '4', mfaInfo: [{ mfaEnrollmentId: 'm', phoneInfo: '+15555550101' }] },
};
let user;
const server = http.createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ users: [user] }));
});
server.listen(0, '127.0.0.1', async () => {
  process.env.FIREBASE_GOOGLE_URL = `http://127.0.0.1:${server.address().port}`;
  require('firebase-tools/lib/apiv2').setAccessToken('token');
  const { serialExportUsers } = require('firebase-tools/lib/accountExporter');
  const { transArrayToUser } = require('firebase-tools/lib/accountImporter');
  for (const title of Object.keys(users)) {
    user = users[title];
    for (const format of ['json', 'csv']) {
      const writeStream = new PassThrough();
      await serialExportUsers('project', { format, writeStream, batchSize: 100 });
      const text = writeStream.end().read().toString();
      let read;
      try {
        read = format === 'json' ? JSON.parse(text) : transArrayToUser(parse(text)[0]);
      } catch (error) {
        read = error.code;
      }
      const kept = JSON.stringify(read, (key, value) => (value === '' || value === false ? undefined : value));
      console.log(`${title}, ${format}: ${kept.replace(/["\\]/g, '')}`);
    }
  }
  server.close();
});
JS
seen=$(node export.js)
printf '%s\n' "$seen"
[[ "$seen" == "links, json: {localId:1,providerUserInfo:[{providerId:google.com,rawId:7}]}
links, csv: {localId:1,providerUserInfo:[{providerId:google.com,rawId:7}]}
photo, json: {localId:2,photoUrl:https://example.com/w_64,h_64/2.jpg,phoneNumber:+15555550100}
photo, csv: {localId:2,photoUrl:https://example.com/w_64,providerUserInfo:[{providerId:google.com,rawId:h_64/2.jpg}],\
disabled:+15555550100}
claims, json: {localId:3,customAttributes:{title:the first}}
claims, csv: CSV_INVALID_CLOSING_QUOTE
factor, json: {localId:4,mfaInfo:[{mfaEnrollmentId:m,phoneInfo:+15555550101}]}
factor, csv: {localId:4,providerUserInfo:[]}" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
