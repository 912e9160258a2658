#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `key2jwk` of libjwt 3.3.3 makes keys that other libraries refuse. RFC 8037 section 2 says that `x` is there in a private
# Ed25519 key too; it is left out. RFC 7518 section 6.2.1.2 says that a coordinate is as long as the curve's field, 66 octets
# for P-521; leading zeros are left out, which is one key in 128 for P-256 and three in four for P-521, where the first octet
# is 0 or 1. Node.js refuses the first, PyJWT both. Whether an EC key works depends on chance.
#
# Seen with jwt-tools and libjwt14 3.3.3-1 of Debian unstable, python3-jwt 2.6.0-1+deb12u1 of Debian 12 and Node.js 20.20.2.
# Prints the members and who reads them, and fails if that changes. Needs Debian unstable among the sources of apt,
# libjansson4, python3-jwt and Node.js 16 or later.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq jwt-tools=3.3.3-1 libjwt14=3.3.3-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >make.mjs <<'JS'
import { generateKeyPairSync } from 'node:crypto';

// An EC key with one leading octet of zero in x, or with none, and none in y and d.
const [type, wanted] = process.argv.slice(2);
const zeros = (value) => Buffer.from(value, 'base64url').findIndex((octet) => octet !== 0);
for (;;) {
  const { privateKey } = type === 'ed25519' ? generateKeyPairSync(type) : generateKeyPairSync('ec', { namedCurve: type });
  const { x, y, d } = privateKey.export({ format: 'jwk' });
  if (type !== 'ed25519' && (zeros(x) !== (wanted === 'zeros' ? 1 : 0) || zeros(y) || zeros(d))) continue;
  process.stdout.write(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  break;
}
JS

cat >read.mjs <<'JS'
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const [key] = JSON.parse(readFileSync('set.json')).keys;
writeFileSync('key.jwk', JSON.stringify(key));
const result = (read) => { try { read(); return 'reads it'; } catch (error) { return error.code; } };
process.stdout.write(` x ${key.x === undefined ? 'no' : Buffer.from(key.x, 'base64url').length} octets;`);
process.stdout.write(` Node.js ${result(() => createPrivateKey({ key, format: 'jwk' }))};`);
JS

cat >read.py <<'PY'
import json
import jwt

text = open("key.jwk").read()
algorithms = jwt.algorithms.get_default_algorithms()
try:
    algorithms[json.loads(text)["alg"]].from_jwk(text)
    print(" PyJWT reads it")
except jwt.InvalidKeyError as error:
    print(" PyJWT:", error)
PY

seen=$(
    for kind in ed25519 'P-256 whole' 'P-256 zeros' 'P-521 whole' 'P-521 zeros'; do
        printf '%s:' "$kind"
        read -r type wanted <<<"$kind"
        node make.mjs "$type" "$wanted" >key.pem
        LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu root/usr/bin/key2jwk -q -o - key.pem >set.json
        node read.mjs
        /usr/bin/python3 read.py
    done
)
printf '%s\n' "$seen"
[[ "$seen" == 'ed25519: x no octets; Node.js ERR_INVALID_ARG_TYPE; PyJWT: OKP should have "x" parameter
P-256 whole: x 32 octets; Node.js reads it; PyJWT reads it
P-256 zeros: x 31 octets; Node.js reads it; PyJWT: Coords should be 32 bytes for curve P-256
P-521 whole: x 66 octets; Node.js reads it; PyJWT reads it
P-521 zeros: x 65 octets; Node.js reads it; PyJWT: Coords should be 66 bytes for curve P-521' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
