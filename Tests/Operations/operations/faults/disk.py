# SPDX-License-Identifier: Apache-2.0
"""The log and the audit cannot be written: the disk is full, or read-only."""

import json
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from operations.check import Check, LeftOut, Setting, require
from operations.crowd import signing_in
from operations.installation import Installation, running, unprivileged
from operations.waiting import wait_until

_LOG = {"access": True}


def _full_from_the_start(setting: Setting) -> str:
    full = Path("/dev/full")
    server = {"log": _LOG | {"audit": str(full)}}
    with running(setting, server=server, log_file=full) as made, signing_in(made) as crowd:
        lost = _lost(made)
        crowd.require_more(10)
        return f"{lost}; {crowd.figure}"


def _full_while_running(setting: Setting) -> str:
    audit = setting.directory / "audit"
    with running(setting, server={"log": _LOG | {"audit": str(audit)}}) as made, signing_in(made) as crowd:
        crowd.require_more()
        # A file that may not grow: the write fails as on a full disk, and a signal is sent that ends most programs.
        give_back = made.broker.limit(resource.RLIMIT_FSIZE, audit.stat().st_size + 100)
        lost = _lost(made)
        crowd.require_more(10)
        before = len(made.broker.lines())
        give_back()
        made.broker.wait_for_line("audit writable again", before)
        crowd.require_more()
        return f"{lost}; {_torn(audit)} torn lines; {crowd.figure}"


def _rotation_not_possible(setting: Setting) -> str:
    folder = setting.directory / "audit"
    folder.mkdir()
    with (
        running(
            setting, server={"log": _LOG | {"audit": str(folder / "audit")}}, wrapper=unprivileged()
        ) as made,
        signing_in(made) as crowd,
    ):
        crowd.require_more()
        (folder / "audit").rename(folder / "audit.1")
        folder.chmod(0o500)
        _hang_up_in_vain(made, folder / "audit.1")
        folder.chmod(0o700)
        made.broker.send(signal.SIGHUP)
        wait_until("the audit is a file of its own", (folder / "audit").exists)
        crowd.require_more()
        return f"the old file took the lines until then; {crowd.figure}"


def _file_system(setting: Setting) -> str:
    folder = setting.directory / "disk"
    folder.mkdir()
    with _mounted(folder, "size=128k"):
        audit, log = folder / "audit", folder / "log"
        with (
            running(setting, server={"log": _LOG | {"audit": str(audit)}}, log_file=log) as made,
            signing_in(made) as crowd,
        ):
            crowd.require_more()
            filler = folder / "filler"
            with filler.open("wb", buffering=0) as file:
                _fill(file.fileno())
            lost = _lost(made)
            crowd.require_more(10)
            before = len(made.broker.lines())
            filler.unlink()
            made.broker.wait_for_line("audit writable again", before)
            crowd.require_more()
            torn = _torn(audit)
            # Another file system in the place of the folder, since one with open files cannot become read-only.
            with _mounted(folder, "ro,size=4k"):
                made.broker.send(signal.SIGHUP)
                crowd.require_more(10)
            require(made.broker.status is None, "the broker ended")
            figure = crowd.figure
        return f"full: {lost}, {torn} torn lines; read-only at SIGHUP: the old file stays in use; {figure}"


def _lost(made: Installation) -> str:
    """Waits until lines of the log and of the audit are lost and counted."""

    def counts() -> tuple[float, float] | None:
        dropped = made.metric("auth_log_lines_dropped_total", log="main")
        failed = made.metric("auth_audit_writes_failed_total")
        return (dropped, failed) if dropped > 0 and failed > 0 else None

    dropped, failed = wait_until("lost lines of both are counted", counts)
    return f"{dropped:.0f} lines of the log and {failed:.0f} of the audit counted as lost"


def _hang_up_in_vain(made: Installation, audit: Path) -> None:
    before, size = len(made.broker.lines()), audit.stat().st_size
    made.broker.send(signal.SIGHUP)
    made.broker.wait_for_line("audit", before, level="error")
    wait_until("the old file still takes the lines", lambda: audit.stat().st_size > size)


def _torn(audit: Path) -> int:
    """Returns the number of lines that are not JSON; raises if there is more than one for each failure."""
    torn = 0
    for line in audit.read_bytes().split(b"\n")[:-1]:
        try:
            json.loads(line)
        except ValueError:
            torn += 1
    require(torn <= 1, f"{torn} lines of the audit are torn")
    return torn


def _fill(descriptor: int) -> None:
    for size in (4096, 1):
        try:
            while True:
                os.write(descriptor, bytes(size))
        except OSError:
            continue


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[None]:
    """Mounts a file system in memory for as long as the block runs."""
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mount.returncode != 0:
        raise LeftOut(f"no file system can be mounted here: {mount.stderr.strip()}")
    try:
        yield
    finally:
        # A process may still have a file open there.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


CHECKS = [
    Check(
        "the disk of the log and the audit is full from the start",
        "sign-ins go on, lost lines of both are counted",
        _full_from_the_start,
    ),
    Check(
        "the files of the log and the audit can grow no more, and then they can",
        "sign-ins go on, lost lines are counted, then lines are written again, at most one is torn",
        _full_while_running,
    ),
    Check(
        "the audit cannot be opened again after a rotation, and then it can",
        "an error is logged, the old file takes the lines",
        _rotation_not_possible,
    ),
    Check(
        "a file system with the log and the audit is full, has room again, and is read-only at SIGHUP",
        "sign-ins go on, lost lines are counted, then lines are written again, at most one is torn",
        _file_system,
    ),
]
