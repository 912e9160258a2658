// SPDX-License-Identifier: Apache-2.0

import BrowserTesting

// The steps that do not depend on the provider.

extension DemoCheck {
    /// Walks from the app to the provider's login page.
    ///
    /// - Parameters:
    ///   - endpoint: The path of the provider's authorization endpoint.
    ///   - name: The configured name of the provider, if there are several to choose among.
    func goToProvider(
        _ walk: inout Walk, endpoint: String, choosing name: String? = nil
    ) async throws -> (page: HTTPBrowser.Page, form: PageForm) {
        try await walk.step("App: home page") { browser, see in
            let page = try await browser.open(appURL + "/")
            try see.page(page, containing: "id=\"sign-in\"")
        }
        let toBroker = try await walk.step("App: sign-in starts") { browser, see in
            try see.redirect(try await browser.open(appURL + "/start"), to: brokerIssuer + "/authorize?")
        }
        let toProvider = try await walk.step("Broker: on to the provider") { browser, see in
            var response = try await browser.open(toBroker)
            if let name {
                let form = try see.form(of: response, id: "chooser")
                response = try await browser.submit(form, of: response, [("provider", name)])
            }
            return try see.redirect(response, to: providerIssuer + endpoint + "?")
        }
        return try await walk.step("Provider: login page") { browser, see in
            let page = try await browser.open(toProvider)
            return (page, try see.form(of: page, containing: "id=\"password\""))
        }
    }

    /// Signs in on the provider's login page.
    func logIn(
        _ walk: inout Walk, _ login: (page: HTTPBrowser.Page, form: PageForm), email: String, password: String
    ) async throws -> (page: HTTPBrowser.Page, form: PageForm) {
        try await walk.step("Provider: email and password") { browser, see in
            let response = try await browser.submit(
                login.form, of: login.page, [("email", email), ("password", password)])
            let page = try await browser.open(try see.redirect(response, to: providerIssuer + "/"))
            return (page, try see.form(of: page, containing: "id=\"allow\""))
        }
    }

    /// Checks that the response to a callback is a redirect to the app with a code, and returns its URL.
    func handedOff(_ response: HTTPBrowser.Page, _ see: Expectations) throws -> String {
        let location = try see.redirect(response, to: appURL + SampleApp.callbackPath + "?")
        try see.that(location.contains("code="), "the broker handed out no code")
        return location
    }

    /// Walks from the app's redirect URI to its result page, and returns the URL of that page.
    func comeHome(_ walk: inout Walk, _ toApp: String) async throws -> String {
        try await walk.step("App: callback, code redeemed, ID token verified") { browser, see in
            try see.redirect(try await browser.open(toApp), to: appURL + "/result")
        }
    }

    /// Checks that the result page reports success of all the app's checks.
    func expectAllPassed(_ result: HTTPBrowser.Page, _ see: Expectations) throws {
        try see.page(result, containing: "id=\"result\"")
        try see.passed(Self.expectedChecks, in: result)
    }
}
