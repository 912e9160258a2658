#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# glewlwyd 2.7.5 percent-encodes the values of a response by `form_post`, though a browser encodes a form again. Form Post
# Response Mode section 2: the parameters are HTML form values. `iss` (RFC 9207), which it sends if told to, arrives as
# `https%3A%2F%2F…`, and a client must refuse it as another issuer; a `state` with a slash, a space or `=`, as base64 has it,
# is not the one that was sent. The same response by `query` is right.
#
# Seen with Debian 12's glewlwyd 2.7.5-3+deb12u1. Prints what a client reads, and fails if that changes. Needs Debian's
# glewlwyd, sqlite3 and python3.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
zcat -f /usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz | sqlite3 database
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >glewlwyd.conf <<CONF
port=$port
bind_address="127.0.0.1"
external_url="http://127.0.0.1:$port"
api_prefix="api"
log_mode="file"
log_level="NONE"
log_file="$folder/log"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
database = { type = "sqlite3" path = "$folder/database" };
CONF
glewlwyd --config-file="$folder/glewlwyd.conf" >/dev/null 2>&1 &
until (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.1; done

cat >sign_in.py <<'PY'
import html.parser, http.cookiejar, json, sys, urllib.error, urllib.parse, urllib.request

API = f'http://127.0.0.1:{sys.argv[1]}/api'
CALLBACK = 'https://app.example/callback'

class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_): return None

class Form(html.parser.HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.fields = {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == 'input': self.fields[dict(attributes)['name']] = dict(attributes)['value']

def browser(user):
    opener = urllib.request.build_opener(NoRedirects, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    send(opener, '/auth/', {'username': user, 'password': 'password'})
    return opener

def send(opener, path, body, method='POST'):
    headers = {'Content-Type': 'application/json'}
    opener.open(urllib.request.Request(API + path, json.dumps(body).encode(), headers, method=method)).read()

admin = browser('admin')
names = ('token', 'id-token', 'password', 'client', 'refresh')
send(admin, '/mod/plugin/', {'module': 'oidc', 'name': 'oidc', 'display_name': 'oidc', 'parameters': {
    'iss': API + '/oidc', 'jwt-type': 'sha', 'jwt-key-size': '256', 'key': 'a secret of thirty-two characters',
    'access-token-duration': 600, 'refresh-token-duration': 600, 'code-duration': 60, 'refresh-token-rolling': True,
    'allow-non-oidc': True, 'oauth-as-iss-id': True, 'auth-type-code-enabled': True,
    **{f'auth-type-{name}-enabled': False for name in names}}})
send(admin, '/client/', {'client_id': 'app', 'name': 'app', 'client_secret': 'secret', 'confidential': True, 'enabled': True,
                         'authorization_type': ['code'], 'redirect_uri': [CALLBACK]})
send(admin, '/user/', {'username': 'user', 'password': 'password', 'enabled': True, 'scope': ['openid']})
user = browser('user')
send(user, '/auth/grant/app', {'scope': 'openid'}, 'PUT')

sent = {'iss': API + '/oidc', 'state': 'a b/c='}
for mode in ('query', 'form_post'):
    query = {'client_id': 'app', 'redirect_uri': CALLBACK, 'response_type': 'code', 'scope': 'openid', 'nonce': 'a-nonce',
             'state': sent['state'], 'response_mode': mode}
    # What the page to sign in opens when it is done.
    address = f'{API}/oidc/auth?{urllib.parse.urlencode(query)}&g_continue'
    try:
        read = Form(user.open(address).read().decode()).fields
    except urllib.error.HTTPError as redirect:
        read = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(redirect.headers['Location']).query))
    for name, value in sent.items():
        found = 'as it is' if read[name] == value else read[name].replace(sys.argv[1], 'port')
        print(f'{mode}, {name}: {found}')
PY

seen=$(python3 sign_in.py "$port")
printf '%s\n' "$seen"
[[ "$seen" == "query, iss: as it is
query, state: as it is
form_post, iss: http%3A%2F%2F127.0.0.1%3Aport%2Fapi%2Foidc
form_post, state: a+b%2Fc%3D" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
