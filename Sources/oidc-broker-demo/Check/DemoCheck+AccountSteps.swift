// SPDX-License-Identifier: Apache-2.0

import BrowserTesting

extension DemoCheck {
    /// The number of checks of an account's ID token.
    static let expectedTokenChecks = 5

    /// Submits a form of the account page, and returns the page that the app shows then.
    ///
    /// - Parameters:
    ///   - id: The ID of the form.
    ///   - user: The user whose button is pressed; `nil` for a form with one button.
    func act(
        _ id: String, as user: DemoUser? = nil, _ browser: HTTPBrowser, _ see: Expectations
    ) async throws -> HTTPBrowser.Page {
        let page = try await browser.open(appURL + SampleAppAccounts.path)
        let form = try see.form(of: page, id: id)
        let fields = user.map { [("user", $0.rawValue)] } ?? []
        let response = try await browser.submit(form, of: page, fields)
        let target = try see.redirect(response, to: appURL + SampleAppAccounts.path)
        let shown = try await browser.open(target)
        // Tokens are for the app's server only. Each has a payload that begins so.
        try see.that(!shown.body.contains(".eyJ"), "there is a token in the page")
        return shown
    }

    /// Expects the page of an account, and returns its uid.
    ///
    /// - Parameters:
    ///   - notice: The ID of what the page must say about the last action.
    ///   - providers: The providers that the account must have.
    func account(
        _ page: HTTPBrowser.Page, after notice: String, _ providers: [DemoProvider], _ see: Expectations
    ) throws -> String {
        try see.page(page, containing: "id=\"account\"")
        try see.that(page.body.contains("id=\"\(notice)\""), "the page does not say \(notice)")
        try see.providers(providers, of: page)
        try see.passed(Self.expectedTokenChecks, in: page)
        return try see.text(of: "uid", in: page)
    }

    /// Signs out, and signs in a user who must have an account already.
    @discardableResult
    func switchPerson(
        to id: String, as user: DemoUser, _ browser: HTTPBrowser, _ see: Expectations, uid: String,
        _ providers: [DemoProvider] = [.development]
    ) async throws -> HTTPBrowser.Page {
        try see.page(try await act("sign-out", browser, see), containing: "id=\"signed-out\"")
        let page = try await act(id, as: user, browser, see)
        try see.that(try account(page, after: "known-account", providers, see) == uid, "another uid")
        return page
    }
}

extension DemoCheck.Expectations {
    /// Expects that a page says that something was refused, and by which code.
    func error(_ code: String, in page: HTTPBrowser.Page) throws {
        let found = try text(of: "error-code", in: page)
        try that(found == code, "the code is \(found), not \(code)")
    }

    /// Expects the providers of an account, and no other.
    func providers(_ providers: [DemoProvider], of page: HTTPBrowser.Page) throws {
        let count = page.body.split(separator: "class=\"provider\"").count - 1
        let areShown = providers.allSatisfy { page.body.contains("id=\"subject-\($0.wireID)\"") }
        try that(count == providers.count && areShown, "the account has other providers")
    }

    /// Expects a number of passed checks, and no failed one.
    func passed(_ count: Int, in page: HTTPBrowser.Page) throws {
        let passed = page.body.split(separator: "class=\"passed\"").count - 1
        try that(!page.body.contains("class=\"failed\""), "a check of the app failed")
        try that(passed == count, "\(passed) checks passed, not \(count)")
    }

    /// Expects an element with an ID, and returns its text.
    func text(of id: String, in page: HTTPBrowser.Page) throws -> String {
        guard let start = page.body.firstRange(of: "id=\"\(id)\">")?.upperBound else {
            throw DemoCheckFailure(step: step, reason: "the page has no \(id)")
        }
        return String(page.body[start...].prefix { $0 != "<" })
    }
}
