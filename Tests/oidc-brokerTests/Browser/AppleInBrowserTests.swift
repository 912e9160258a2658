// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import oidc_broker_demo

/// Apple responds with a cross-site form. Only a real browser shows which cookies are sent with it, and what the
/// browser's buttons do to a sign-in.
@Suite(
    "Sign in with Apple in headless Chromium", .serialized, .onSockets, .timeLimit(.minutes(10)),
    .enabled(if: ChromeDriver.isRequired, "needs chromedriver: apt-get install chromium chromium-driver"))
struct AppleInBrowserTests {
    @Test func `Lax cookies are withheld from the form: the page that sends it again recovers, the name with it`()
        async throws
    {
        var options = AppleInstallation.Options()
        options.isSecure = false
        try await AppleInstallation.run(options) { installation, window in
            let attempt = SignInAttempt()
            try await window.go(to: installation.client.authorizationURL(attempt))
            _ = try await installation.signInAtApple(window)
            try await window.click("#form-post button")

            // The browser sent no cookie: it is asked to send the form again, from the broker's own page.
            _ = try await window.find("#repost")
            let address = try await window.address()
            #expect(address == installation.callbackURL)
            #expect(installation.apple.counts().codeExchanges == 0)
            try await window.click("#repost button")
            // The redirect URI is not https, so the page asks before it continues.
            try await window.click("#proceed button")

            let response = try await installation.redeem(window, attempt)
            #expect(response["user"]?.objectValue?["name"] == "Ada Example")
            #expect(installation.apple.counts().codeExchanges == 1)
        }
    }

    @Test func `Third-party cookies blocked and None taken for Lax: it recovers; back and reload change nothing`()
        async throws
    {
        var options = AppleInstallation.Options()
        options.blocksThirdPartyCookies = true
        try await AppleInstallation.run(options) { installation, window in
            let attempt = SignInAttempt()
            try await window.go(to: installation.client.authorizationURL(attempt))
            try await takeNoneForLax(window, installation.callbackURL)
            _ = try await installation.signInAtApple(window)
            try await window.click("#form-post button")
            try await window.click("#repost button")
            let response = try await installation.redeem(window, attempt)
            #expect(response["user"]?.objectValue?["name"] == "Ada Example")

            // Back is where the form went first: reloaded, it is sent again, for nothing.
            try await window.back()
            try await window.reload()
            try await window.click("#repost button")
            let heading = try await window.text(of: "h1", becoming: "This sign-in is finished or was interrupted")
            #expect(heading == "This sign-in is finished or was interrupted")
            #expect(installation.apple.counts().codeExchanges == 1)
        }
    }

    @Test(arguments: [true, false])
    func `Third-party cookies, blocked or not: nothing stands between Apple and the app`(areBlocked: Bool) async throws
    {
        var options = AppleInstallation.Options()
        options.blocksThirdPartyCookies = areBlocked
        try await AppleInstallation.run(options) { installation, window in
            let attempt = SignInAttempt()
            try await window.go(to: installation.client.authorizationURL(attempt))
            _ = try await installation.signInAtApple(window)
            try await window.click("#form-post button")
            let response = try await installation.redeem(window, attempt)
            #expect(response["user"]?.objectValue?["name"] == "Ada Example")

            // That the browser does what this test says of it.
            let sent = try await thirdPartyCookie(window, installation)
            #expect(sent == (areBlocked ? nil : "probe=1"))
        }
    }

    @Test
    func `Back after success: the browser repeats the callback of the login, and is told it is signed in already`()
        async throws
    {
        var options = AppleInstallation.Options()
        options.interaction = .automatic(0)
        try await AppleInstallation.run(options) { installation, window in
            let attempt = SignInAttempt()
            try await window.go(to: installation.client.authorizationURL(attempt))
            try await window.click("#form-post button")
            _ = try await installation.redeem(window, attempt)

            try await window.back()
            try await window.click("#form-post button")
            // The cookie went with the login; of a browser that withheld it the first response looks the same.
            try await window.click("#repost button")
            let heading = try await window.text(of: "h1", becoming: "This sign-in is finished or was interrupted")
            #expect(heading == "This sign-in is finished or was interrupted")
            #expect(installation.apple.counts().codeExchanges == 1)
        }
    }

    @Test func `The second sign-in is asked for no name, and brings none`() async throws {
        try await AppleInstallation.run { installation, window in
            for isFirst in [true, false] {
                let attempt = SignInAttempt()
                try await window.go(to: installation.client.authorizationURL(attempt))
                let asksForName = try await installation.signInAtApple(window)
                #expect(asksForName == isFirst)
                let hasUser = try await window.has("input[name=user]")
                #expect(hasUser == isFirst)
                try await window.click("#form-post button")
                let response = try await installation.redeem(window, attempt)
                #expect((response["user"] != nil) == isFirst)
            }
            #expect(installation.apple.counts().firstConsents == 1)
        }
    }

    /// Makes the login's cookie what a browser makes of it that does not know `SameSite=None`, or does not trust it.
    private func takeNoneForLax(_ window: BrowserWindow, _ url: String) async throws {
        let response = try await window.command("Network.getCookies", ["urls": [.string(url)]])
        let cookies = (response.objectValue?["cookies"]?.arrayValue ?? []).compactMap(\.objectValue)
        try #require(cookies.count == 1)
        #expect(cookies[0]["sameSite"] == "None")
        let name = try #require(cookies[0]["name"])
        let value = try #require(cookies[0]["value"])
        let set = try await window.command(
            "Network.setCookie",
            [
                "name": name, "value": value, "url": .string(url), "path": "/", "secure": true, "httpOnly": true,
                "sameSite": "Lax",
            ])
        #expect(set.objectValue?["success"] == true)
    }

    /// The cookies that go along when a page of the broker's site asks Apple's site for something.
    private func thirdPartyCookie(_ window: BrowserWindow, _ installation: AppleInstallation) async throws -> String? {
        let issuer = installation.apple.issuer
        try await window.command(
            "Network.setCookie",
            ["name": "probe", "value": "1", "url": .string(issuer + "/"), "secure": true, "sameSite": "None"])
        try await window.command("Page.setBypassCSP", ["enabled": true])
        try await window.go(to: installation.origin + "/nothing")
        let isDone = try await window.evaluate(
            "fetch('\(issuer)/probe', {mode: 'no-cors', credentials: 'include'}).then(() => true)")
        #expect(isDone == true)
        let request = try #require(installation.apple.recordedRequests().last { $0.path == "/probe" })
        return request.header("cookie")
    }
}
