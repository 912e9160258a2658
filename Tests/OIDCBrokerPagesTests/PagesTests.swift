// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import OIDCBrokerPages
import Testing

/// Pages.
struct PagesTests {
    /// Text that breaks out of whatever is not escaped.
    static let hostile = "\"'><script>alert(1)</script>&"

    /// One of each, hostile in every place that takes text.
    static let everyPage: [Page] = [
        Pages().failure(
            PageMessage(hostile, hostile), status: .badRequest, appName: hostile, reference: PageReference(),
            link: .back(host: hostile, url: "https://app.example/?\(hostile)")),
        Pages().chooser(
            appName: hostile, providers: [ProviderChoice(name: hostile, title: hostile)], action: hostile,
            login: hostile),
        Pages().start(appName: hostile, at: ProviderChoice(name: hostile, title: hostile), target: hostile),
        Pages().proceed(
            appName: hostile, account: "ada@people.example", destination: hostile, action: hostile, login: hostile),
        Pages().repost(action: hostile, fields: [(name: hostile, value: hostile)]),
        Pages().confirmLogout(
            appName: hostile, action: hostile, logout: hostile, cancel: "https://app.example/?\(hostile)"),
    ]

    @Test(arguments: everyPage)
    func `Every page: complete, for phone and dark mode, no referrer, no script, nothing loaded`(page: Page) {
        #expect(page.html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\">"))
        #expect(page.html.contains("<meta charset=\"utf-8\">"))
        #expect(page.html.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"))
        #expect(page.html.contains("<meta name=\"color-scheme\" content=\"light dark\">"))
        // A page with a form shows its own origin to itself, or the form would come with `Origin: null`.
        #expect(page.referrerPolicy == (page.html.contains("<form") ? "same-origin" : "no-referrer"))
        #expect(page.html.contains("<meta name=\"referrer\" content=\"\(page.referrerPolicy)\">"))
        #expect(page.html.contains("prefers-color-scheme:dark"))
        for forbidden in ["<script", "<img", "<link", "<iframe", "<object", " style=", " onclick=", "url(", "@import"] {
            #expect(!page.html.contains(forbidden), "\(forbidden)")
        }
        #expect(page.html.contains("&lt;script&gt;"))
    }

    @Test(arguments: everyPage)
    func `The policy allows exactly the stylesheet that is in the page`(page: Page) throws {
        let start = try #require(page.html.range(of: "<style>"))
        let end = try #require(page.html.range(of: "</style>"))
        let style = page.html[start.upperBound..<end.lowerBound]
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        #expect(page.contentSecurityPolicy.contains("style-src 'sha256-\(hash)'"))
        #expect(!page.html[end.upperBound...].contains("<style"))
    }

