#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# glewlwyd 2.7.5 has pushed requests (RFC 9126) that are not the same as others. `response_mode` of a pushed request is
# forgotten, so that a client that asked for `form_post` gets a query; not pushed, it counts. With a mandatory DPoP nonce the
# endpoint for pushed requests refuses a proof without one, 403 `invalid_dpop_proof`, and does not send the nonce; RFC 9449
# section 8 has 400 `use_dpop_nonce` with `DPoP-Nonce`, which its token endpoint sends. A client that proves its key there
# (section 10.1) cannot begin.
#
# Seen with Debian 12's glewlwyd 2.7.5-3+deb12u1. Prints the answers, and fails if they change. Needs Debian's glewlwyd,
# sqlite3, openssl and python3.
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

openssl genrsa -out key.pem 2048 2>/dev/null

cat >sign_in.py <<'PY'
import base64, http.cookiejar, json, subprocess, sys, time, urllib.error, urllib.parse, urllib.request

API = f'http://127.0.0.1:{sys.argv[1]}/api'
CALLBACK = 'https://app.example/callback'

class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_): return None

def browser(user):
    opener = urllib.request.build_opener(NoRedirects, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    send(opener, '/auth/', {'username': user, 'password': 'password'})
    return opener

def send(opener, path, body, method='POST'):
    headers = {'Content-Type': 'application/json'}
    opener.open(urllib.request.Request(API + path, json.dumps(body).encode(), headers, method=method)).read()

def answer(opener, address, form=None, headers={}):
    try:
        return opener.open(urllib.request.Request(address, form and urllib.parse.urlencode(form).encode(), headers))
    except urllib.error.HTTPError as error:
        return error

def part(data): return base64.urlsafe_b64encode(data).rstrip(b'=')

def openssl(*arguments, data=None): return subprocess.run(['openssl', *arguments], input=data, capture_output=True).stdout

def proof(address):
    modulus = bytes.fromhex(openssl('rsa', '-in', 'key.pem', '-noout', '-modulus').decode().strip().split('=')[1])
    key = {'kty': 'RSA', 'e': 'AQAB', 'n': part(modulus).decode()}
    claims = {'jti': str(time.time_ns()), 'htm': 'POST', 'htu': address, 'iat': int(time.time())}
    text = b'.'.join(part(json.dumps(it).encode()) for it in ({'typ': 'dpop+jwt', 'alg': 'RS256', 'jwk': key}, claims))
    return (text + b'.' + part(openssl('dgst', '-sha256', '-sign', 'key.pem', data=text))).decode()

admin = browser('admin')
names = ('token', 'id-token', 'password', 'client', 'refresh')
for name, has_nonce in (('oidc', False), ('nonce', True)):
    send(admin, '/mod/plugin/', {'module': 'oidc', 'name': name, 'display_name': name, 'parameters': {
        'iss': f'{API}/{name}', 'jwt-type': 'sha', 'jwt-key-size': '256', 'key': 'a secret of thirty-two characters',
        'access-token-duration': 600, 'refresh-token-duration': 600, 'code-duration': 60, 'refresh-token-rolling': True,
        'allow-non-oidc': True, 'auth-type-code-enabled': True, 'oauth-par-allowed': True, 'oauth-par-required': False,
        'oauth-par-request_uri-prefix': 'urn:ietf:params:oauth:request_uri:', 'oauth-par-duration': 60,
        'oauth-dpop-allowed': True, 'oauth-dpop-iat-duration': 60, 'oauth-dpop-nonce-mandatory': has_nonce,
        'oauth-dpop-nonce-counter': 5, **{f'auth-type-{name}-enabled': False for name in names}}})
send(admin, '/client/', {'client_id': 'app', 'name': 'app', 'client_secret': 'secret', 'confidential': True, 'enabled': True,
                         'authorization_type': ['code'], 'redirect_uri': [CALLBACK],
                         'token_endpoint_auth_method': ['client_secret_post']})
send(admin, '/user/', {'username': 'user', 'password': 'password', 'enabled': True, 'scope': ['openid']})
user = browser('user')
send(user, '/auth/grant/app', {'scope': 'openid'}, 'PUT')
app = urllib.request.build_opener()

request = {'client_id': 'app', 'redirect_uri': CALLBACK, 'response_type': 'code', 'scope': 'openid', 'nonce': 'a-nonce',
           'state': 'a-state', 'response_mode': 'form_post'}
secret = {'client_secret': 'secret'}
pushed = json.load(answer(app, f'{API}/oidc/par', request | secret))['request_uri']
for name, query in (('form_post', request), ('form_post, pushed', {'client_id': 'app', 'request_uri': pushed})):
    # What the page to sign in opens when it is done.
    response = answer(user, f'{API}/oidc/auth?{urllib.parse.urlencode(query)}&g_continue')
    print(f'{name}: {response.status}', 'with a query' if '?' in response.headers.get('Location', '') else 'with a form')

code = urllib.parse.parse_qs(urllib.parse.urlsplit(answer(user, f'{API}/nonce/auth?' + urllib.parse.urlencode(
    request | {'response_mode': 'query'}) + '&g_continue').headers['Location']).query)['code'][0]
redemption = {'grant_type': 'authorization_code', 'client_id': 'app', 'redirect_uri': CALLBACK, 'code': code}
for path, form in (('token', redemption), ('par', request)):
    address = f'{API}/nonce/{path}'
    response = answer(app, address, form | secret, {'DPoP': proof(address)})
    print(f'proof without a nonce, {path}: {response.status} {json.load(response)["error"]},',
          'DPoP-Nonce' if response.headers['DPoP-Nonce'] else 'no DPoP-Nonce')
PY

seen=$(python3 sign_in.py "$port")
printf '%s\n' "$seen"
[[ "$seen" == "form_post: 200 with a form
form_post, pushed: 302 with a query
proof without a nonce, token: 400 use_dpop_nonce, DPoP-Nonce
proof without a nonce, par: 403 invalid_dpop_proof, no DPoP-Nonce" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
