// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import oidc_broker_demo

/// The demo as a user sees it, in headless Chromium. Skipped by name where chromedriver is not installed, but never
/// in CI (`CI=true`): there its absence is a failure.
@Suite(
    "The demo in headless Chromium", .serialized, .onSockets, .timeLimit(.minutes(10)),
    .enabled(if: ChromeDriver.isRequired, "needs chromedriver: apt-get install chromium chromium-driver"))
struct DemoInBrowserTests {
    @Test func `A user signs in`() async throws {
        try await withDemoAndWindow { demo, window in
            try await window.go(to: demo.appURL + "/")
            try await window.click("#sign-in")
            try await window.type(DemoConfiguration.user.email, into: "#email")
            #expect(try await window.address().hasPrefix(demo.providerIssuer + "/"))
            try await window.type(DemoConfiguration.user.password, into: "#password")
            try await window.click("#sign-in")
            try await window.click("#allow")

            #expect(try await window.text(of: "#result") == "Signed in as \(DemoConfiguration.user.name)")
            #expect(try await window.address() == demo.appURL + "/result")
            #expect(try await window.text(of: "#claims").contains(DemoConfiguration.user.email))
            #expect(try await window.text(of: "#upstream-claims").contains(DemoConfiguration.user.email))
            #expect(try await window.all("#checks li").count == DemoCheck.expectedChecks)
            #expect(try await window.all("#checks li.passed").count == DemoCheck.expectedChecks)

            // Reloading shows the same again: nothing is redeemed twice.
            try await window.go(to: demo.appURL + "/result")
            #expect(try await window.text(of: "#result") == "Signed in as \(DemoConfiguration.user.name)")
        }
    }

    @Test func `A user signs in with the mock Apple, twice, and hides the address`() async throws {
        try await withDemoAndWindow(.apple) { demo, window in
            for isFirst in [true, false] {
                try await window.go(to: demo.appURL + "/")
                try await window.click("#sign-in")
                try await window.type(DemoConfiguration.appleAccount.email, into: "#email")
                let address = try await window.address()
                #expect(address.hasPrefix(demo.providerIssuer + "/"))
                try await window.type(DemoConfiguration.appleAccount.password, into: "#password")
                try await window.click("#sign-in")
                _ = try await window.find("#allow")
                let asksForName = try await window.has("#given_name")
                #expect(asksForName == isFirst)
                try await window.click("#allow")
                try await window.click("#form-post button")

                let result = try await window.text(of: "#result")
                let claims = try await window.text(of: "#claims")
                let passed = try await window.all("#checks li.passed")
                let hasName = try await window.has("#user")
                #expect(claims.contains("@privaterelay.appleid.com"))
                #expect(!claims.contains(DemoConfiguration.appleAccount.email))
                #expect(passed.count == DemoCheck.expectedChecks)
                #expect(hasName == isFirst)
                #expect((result == "Signed in as Ada Example (name not verified)") == isFirst)
            }
        }
    }

    @Test func `A user denies, on a phone in dark mode, and tries again`() async throws {
        try await withDemoAndWindow(isPhone: true) { demo, window in
            try await window.go(to: demo.appURL + "/")
            try await expectFits(window, "home")
            try await window.click("#sign-in")
            try await window.type(DemoConfiguration.user.email, into: "#email")
            try await expectFits(window, "login")
            try await window.type(DemoConfiguration.user.password, into: "#password")
            try await window.click("#sign-in")
            _ = try await window.find("#deny")
            try await expectFits(window, "consent")
            try await window.click("#deny")

            #expect(try await window.text(of: "#denied") == "You did not sign in")
            try await expectFits(window, "denied")
            try await window.click("#sign-in")
            try await window.type(DemoConfiguration.user.email, into: "#email")
            try await window.type(DemoConfiguration.user.password, into: "#password")
            try await window.click("#sign-in")
            try await window.click("#allow")
            #expect(try await window.text(of: "#result") == "Signed in as \(DemoConfiguration.user.name)")
            try await expectFits(window, "result")
        }
    }

