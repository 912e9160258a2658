# SPDX-License-Identifier: Apache-2.0
"""Examines every page of the gallery in headless Chromium, and takes pictures of it if asked to."""

import argparse
import base64
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gallery import GalleryPage, read_gallery, serve
from webdriver import Chromium, chromium


@dataclass(frozen=True)
class View:
    """How a user looks at a page."""

    name: str
    width: int
    height: int
    features: tuple[tuple[str, str], ...] = ()
    media: str = ""
    # Whether every page is looked at this way; otherwise those of one language and one direction each.
    is_complete: bool = True
    # Whether axe-core looks too, which sees the same elements at every width.
    has_axe: bool = False
    # Whether a picture is taken.
    has_picture: bool = True


VIEWS = [
    View("light", 1280, 800, (("prefers-color-scheme", "light"),), has_axe=True),
    # Its colors are the same in every language, and so is the layout of the light one.
    View("dark", 1280, 800, (("prefers-color-scheme", "dark"),), is_complete=False, has_axe=True),
    View("narrow", 320, 640, (("prefers-color-scheme", "light"),)),
    View("narrow-dark", 320, 640, (("prefers-color-scheme", "dark"),), is_complete=False, has_picture=False),
    View("forced", 1280, 800, (("forced-colors", "active"),), is_complete=False, has_picture=False),
    View("print", 794, 1123, media="print", is_complete=False, has_picture=False),
]

AXE_RUN = """
const found = await axe.run(document, {resultTypes: ["violations"]});
return found.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" | "));
"""

# A submission would leave the page before it can be looked at.
STAY = "HTMLFormElement.prototype.submit = function() {};"

SHIFTS = """
window.shifts = 0;
new PerformanceObserver(list => { for (const e of list.getEntries()) window.shifts += e.value; })
  .observe({type: "layout-shift", buffered: true});
"""

# Controls whose border or surface cannot be told from what is around them (WCAG 2.2, success criterion 1.4.11), and
# targets that are too small (2.5.8).
MEASURE = """
function parse(text) {
  const n = text.match(/[\\d.]+/g).map(Number);
  return n.length > 3 ? n : [...n, 1];
}
function luminance([r, g, b]) {
  const f = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
}
function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}
const card = parse(getComputedStyle(document.querySelector("main")).backgroundColor);
const found = [];
for (const control of document.querySelectorAll("button, a.button")) {
  const box = control.getBoundingClientRect();
  if (box.width === 0) continue;
  const style = getComputedStyle(control);
  const surface = parse(style.backgroundColor);
  const best = Math.max(
    contrast(parse(style.borderTopColor), card), surface[3] === 0 ? 1 : contrast(surface, card));
  if (best < 3) found.push("contrast of a control: " + best.toFixed(2) + " " + control.textContent);
  if (box.height < 44) found.push("height of a control: " + box.height + " " + control.textContent);
}
if (document.scrollingElement.scrollWidth > window.innerWidth) found.push("scrolls sideways");
if (window.shifts > 0) found.push("shifts by " + window.shifts);
return found;
"""


class Examination:
    """A browser and what it found."""

    def __init__(self, browser: Chromium, axe: str, base: str, pictures: Path | None) -> None:
        self.browser = browser
        self.axe = axe
        self.base = base
        self.pictures = pictures
        self.findings: list[str] = []
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=STAY + SHIFTS)

    def devtools(self, command: str, **parameters: Any) -> Any:
        """Sends a command of the Chrome DevTools Protocol."""
        return self.browser.command("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def run(self, script: str) -> list[str]:
        """Runs a script in the page; returns what it found, or the error by which it ended."""
        result = self.browser.run(script)
        return [f"a script ended in {result['error']}"] if "error" in result else result["value"]

    def view(self, view: View, pages: list[GalleryPage]) -> None:
        """Looks at pages in one way."""
        size = {"width": view.width, "height": view.height, "deviceScaleFactor": 1, "mobile": False}
        self.devtools("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": name, "value": value} for name, value in view.features]
        self.devtools("Emulation.setEmulatedMedia", media=view.media, features=features)
        for page in pages:
            if not view.is_complete and not page.name.startswith(("en-", "rtl-")):
                continue
            # A busy machine may paint one half of a page before the other has arrived, which shifts it. What is wrong with
            # the page itself is found again.
            found = self.examine(view, page) and self.examine(view, page)
            self.findings += [f"{page.name}, {view.name}: {finding}" for finding in found]

    def examine(self, view: View, page: GalleryPage) -> list[str]:
        """Opens a page and looks at it."""
        self.browser.open(f"{self.base}/{page.name}")
        found = []
        if view.media != "print":
            found += self.run(MEASURE)
        if view.has_axe:
            found += self.run(self.axe + AXE_RUN)
        log = self.browser.command("POST", "/se/log", {"type": "browser"})
        found += [entry["message"] for entry in log if "favicon" not in entry["message"]]
        if view.has_picture and self.pictures is not None:
            picture = self.devtools("Page.captureScreenshot", format="png")
            folder = self.pictures / view.name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{page.name}.png").write_bytes(base64.b64decode(picture["data"]))
        return found


def main() -> int:
    """Examines all pages; the result is the status of the process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gallery", type=Path)
    parser.add_argument("pictures", type=Path, nargs="?", help="where the pictures go; none are taken without it")
    parser.add_argument("--axe", type=Path, required=True, help="axe-core as one script")
    parser.add_argument("--only", help="a regular expression that names of pages match", default="")
    arguments = parser.parse_args()
    started = time.monotonic()
    pages = [page for page in read_gallery(arguments.gallery) if re.search(arguments.only, page.name)]
    with chromium([], ["--hide-scrollbars"]) as browser:
        examination = Examination(browser, arguments.axe.read_text(), serve(pages), arguments.pictures)
        for view in VIEWS:
            examination.view(view, pages)
    for finding in examination.findings:
        print(finding, file=sys.stderr)
    seconds = time.monotonic() - started
    print(f"{len(pages)} pages, {len(VIEWS)} views, {len(examination.findings)} findings, {seconds:.0f} s")
    return 1 if examination.findings or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
