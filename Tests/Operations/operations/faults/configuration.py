# SPDX-License-Identifier: Apache-2.0
"""The configuration and secrets are swapped, half written, unreadable, and replaced by a directory."""

import base64
import json
import os
import secrets
import signal
import time
from collections.abc import Callable
from pathlib import Path

from kit import certificates

from operations.check import Check, Effort, Setting, require
from operations.crowd import Crowd, signing_in
from operations.installation import Installation, running, unprivileged
from operations.waiting import wait_until

# Two looks, two seconds apart, have to agree. The rest is for a busy machine; other files are read every 30 seconds.
_SECONDS_TO_NOTICE = 20


def _broken_configuration(setting: Setting) -> str:
    with running(setting, wrapper=unprivileged()) as made, signing_in(made) as crowd:
        file = made.configuration_file
        broken = [
            _broken(
                made, crowd, lambda: file.write_text(json.dumps(made.configuration)[:-200]), "half written"
            ),
            _broken(made, crowd, lambda: file.write_text(""), "emptied"),
            _broken(made, crowd, file.unlink, "removed"),
            _broken(made, crowd, lambda: _by_loop(file), "a link to itself"),
            _broken(made, crowd, lambda: _by_directory(file), "replaced by a directory"),
            _broken(made, crowd, lambda: os.chmod(file, 0), "unreadable"),
        ]
        restore = made.configuration | {"auth": made.configuration["auth"] | {"apps": ["web", "other"]}}
        restore["auth"]["app"] = made.configuration["auth"]["app"] | {
            "other": made.configuration["auth"]["app"]["web"]
        }
        before = len(made.broker.lines())
        made.write(restore)
        made.broker.wait_for_line("configuration reloaded", before, _SECONDS_TO_NOTICE)
        crowd.require_more()
        return f"{', '.join(broken)}: each refused, then one taken; {crowd.figure}"


def _broken_secrets(setting: Setting) -> str:
    folder = setting.directory / "keys"
    folder.mkdir(mode=0o700)
    sealing, signing = folder / "sealing-keys", folder / "signing-keys"
    first = base64.b64encode(secrets.token_bytes(32)).decode()
    sealing.write_text(first)
    signing.write_text(certificates.signing_key("ES256"))
    for file in (sealing, signing):
        file.chmod(0o600)
    keys = {"sealing-keys-file": str(sealing), "signing-keys-file": str(signing)}
    with (
        running(setting, auth=keys, without=("sealing-keys", "signing-keys"), wrapper=unprivileged()) as made,
        signing_in(made) as crowd,
    ):
        broken = [each for file in (sealing, signing) for each in _broken_secret(made, crowd, file)]
        # The three steps of a change of keys, each in the place of the file.
        second = base64.b64encode(secrets.token_bytes(32)).decode()
        for text in (f"{first}\n{second}", f"{second}\n{first}", second):
            before = len(made.broker.lines())
            _put(sealing, text)
            made.broker.wait_for_line("configuration reloaded", before, _SECONDS_TO_NOTICE)
            crowd.require_more()
        return f"{', '.join(broken)}: each refused, then a key changed in three steps; {crowd.figure}"


def _broken_secret(made: Installation, crowd: Crowd, file: Path) -> list[str]:
    text = file.read_text()

    def mend() -> None:
        _put(file, text)

    return [
        _broken(
            made, crowd, lambda: file.write_text(text[: len(text) // 2]), f"{file.name} half written", mend
        ),
        _broken(made, crowd, lambda: _by_directory(file), f"{file.name} replaced by a directory", mend),
        _broken(made, crowd, lambda: os.chmod(file, 0), f"{file.name} unreadable", mend),
    ]


def _swapped_configuration(setting: Setting) -> str:
    with running(setting) as made, signing_in(made, people=2) as crowd:
        swaps = setting.amount(40, 400)
        for number in range(swaps):
            changed = made.changed()
            changed["auth"]["app"]["web"]["redirect-uris"].append(f"https://app.example/{number}")
            made.write(changed)
            if number % 5 == 0:
                made.broker.send(signal.SIGHUP)
            time.sleep(0.1)
        wait_until(
            "the last configuration is in use",
            lambda: made.metric("auth_configuration_valid") == 1 and made.metric("auth_reloads_total") > 0,
        )
        crowd.require_more()
        refused = made.metric("auth_reloads_total", outcome="refused")
        require(refused == 0, f"{refused:.0f} were refused")
        taken = made.metric("auth_reloads_total", outcome="applied")
        return f"{swaps} in {swaps / 10:.0f} s, {taken:.0f} taken, 0 refused; {crowd.figure}"


def _broken(
    made: Installation,
    crowd: Crowd,
    do: Callable[[], object],
    what: str,
    undo: Callable[[], object] | None = None,
) -> str:
    """Breaks a file, looks that all of the old stays in use and is said to, and mends the file."""
    before = len(made.broker.lines())
    do()
    if made.setting.effort is Effort.QUICK:
        # Otherwise it is noticed by itself, which takes four seconds.
        made.broker.send(signal.SIGHUP)
    made.broker.wait_for_line("the old one stays active", before, _SECONDS_TO_NOTICE, level="error")
    require(made.metric("auth_configuration_valid") == 0, f"{what}: auth_configuration_valid is not 0")
    crowd.require_more()
    if undo is None:
        _clear(made.configuration_file)
        made.write(made.configuration)
    else:
        undo()
    if made.setting.effort is Effort.QUICK:
        made.broker.send(signal.SIGHUP)
    wait_until(
        f"{what}, mended: auth_configuration_valid is 1",
        lambda: made.metric("auth_configuration_valid") == 1,
        _SECONDS_TO_NOTICE,
    )
    return what


def _put(file: Path, text: str) -> None:
    """Puts a text in the place of whatever is there, by renaming."""
    _clear(file)
    beside = file.with_name(file.name + ".new")
    beside.write_text(text)
    beside.chmod(0o600)
    beside.replace(file)


def _by_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _by_loop(file: Path) -> None:
    file.unlink()
    os.symlink(file, file)


def _clear(file: Path) -> None:
    """Removes a directory, which no file can take the place of."""
    if file.is_dir():
        file.rmdir()


CHECKS = [
    Check(
        "the configuration is swapped ten times a second, with SIGHUP twice a second",
        "each that is taken is whole, none is refused, sign-ins go on",
        _swapped_configuration,
    ),
    Check(
        "the configuration is half written, emptied, removed, unreadable, a directory",
        "the old one stays in use, an error is logged, `auth_configuration_valid` is 0, sign-ins go on",
        _broken_configuration,
    ),
    Check(
        "secrets are half written, unreadable, a directory, and changed",
        "the old ones stay in use, an error is logged, `auth_configuration_valid` is 0, sign-ins go on",
        _broken_secrets,
    ),
]
