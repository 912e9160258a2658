# SPDX-License-Identifier: Apache-2.0
"""The image of Packaging/container, run by podman as a host of containers runs it."""

import json
import os
import shlex
import signal
import subprocess

from operations.check import Check, Effort, LeftOut, Setting, require
from operations.crowd import signing_in
from operations.installation import Installation, running
from operations.others.programs import need, output
from operations.waiting import wait_until

# The image to look at, and the command that runs it, with the options that this machine needs.
_IMAGE, _PODMAN = "OIDC_BROKER_IMAGE", "PODMAN"
_USER = "65532:65532"
_SHELLS = ("/bin/sh", "/bin/bash", "/bin/dash", "/bin/busybox", "/busybox/sh", "/usr/bin/sh", "/usr/bin/bash")
# What podman ends with where the command of a container is not there (podman-run(1)).
_NOT_FOUND = 127
_SECONDS_OF_A_COMMAND = 60
_PEOPLE = 4
_SIGN_INS = 20
_SECONDS_TO_DRAIN = 30
_MEGABYTE = 1_000_000
# The configuration of the check in the place where the image looks for it. The process then is podman's, which hands
# signals on.
_RUN = """
cp "$FOLDER/broker.json" "$FOLDER/broker.yaml"
chown -R "$USER_OF_IMAGE" "$FOLDER"
eval "exec $PODMAN run --rm --network host --read-only --cap-drop ALL --security-opt no-new-privileges \
    --name \"\$NAME\" --volume \"\$FOLDER:\$FOLDER:ro\" --volume \"\$FOLDER:/etc/oidc-broker:ro\" \"\$IMAGE\""
"""


def _image(setting: Setting) -> str:
    image = os.environ.get(_IMAGE)
    if not image:
        raise LeftOut(f"{_IMAGE} names no image")
    if os.geteuid() != 0:
        raise LeftOut("only root can give the configuration to the user of the image")
    podman = shlex.split(os.environ.get(_PODMAN) or need("podman", "podman"))
    described = json.loads(output([*podman, "image", "inspect", image]))[0]
    user = described["Config"].get("User", "root")
    require(user == _USER, f"the user is {user}")
    _require_no_shell(podman, image)
    name = f"oidc-broker-{os.getpid()}"
    health = [*podman, "healthcheck", "run", name]
    try:
        with running(setting, wrapper=_wrapper(podman, image, name)) as made:
            wait_until("the container is healthy", lambda: _status(health) == 0)
            with signing_in(made, _PEOPLE) as crowd:
                crowd.require_more(_SIGN_INS)
            crowd.require_success()
            _end(made)
    finally:
        _status([*podman, "rm", "--force", "--ignore", name])
    size = described["Size"] / _MEGABYTE
    program = output([*podman, "--version"]).strip()
    return f"{size:.0f} MB, user {user}, no shell, healthy; {crowd.figure}; SIGTERM: status 0; {program}"


def _require_no_shell(podman: list[str], image: str) -> None:
    run = [*podman, "run", "--rm", "--network", "none", "--entrypoint"]
    # Otherwise a failure of podman itself would look like a missing shell.
    status = _status([*run, "/usr/bin/oidc-broker", image, "--version"])
    require(status == 0, f"podman cannot run the image: status {status}")
    found = [shell for shell in _SHELLS if _status([*run, shell, image, "-c", "true"]) != _NOT_FOUND]
    require(not found, f"the image has {found}")


def _status(command: list[str]) -> int:
    return subprocess.run(command, check=False, capture_output=True, timeout=_SECONDS_OF_A_COMMAND).returncode


def _wrapper(podman: list[str], image: str, name: str) -> list[str]:
    """Returns what executes the container instead of the command that follows."""
    variables = {"PODMAN": shlex.join(podman), "IMAGE": image, "NAME": name, "USER_OF_IMAGE": _USER}
    # The last word of what follows is the path of the configuration.
    script = f'for last; do :; done; FOLDER=$(dirname "$last"){_RUN}'
    return ["env", *(f"{key}={value}" for key, value in variables.items()), "sh", "-euc", script, "sh"]


def _end(made: Installation) -> None:
    made.broker.send(signal.SIGTERM)
    status = made.broker.wait(_SECONDS_TO_DRAIN)
    require(status == 0, f"the exit status is {status}")


CHECKS = [
    Check(
        "the image of `Packaging/container`, with a read-only root and no capability",
        "user 65532, no shell, its health check holds, sign-ins go on, SIGTERM ends it with status 0",
        _image,
        Effort.ALL,
    )
]
