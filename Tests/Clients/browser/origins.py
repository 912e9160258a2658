# SPDX-License-Identifier: Apache-2.0

"""The origins from which the single-page app is loaded, and the keys of the certificates."""

import base64
import contextlib
import hashlib
import http.server
import json
import pathlib
import socket
import ssl
import subprocess
import threading
import urllib.parse

FILES = pathlib.Path(__file__).resolve().parent / "single-page-app"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


@contextlib.contextmanager
def serve(configuration, address="127.0.0.1", port=0, certificate=None):
    """Serves the app, and yields its port. `configuration` is what it reads at its start."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path = self.path.partition("?")[0]
            file = FILES / path[1:]
            if path == "/configuration.json":
                self.send("application/json", json.dumps(configuration).encode())
            elif path.count("/") == 1 and file.suffix == ".js" and file.is_file():
                self.send(TYPES[".js"], file.read_bytes())
            else:
                self.send(TYPES[".html"], (FILES / "index.html").read_bytes())

        def send(self, kind, body):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """The URL holds the code."""

    server = http.server.ThreadingHTTPServer((address, port), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def broker_certificate(issuer, authorities):
    """The certificate of the broker, which one of the authorities must have issued, as PEM text."""
    parts = urllib.parse.urlsplit(issuer)
    context = ssl.create_default_context(cafile=authorities)
    with socket.create_connection((parts.hostname, parts.port or 443), 10) as connection:
        with context.wrap_socket(connection, server_hostname=parts.hostname) as secured:
            return ssl.DER_cert_to_PEM_cert(secured.getpeercert(binary_form=True))


def key_hash(certificate):
    """The SHA-256 hash of the key of a certificate, in base64."""
    key = subprocess.run(
        ["openssl", "x509", "-pubkey", "-noout"], input=certificate, check=True, capture_output=True, text=True).stdout
    lines = [line for line in key.splitlines() if not line.startswith("-")]
    return base64.b64encode(hashlib.sha256(base64.b64decode("".join(lines))).digest()).decode()
