#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command line tool `jose` 11 makes private keys for ECDH-ES that Web Crypto refuses. RFC 7517 section 4.3 has
# `deriveKey` and `deriveBits` in `key_ops` for a key agreement; `jose jwk gen` writes `wrapKey` and `unwrapKey`, as for a
# key that wraps directly, also for ECDH-ES alone, where nothing is wrapped. `importKey` compares `key_ops` with the usages
# asked for. Without `key_ops` the same key is imported. jose 14 writes the same.
#
# Seen with jose and libjose0 11-2+deb12u1 of Debian 12, and Node.js 20.20.2. Prints the operations and what is imported,
# and fails if that changes. Needs Debian 12 with its packages' mirror and libjansson4, and Node.js 20 or later.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq jose=11-2+deb12u1 libjose0=11-2+deb12u1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
jose() { LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu "$folder/root/usr/bin/jose" "$@"; }

cat >import.mjs <<'JS'
import { readFileSync } from 'node:fs';

const key = JSON.parse(readFileSync(process.argv[2]));
console.log(`key_ops: ${key.key_ops}`);
for (const [name, jwk] of [['as made', key], ['without key_ops', { ...key, key_ops: undefined }]]) {
  const result = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDH', namedCurve: key.crv }, false, ['deriveBits'])
    .then(() => 'imported', (error) => error.name);
  console.log(`${name}: ${result}`);
}
JS

seen=$(
    for algorithm in ECDH-ES ECDH-ES+A128KW; do
        jose jwk gen -i "{\"alg\":\"$algorithm\"}" -o private.jwk
        printf '%s\n' "$algorithm"
        node import.mjs private.jwk
    done
)
printf '%s\n' "$seen"
[[ "$seen" == "ECDH-ES
key_ops: wrapKey,unwrapKey
as made: DataError
without key_ops: imported
ECDH-ES+A128KW
key_ops: wrapKey,unwrapKey
as made: DataError
without key_ops: imported" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