    @Test(arguments: everyPage)
    func `The policy: nothing by default, no base, no frame`(page: Page) {
        let directives = page.contentSecurityPolicy.split(separator: "; ").map(String.init)
        #expect(directives.prefix(3) == ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        #expect(!page.contentSecurityPolicy.contains("unsafe"))
        #expect(page.contentSecurityPolicy.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }

    @Test func `A page whose form ends in a redirect sends no form-action; a page without form forbids forms`() {
        for page in Self.everyPage {
            let hasForm = page.html.contains("<form")
            #expect(page.contentSecurityPolicy.hasSuffix("; form-action 'none'") == !hasForm)
            #expect(page.contentSecurityPolicy.contains("form-action") == !hasForm)
        }
        let own = Page(status: .ok, title: "t", content: "<form></form>", forms: .answeredHere)
        #expect(own.contentSecurityPolicy.hasSuffix("; form-action 'self'"))
    }

    @Test func `A failure says what happened, with reference and link where given`() {
        let reference = PageReference()
        let page = Pages().failure(
            PageMessage("Please try again later", "The provider does not answer."), status: .serviceUnavailable,
            appName: "Shop", reference: reference, link: .startAgain(url: "https://app.example/?a=1&b=2"))
        #expect(page.status == .serviceUnavailable)
        #expect(page.html.contains("<h1 id=\"failure\">Please try again later</h1>"))
        #expect(page.html.contains("<p>The provider does not answer.</p>"))
        #expect(page.html.contains("give this code: <code id=\"reference\">\(reference)</code>"))
        #expect(page.html.contains("<p class=\"quiet\" id=\"app\">Sign in to <bdi>Shop</bdi></p>"))
        #expect(page.html.contains("href=\"https://app.example/?a=1&amp;b=2\">Start again</a>"))
        #expect(!page.html.contains("<form"))

        let both = Pages().failure(
            PageMessage("t", "m"), status: .badRequest, link: .back(host: "app.example", url: "https://app.example/"),
            otherLink: .startAgain(url: "/login/shop?to=%2F&x"))
        #expect(both.html.contains("id=\"link\" href=\"https://app.example/\">Back to app.example</a>"))
        #expect(both.html.contains("id=\"other-link\" href=\"/login/shop?to=%2F&amp;x\">Start again</a>"))

        let plain = Pages().failure(PageMessage("t", "m"), status: .badRequest)
        #expect(!plain.html.contains("give this code") && !plain.html.contains("<a "))
    }

    @Test func `A link that runs script is left out`() {
        let page = Pages().failure(
            PageMessage("t", "m"), status: .badRequest, link: .back(host: "x", url: "javascript:alert(1)"),
            otherLink: .startAgain(url: "javascript:alert(1)"))
        #expect(!page.html.contains("<a ") && !page.html.contains("javascript"))
    }

    @Test func `The chooser has one button per provider, in order, and carries the login`() throws {
        let page = Pages().chooser(
            appName: "Shop & Co",
            providers: [
                ProviderChoice(name: "acme", title: "Acme"),
                ProviderChoice(name: "apple", title: "Apple", mark: .apple),
            ],
            action: "/__/auth/choose", login: "sealed.value")
        #expect(page.status == .ok)
        #expect(page.html.contains("<title>Sign in to Shop &amp; Co</title>"))
        #expect(page.html.contains("<form method=\"post\" action=\"/__/auth/choose\""))
        #expect(page.html.contains("<input type=\"hidden\" name=\"login\" value=\"sealed.value\">"))
        let acme = try #require(page.html.range(of: "name=\"provider\" value=\"acme\" id=\"provider-acme\""))
        let apple = try #require(page.html.range(of: "name=\"provider\" value=\"apple\" id=\"provider-apple\""))
        #expect(acme.lowerBound < apple.lowerBound)
        #expect(page.html.components(separatedBy: "<button").count == 3)
        #expect(page.html.contains("<button class=\"choice mark apple\""))
        #expect(page.html.components(separatedBy: "<svg aria-hidden=\"true\"").count == 2)
    }

    @Test func `A start names the app and the provider, and goes on by a link`() {
        let page = Pages().start(
            appName: "Shop & Co", at: ProviderChoice(name: "apple", title: "Apple", mark: .apple),
            target: "/__/auth/handler?a=1&b=2")
        #expect(page.status == .ok && page.html.contains("<h1>Sign in to <bdi>Shop &amp; Co</bdi></h1>"))
        #expect(page.html.contains("class=\"button choice mark apple\" id=\"start\""))
        #expect(page.html.contains("href=\"/__/auth/handler?a=1&amp;b=2\"><svg"))
        #expect(page.html.contains("<span>Continue with <bdi>Apple</bdi></span></a>"))
        #expect(!page.html.contains("<form") && !page.html.contains("<button"))
    }

    @Test func `Continue names the app and the destination of the response`() {
        let page = Pages().proceed(
            appName: "Shop", account: "ada@people.example", destination: "com.example.shop",
            action: "/__/auth/continue", login: "l")
        #expect(page.html.contains("id=\"continue\">Continue to <bdi>Shop</bdi></button>"))
        #expect(page.html.contains("<code>com.example.shop</code>"))
        #expect(page.html.contains("<form method=\"post\" action=\"/__/auth/continue\""))
        #expect(page.html.contains("<input type=\"hidden\" name=\"login\" value=\"l\">"))
    }

    @Test func `The re-POST carries the fields, in order, and waits for the user`() throws {
        let page = Pages().repost(
            action: "/__/auth/handler", fields: [(name: "code", value: "c&d"), (name: "state", value: "s")])
        let code = try #require(page.html.range(of: "<input type=\"hidden\" name=\"code\" value=\"c&amp;d\">"))
        let state = try #require(page.html.range(of: "<input type=\"hidden\" name=\"state\" value=\"s\">"))
        #expect(code.lowerBound < state.lowerBound)
        #expect(page.html.contains("<form method=\"post\" action=\"/__/auth/handler\""))
        #expect(page.html.contains("<button type=\"submit\" id=\"continue\">Continue</button>"))
    }

    @Test func `The shared stylesheet cannot end its element, and is small`() {
        #expect(!Stylesheet.shared.text.contains("<"))
        #expect(Stylesheet.shared.text.utf8.count < 4096)
        let more = Stylesheet.shared.adding("p{margin:0}")
        #expect(more.text == Stylesheet.shared.text + "p{margin:0}")
        #expect(more.sourceExpression != Stylesheet.shared.sourceExpression)
    }
}
