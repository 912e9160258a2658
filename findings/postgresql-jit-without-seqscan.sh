#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# PostgreSQL 15.20 as Debian 12 packages it: `SET enable_seqscan = off` makes the server compile a question about a table
# of one row. A scan that cannot be avoided gets a penalty of 10^10 in the planner's cost, which is over `jit_above_cost`
# (100,000) and over the costs from which LLVM also inlines and optimizes. A new connection that asks one such question
# spends some hundred milliseconds of a processor on it; without `enable_seqscan = off`, or with `jit = off`, one or two.
#
# Seen with postgresql-15 15.20-0+deb12u1 and libllvm14 1:14.0.6-12 on amd64. Prints the plans' costs and times, and fails
# if what is compiled changes. Needs Debian 12 and its packages' mirror.
set -euo pipefail
version=15.20-0+deb12u1

folder=$(mktemp -d)
chmod 755 "$folder"
as=()
((EUID != 0)) || as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
stop() {
    [[ ! -e "$folder/data/postmaster.pid" ]] || "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null || true
    rm -rf "$folder"
}
trap stop EXIT

cd "$folder"
apt-get download -qq "postgresql-15=$version" "postgresql-client-15=$version" "libpq5=$version" \
    libllvm14 libldap-2.5-0 libxml2 libedit2 libbsd0 libz3-4 libsasl2-2 libicu72 >/dev/null 2>&1
mkdir root
for package in *.deb; do dpkg -x "$package" root; done
bin=$folder/root/usr/lib/postgresql/15/bin
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu
mkdir data socket
((EUID != 0)) || chown nobody:nogroup data socket

"${as[@]}" "$bin/initdb" -D "$folder/data" -U tester -A trust --no-sync --locale=C -E UTF8 >/dev/null
"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/socket/log" \
    -o "-c listen_addresses= -c unix_socket_directories=$folder/socket" start >/dev/null
ask() { "$bin/psql" -h "$folder/socket" -U tester -X -q -A -t -v ON_ERROR_STOP=1 -c "$1" postgres; }

ask 'SELECT version()'
ask 'CREATE TABLE one (number int); INSERT INTO one VALUES (1); ANALYZE one'
compiled=()
for settings in '' 'SET enable_seqscan = off;' 'SET enable_seqscan = off; SET jit = off;'; do
    plan=$(ask "$settings EXPLAIN (ANALYZE, FORMAT JSON) SELECT number FROM one WHERE number > 0")
    functions=$(sed -nE 's/.*"Functions": *([0-9]+).*/\1/p' <<<"$plan")
    cost=$(sed -nE 's/.*"Total Cost": *([0-9.]+).*/\1/p' <<<"$plan" | head -n 1)
    time=$(sed -nE 's/.*"Execution Time": *([0-9.]+).*/\1/p' <<<"$plan")
    printf '%-44s cost %s, functions compiled %s, %s ms\n' "${settings:-the defaults}" "$cost" "${functions:-0}" "$time"
    compiled+=("$((${functions:-0} > 0))")
done
[[ "${compiled[*]}" == "0 1 0" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
