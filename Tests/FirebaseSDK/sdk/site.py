# SPDX-License-Identifier: Apache-2.0
"""The web pages of apps."""

import html
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from sdk.installation import API_KEY, PROJECT_ID

_FILES = Path(__file__).resolve().parent.parent / "site"
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
_HTML = "text/html; charset=utf-8"
# Where a browser takes its time for the challenge, all of the page runs before it is left, and the SDK forgets that a
# redirect is pending.
_LATE_DIGEST = """
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    const loaded = new Promise((resolve) => addEventListener("load", resolve));
    const isPending = () => Object.keys(sessionStorage).some((name) => name.startsWith("firebase:pendingRedirect:"));
    crypto.subtle.digest = async (...values) => {
      await loaded;
      while (isPending()) await new Promise((resolve) => setTimeout(resolve, 10));
      return digest(...values);
    };
    """
# The SDK calls this where the script is not there, as after an outage, and once more at each attempt.
_LOADER = """
    window.gapi = {
      load(_, { callback, ontimeout }) {
        const script = document.createElement("script");
        script.src = "%s/__/auth/sdk.js";
        Object.assign(script, { onload: callback, onerror: ontimeout });
        document.head.append(script);
      },
    };
    """
# Markup that others may have brought into a page: to read `document.currentScript` is to read this element.
_CLOBBERING = """<img name="currentScript" src="https://a.example/__/auth/sdk.js">"""
# Random bytes whose base64 has both of the characters that no URL has.
_FIXED_RANDOM = "crypto.getRandomValues = (array) => array.fill(0xfb);"
# What Google's own script may have put there before.
_FOREIGN_GAPI = """window.gapi = {client: {of: "Google"}, load() { return "Google's"; }, iframes: {of: "Google"}};"""


@dataclass
class Site:
    """A site. Each path below `/app` is the page that does what the SDK does, and `/bare` is one without the script.

    `/sdk/` is the page with the Firebase SDK, whose package is unpacked in the folder `sdk`. `script` is what the site
    serves at `/__/auth/sdk.js`, as a broker of its own whose claims are never answered.
    """

    origin: str
    broker: str
    sdk: Path
    integrity: str = ""
    script: bytes = b""
    requested: list[str] = field(default_factory=list)

    def page(self, path: str) -> tuple[str, bytes] | None:
        """Returns the type and the content at a path; None if there is nothing."""
        if path.startswith("/app"):
            return _HTML, self._app(f"{self.broker}/__/auth/sdk.js", self.broker)
        if path == "/late":
            return _HTML, self._app(f"{self.broker}/__/auth/sdk.js", self.broker, _LATE_DIGEST)
        if path == "/foreign-gapi":
            return _HTML, self._app(f"{self.broker}/__/auth/sdk.js", self.broker, _FOREIGN_GAPI)
        if path == "/clobbered":
            return _HTML, self._app(f"{self.broker}/__/auth/sdk.js", self.broker, markup=_CLOBBERING)
        if path == "/claiming":
            return _HTML, self._app("/__/auth/sdk.js", self.origin, _LATE_DIGEST + _FIXED_RANDOM)
        if path == "/__/auth/sdk.js":
            return _TYPES[".js"], self.script
        if path == "/bare":
            return _HTML, b"<!DOCTYPE html><title>No script</title><p id='bare'>No script</p>"
        if path in ("/sdk/", "/sdk/late"):
            return _HTML, self._firebase(_LATE_DIGEST if path == "/sdk/late" else "")
        file = self.sdk / path.removeprefix("/sdk/") if path.startswith("/sdk/") else _FILES / path[1:]
        if ".." not in path and file.suffix in _TYPES and file.is_file():
            return _TYPES[file.suffix], file.read_bytes()
        return None

    def _app(self, script: str, broker: str, before: str = "", markup: str = "") -> bytes:
        integrity = f' integrity="{self.integrity}" crossorigin="anonymous"' if self.integrity else ""
        values = json.dumps({"broker": broker, "apiKey": API_KEY, "version": self.sdk_version})
        return f"""<!DOCTYPE html>
            <title>App</title>{markup}
            <script>{before}</script>
            <script src="{html.escape(script)}"{integrity}></script>
            <script type="application/json" id="values">{values}</script>
            <button id="popup">Popup</button> <button id="leave">Redirect</button>
            <script src="/gapi.js"></script>""".encode()

    @property
    def sdk_version(self) -> str:
        """The version of the Firebase SDK."""
        return str(json.loads((self.sdk / "package.json").read_text())["version"])

    def _firebase(self, before: str) -> bytes:
        """An app with the modules of the SDK. One of them names another by its place at Google."""
        app, auth = "/sdk/firebase-app.js", "/sdk/firebase-auth.js"
        published = f"https://www.gstatic.com/firebasejs/{self.sdk_version}/firebase-app.js"
        modules = json.dumps({"imports": {"firebase/app": app, published: app, "firebase/auth": auth}})
        # The oldest SDK accepts no port in it. Where the broker is, it takes from the URL.
        domain = urlsplit(self.broker).hostname
        values = {"broker": self.broker, "apiKey": API_KEY, "authDomain": domain, "projectId": PROJECT_ID}
        return f"""<!DOCTYPE html>
            <title>App with the Firebase SDK</title>
            <script>{before}{_LOADER % self.broker}</script>
            <script src="{self.broker}/__/auth/sdk.js"></script>
            <script type="importmap">{modules}</script>
            <script type="application/json" id="config">{json.dumps(values)}</script>
            <button id="popup">Popup</button> <button id="link">Link</button> <button id="redirect">Redirect</button>
            <script type="module" src="/firebase.js"></script>""".encode()


@contextmanager
def serve(host: str, broker: str, sdk: Path, address: str = "127.0.0.1") -> Iterator[Site]:
    """Serves a site at a free port of an address, which a host name leads to."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            site.requested.append(self.path)
            if path in ("/__/auth/claim", "/favicon.ico"):
                # After a claim, the browser stays on the page.
                self.send_response(204)
                self.end_headers()
                return
            found = site.page(path)
            self.send_response(200 if found else 404)
            kind, content = found or ("text/plain", b"There is nothing here.\n")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """What goes wrong is seen in the browser."""

    server = http.server.ThreadingHTTPServer((address, 0), Handler)
    site = Site(f"http://{host}:{server.server_address[1]}", broker, sdk)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
