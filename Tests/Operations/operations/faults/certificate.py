# SPDX-License-Identifier: Apache-2.0
"""The certificate is replaced every second, in whole and in halves."""

import os
import shutil
import ssl
import threading
import time
from pathlib import Path

from kit import certificates

from operations.check import Check, Setting, require
from operations.crowd import signing_in
from operations.installation import Installation, running
from operations.wire import Endpoint

# The server reads the files every 30 seconds.
_SECONDS_BETWEEN_READINGS = 30
_HANDSHAKE_THREADS = 2


class _Handshakes:
    """New connections, one after another, and what became of them."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.count = 0
        self.failures: list[str] = []
        self.serials: set[str] = set()
        self.has_ended = threading.Event()

    def make(self) -> None:
        while not self.has_ended.is_set():
            connection = self._endpoint.connect("127.0.0.1")
            try:
                connection.connect()
                if isinstance(connection.sock, ssl.SSLSocket):
                    self.serials.add(str((connection.sock.getpeercert() or {})["serialNumber"]))
                self.count += 1
            except OSError as error:
                self.failures.append(str(error))
            finally:
                connection.close()
            time.sleep(0.02)


def _swapped_every_second(setting: Setting) -> str:
    links = setting.directory / "tls"
    links.mkdir()
    pairs = [certificates.make(_made(links / f"pair-{number}")) for number in range(4)]
    files = links / "current"
    _point(files, pairs[0].certificate.parent)
    tls = {"certificate-chain": str(files / "certificate.pem"), "private-key": str(files / "private-key.pem")}
    context = ssl.create_default_context(cadata="\n".join(pair.authority.read_text() for pair in pairs))
    # All handshakes come from one address, as fast as they can.
    server = {"tls": tls, "maximum-connections-per-address": 10_000}
    with running(setting, server=server, context=context) as made:
        handshakes = _Handshakes(made.endpoint)
        threads = [threading.Thread(target=handshakes.make) for _ in range(_HANDSHAKE_THREADS)]
        for thread in threads:
            thread.start()
        try:
            with signing_in(made) as crowd:
                swaps = _swap(made, files, pairs, seconds=_SECONDS_BETWEEN_READINGS + 5)
                if setting.amount(0, 1):
                    swaps += _tear(made, files, pairs, seconds=_SECONDS_BETWEEN_READINGS + 5)
                # At rest, the last pair has to come into use at the next reading at the latest.
                crowd.require_more()
        finally:
            handshakes.has_ended.set()
            for thread in threads:
                thread.join()
        failures = handshakes.failures
        require(
            not failures,
            f"{len(failures)} of {handshakes.count} handshakes failed, the first: {failures[:1]}",
        )
        require(len(handshakes.serials) > 1, "no other certificate came into use")
        return (
            f"{swaps} swaps, {handshakes.count} handshakes, 0 failed, {len(handshakes.serials)} certificates seen; "
            f"{crowd.figure}"
        )


def _swap(made: Installation, files: Path, pairs: list[certificates.Certificates], seconds: int) -> int:
    """Points to another directory every second, as certificate tools and Kubernetes do."""
    for number in range(1, seconds + 1):
        # The pair of the start comes back only after the first reading.
        _point(files, pairs[1 + number % 3 if number < seconds else 0].certificate.parent)
        time.sleep(1)
    return seconds


def _tear(made: Installation, files: Path, pairs: list[certificates.Certificates], seconds: int) -> int:
    """Writes into the files themselves: half of a certificate, then all of it, then the key."""
    before = len(made.broker.lines())
    shutil.copytree(pairs[0].certificate.parent, files.parent / "torn")
    _point(files, files.parent / "torn")
    for number in range(seconds):
        pair = pairs[number % len(pairs)]
        text = pair.certificate.read_text()
        (files / "certificate.pem").write_text(text[: len(text) // 2])
        time.sleep(0.5)
        (files / "certificate.pem").write_text(text)
        time.sleep(0.5)
        if number % 2:
            (files / "private-key.pem").write_text(pair.private_key.read_text())
    # Left in two halves that do not fit, it has to say so.
    (files / "certificate.pem").write_text(pairs[1].certificate.read_text())
    (files / "private-key.pem").write_text(pairs[2].private_key.read_text())
    made.broker.wait_for_line("cannot reload the TLS certificate", after=before, seconds=_SECONDS_BETWEEN_READINGS + 5)
    return seconds


def _made(directory: Path) -> Path:
    directory.mkdir()
    return directory


def _point(link: Path, target: Path) -> None:
    """Replaces a symbolic link in one step."""
    beside = link.with_name(link.name + ".new")
    os.symlink(target, beside)
    beside.replace(link)


CHECKS = [
    Check(
        "the certificate is swapped every second",
        "no handshake fails, another certificate comes into use, sign-ins go on",
        _swapped_every_second,
    )
]
