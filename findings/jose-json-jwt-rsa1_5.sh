#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command line tool `jose` 11 of Debian 12 and the Ruby gem json-jwt 1.14.0 encrypt to an RSA key with RSA1_5 if nothing
# is said. RFC 8725 section 3.2 says to avoid RSA-PKCS1 v1.5 and to prefer RSA-OAEP, and the npm package jose 6.1.0, as
# others, has no RSA1_5: what was encrypted with the defaults is not read there. The gem overrules a JWK whose `alg` is
# RSA-OAEP. The tool, as it was built for Debian 12, has no RSA-OAEP at all, which RFC 7518 section 4.1 has as
# Recommended+, so that it does not read what others encrypt. The tool of version 14 writes and reads RSA-OAEP; json-jwt
# 1.17.2 still writes RSA1_5.
#
# Seen with jose and libjose0 11-2+deb12u1 and ruby-json-jwt 1.14.0-2 of Debian 12, and jose 6.1.0 on Node.js 20.20.2. Prints
# who writes what and what is read, and fails if that changes. Needs Debian 12 with its packages' mirror, libjansson4,
# ruby-json-jwt, jq, Node.js 20 or later with npm, and the npm registry.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
dpkg-query -W ruby-json-jwt
apt-get download -qq jose=11-2+deb12u1 libjose0=11-2+deb12u1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
jose() { LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu "$folder/root/usr/bin/jose" "$@"; }
printf '{"private": true}\n' >package.json
npm install --silent --no-audit --no-fund --save-exact jose@6.1.0


cat >encrypt.rb <<'RB'
require 'json/jwt'
puts JSON::JWT.new(sub: 'user').encrypt(JSON::JWK.new(JSON.parse(File.read('public.jwk'))))
RB

cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { compactDecrypt, decodeProtectedHeader, importJWK } from 'jose';

const [name, token] = process.argv.slice(2);
const key = await importJWK({ ...JSON.parse(readFileSync('private.jwk')), key_ops: undefined }, 'RSA-OAEP');
const result = await compactDecrypt(token, key).then(() => 'reads it', (error) => error.message);
console.log(`${name}: ${decodeProtectedHeader(token).alg}; jose for JavaScript: ${result}`);
JS

cat >write.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { CompactEncrypt, importJWK } from 'jose';

const key = await importJWK({ ...JSON.parse(readFileSync('public.jwk')), key_ops: undefined }, 'RSA-OAEP');
console.log(await new CompactEncrypt(Buffer.from('{}')).setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A128CBC-HS256' }).encrypt(key));
JS

seen=$(
    jose jwk gen -i '{"kty":"RSA","bits":2048}' -o private.jwk
    jose jwk pub -i private.jwk -o public.jwk
    printf 'algorithms of the tool: %s\n' "$(jose alg | grep ^RSA | paste -sd' ')"
    node read.mjs 'the tool' "$(printf '{"sub":"user"}' | jose jwe enc -I - -k public.jwk -c)"
    node write.mjs | jose jwe dec -i - -k private.jwk && echo 'the tool reads RSA-OAEP' || echo 'the tool does not read RSA-OAEP'
    node read.mjs 'json-jwt' "$(ruby encrypt.rb)"
    jq -c '.alg = "RSA-OAEP"' public.jwk >named.jwk
    mv named.jwk public.jwk
    node read.mjs 'json-jwt, key for RSA-OAEP' "$(ruby encrypt.rb)"
)
printf '%s\n' "$seen"
[[ "$seen" == 'algorithms of the tool: RSA1_5
the tool: RSA1_5; jose for JavaScript: Invalid or unsupported "alg" (JWE Algorithm) header value
the tool does not read RSA-OAEP
json-jwt: RSA1_5; jose for JavaScript: Invalid or unsupported "alg" (JWE Algorithm) header value
json-jwt, key for RSA-OAEP: RSA1_5; jose for JavaScript: Invalid or unsupported "alg" (JWE Algorithm) header value' ]] ||
    { printf 'This is no longer so.\n' >&2; exit 1; }
