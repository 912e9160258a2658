# SPDX-License-Identifier: Apache-2.0
"""Serves the gallery of pages with the header fields that the broker sends with them."""

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass(frozen=True)
class GalleryPage:
    """A page of the gallery."""

    name: str
    language: str
    content_security_policy: str
    referrer_policy: str
    html: bytes


def read_gallery(folder: Path) -> list[GalleryPage]:
    """Reads the pages that the test wrote."""
    return [
        GalleryPage(
            name=entry["name"],
            language=entry["language"],
            content_security_policy=entry["contentSecurityPolicy"],
            referrer_policy=entry["referrerPolicy"],
            html=(folder / f"{entry['name']}.html").read_bytes(),
        )
        for entry in json.loads((folder / "index.json").read_text())
    ]


def serve(pages: list[GalleryPage]) -> str:
    """Serves the pages on a free port of loopback until the process ends, and returns the base URL."""
    by_path = {f"/{page.name}": page for page in pages}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = by_path.get(self.path)
            if page is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", page.content_security_policy)
            self.send_header("Referrer-Policy", page.referrer_policy)
            self.send_header("Content-Length", str(len(page.html)))
            self.end_headers()
            self.wfile.write(page.html)

        def do_POST(self) -> None:
            # A page that submits itself ends here.
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
