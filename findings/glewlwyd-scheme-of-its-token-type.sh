#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# glewlwyd 2.7.5 issues tokens with `"token_type":"bearer"`, and its UserInfo accepts them as `Bearer`, not as `bearer`. RFC
# 9110 section 11.1: authentication schemes are compared without case; RFC 6749 section 7.1 lets a client take the scheme
# from `token_type`. A client that writes that word as it came gets 401, and nothing says why: the answer has neither
# `WWW-Authenticate`, which RFC 6750 section 3 requires, nor a body. `Bearer` with another token gets the same answer.
#
# Seen with Debian 12's glewlwyd 2.7.5-3+deb12u1. Prints the answers, and fails if they change. Needs Debian's glewlwyd,
# sqlite3 and python3.
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
import http.cookiejar, json, sys, urllib.error, urllib.parse, urllib.request

API = f'http://127.0.0.1:{sys.argv[1]}/api'
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

def post(path, body):
    request = urllib.request.Request(API + path, json.dumps(body).encode(), {'Content-Type': 'application/json'})
    return browser.open(request).read()

post('/auth/', {'username': 'admin', 'password': 'password'})
names = ('code', 'token', 'id-token', 'client', 'refresh')
post('/mod/plugin/', {'module': 'oidc', 'name': 'oidc', 'display_name': 'oidc', 'parameters': {
    'iss': API + '/oidc', 'jwt-type': 'sha', 'jwt-key-size': '256', 'key': 'a secret of thirty-two characters',
    'access-token-duration': 600, 'refresh-token-duration': 600, 'code-duration': 60, 'refresh-token-rolling': True,
    'allow-non-oidc': True, 'auth-type-password-enabled': True, **{f'auth-type-{name}-enabled': False for name in names}}})
post('/client/', {'client_id': 'app', 'name': 'app', 'client_secret': 'secret', 'confidential': True, 'enabled': True,
                  'authorization_type': ['password'], 'token_endpoint_auth_method': ['client_secret_post']})
post('/user/', {'username': 'user', 'password': 'password', 'enabled': True, 'scope': ['openid']})

form = {'grant_type': 'password', 'client_id': 'app', 'client_secret': 'secret', 'username': 'user', 'password': 'password',
        'scope': 'openid'}
issued = json.load(urllib.request.urlopen(API + '/oidc/token', urllib.parse.urlencode(form).encode()))
print('token_type:', issued['token_type'])
for scheme, token in (('Bearer', issued['access_token']), ('bearer', issued['access_token']), ('Bearer', 'another')):
    request = urllib.request.Request(API + '/oidc/userinfo', headers={'Authorization': f'{scheme} {token}'})
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = error
    name = 'the token' if token == issued['access_token'] else token
    print(f'{scheme} {name}: {answer.status}, {answer.headers.get("WWW-Authenticate")}, {len(answer.read()) > 0}')
PY

seen=$(python3 sign_in.py "$port")
printf '%s\n' "$seen"
[[ "$seen" == "token_type: bearer
Bearer the token: 200, None, True
bearer the token: 401, None, False
Bearer another: 401, None, False" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
