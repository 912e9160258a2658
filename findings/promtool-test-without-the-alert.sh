#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# promtool 2.42: a unit test of an alert that does not exist succeeds. A test that an alert is silent is an empty
# `exp_alerts`. Prometheus' page "Unit testing for rules" calls `alertname` "the name of the alert to be tested"; the tool does
# not look whether a rule has that name. After a rule is renamed, and where `rule_files` matches no file (a warning, and
# SUCCESS), every such test stays green, so an alert of sign-ins that is never silent is not noticed.
#
# Seen with Debian 12's prometheus 2.42.0+ds-5+deb12u1. Prints what each test ends with, and fails if that changes. Needs
# promtool.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
promtool --version | sed -n 1p

cat >rules.yml <<'YAML'
groups:
- name: sign-in
  rules:
  - {alert: SignInsFail, expr: sign_ins_failed > 0}
YAML

check() { # file of rules, name of the alert
    cat >test.yml <<YAML
rule_files: [$1]
tests:
- interval: 1m
  input_series: [{series: sign_ins_failed, values: '1x10'}]
  alert_rule_test: [{eval_time: 5m, alertname: $2, exp_alerts: []}]
YAML
    local status=0
    promtool test rules test.yml >output 2>&1 || status=$?
    printf '%s %s: status %d%s\n' "$1" "$2" "$status" "$(grep -q 'WARNING: no file' output && printf ', a warning' || true)"
}

# The alert fires, so none of the tests should succeed.
seen=$(
    check rules.yml SignInsFail
    check rules.yml SignInsFailed
    check moved.yml SignInsFail
)
printf '%s\n' "$seen"
[[ "$seen" == "rules.yml SignInsFail: status 1
rules.yml SignInsFailed: status 0
moved.yml SignInsFail: status 0, a warning" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
