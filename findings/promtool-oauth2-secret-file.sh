#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# promtool 2.42 `check config` says that a configuration is valid whose client secret is in a file that does not exist. The
# help of `--syntax-only` says that without it the files are validated that a configuration names. The tool looks for the
# file of `authorization` and for certificates and keys of `tls_config`, and not for `oauth2.client_secret_file`, for what
# `oauth2.tls_config` names, nor for `basic_auth.password_file`.
#
# Seen with Debian 12's prometheus 2.42.0+ds-5+deb12u1. Prints the status for each kind of file, and fails if that changes.
# Needs promtool.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
promtool --version | sed -n 1p

check() { # name, YAML that names a file that does not exist
    cat >prometheus.yml <<YAML
scrape_configs:
- job_name: metrics
  static_configs: [{targets: ["127.0.0.1:9"]}]
  $2
YAML
    local status=0
    promtool check config prometheus.yml >output 2>&1 || status=$?
    printf '%s: status %d\n' "$1" "$status"
}

client='client_id: prometheus, token_url: "https://127.0.0.1:9/token"'
seen=$(
    check authorization.credentials_file 'authorization: {credentials_file: missing}'
    check tls_config.cert_file 'tls_config: {cert_file: missing, key_file: missing}'
    check oauth2.client_secret_file "oauth2: {$client, client_secret_file: missing}"
    check oauth2.tls_config.cert_file "oauth2: {$client, client_secret: s, tls_config: {cert_file: missing, key_file: missing}}"
    check basic_auth.password_file 'basic_auth: {username: prometheus, password_file: missing}'
)
printf '%s\n' "$seen"
[[ "$seen" == "authorization.credentials_file: status 1
tls_config.cert_file: status 1
oauth2.client_secret_file: status 0
oauth2.tls_config.cert_file: status 0
basic_auth.password_file: status 0" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
