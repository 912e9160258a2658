#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# SQLite 3.40's `->>` reads claims otherwise than PostgreSQL's. SQLite's page on JSON says that the operator strives to be
# compatible with MySQL and PostgreSQL. `claims ->> 'email_verified' = 'true'` is true in PostgreSQL, for `true` and for the
# text "true" of some providers; in SQLite, the first is the integer 1 and not equal. A number of 21 digits loses its end,
# a name with a dot, as of a URL, is a path and gives NULL, and NULL is also the element -1. None of it is an error.
#
# Seen with Debian 12's sqlite3 3.40.1-2+deb12u2 and postgresql-15 15.20-0+deb12u1. Prints both answers, and fails if that
# changes. Needs Debian's sqlite3 and postgresql.
set -euo pipefail

programs=$(echo /usr/lib/postgresql/*/bin)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
mkdir "$folder/server"
as=()
((EUID != 0)) || { as=(setpriv --reuid=nobody --regid=nogroup --clear-groups); chown nobody:nogroup "$folder/server"; }
cd "$folder/server"
"${as[@]}" "$programs/initdb" -D "$folder/server/data" -U tester -A trust --no-sync --locale=C -E UTF8 >/dev/null
"$programs/postgres" --version
sqlite3 --version | cut -d ' ' -f 1,2

asked=("'{\"email_verified\":true}' ->> 'email_verified' = 'true'" "'{\"email_verified\":\"true\"}' ->> 'email_verified' = 'true'"
    "'{\"sub\":108123456789012345678}' ->> 'sub'" "'{\"amount\":1.10}' ->> 'amount'"
    "'{\"https://a.example/roles\":\"admin\"}' ->> 'https://a.example/roles'" "'[\"google\",\"acme\"]' ->> -1")
for one in "${asked[@]}"; do printf 'SELECT (%s)::text\n' "${one/ ->>/::jsonb ->>}"; done >questions
"${as[@]}" "$programs/postgres" --single -D "$folder/server/data" template1 <questions 2>&1 \
    | sed -nE 's/.*1: [a-z?]+ = "(.*)"\t.*/\1/p' >postgresql
for one in "${asked[@]}"; do sqlite3 -batch -nullvalue NULL :memory: "SELECT $one"; done >sqlite
seen=$(printf '%s\n' "${asked[@]}" | paste -d '\t' - postgresql sqlite | sed -E 's/(.*)\t(.*)\t(.*)/\1: PostgreSQL \2, SQLite \3/')
printf '%s\n' "$seen"
expected="'{\"email_verified\":true}' ->> 'email_verified' = 'true': PostgreSQL true, SQLite 0
'{\"email_verified\":\"true\"}' ->> 'email_verified' = 'true': PostgreSQL true, SQLite 1
'{\"sub\":108123456789012345678}' ->> 'sub': PostgreSQL 108123456789012345678, SQLite 1.08123456789012e+20
'{\"amount\":1.10}' ->> 'amount': PostgreSQL 1.10, SQLite 1.1
'{\"https://a.example/roles\":\"admin\"}' ->> 'https://a.example/roles': PostgreSQL admin, SQLite NULL
'[\"google\",\"acme\"]' ->> -1: PostgreSQL acme, SQLite NULL"
[[ "$seen" == "$expected" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
