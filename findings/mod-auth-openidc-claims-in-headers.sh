#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Apache's mod_auth_openidc 2.4.12 and its author's mod_oauth2 3.3 give an application the same token in different headers.
# RFC 7519 section 4: claims are any JSON value. The first joins arrays with commas, so that the groups "CN=a,OU=b" and "c"
# look like three, leaves numbers out of an array, and has 1 for true and six decimals for a fraction. The second has
# JSON. An application that compares `email_verified` with `true` works behind one of them.
#
# Seen with Debian 12's libapache2-mod-auth-openidc 2.4.12.3-2+deb12u5 and libapache2-mod-oauth2 3.3.1-1. Prints the headers,
# and fails if they change. Needs Debian's apache2-bin with both modules, python3, openssl and curl.
set -euo pipefail
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
cat >application.py <<'PY'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        for name in ('email_verified', 'groups', 'levels', 'fraction'):
            self.wfile.write(f'{name}: {self.headers.get("OIDC_CLAIM_" + name)}\n'.encode())
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
open('port', 'w').write(str(server.server_port))
server.serve_forever()
PY
python3 application.py &
key=01234567890123456789012345678901
free=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
until [[ -s port ]]; do sleep 0.1; done
{
    for module in mpm_event authn_core authz_core authz_user proxy proxy_http auth_openidc oauth2; do
        printf 'LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n' "$module" "$module"
    done
    cat <<CONF
DefaultRuntimeDir $folder
PidFile $folder/pid
ErrorLog $folder/log
ServerName localhost
Listen 127.0.0.1:$free
User nobody
OIDCOAuthVerifySharedKeys plain#key#$key
OIDCCryptoPassphrase passphrase
ProxyPass / http://127.0.0.1:$(<port)/
OAuth2TokenVerify plain $key
OAuth2TargetPass prefix=OIDC_CLAIM_
<Location /mod_auth_openidc>
AuthType oauth20
Require valid-user
</Location>
<Location /mod_oauth2>
AuthType oauth2
Require valid-user
</Location>
CONF
} >httpd.conf
apache2 -X -f "$folder/httpd.conf" &
until curl -s -o /dev/null "http://127.0.0.1:$free/"; do sleep 0.1; done
encode() { openssl base64 -A | tr +/ -_ | tr -d =; }
claims='"email_verified":true,"groups":["CN=a,OU=b","c"],"levels":[true,7,"x"],"fraction":1.5'
signed=$(printf '{"alg":"HS256","kid":"key"}' | encode).$(printf '{"sub":"u","iat":%d,"exp":%d,%s}' "$EPOCHSECONDS" $((EPOCHSECONDS + 600)) "$claims" | encode)
token=$signed.$(printf %s "$signed" | openssl dgst -sha256 -hmac "$key" -binary | encode)
seen=$(for module in mod_auth_openidc mod_oauth2; do
    printf '%s\n' "$module"
    curl -sS -H "Authorization: Bearer $token" "http://127.0.0.1:$free/$module"
done)
printf '%s\n' "$seen"
[[ "$seen" == 'mod_auth_openidc
email_verified: 1
groups: CN=a,OU=b,c
levels: 1,x
fraction: 1.500000
mod_oauth2
email_verified: true
groups: ["CN=a,OU=b", "c"]
levels: [true, 7, "x"]
fraction: 1.5' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
