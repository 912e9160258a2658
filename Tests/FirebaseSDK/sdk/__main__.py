# SPDX-License-Identifier: Apache-2.0
"""Makes the checks, and prints what came of each."""

import argparse
import sys
import tempfile
import time
import traceback
from contextlib import ExitStack
from pathlib import Path

from sdk.browser import BROWSERS
from sdk.check import Check, Failed, Setting
from sdk.checks import CHECKS
from sdk.installation import running
from sdk.site import serve


def main() -> int:
    """Returns the exit status: 0 if everything holds."""
    parser = argparse.ArgumentParser(prog="sdk", description=__doc__)
    parser.add_argument("executable", type=Path, help="the oidc-broker executable")
    parser.add_argument("--sdk", type=Path, required=True, help="the folder with the Firebase SDK")
    parser.add_argument("--only", default="", help="only the checks whose name contains this text")
    parser.add_argument("--browser", choices=BROWSERS, default="chromium", help="the browser")
    arguments = parser.parse_args()
    is_chromium = arguments.browser == "chromium"
    checks = [each for each in CHECKS if arguments.only in each.name and (is_chromium or not each.needs_chromium)]
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = stack.enter_context(running(arguments.executable.resolve(), directory))
        site = stack.enter_context(serve("localhost", broker.origin, arguments.sdk))
        other = stack.enter_context(serve("127.0.0.2", broker.origin, arguments.sdk, "127.0.0.2"))
        setting = Setting(broker, site, other, stack.enter_context(BROWSERS[arguments.browser]()))
        failed = [check.name for check in checks if not _holds(check, setting)]
        if failed:
            print(f"-- the log of the broker\n{broker.broker.log_file.read_text()}", flush=True)
    print(f"{len(checks) - len(failed)} ok, {len(failed)} failed")
    return 1 if failed or not checks else 0


def _holds(check: Check, setting: Setting) -> bool:
    began = time.monotonic()
    try:
        check.run(setting)
        said, holds = f"ok      {check.name}", True
    except Exception as error:
        said, holds = f"FAILED  {check.name}: {error}", False
        if not isinstance(error, Failed):
            traceback.print_exc()
    print(f"{said} ({time.monotonic() - began:.0f} s)", flush=True)
    return holds


if __name__ == "__main__":
    sys.exit(main())
