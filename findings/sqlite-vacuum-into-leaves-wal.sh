#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# SQLite's `VACUUM INTO` makes a backup that is no longer in WAL mode. Its page calls it an alternative to the backup API and
# says of `PRAGMA journal_mode=WAL` that it is persistent; the backup API and a copy of the file keep it, and `VACUUM INTO`
# keeps `user_version`, `application_id`, `page_size` and `auto_vacuum`. A server that is started on a restored backup, and
# that left the mode to the file, has a rollback journal: a reader that is open makes a commit fail with SQLITE_BUSY.
#
# Seen with Debian 12's sqlite3 3.40.1-2+deb12u2. Prints the modes and what a writer gets, and fails if that changes. Needs
# sqlite3.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
sqlite3 --version | cut -d ' ' -f 1
sqlite3 accounts.db 'PRAGMA auto_vacuum = 2; PRAGMA user_version = 7; PRAGMA application_id = 77; PRAGMA journal_mode = WAL;
    CREATE TABLE account (uid text); INSERT INTO account VALUES (1), (2)' >/dev/null
sqlite3 accounts.db "VACUUM INTO 'vacuumed.db'"
sqlite3 accounts.db '.backup backup.db'
cp accounts.db copy.db

write() { # database, while a reader has a transaction with a result open
    coproc reader { sqlite3 -batch "$1" 2>&1; }
    printf 'BEGIN;\nSELECT count(*) FROM account;\n' >&"${reader[1]}"
    read -r _ <&"${reader[0]}"
    sqlite3 -batch "$1" 'INSERT INTO account VALUES (3)' 2>&1 | sed -nE 's/.*(database is locked).*/\1/p'
    printf 'COMMIT;\n.quit\n' >&"${reader[1]}"
    wait "$reader_PID" || true
}
seen=$(
    for name in accounts backup copy vacuumed; do
        kept=$(sqlite3 "$name.db" 'PRAGMA user_version; PRAGMA application_id; PRAGMA auto_vacuum' | xargs)
        result=$(write "$name.db" 2>/dev/null)
        printf '%s: %s, kept %s, a write beside a reader: %s\n' "$name" "$(sqlite3 "$name.db" 'PRAGMA journal_mode')" "$kept" "${result:-done}"
    done
)
printf '%s\n' "$seen"
[[ "$seen" == "accounts: wal, kept 7 77 2, a write beside a reader: done
backup: wal, kept 7 77 2, a write beside a reader: done
copy: wal, kept 7 77 2, a write beside a reader: done
vacuumed: delete, kept 7 77 2, a write beside a reader: database is locked" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
