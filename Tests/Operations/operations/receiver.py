# SPDX-License-Identifier: Apache-2.0
"""A receiver of webhooks: `python3 -m operations.receiver PORT FILE` adds each body to a file, and then accepts it."""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def main() -> None:
    """Listens until it is killed."""
    port, path = int(sys.argv[1]), sys.argv[2]
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            # One write, so that no line is torn.
            os.write(file, body + b"\n")
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """What was received is in the file."""

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