    @Test func `A wrong password is answered by the login page, which says so`() async throws {
        try await withDemoAndWindow { demo, window in
            try await window.go(to: demo.appURL + "/start")
            try await window.type(DemoConfiguration.user.email, into: "#email")
            try await window.type("wrong", into: "#password")
            try await window.click("#sign-in")
            #expect(try await !window.text(of: "#failure").isEmpty)
            try await window.type(DemoConfiguration.user.password, into: "#password")
            try await window.click("#sign-in")
            _ = try await window.find("#allow")
        }
    }

    #if SQLite
        @Test func `A user has an account, links, unlinks and deletes it, on a phone in dark mode`() async throws {
            try await withDemoAndWindow(isPhone: true, hasAccounts: true) { demo, window in
                try await window.go(to: demo.appURL + "/")
                try await window.click("#to-account")
                _ = try await window.find("#signed-out")
                try await expectFits(window, "signed out")
                try await window.click("#sign-in-development button")
                _ = try await window.find("#new-account")
                let uid = try await window.text(of: "#uid")
                try await expectFits(window, "account")
                try await window.click("#link-apple button")
                _ = try await window.find("#linked")
                #expect(try await window.all("#providers tr").count == 2)
                try await expectFits(window, "account with two providers")
                try await window.click("#unlink-apple button")
                _ = try await window.find("#unlinked")
                try await window.click("#unlink-development button")
                #expect(try await window.text(of: "#error-code") == "OPERATION_NOT_ALLOWED")
                try await expectFits(window, "error")
                #expect(try await window.text(of: "#uid") == uid)
                try await window.click("#delete button")
                _ = try await window.find("#deletion-checks")
                #expect(try await window.all("#deletion-checks li.passed").count == 2)
                try await expectFits(window, "deleted")
                // Reloading shows the same again: nothing is deleted twice.
                try await window.reload()
                #expect(try await window.has("#deletion-checks"))
            }
        }

        @Test func `A web app signs a user in by redirect, and its page has its own fragment again`() async throws {
            try await withDemoAndWindow(hasAccounts: true) { demo, window in
                let page = demo.appURL + "/web#/orders"
                try await window.go(to: page)
                let before = "No user is signed in."
                #expect(try await window.text(of: "#state", becoming: before) == before)
                try await window.click("#redirect-development")
                try await window.type(DemoConfiguration.user.email, into: "#email")
                try await window.type(DemoConfiguration.user.password, into: "#password")
                try await window.click("#sign-in")
                try await window.click("#allow")
                #expect(try await window.text(of: "#state", becoming: "Signed in.") == "Signed in.")
                #expect(try await window.text(of: "#providers") == DemoProvider.development.wireID)
                #expect(try await window.address() == page)
            }
        }
    #endif

    /// The page is not wider than the window, has no script, and its stylesheet is in effect, in its dark form.
    private func expectFits(_ window: BrowserWindow, _ page: String) async throws {
        let root = "document.documentElement"
        #expect(try await window.evaluate("\(root).clientWidth") == 390, "\(page): not on a phone")
        #expect(try await window.evaluate("\(root).scrollWidth <= \(root).clientWidth") == true, "\(page): too wide")
        #expect(try await window.evaluate("document.scripts.length") == 0, "\(page): has a script")
        #expect(
            try await window.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor")
                == "rgb(25, 29, 35)", "\(page): not dark, or the policy keeps the stylesheet out")
    }

    private func withDemoAndWindow(
        _ provider: DemoProvider = .development,
        isPhone: Bool = false,
        hasAccounts: Bool = false,
        _ body: (DemoEnvironment, BrowserWindow) async throws -> Void
    ) async throws {
        let driver = try await ChromeDriver.start()
        defer { driver.stop() }
        let demo = try await DemoEnvironment.forTest(provider, hasAccounts: hasAccounts)
        try await attempt {
            let window = try await BrowserWindow.open(driver, isPhone: isPhone)
            try await attempt {
                try await body(demo, window)
            } finally: {
                try await window.close()
            }
        } finally: {
            await demo.stop()
        }
    }
}
