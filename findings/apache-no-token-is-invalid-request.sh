#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Apache's mod_auth_openidc 2.4.12 (`AuthType oauth20`) and mod_oauth2 3.3 answer a request that has no token with 401 and
# `error="invalid_request"`. RFC 6750 section 3.1: a response to a request without authentication information should not
# have an error code, and `invalid_request` goes with 400. A client that begins without a token, to learn from the
# challenge what is asked for, and that takes an error code for one of its own faults, gives up.
#
# Seen with Debian 12's libapache2-mod-auth-openidc 2.4.12.3-2+deb12u5 and libapache2-mod-oauth2 3.3.1-1. Prints the answers,
# and fails if they change. Needs Debian's apache2-bin with both modules, python3 and curl.
set -euo pipefail

folder=$(mktemp -d)
chmod 755 "$folder"
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
key=01234567890123456789012345678901
{
    for module in mpm_event authn_core authz_core authz_user auth_openidc oauth2; do
        printf 'LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n' "$module" "$module"
    done
    cat <<CONF
DefaultRuntimeDir $folder
PidFile $folder/pid
ErrorLog $folder/log
ServerName localhost
Listen 127.0.0.1:$port
User nobody
OIDCOAuthVerifySharedKeys plain#key#$key
OIDCCryptoPassphrase passphrase
<Location /mod_auth_openidc>
AuthType oauth20
Require valid-user
</Location>
<Location /mod_oauth2>
AuthType oauth2
OAuth2TokenVerify plain $key
Require valid-user
</Location>
CONF
} >httpd.conf
apache2 -X -f "$folder/httpd.conf" &
until curl -s -o /dev/null "http://127.0.0.1:$port/"; do sleep 0.1; done

seen=$(
    for module in mod_auth_openidc mod_oauth2; do
        for what in 'no token' 'no JWT'; do
            fields=()
            [[ "$what" == 'no token' ]] || fields=(-H 'Authorization: Bearer text')
            printf '%s, %s: ' "$module" "$what"
            curl -sS -D - -o /dev/null "${fields[@]}" "http://127.0.0.1:$port/$module" | tr -d '\r' \
                | sed -nE 's/^HTTP[^ ]* ([0-9]+).*/\1/p; s/^WWW-Authenticate: ([^,]*).*/\1/p' | paste -s -d ' '
        done
    done
)
printf '%s\n' "$seen"
[[ "$seen" == 'mod_auth_openidc, no token: 401 Bearer error="invalid_request"
mod_auth_openidc, no JWT: 401 Bearer error="invalid_token"
mod_oauth2, no token: 401 Bearer error="invalid_request"
mod_oauth2, no JWT: 401 Bearer error="invalid_token"' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
