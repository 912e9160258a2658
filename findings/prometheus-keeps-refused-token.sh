#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prometheus 2.42 with `oauth2` keeps an access token that its target refuses. RFC 6750 section 3.1: after 401 with
# `invalid_token` a client may request a new access token and retry. Prometheus sends the same one at every scrape, until
# what `expires_in` said is over, and for good where the token endpoint leaves it out, which RFC 6749 section 5.1 allows. A
# sign-in server that loses its tokens at a restart, or ends them, takes its own metrics away. A reload of the unchanged
# configuration does not help, one in which `oauth2` changed does.
#
# Seen with Debian 12's prometheus 2.42.0+ds-5+deb12u1. Prints what the servers saw, and fails if that changes. Needs
# prometheus and python3.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
prometheus --version | sed -n 1p
cat >servers.py <<'PY'
import http.server, json

granted, scrapes = 0, []
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in [('Content-Length', str(len(body))), *headers]: self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        global granted
        granted += 1
        token = json.dumps({'access_token': f'token{granted}', 'token_type': 'Bearer'}).encode()
        self.answer(200, token, [('Content-Type', 'application/json')])

    def do_GET(self):
        if self.path == '/seen': return self.answer(200, f'{granted} {len(scrapes)} {scrapes.count(200)}'.encode())
        # The first token ends after two scrapes.
        ended = self.headers['Authorization'] == 'Bearer token1' and len(scrapes) >= 2
        scrapes.append(401 if ended else 200)
        challenge = [('WWW-Authenticate', 'Bearer error="invalid_token"')] if ended else []
        self.answer(scrapes[-1], b'' if ended else b'sign_ins 1\n', [('Content-Type', 'text/plain'), *challenge])

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
open('port', 'w').write(str(server.server_port))
server.serve_forever()
PY
python3 servers.py &
running=("$!")
until [[ -s port ]]; do sleep 0.1; done
base=127.0.0.1:$(<port)
configure() { # scopes
    cat >prometheus.yml <<YAML
global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
- {job_name: sign-in, static_configs: [{targets: ["$base"]}],
   oauth2: {client_id: prometheus, client_secret: s, scopes: [$1], token_url: "http://$base/token"}}
YAML
}
configure metrics
prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=127.0.0.1:0 --log.level=error &
running+=("$!")
tokens() { # when, scrapes to wait for
    local granted scrapes fine target
    target=$(($(curl -fsS "http://$base/seen" | cut -d ' ' -f 2) + $2))
    until read -r granted scrapes fine < <(curl -fsS "http://$base/seen"; echo); ((scrapes >= target)); do sleep 0.5; done
    printf '%s: %d tokens, answered scrapes %s\n' "$1" "$granted" "$fine"
}
seen=$(tokens 'the token ended' 8)
kill -HUP "${running[1]}"
seen+=$'\n'$(tokens 'reloaded' 5)
configure 'metrics, more'
kill -HUP "${running[1]}"
sleep 3
seen+=$'\n'$(tokens 'reloaded with a change' 0 | sed 's/scrapes .*/scrapes more/')
printf '%s\n' "$seen"
[[ "$seen" == "the token ended: 1 tokens, answered scrapes 2
reloaded: 1 tokens, answered scrapes 2
reloaded with a change: 2 tokens, answered scrapes more" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
