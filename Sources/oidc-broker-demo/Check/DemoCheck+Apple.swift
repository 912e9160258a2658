// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import SignInWithAppleTesting

extension DemoCheck {
    /// The callback of the mock Apple's last page: a form, since the broker requests name and address.
    private struct Return {
        let page: HTTPBrowser.Page
        let form: PageForm
        /// The cookies before the callback.
        let cookies: CookieJar
    }

    /// Signs in twice with the mock Apple, which sends a name only the first time, and then checks attacks.
    func signInWithApple(_ start: Walk) async throws {
        var walk = start
        let begin = ContinuousClock.now
        let account = DemoConfiguration.appleAccount
        let name = "\(account.givenName) \(account.familyName)"
        _ = try await signIn(&walk, isFirst: true) { page, see in
            try see.that(page.body.contains("id=\"user\""), "the name is missing")
            try see.that(page.body.contains("Signed in as <bdi>\(name)</bdi>"), "the name is not shown")
        }
        walk.report("Signed in as \(name) in \(begin.duration(to: .now).milliseconds) ms. Once more, without a name:")
        let (returning, toApp) = try await signIn(&walk, isFirst: false) { page, see in
            try see.that(!page.body.contains("id=\"user\""), "there is a name that was not sent")
        }
        walk.report("Signed in again. Now the attacks, which must fail:")
        try await walk.step("Broker: the same return again is refused") { browser, see in
            // The deleted cookie is restored, since a thief would have kept it.
            await browser.restore(returning.cookies)
            try see.refusal(try await browser.submit(returning.form, of: returning.page))
        }
        try await walk.step("Broker: the callback without its cookie is asked for again, then refused") {
            browser, see in
            await browser.forget()
            let page = try await browser.submit(returning.form, of: returning.page)
            let form = try see.form(of: page, containing: "id=\"repost\"")
            try see.refusal(try await browser.submit(form, of: page))
        }
        try await walk.step("App: the same response again is refused") { browser, see in
            await browser.restore(returning.cookies)
            try see.refusal(try await browser.open(toApp))
        }
        walk.report("All of it held.")
    }

    /// Performs a complete sign-in.
    ///
    /// - Returns: The callback, and the redirect with which the broker responded.
    private func signIn(
        _ walk: inout Walk, isFirst: Bool,
        result expect: (_ page: HTTPBrowser.Page, _ see: Expectations) throws -> Void
    ) async throws -> (returning: Return, toApp: String) {
        let login = try await goToProvider(&walk, endpoint: "/auth/authorize")
        let account = DemoConfiguration.appleAccount
        let consent = try await logIn(&walk, login, email: account.email, password: account.password)
        let (page, form) = try await walk.step("Provider: continue, with the email hidden") { browser, see in
            try see.that(
                consent.page.body.contains("id=\"given_name\"") == isFirst,
                "the name must be asked for the first time only")
            let choice = isFirst ? [("email_choice", "hide")] : []
            let page = try await browser.submit(consent.form, of: consent.page, choice + [("decision", "allow")])
            let form = try see.form(of: page, containing: "id=\"form-post\"")
            try see.that(form.action == brokerIssuer + "/handler", "the form does not go to the broker's callback URL")
            let hasUser = form.hidden.contains { $0.0 == "user" }
            try see.that(hasUser == isFirst, "the name must be sent the first time only")
            return (page, form)
        }
        let returning = Return(page: page, form: form, cookies: await walk.browser.jar)
        let toApp = try await walk.step("Broker: form, both ID tokens, code exchange, hand-off") { browser, see in
            try handedOff(try await browser.submit(form, of: page), see)
        }
        let toResult = try await comeHome(&walk, toApp)
        try await walk.step("App: result page") { browser, see in
            let result = try await browser.open(toResult)
            try expectAllPassed(result, see)
            try see.that(result.body.contains("@privaterelay.appleid.com<"), "the relay address is missing")
            try see.that(!result.body.contains(account.email), "the hidden address is shown")
            try expect(result, see)
        }
        return (returning, toApp)
    }
}
