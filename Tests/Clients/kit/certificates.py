# SPDX-License-Identifier: Apache-2.0
"""A certificate authority and a certificate for localhost, made by openssl for one run."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Certificates:
    """The files of a server and of the authority that its clients trust."""

    authority: Path
    certificate: Path
    private_key: Path


def make(directory: Path, names: Sequence[str] = ("DNS:localhost", "IP:127.0.0.1")) -> Certificates:
    """Makes an authority and a certificate that it issued for the names of a server, valid for one day."""
    authority, authority_key = directory / "authority.pem", directory / "authority-key.pem"
    certificate, private_key = directory / "certificate.pem", directory / "private-key.pem"
    _request(
        authority,
        authority_key,
        "/CN=Client kit authority",
        [
            "basicConstraints=critical,CA:TRUE",
            "keyUsage=critical,keyCertSign,cRLSign",
            "subjectKeyIdentifier=hash",
        ],
        [],
    )
    _request(
        certificate,
        private_key,
        f"/CN={names[0].partition(':')[2]}",
        [
            "basicConstraints=critical,CA:FALSE",
            "keyUsage=critical,digitalSignature",
            "extendedKeyUsage=serverAuth",
            "authorityKeyIdentifier=keyid",
            f"subjectAltName={','.join(names)}",
        ],
        ["-CA", str(authority), "-CAkey", str(authority_key)],
    )
    return Certificates(authority, certificate, private_key)


def signing_key(algorithm: str) -> str:
    """Returns a P-256 private key for ES256 or an RSA one for RS256, as a PEM text."""
    if algorithm == "ES256":
        return _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    return _openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")


def _request(certificate: Path, key: Path, subject: str, extensions: list[str], issuer: list[str]) -> None:
    """Makes a P-256 key and its certificate, self-signed without an issuer."""
    added = [argument for extension in extensions for argument in ("-addext", extension)]
    _openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"),
        *("-days", "1", "-subj", subject, "-keyout", str(key), "-out", str(certificate)),
        *added,
        *issuer,
    )


def _openssl(*arguments: str) -> str:
    """Runs openssl without a configuration file, so that its output depends on nothing else."""
    run = subprocess.run(
        ["openssl", *arguments],
        env=os.environ | {"OPENSSL_CONF": os.devnull},
        check=True,
        capture_output=True,
        text=True,
    )
    return run.stdout
