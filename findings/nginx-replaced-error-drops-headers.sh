#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# nginx 1.22: a page of one's own for an error of the upstream costs the error's meaning. With `proxy_intercept_errors` and
# `error_page 401 429 503`, the status stays and `Retry-After` is gone, with which RFC 6585 and RFC 9110 section 10.2.3 say
# when to ask again. Of several `WWW-Authenticate` only the first is left, also where `auth_request` passes a 401 on, of
# which its page says that the client receives the header: a protected resource that takes bearer and DPoP tokens
# (RFC 9449 section 7.1) then offers bearer alone. Without a page of one's own all of it arrives.
#
# Seen with Debian 12's nginx 1.22.1-9+deb12u11. Prints what arrives, and fails if that changes. Needs nginx with
# auth_request, curl and python3.
set -euo pipefail

folder=$(mktemp -d)
chmod 755 "$folder"
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
nginx -v 2>&1
cat >upstream.py <<'PY'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        status = int(self.path[-3:])
        self.send_response(status)
        fields = [('WWW-Authenticate', 'Bearer'), ('WWW-Authenticate', 'DPoP algs="ES256"')] if status == 401 else [('Retry-After', '7')]
        for name, value in [*fields, ('Content-Length', '0')]: self.send_header(name, value)
        self.end_headers()

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
open('port', 'w').write(str(server.server_port))
server.serve_forever()
PY
python3 upstream.py &
until [[ -s port ]]; do sleep 0.1; done

cat >nginx.conf <<CONF
daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
events {}
http {
    access_log off;
    client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;
    server {
        listen unix:$folder/socket;
        location /passed/ { proxy_pass http://127.0.0.1:$(<port)/; }
        location /intercepted/ {
            proxy_pass http://127.0.0.1:$(<port)/;
            proxy_intercept_errors on;
            error_page 401 429 503 /page.html;
        }
        location = /page.html { internal; return 200; }
        location /asked/ { auth_request /question; }
        location = /question { internal; proxy_pass http://127.0.0.1:$(<port)/401; }
    }
}
CONF
nginx -p "$folder" -c nginx.conf 2>/dev/null &
until [[ -S socket ]]; do sleep 0.1; done

seen=$(
    for path in passed/401 intercepted/401 asked/401 passed/429 intercepted/429 passed/503 intercepted/503; do
        printf '%s:' "$path"
        curl -sS -D - -o /dev/null --unix-socket socket "http://localhost/$path" | tr -d '\r' \
            | sed -nE 's/^HTTP[^ ]* ([0-9]+).*/ \1/p; s/^((WWW-Authenticate|Retry-After): .*)/, \1/p' | tr -d '\n'
        echo
    done
)
printf '%s\n' "$seen"
[[ "$seen" == 'passed/401: 401, WWW-Authenticate: Bearer, WWW-Authenticate: DPoP algs="ES256"
intercepted/401: 401, WWW-Authenticate: Bearer
asked/401: 401, WWW-Authenticate: Bearer
passed/429: 429, Retry-After: 7
intercepted/429: 429
passed/503: 503, Retry-After: 7
intercepted/503: 503' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
