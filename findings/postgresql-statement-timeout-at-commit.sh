#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# PostgreSQL 15: `statement_timeout` does not end a commit that waits for a synchronous standby. The manual, 20.11.1, aborts
# "any statement that takes more than the specified amount of time"; without its standby, an INSERT by itself, and a
# COMMIT, wait on for hours. A request to cancel, which is what drivers send when a timeout of their own is over, does end
# the wait, as a success: the client gets `INSERT 0 1` and `COMMIT`, status 0, with a warning, and the standby has nothing.
#
# Seen with Debian 12's postgresql-15 15.20-0+deb12u1. Prints what a writer gets, and fails if that changes. Needs Debian's
# postgresql.
set -euo pipefail

programs=$(echo /usr/lib/postgresql/*/bin)
folder=$(mktemp -d)
chmod 755 "$folder"
mkdir "$folder/server"
as=()
((EUID != 0)) || { as=(setpriv --reuid=nobody --regid=nogroup --clear-groups); chown nobody:nogroup "$folder/server"; }
cd "$folder/server"
stop() {
    "${as[@]}" "$programs/pg_ctl" -D "$folder/server/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap stop EXIT
"${as[@]}" "$programs/initdb" -D "$folder/server/data" -U tester -A trust --no-sync --locale=C -E UTF8 >/dev/null
"${as[@]}" "$programs/pg_ctl" -D "$folder/server/data" -w -l "$folder/server/log" \
    -o "-c listen_addresses= -c unix_socket_directories=$folder/server" start >/dev/null
ask() { psql -X -A -t -h "$folder/server" -U tester -d postgres -v ON_ERROR_STOP=1 "$@" 2>&1; }
ask -c 'SELECT version()'
ask -q -c 'CREATE TABLE account (uid int)'
# A standby that is not there.
ask -q -c "ALTER SYSTEM SET synchronous_standby_names = 'standby'" -c 'SELECT pg_reload_conf()' >/dev/null
until [[ $(ask -c 'SHOW synchronous_standby_names') == standby ]]; do sleep 0.1; done

write() { # what, statements
    local what=$1 status=0 arguments=(-c 'SET statement_timeout = 200') statement
    shift
    for statement; do arguments+=(-c "$statement"); done
    ask -q "${arguments[@]}" >"$folder/answer" &
    local writer=$!
    sleep 3
    printf '%s: after 3 s ' "$what"
    if ! kill -0 "$writer" 2>/dev/null; then
        wait "$writer" || status=$?
        printf 'ended with status %d, %s\n' "$status" "$(sed -n 's/.*ERROR: */error: /p' "$folder/answer")"
        return
    fi
    printf 'waits for %s' "$(ask -c "SELECT wait_event FROM pg_stat_activity WHERE wait_event = 'SyncRep'")"
    ask -q -c "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'" >/dev/null
    wait "$writer" || status=$?
    printf ', canceled: status %d, %s, %s\n' "$status" "$(sed -n 's/.*WARNING: */warning: /p' "$folder/answer")" \
        "$(ask -c 'SELECT count(*) FROM account') rows"
}
seen=$(
    write 'a long statement' 'SELECT pg_sleep(30)'
    write 'INSERT' 'INSERT INTO account VALUES (1)'
    write 'COMMIT' 'BEGIN' 'INSERT INTO account VALUES (2)' 'COMMIT'
)
printf '%s\n' "$seen"
[[ "$seen" == "a long statement: after 3 s ended with status 1, error: canceling statement due to statement timeout
INSERT: after 3 s waits for SyncRep, canceled: status 0, warning: canceling wait for synchronous replication due to user request, 1 rows
COMMIT: after 3 s waits for SyncRep, canceled: status 0, warning: canceling wait for synchronous replication due to user request, 2 rows" ]] \
    || { printf 'This is no longer so.\n' >&2; exit 1; }
