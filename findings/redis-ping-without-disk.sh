#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Redis 7.0: PING is an error while a snapshot cannot be saved, though every read is answered. Its page says that PING
# replies PONG and is for testing "whether a connection is still alive" and "verifying the server's ability to serve data";
# redis.conf says of `stop-writes-on-bgsave-error` that writes stop. A health check or a pool that validates its
# connections by PING so takes out a server that serves sessions and keys, and Sentinel, whose page lists PONG, LOADING and
# MASTERDOWN as the valid replies, a primary whose disk is full. SIGTERM does not end such a server.
#
# Seen with Debian 12's redis-server 5:7.0.15-1~deb12u10. Prints the replies before and after, and fails if that changes.
# Needs redis-server and redis-cli, and takes a socket, no port.
set -euo pipefail

folder=$(mktemp -d)
server=
trap '[[ -z "$server" ]] || kill -KILL "$server"; rm -rf "$folder"' EXIT
mkdir "$folder/data"
redis-server --port 0 --unixsocket "$folder/socket" --dir "$folder/data" --save '3600 1' --daemonize no >"$folder/log" &
server=$!
ask() { redis-cli -s "$folder/socket" "$@" 2>&1; }
wait_for() { # command, pattern
    for _ in {1..100}; do
        ! ask $1 | grep -q "$2" || return 0
        sleep 0.1
    done
    printf 'no %s of %s\n' "$2" "$1" >&2
    return 1
}

wait_for ping PONG
ask info server | sed -n 's/^redis_version/redis/p'
replies() {
    printf '%s: PING %s, SET %s, GET %s, PUBLISH %s\n' "$1" "$(ask ping)" "$(ask set session 1)" "$(ask get session)" \
        "$(ask publish channel message)" | sed 's/MISCONF[^,]*, [^,]*, [^,]*[.]/MISCONF/g'
}
{
    replies 'saved'
    rm -rf "$folder/data"
    ask bgsave >/dev/null
    wait_for 'info persistence' rdb_last_bgsave_status:err
    replies 'not saved'
    ask config set stop-writes-on-bgsave-error no >/dev/null
    replies 'not saved, stop-writes-on-bgsave-error no'
    kill -TERM "$server"
    wait_for 'info server' redis_version
    grep -q 'Errors trying to shut down the server' <(sleep 1; cat "$folder/log")
    ask ping | sed 's/^/after SIGTERM: /'
} | tee "$folder/seen"
[[ $(<"$folder/seen") == "saved: PING PONG, SET OK, GET 1, PUBLISH 0
not saved: PING MISCONF, SET MISCONF, GET 1, PUBLISH 0
not saved, stop-writes-on-bgsave-error no: PING PONG, SET OK, GET 1, PUBLISH 0
after SIGTERM: PONG" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
