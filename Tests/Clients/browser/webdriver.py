# SPDX-License-Identifier: Apache-2.0

"""Headless Chromium by the WebDriver protocol (W3C), as far as a sign-in needs it."""

import contextlib
import json
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Guards against what hangs: a browser that starts on a busy machine may need half a minute.
SECONDS_TO_ANSWER = 120
SECONDS_TO_WAIT = 60
SECONDS_TO_END = 30
MOST_STARTS = 20


class Chromium:
    def __init__(self, base):
        self.base = base
        # Where the browser itself listens.
        self.debugger_address = None

    def command(self, method, path, value=None):
        data = None if method != "POST" else json.dumps(value or {}).encode()
        request = urllib.request.Request(
            self.base + path, data=data, method=method, headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=SECONDS_TO_ANSWER) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            failure = json.load(error)["value"]
            raise RuntimeError(f"{failure['error']}: {failure['message'][:300]}") from None

    @property
    def url(self):
        return self.command("GET", "/url")

    def open(self, url):
        self.command("POST", "/url", {"url": url})

    def click(self, selector):
        """Clicks an element as soon as it is there."""
        element = self.wait(lambda: self.find(selector), f"no element {selector}")
        self.command("POST", f"/element/{element}/click")

    def find(self, selector):
        found = self.command("POST", "/elements", {"using": "css selector", "value": selector})
        return found[0][ELEMENT] if found else None

    def run(self, script, *arguments):
        """Runs the body of an asynchronous function in the page, and returns its value."""
        wrapped = (
            "const done = arguments[arguments.length - 1];"
            f"(async (...values) => {{ {script} }})(...[...arguments].slice(0, -1))"
            ".then((value) => done({ value }), (error) => done({ error: error.name }));"
        )
        return self.command("POST", "/execute/async", {"script": wrapped, "args": list(arguments)})

    def wait(self, condition, failure):
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while time.monotonic() < deadline:
            value = condition()
            if value:
                return value
            time.sleep(0.05)
        raise RuntimeError(f"{failure} at {self.url.partition('?')[0]}")


def start():
    """Starts chromedriver, and returns its process and its port.

    It lets the system choose a port of ::1, wants that port of 127.0.0.1 too, and ends where another server has it: then
    another one is started, which gets another port.
    """
    for _ in range(MOST_STARTS):
        driver = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        started = (re.search(r"started successfully on port (\d+)", line) for line in driver.stdout)
        port = next((match[1] for match in started if match), None)
        if port is not None:
            return driver, port
        driver.stdout.close()
        driver.wait()
    raise RuntimeError("chromedriver did not start")


@contextlib.contextmanager
def chromium(trusted_keys, more_arguments=()):
    """Starts Chromium, which keeps what pages write to the console. `trusted_keys` are the SHA-256 hashes of the keys of
    the test's own certificates, in base64."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        driver, port = start()
        try:
            browser = Chromium(f"http://127.0.0.1:{port}")
            arguments = [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-proxy-server",
                # Pages of the browser's own, behind the address bar of each window.
                "--disable-features=WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup",
                # Nothing but loopback is reached.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE 127.0.0.2",
                "--ignore-certificate-errors-spki-list=" + ",".join(trusted_keys),
                f"--user-data-dir={directory}",
                *more_arguments,
            ]
            capabilities = {
                "browserName": "chrome",
                "goog:chromeOptions": {"args": arguments},
                "goog:loggingPrefs": {"browser": "ALL"},
            }
            session = browser.command("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            browser.base += "/session/" + session["sessionId"]
            browser.debugger_address = session["capabilities"]["goog:chromeOptions"]["debuggerAddress"]
            try:
                yield browser
            finally:
                browser.command("DELETE", "")
        finally:
            driver.terminate()
            try:
                driver.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                driver.kill()
                driver.wait()
