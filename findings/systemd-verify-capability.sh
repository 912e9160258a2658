#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# systemd 252: a misspelt capability in a unit leaves no trace. `AmbientCapabilities=CAP_NET_BIND_SERVIC` is neither an error
# nor a warning of `systemd-analyze verify`, not even with `--recursive-errors=yes`, so that a server without the right to
# its port is not noticed before it starts. Misspelt addresses, system calls, limits and directives are warnings, as systemd.syntax(7) and
# systemd-analyze(1) let one expect. In `CapabilityBoundingSet=` it is also taken for a hardened unit: the exposure that
# `systemd-analyze security --offline=yes` counts is that of a set without any capability.
#
# Seen with Debian 12's systemd 252.39-1~deb12u2. Prints what each line leads to, and fails if that changes. Needs
# systemd-analyze; systemd need not run.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
systemd-analyze --version | sed -n 1p

unit() { printf '[Service]\nExecStart=/bin/true\n%s\n' "$1" >sign-in.service; }
check() { # line of the unit
    unit "$1"
    local status=0
    systemd-analyze verify --recursive-errors=yes ./sign-in.service >output 2>&1 || status=$?
    printf '%s: status %d, %d lines\n' "$1" "$status" "$(wc -l <output)"
}
exposure() { # line of the unit
    unit "$1"
    systemd-analyze security --offline=yes ./sign-in.service 2>/dev/null | sed -nE 's/.*Overall exposure level.*: ([0-9.]+) .*/\1/p'
}

seen=$(
    check RestrictAddressFamilies=AF_INET7
    check SystemCallFilter=@systm-service
    check AmbientCapabilities=CAP_NET_BIND_SERVIC
    check CapabilityBoundingSet=CAP_NET_BIND_SERVIC
    [[ $(exposure CapabilityBoundingSet=CAP_NET_BIND_SERVIC) == "$(exposure CapabilityBoundingSet=)" ]] \
        && printf 'the exposure of a set with none\n'
)
printf '%s\n' "$seen"
[[ "$seen" == "RestrictAddressFamilies=AF_INET7: status 1, 1 lines
SystemCallFilter=@systm-service: status 1, 1 lines
AmbientCapabilities=CAP_NET_BIND_SERVIC: status 0, 0 lines
CapabilityBoundingSet=CAP_NET_BIND_SERVIC: status 0, 0 lines
the exposure of a set with none" ]] || { printf 'This is no longer so.\n' >&2; exit 1; }
