#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# OpenSSL 3.0's `openssl base64 -d` loses bytes and exits with 0. RFC 4648 section 3.1 has no line feeds, and a secret, or a
# part of a JWT, is one line without one at its end: of such a line nothing is printed. With a line feed at its end, of a
# long line only the last bytes are. `-A`, for one line, prints nothing of several, and of text without padding, which
# RFC 7515 section 2 leaves out, loses the end.
#
# Seen with Debian 12's openssl and libssl3 3.0.22-1~deb12u2. 3.6.5 has the same status, prints no byte of the long line and
# of the text without padding, and reads several lines with `-A`. Prints how many bytes are left, and fails if that
# changes. Needs Debian 12 and its packages' mirror.
set -euo pipefail
version=3.0.22-1~deb12u2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 "$folder"
apt-get download -qq "openssl=$version" "libssl3=$version" >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(dirname "$(find "$folder/root" -name libcrypto.so.3)")
openssl() { LD_LIBRARY_PATH=$libraries "$folder/root/usr/bin/openssl" "$@"; }
openssl version

bytes() { head -c "$1" /dev/zero; }
decode() { # what, bytes that were encoded, arguments of base64
    local status=0 what=$1 bytes=$2
    shift 2
    openssl base64 -d "$@" >decoded || status=$?
    printf '%s: %d of %d bytes, status %d\n' "$what" "$(wc -c <decoded)" "$bytes" "$status"
}

seen=$(
    bytes 32 | base64 | decode 'a line with a line feed' 32
    bytes 32 | base64 -w0 | decode 'a line without one' 32
    bytes 32 | base64 -w0 | decode 'a line without one, -A' 32 -A
    (bytes 900 | base64 -w0; echo) | decode 'a long line with a line feed' 900
    bytes 900 | base64 -w0 | decode 'a long line without one' 900
    bytes 900 | base64 | decode 'several lines' 900
    bytes 900 | base64 | decode 'several lines, -A' 900 -A
    bytes 32 | base64 -w0 | tr -d = | decode 'no padding, -A' 32 -A
)
printf '%s\n' "$seen"
[[ "$seen" == "a line with a line feed: 32 of 32 bytes, status 0
a line without one: 0 of 32 bytes, status 0
a line without one, -A: 32 of 32 bytes, status 0
a long line with a line feed: 132 of 900 bytes, status 0
a long line without one: 0 of 900 bytes, status 0
several lines: 900 of 900 bytes, status 0
several lines, -A: 0 of 900 bytes, status 0
no padding, -A: 30 of 32 bytes, status 0" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
