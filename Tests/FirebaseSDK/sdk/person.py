# SPDX-License-Identifier: Apache-2.0
"""What a user does on the pages of the broker and of the provider that asks."""

from sdk.browser import Browser
from sdk.check import wait_until

# Users of `oidc-broker-demo provider`.
ADA = ("ada@example.com", "analytical-engine")
GRACE = ("grace@example.com", "first-compiler")


def arrive(browser: Browser) -> None:
    """Waits for the provider's page, where the user is asked."""
    wait_until("the provider's page", lambda: browser.find("#email"))


def sign_in(browser: Browser, person: tuple[str, str] = ADA, decision: str = "allow") -> None:
    """Signs in at the provider that asks, and allows or denies."""
    arrive(browser)
    browser.type("#email", person[0])
    browser.type("#password", person[1])
    browser.click("#sign-in")
    browser.click(f"#{decision}")


def refusal(browser: Browser) -> str:
    """Waits for a page of the broker that ends a sign-in, and returns what it says."""
    wait_until("a page that says why", lambda: browser.find("#failure"))
    text: str = browser.run("return document.querySelector('main').innerText")
    return text
