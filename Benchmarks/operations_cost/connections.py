# SPDX-License-Identifier: Apache-2.0
"""10,000 idle connections over TLS beside caddy: the check of Tests/Operations."""

import re
import tempfile
from pathlib import Path

from operations.check import Effort, Failed, Setting, require
from operations.others.idle_memory import CHECKS

from operations_cost.plan import Plan
from operations_cost.sentence import Sentence

_MEGABYTES = re.compile(r"(\d+) MB")


def measure(plan: Plan) -> list[Sentence]:
    """Returns the sentence about idle connections."""
    with tempfile.TemporaryDirectory(dir=plan.directory) as directory:
        setting = Setting(plan.broker, Path(directory), Effort.FULL)
        try:
            figure = CHECKS[0].run(setting)
        except Failed as failure:
            # So it says as well that the server takes more than caddy.
            figure = str(failure)
    memory = [int(each) for each in _MEGABYTES.findall(figure)]
    require(len(memory) == 2, figure)
    ours, theirs = memory
    title = "RSS with 10,000 idle TLS connections, to caddy with as many"
    return [Sentence(title, 1, 1, "", ours / theirs, f"{ours / theirs:.2f}; {figure}")]
