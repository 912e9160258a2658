# SPDX-License-Identifier: Apache-2.0
"""What is shipped around the executable: mandoc reads the manual page, systemd the unit."""

import re
from pathlib import Path

from operations.check import Check, Setting, require
from operations.others.programs import need, output, version

_PACKAGING = Path(__file__).resolve().parents[4] / "Packaging"
_EXPOSURE = re.compile(r"Overall exposure level for \S+: ([0-9.]+)")
# In tenths.
_MOST_EXPOSURE = 25


def _manual(setting: Setting) -> str:
    mandoc = need("mandoc", "mandoc")
    page = _PACKAGING / "man/oidc-broker.1"
    # It ends with 2 if it warns.
    said = output([mandoc, "-T", "lint", "-W", "warning", str(page)])
    require(not said.strip(), f"mandoc says: {said}")
    return f"{len(page.read_text().splitlines())} lines, nothing said; {version('mandoc')}"


def _unit(setting: Setting) -> str:
    analyze = need("systemd-analyze", "systemd")
    text = (_PACKAGING / "systemd/oidc-broker.service").read_text()
    started = "ExecStart=/usr/bin/oidc-broker "
    require(started in text, "the unit does not start /usr/bin/oidc-broker")
    # What it starts is not installed here, nor is the manual page.
    unit = setting.directory / "oidc-broker.service"
    unit.write_text(text.replace(started, "ExecStart=/bin/true "))
    said = output([analyze, "verify", "--man=no", str(unit)])
    require(not said.strip(), f"systemd-analyze says: {said}")
    table = output(
        [analyze, "security", "--no-pager", "--offline=true", f"--threshold={_MOST_EXPOSURE}", str(unit)]
    )
    exposure = _EXPOSURE.search(table)
    require(exposure is not None, f"systemd-analyze tells no exposure: {table[-500:]}")
    return f"nothing said, exposure {exposure[1]}; {version('systemd')}"


CHECKS = [
    Check("`mandoc -T lint -W warning`", "nothing is said of the manual page", _manual),
    Check(
        "`systemd-analyze verify`, and `security --offline`",
        "nothing is said of the unit, and its exposure is at most 2.5",
        _unit,
    ),
]
