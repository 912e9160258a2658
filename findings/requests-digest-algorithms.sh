#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# python-requests 2.28.1: a digest challenge with an algorithm that it does not know is a TypeError, not the 401. RFC 7616
# section 3.3: a challenge with an unknown algorithm is ignored, and SHA-512-256 and the `-sess` forms are of that
# document. Of two challenges, which section 3.7 says to take the first of that is supported, since the server begins with
# the one it prefers, the last is answered: MD5 where SHA-256 is preferred, and an exception where the last is unknown.
#
# Seen with Debian 12's python3-requests 2.28.1+dfsg-1. Prints what comes of each challenge, and fails if that changes. Needs
# Debian's python3-requests.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >digest.py <<'PY'
import http.server
import re
import threading

import requests

challenges, answered = [], None

class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        global answered
        authorization = self.headers['Authorization']
        if authorization: answered = re.search('algorithm="([^"]*)"', authorization).group(1)
        self.send_response(200 if authorization else 401)
        if not authorization:
            for algorithm in challenges:
                self.send_header('WWW-Authenticate', f'Digest realm="r", qop="auth", algorithm={algorithm}, nonce="{algorithm}"')
        self.send_header('Content-Length', '0')
        self.end_headers()

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print('requests', requests.__version__)
for challenges in (['SHA-256'], ['SHA-512-256'], ['SHA-256-sess'], ['SHA-256', 'MD5'], ['SHA-512-256', 'SHA-256'],
                   ['SHA-256', 'SHA-512-256']):
    answered = None
    try:
        status = requests.get(f'http://127.0.0.1:{server.server_port}/', auth=requests.auth.HTTPDigestAuth('u', 'p')).status_code
        print(f'{", ".join(challenges)}: {status} with {answered}')
    except Exception as error:
        print(f'{", ".join(challenges)}: {type(error).__name__}')
PY
seen=$(/usr/bin/python3 digest.py)
printf '%s\n' "$seen"
[[ "$seen" == "requests 2.28.1
SHA-256: 200 with SHA-256
SHA-512-256: TypeError
SHA-256-sess: TypeError
SHA-256, MD5: 200 with MD5
SHA-512-256, SHA-256: 200 with SHA-256
SHA-256, SHA-512-256: TypeError" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
