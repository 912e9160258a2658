#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# SQLite 3.40 does not find a member of JSON whose name has an escape. RFC 8259 sections 7 and 8.3: `\/` is `/`, and names
# are compared after their escapes are replaced. A claim of roles often has a URL for its name, and PHP's `json_encode` and
# the `cjson` of Redis write `/` as `\/`: `json_extract` then gives NULL, and `json_set` and `json_patch` add a second member
# of the same name. None of it is an error. `json_each` gives the right key.
#
# Seen with Debian 12's sqlite3 3.40.1-2+deb12u2. Prints the answers for both forms, and fails if that changes. Needs
# sqlite3 with its JSON functions.
set -euo pipefail

sqlite3 --version | cut -d ' ' -f 1
answers() { # JSON of one member, which is named https://a.example/roles
    printf '%s\n' "$1"
    sqlite3 -batch -nullvalue NULL -separator ': ' :memory: <<SQL
CREATE TABLE token AS SELECT '$1' AS claims, 'https://a.example/roles' AS name;
SELECT '  json_extract', json_extract(claims, '$."' || name || '"') FROM token;
SELECT '  json_each', key FROM token, json_each(claims);
SELECT '  json_set', json_set(claims, '$."' || name || '"', 'user') FROM token;
SELECT '  json_patch', json_patch(claims, json_object(name, 'user')) FROM token;
SQL
}
seen=$(
    answers '{"https://a.example/roles":"admin"}'
    answers '{"https:\/\/a.example\/roles":"admin"}'
)
printf '%s\n' "$seen"
expected='{"https://a.example/roles":"admin"}
  json_extract: admin
  json_each: https://a.example/roles
  json_set: {"https://a.example/roles":"user"}
  json_patch: {"https://a.example/roles":"user"}
{"https:\/\/a.example\/roles":"admin"}
  json_extract: NULL
  json_each: https://a.example/roles
  json_set: {"https:\/\/a.example\/roles":"admin","https://a.example/roles":"user"}
  json_patch: {"https:\/\/a.example\/roles":"admin","https://a.example/roles":"user"}'
[[ "$seen" == "$expected" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
