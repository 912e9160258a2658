# SPDX-License-Identifier: Apache-2.0
"""Packages of npm, each with a module of `npm/` that calls it."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from kit.trial import Refused

# Where `run` installs them, with the modules beside them.
_FOLDER = Path(__file__).resolve().parents[3] / ".build-clients-npm"


class NodeModule:
    """A module that runs in Node.js, and answers as long as this process asks."""

    def __init__(self, name: str, settings: dict[str, object]) -> None:
        self._process = subprocess.Popen(
            ["node", "main.mjs", name, json.dumps(settings)],
            # Node.js reads it when it starts.
            env=os.environ | {"NODE_EXTRA_CA_CERTS": os.environ["SSL_CERT_FILE"]},
            cwd=_FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def call(self, name: str, *values: object) -> Any:
        """Calls a function of the module; raises Refused if the library refuses a value."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("there are no pipes")
        self._process.stdin.write(json.dumps([name, *values]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"Node.js ended with {self._process.wait()} in {name}")
        answer = json.loads(line)
        if "refused" in answer:
            raise Refused(answer["refused"])
        return answer["value"]


def version(package: str) -> str:
    """Returns the version of a package."""
    return str(json.loads((_FOLDER / "node_modules" / package / "package.json").read_text())["version"])
