# SPDX-License-Identifier: Apache-2.0
"""testssl.sh looks at the protocols, ciphers and vulnerabilities of TLS."""

import json

from operations.check import Check, Effort, Setting, require
from operations.installation import running
from operations.others.programs import need, output, version

_FINE = {"OK", "INFO", "DEBUG", "LOW"}


def _testssl(setting: Setting) -> str:
    testssl = need("testssl", "testssl.sh")
    findings = setting.directory / "findings.json"
    with running(setting) as made:
        output(
            [
                *(testssl, "--quiet", "--color", "0", "--warnings", "off", "--ip", "127.0.0.1"),
                *("--add-ca", str(made.certificates.authority), "-p", "-s", "-f", "-U"),
                *("--jsonfile", str(findings), f"localhost:{made.endpoint.port}"),
            ],
            seconds=600,
        )
    # The first is about the machine that it runs on.
    listed = [each for each in json.loads(findings.read_text()) if each["id"] != "engine_problem"]
    severities = {each["id"]: each["severity"] for each in listed}
    require(
        severities.get("TLS1_3") == "OK" and severities.get("TLS1_2") == "OK", "TLS 1.2 and 1.3 are not found"
    )
    worse = [f"{each['id']}: {each['finding']}" for each in listed if each["severity"] not in _FINE]
    require(not worse, "; ".join(worse))
    low = [each["id"] for each in listed if each["severity"] == "LOW"]
    return f"{len(listed)} findings, of LOW severity {', '.join(low) or 'none'}; {version('testssl.sh')}"


CHECKS = [
    Check(
        "`testssl.sh`: protocols, ciphers, forward secrecy, vulnerabilities",
        "no finding of MEDIUM severity or worse",
        _testssl,
        Effort.ALL,
    )
]
