#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Dovecot 2.3.19 with `introspection_mode = local` refuses JWT access tokens that name themselves as such. RFC 9068 section
# 2.1 has `typ` at+jwt for them; Dovecot takes `JWT` alone, in capitals. RFC 7519 section 5.1 makes `typ` optional, and media
# types are compared without case. It also wants whole numbers for dates, where section 2 lets a NumericDate have a
# fraction. A provider that begins to follow RFC 9068, as most let one choose, ends the sign-in of all mail clients
# (XOAUTH2, OAUTHBEARER). The same key and claims with `JWT` are accepted.
#
# Seen with Debian 12's dovecot-core 1:2.3.19.1+dfsg1-2.1+deb12u7. Prints what is accepted, and fails if that changes. Needs
# Debian 12 with its packages' mirror and dovecot-core's libraries, openssl, and root for a mount namespace of its own.
set -euo pipefail

if [[ -z "${1:-}" ]]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    unshare --mount bash "$(realpath "$0")" "$folder"
    exit
fi
folder=$1
trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT
cd "$folder"
chmod 755 . # for Dovecot's user
apt-get download -qq dovecot-core=1:2.3.19.1+dfsg1-2.1+deb12u7 >/dev/null 2>&1
dpkg -x ./*.deb root
mount -t overlay overlay -o lowerdir="$folder/root/usr:/usr" /usr # Dovecot looks for its parts below /usr

mkdir -p run keys/default/RS256
openssl genrsa -out key.pem 2048 2>/dev/null
openssl rsa -in key.pem -pubout -out keys/default/RS256/default 2>/dev/null
cat >oauth2.conf <<CONF
introspection_mode = local
local_validation_key_dict = fs:posix:prefix=$folder/keys/
issuers = https://op.example
username_attribute = sub
CONF
cat >dovecot.conf <<CONF
base_dir = $folder/run
state_dir = $folder/run
log_path = $folder/log
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = daemon
auth_failure_delay = 0
protocols =
ssl = no
passdb {
  driver = oauth2
  args = $folder/oauth2.conf
}
userdb {
  driver = static
  args = uid=65534 gid=65534 home=/nonexistent
}
CONF
dovecot -F -c dovecot.conf &
until [[ -S run/auth-client ]]; do sleep 0.1; done

part() { openssl base64 -A | tr +/ -_ | tr -d =; }
now=$(date +%s)
try() {
    local token
    token=$(printf '{"alg":"RS256"%s}' "$1" | part).$(printf '{"iss":"https://op.example","sub":"user","exp":%s}' "$2" | part)
    token+=.$(printf %s "$token" | openssl dgst -sha256 -sign key.pem -binary | part)
    printf '%s, exp %s: ' "${1:-,no typ}" "$2"
    if doveadm -c dovecot.conf auth test user "$token" >/dev/null 2>&1; then echo accepted; else echo refused; fi
}
seen=$(
    for typ in ',"typ":"JWT"' ',"typ":"at+jwt"' ',"typ":"jwt"' ''; do try "$typ" $((now + 300)); done
    try ',"typ":"JWT"' $((now + 300)).5
)
seen=${seen//$((now + 300))/later}
printf '%s\n' "$seen"
[[ "$seen" == ',"typ":"JWT", exp later: accepted
,"typ":"at+jwt", exp later: refused
,"typ":"jwt", exp later: refused
,no typ, exp later: refused
,"typ":"JWT", exp later.5: refused' ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
