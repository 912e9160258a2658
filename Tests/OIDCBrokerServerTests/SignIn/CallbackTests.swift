// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OpenIDConnect
import Foundation
import OIDCBrokerTesting
import Testing
import TestingSupport

/// Invalid callbacks, and a user who declines.
@Suite(.timeLimit(.minutes(10))) struct CallbackTests {
    @Test(arguments: [false, true])
    func `a user denies`(isFormPost: Bool) async throws {
        var options = SignInFixture.Options()
        options.interaction = .page
        options.responseMode = isFormPost ? .formPost : .query
        try await SignInFixture.run(options) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let login = try await fixture.goToProvider(browser, .publicApp, attempt)
            let denial = try await fixture.passPages(browser, login, as: SignInFixture.ada, decision: "deny")
            let response = try AppResponse(try await fixture.comeBack(browser, denial), app: .publicApp)
            #expect(response.error == "access_denied")
            #expect(response.code == nil)
            #expect(response.state == attempt.state)
            #expect(response.issuer == fixture.server.issuer)
            #expect(!fixture.askedPaths.contains("POST /token"))
            #expect(await browser.jar.cookies.isEmpty)
        }
    }

    @Test func `a callback is used up by the first request, whichever client sends the second`() async throws {
        try await SignInFixture.run { fixture in
            let browser = fixture.browser()
            let response = try await fixture.goToProvider(browser, .publicApp, AppClient.Attempt())
            let kept = await browser.jar
            let url = try fixture.callbackLocation(of: response)
            let first = try AppResponse(try await browser.open(url), app: .publicApp)
            #expect(first.code != nil)
            let count = fixture.provider.recordedRequests().count
            await browser.restore(kept)
            let again = try await browser.open(url)
            #expect(again.status == 400)
            #expect(again.location == nil)
            #expect(again.body.contains("finished or was interrupted"))
            #expect(again.body.contains("https://shop.example/"), "a way back to the app")
            #expect(fixture.provider.recordedRequests().count == count)
        }
    }

    @Test func `a callback in another browser uses nothing up`() async throws {
        try await SignInFixture.run { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let response = try await fixture.goToProvider(browser, .publicApp, attempt)
            let url = try fixture.callbackLocation(of: response)
            let other = try await fixture.browser().open(url)
            #expect(other.status == 400)
            #expect(other.location == nil)
            #expect(!fixture.askedPaths.contains("POST /token"))
            let own = try AppResponse(try await browser.open(url), app: .publicApp)
            _ = try await fixture.redeemAndVerify(own, .publicApp, attempt)
        }
    }

    @Test func `a callback after ten minutes is told to start again`() async throws {
        try await SignInFixture.run { fixture in
            let browser = fixture.browser()
            let response = try await fixture.goToProvider(browser, .publicApp, AppClient.Attempt())
            fixture.clock.advance(by: 601)
            let late = try await fixture.comeBack(browser, response)
            #expect(late.status == 400)
            #expect(late.body.contains("took too long"))
            #expect(!fixture.askedPaths.contains("POST /token"))
        }
    }

    @Test func `a form without its cookie is posted once more from the broker's own origin`() async throws {
        var options = SignInFixture.Options()
        options.responseMode = .formPost
        try await SignInFixture.run(options) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let response = try await fixture.goToProvider(browser, .publicApp, attempt)
            let kept = await browser.jar
            await browser.forget()
            let page = try await fixture.comeBack(browser, response)
            #expect(page.status == 200)
            let form = try PageForm(page)
            #expect(!fixture.askedPaths.contains("POST /token"))

            // Still no redirect, and nothing was used up.
            #expect(try await browser.submit(form, of: page).status == 400)
            await browser.restore(kept)
            let end = try await browser.submit(form, of: page)
            _ = try await fixture.redeemAndVerify(try AppResponse(end, app: .publicApp), .publicApp, attempt)
        }
    }

    @Test func `a callback with a changed state is a page`() async throws {
        try await SignInFixture.run { fixture in
            let browser = fixture.browser()
            let response = try await fixture.goToProvider(browser, .publicApp, AppClient.Attempt())
            let url = try fixture.callbackLocation(of: response)
            let mark = try #require(url.range(of: "state="))
            let next = url[mark.upperBound] == "A" ? "B" : "A"
            let changed = url.replacingCharacters(in: mark.upperBound..<url.index(after: mark.upperBound), with: next)
            let page = try await browser.open(changed)
            #expect(page.status == 400)
            #expect(page.location == nil)
            #expect(!fixture.askedPaths.contains("POST /token"))
        }
    }
}
