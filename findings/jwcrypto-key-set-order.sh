#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jwcrypto 1.6.1 does not keep the order of the keys of a JWK Set: it keeps them in a Python set, so that each process that
# reads a document writes its keys in an order of its own. `keys` is a JSON array (RFC 7517 section 5), whose order an
# expert expects to survive `from_json` and `export`. A provider of several processes that publishes its keys this way gives
# another document, and another hash for an ETag, each time; clients that try keys in the order of the array (python-jose
# goes by it and ignores `kid`) see another first key each time.
#
# Seen with jwcrypto 1.6.1 and cryptography 50.0.2 on Python 3.11.7. Reads and writes one set of eight keys in twelve
# processes, prints how many orders came out, and fails if that changes. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-cache-dir --no-compile --disable-pip-version-check jwcrypto==1.6.1 cryptography==50.0.2

cat >write.py <<'PY'
import json
import sys

from jwcrypto.jwk import JWK, JWKSet

if sys.argv[1] == "new":
    keys = [JWK.generate(kty="EC", crv="P-256", kid=str(number)).export_public(as_dict=True) for number in range(8)]
    print(json.dumps({"keys": keys}))
else:
    with open(sys.argv[1]) as file:
        read = JWKSet.from_json(file.read())
    print(*(key["kid"] for key in json.loads(read.export(private_keys=False))["keys"]))
PY

venv/bin/python write.py new >keys.json
for ((process = 0; process < 12; process++)); do
    venv/bin/python write.py keys.json
done >orders
printf 'In the file: 0 1 2 3 4 5 6 7. Written again:\n'
cat orders
orders=$(sort -u orders | wc -l)
printf '%s orders in 12 processes\n' "$orders"
members=$(tr ' ' '\n' <orders | sort -u | wc -l)
[[ "$members" == 8 ]] || { printf 'A key is missing.\n' >&2; exit 1; }
((orders > 1)) || { printf 'This is no longer so.\n' >&2; exit 1; }
