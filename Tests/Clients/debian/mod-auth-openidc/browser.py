# SPDX-License-Identifier: Apache-2.0

"""The user's browser: follows redirects with cookies, and sends the form of a page."""

import html.parser
import http.cookiejar
import os
import ssl
import urllib.parse
import urllib.request

MOST_PAGES = 20


class Form(html.parser.HTMLParser):
    """The first form of a page, with its hidden fields."""

    def __init__(self, text):
        super().__init__()
        self.action, self.id, self.fields, self.is_open = None, None, {}, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form" and self.action is None:
            self.action, self.id, self.is_open = values.get("action", ""), values.get("id"), True
        elif tag == "input" and self.is_open and values.get("type") == "hidden":
            self.fields[values["name"]] = values.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form":
            self.is_open = False


class Provider(urllib.request.HTTPRedirectHandler):
    """Signs in with an account at the development provider, which signs in its first user if it is not told another."""

    def __init__(self, account):
        self.account = account

    def redirect_request(self, request, response, status, reason, fields, url):
        endpoint, _, query = url.partition("?")
        if self.account is None or endpoint != os.environ["PROVIDER_ISSUER"] + "/authorize":
            return super().redirect_request(request, response, status, reason, fields, url)
        email, password = self.account
        form = {"authorization_request": query, "email": email, "password": password, "decision": "allow"}
        return urllib.request.Request(endpoint, urllib.parse.urlencode(form).encode())


class Browser:
    def __init__(self, certificates, account=None):
        context = ssl.create_default_context(cafile=certificates)
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            Provider(account),
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
        )
        # mod_auth_openidc sends a user agent to sign in only if it takes a page.
        self.opener.addheaders = [("Accept", "text/html")]

    def load(self, url, cancels=False):
        """Returns the text of the first page without a form, and whether the user could cancel on the way there."""
        could_cancel = False
        request = urllib.request.Request(url)
        for _ in range(MOST_PAGES):
            with self.opener.open(request, timeout=15) as response:
                page, text = response.url, response.read(1 << 18).decode()
            form = Form(text)
            if form.action is None:
                return text, could_cancel
            # The page "Continue to APP", which the broker shows if the redirect URI is not https.
            if form.id == "proceed":
                could_cancel = True
                form.fields.update({"action": "cancel"} if cancels else {})
            origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(page))
            request = urllib.request.Request(
                urllib.parse.urljoin(page, form.action),
                data=urllib.parse.urlencode(form.fields).encode(),
                headers={"Origin": origin},
            )
        raise RuntimeError("the pages do not end")
