#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# PgBouncer 1.18 in front of a standby that was promoted: libpq's `target_session_attrs=read-write` is refused though the
# server takes writes. Since version 14 a server reports `in_hot_standby` when a session starts, and libpq decides by it
# without asking. PgBouncer tells every client what the pool's first connection was told. The manual of libpq: with
# `read-write` a session must accept read-write transactions. A client without the setting can write at once, one with it
# is kept out, and one that wants a standby let in, until the pool's connections are made anew (`RECONNECT`).
#
# Seen with Debian 12's pgbouncer 1.18.0-1+deb12u1 and postgresql-15 15.20-0+deb12u1. Prints who is let in, and fails if that
# changes. Needs Debian 12's postgresql and its packages' mirror.
set -euo pipefail

programs=$(echo /usr/lib/postgresql/*/bin)
folder=$(mktemp -d)
chmod 755 "$folder" && mkdir "$folder/servers"
as=()
((EUID != 0)) || { as=(setpriv --reuid=nobody --regid=nogroup --clear-groups); chown nobody:nogroup "$folder/servers"; }
cd "$folder"
stop() {
    kill $(jobs -p) 2>/dev/null || true
    for data in primary standby; do
        "${as[@]}" "$programs/pg_ctl" -D "$folder/servers/$data" -m immediate stop >/dev/null 2>&1 || true
    done
    rm -rf "$folder"
}
trap stop EXIT
apt-get download -qq pgbouncer=1.18.0-1+deb12u1 libc-ares2 libevent-2.1-7 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$folder/$(dirname "$(find root -name libcares.so.2)")
cd servers
start() { # folder
    "${as[@]}" mkdir "$folder/servers/$1.socket"
    "${as[@]}" "$programs/pg_ctl" -D "$folder/servers/$1" -w -l "$folder/servers/$1.log" \
        -o "-c listen_addresses= -c unix_socket_directories=$folder/servers/$1.socket" start >/dev/null
}
"${as[@]}" "$programs/initdb" -D "$folder/servers/primary" -U tester -A trust --no-sync --locale=C -E UTF8 >/dev/null
start primary
psql -X -q -h "$folder/servers/primary.socket" -U tester -d postgres -c 'CREATE TABLE account (uid int)'
"${as[@]}" "$programs/pg_basebackup" -D "$folder/servers/standby" -h "$folder/servers/primary.socket" -U tester -R -c fast -N
start standby

printf '"tester" ""\n' >users
cat >pgbouncer.ini <<INI
[databases]
postgres = host=$folder/servers/standby.socket
[pgbouncer]
unix_socket_dir = $folder/servers
listen_port = 6432
auth_type = trust
auth_file = $folder/servers/users
admin_users = tester
INI
LD_LIBRARY_PATH=$libraries "${as[@]}" "$folder/root/usr/sbin/pgbouncer" pgbouncer.ini >"$folder/log" 2>&1 &
until [[ -S .s.PGSQL.6432 ]]; do sleep 0.1; done
ask() { # connection, target_session_attrs
    psql -X -d "$1 user=tester dbname=postgres target_session_attrs=$2" -c '' >/dev/null 2>&1 && echo 'lets in' || echo refuses
}
all() { # when
    for kind in any read-write standby; do
        printf '%s, %s: PgBouncer %s, server %s\n' "$1" "$kind" "$(ask "host=$folder/servers port=6432" "$kind")" \
            "$(ask "host=$folder/servers/standby.socket" "$kind")"
    done
}
seen=$(all before)
"${as[@]}" "$programs/pg_ctl" -D "$folder/servers/standby" promote -w >/dev/null
seen+=$'\n'$(all promoted)
psql -X -q -d "host=$folder/servers port=6432 user=tester dbname=pgbouncer" -c RECONNECT >/dev/null
seen+=$'\n'$(all RECONNECT)
printf '%s\n' "$seen"
[[ "$seen" == "before, any: PgBouncer lets in, server lets in
before, read-write: PgBouncer refuses, server refuses
before, standby: PgBouncer lets in, server lets in
promoted, any: PgBouncer lets in, server lets in
promoted, read-write: PgBouncer refuses, server lets in
promoted, standby: PgBouncer lets in, server refuses
RECONNECT, any: PgBouncer lets in, server lets in
RECONNECT, read-write: PgBouncer lets in, server lets in
RECONNECT, standby: PgBouncer refuses, server refuses" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
