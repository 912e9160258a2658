#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# libpq 15 with several hosts stops at a server that has no connection left. The manual, 34.1.1.3: the hosts are tried in
# turn until a connection is established, and where one is and authentication fails, the remaining ones are not tried. A
# host without a server, and one of the wrong kind, lead to the next one; one without a free connection (53300) is the
# end. A full standby that stands first so keeps clients from the primary, with target_session_attrs=read-write, too,
# which would never have used the standby.
#
# Seen with Debian 12's postgresql-15 and libpq5 15.20-0+deb12u1. Two servers, one of them read-only, stand for primary and
# standby. Prints where each connection string leads, and fails if that changes. Needs Debian's postgresql.
set -euo pipefail

programs=$(echo /usr/lib/postgresql/*/bin)
folder=$(mktemp -d)
chmod 755 "$folder"
mkdir "$folder/servers"
as=()
((EUID != 0)) || { as=(setpriv --reuid=nobody --regid=nogroup --clear-groups); chown nobody:nogroup "$folder/servers"; }
cd "$folder/servers"
stop() {
    kill $(jobs -p) 2>/dev/null || true
    local data
    for data in full free; do
        "${as[@]}" "$programs/pg_ctl" -D "$folder/servers/$data" -m immediate stop >/dev/null 2>&1 || true
    done
    rm -rf "$folder"
}
trap stop EXIT

"${as[@]}" "$programs/initdb" -D "$folder/servers/full" -U tester -A trust --no-sync --locale=C -E UTF8 >/dev/null
"${as[@]}" cp -r "$folder/servers/full" "$folder/servers/free"
start() { # folder, settings
    "${as[@]}" mkdir "$folder/servers/$1.socket"
    "${as[@]}" "$programs/pg_ctl" -D "$folder/servers/$1" -w -l "$folder/servers/$1.log" \
        -o "-c listen_addresses= -c unix_socket_directories=$folder/servers/$1.socket $2" start >/dev/null
}
start full '-c max_connections=2 -c superuser_reserved_connections=1 -c max_wal_senders=0 -c default_transaction_read_only=on'
start free '-c max_wal_senders=0'
full=$folder/servers/full.socket free=$folder/servers/free.socket nothing=$folder/servers
for host in "$full" "$free"; do
    psql -X -q -d "host=$host user=tester dbname=postgres options='-c default_transaction_read_only=off'" -c 'CREATE ROLE app LOGIN'
done

ask() { # what, hosts, further settings
    local answer
    answer=$(psql -X -A -t -d "host=$2 user=app dbname=postgres $3" -c "SHOW default_transaction_read_only" 2>&1) || true
    case $answer in
        on) answer=first ;; off) answer=second ;;
        *'remaining connection slots'* | *'too many clients'*) answer='refused: no connection is left' ;;
    esac
    printf '%s: %s\n' "$1" "$answer"
}
before=$(
    ask 'no server, free' "$nothing,$free" ''
    ask 'read-write, both free' "$full,$free" target_session_attrs=read-write
)
psql -X -q -d "host=$full user=app dbname=postgres" -c 'SELECT pg_sleep(600)' >/dev/null 2>&1 &
until [[ $(psql -X -A -t -d "host=$full user=tester dbname=postgres" -c "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'") == 1 ]]; do
    sleep 0.1
done
seen="$before
$(ask 'full, free' "$full,$free" '')
$(ask 'read-write, full, free' "$full,$free" target_session_attrs=read-write)
$(ask 'read-write, free, full' "$free,$full" target_session_attrs=read-write)"
psql --version
printf '%s\n' "$seen"
[[ "$seen" == "no server, free: second
read-write, both free: second
full, free: refused: no connection is left
read-write, full, free: refused: no connection is left
read-write, free, full: second" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
