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
    # Whether axe-core looks too, which sees the same elements at every width.
    has_axe: bool = False
    # Whether a picture is taken.
    has_picture: bool = True


LIGHT = View("light", 1280, 800, (("prefers-color-scheme", "light"),), has_axe=True)
NARROW = View("narrow", 320, 640, (("prefers-color-scheme", "light"),))
DARK = View("dark", 1280, 800, (("prefers-color-scheme", "dark"),), has_axe=True)
NARROW_DARK = View("narrow-dark", 320, 640, (("prefers-color-scheme", "dark"),), has_picture=False)
FORCED = View("forced", 1280, 800, (("forced-colors", "active"),), has_picture=False)
PRINT = View("print", 794, 1123, media="print", has_picture=False)

# The views of a page: it is opened in the first of each list, and changes to the others. To open it takes most of the time,
# and a page that loads nothing, whose script does not ask how it is looked at, is the same as if it had been opened so.
# Only what moves while a page arrives is not seen after a change.
EVERY_PAGE = [[LIGHT, NARROW]]
# The pages of one language and one direction each. Colors are the same in every language, and so is what could move.
ONE_OF_A_DIRECTION = [[LIGHT, DARK, FORCED, PRINT], [NARROW, NARROW_DARK]]

# A change of the view may arrive after the script.
AWAIT_VIEW = """
const [width, media, features] = values;
const queries = [...(media ? [media] : []), ...features.map(([name, value]) => `(${name}: ${value})`)];
const isShown = () => window.innerWidth === width && queries.every(query => matchMedia(query).matches);
for (let i = 0; i < 500 && !isShown(); i++) await new Promise(resolve => setTimeout(resolve, 10));
const found = isShown() ? [] : ["is not shown so"];
"""

AXE_RUN = """
const {violations} = await axe.run(document, {resultTypes: ["violations"]});
found.push(...violations.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" | ")));
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
"""

# Another width moves what is there: only what arrived must not.
SHIFTED = """
await new Promise(resolve => setTimeout(resolve));
if (window.shifts > 0) found.push("shifts by " + window.shifts);
"""


class Examination:
    """A browser and what it found."""

    def __init__(self, browser: Chromium, axe: str, base: str, pictures: Path | None) -> None:
        self.browser = browser
        self.base = base
        self.pictures = pictures
        self.findings: list[str] = []
        self.shown: View | None = None
        # Given to the browser once: it is large.
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=STAY + SHIFTS + axe)

    def devtools(self, command: str, **parameters: Any) -> Any:
        """Sends a command of the Chrome DevTools Protocol."""
        return self.browser.command("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def examine(self, page: GalleryPage, views: list[View]) -> None:
        """Opens a page in the first of the views, and looks at it in each of them."""
        # A busy machine may paint one half of a page before the other has arrived, which shifts it. What is wrong with
        # the page itself is found again.
        self.findings += self.open(page, views) and self.open(page, views)

    def open(self, page: GalleryPage, views: list[View]) -> list[str]:
        """Opens a page and returns what is found."""
        self.show(views[0])
        self.browser.open(f"{self.base}/{page.name}")
        found = []
        for view in views:
            self.show(view)
            found += [f"{page.name}, {view.name}: {finding}" for finding in self.look(view, view is views[0])]
            if view.has_picture and self.pictures is not None:
                self.take_picture(self.pictures / view.name, page)
        log = self.browser.command("POST", "/se/log", {"type": "browser"})
        return found + [f"{page.name}: {entry['message']}" for entry in log if "favicon" not in entry["message"]]

    def show(self, view: View) -> None:
        """Changes the view."""
        before, self.shown = self.shown, view
        if before is None or (before.width, before.height) != (view.width, view.height):
            size = {"width": view.width, "height": view.height, "deviceScaleFactor": 1, "mobile": False}
            self.devtools("Emulation.setDeviceMetricsOverride", **size)
        if before is None or (before.media, before.features) != (view.media, view.features):
            features = [{"name": name, "value": value} for name, value in view.features]
            self.devtools("Emulation.setEmulatedMedia", media=view.media, features=features)

    def look(self, view: View, was_opened: bool) -> list[str]:
        """Returns what scripts find in the page, or the error by which they ended."""
        scripts = [AWAIT_VIEW]
        # No control is printed.
        scripts += [] if view.media == "print" else [MEASURE]
        scripts += [AXE_RUN] if view.has_axe else []
        scripts += [SHIFTED] if was_opened else []
        result = self.browser.run("".join(scripts) + "return found;", view.width, view.media, view.features)
        return [f"a script ended in {result['error']}"] if "error" in result else result["value"]

    def take_picture(self, folder: Path, page: GalleryPage) -> None:
        """Takes a picture of the page as it is shown."""
        picture = self.devtools("Page.captureScreenshot", format="png")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{page.name}.png").write_bytes(base64.b64decode(picture["data"]))


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
        for page in pages:
            for views in ONE_OF_A_DIRECTION if page.name.startswith(("en-", "rtl-")) else EVERY_PAGE:
                examination.examine(page, views)
    for finding in examination.findings:
        print(finding, file=sys.stderr)
    seconds = time.monotonic() - started
    print(f"{len(pages)} pages, {len(examination.findings)} findings, {seconds:.0f} s")
    return 1 if examination.findings or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
