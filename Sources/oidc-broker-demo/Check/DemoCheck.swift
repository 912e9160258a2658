// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import OIDCBrokerTesting

/// A check that performs a complete sign-in against a demo, over TLS as a browser would, and then attacks that must
/// fail.
struct DemoCheck: Sendable {
    /// The number of checks that the result page must list.
    static let expectedChecks = 9

    let appURL: String
    let brokerIssuer: String
    let providerIssuer: String
    private let provider: DemoProvider
    private let hasAccounts: Bool
    private let certificatePEM: String

    /// Creates a check of a demo.
    init(_ environment: DemoEnvironment) {
        appURL = environment.appURL
        brokerIssuer = environment.brokerIssuer
        providerIssuer = environment.providerIssuer
        provider = environment.provider
        hasAccounts = environment.accountsDatabase != nil
        certificatePEM = environment.certificatePEM
    }

    /// Runs the check.
    ///
    /// - Parameter report: Receives each line of the report as soon as its step is done.
    /// - Throws: ``DemoCheckFailure`` for the first step that failed.
    func run(_ report: @escaping @Sendable (String) -> Void) async throws {
        let http = try HTTPBrowser.makeHTTPClient(trusting: certificatePEM)
        let result: Result<Void, any Error>
        do {
            let walk = Walk(browser: HTTPBrowser(http), report: report)
            switch provider {
            case _ where hasAccounts: try await useAccounts(walk)
            case .development: try await signIn(walk)
            case .apple: try await signInWithApple(walk)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try? await http.shutdown()
        try result.get()
    }

    private func signIn(_ start: Walk) async throws {
        var walk = start
        let begin = ContinuousClock.now
        let login = try await goToProvider(&walk, endpoint: "/authorize")
        let user = DemoConfiguration.user
        let consent = try await logIn(&walk, login, email: user.email, password: user.password)
        let toCallback = try await walk.step("Provider: allow") { browser, see in
            let response = try await browser.submit(consent.form, of: consent.page, [("decision", "allow")])
            return try see.redirect(response, to: brokerIssuer + "/handler?")
        }
        let cookiesBeforeCallback = await walk.browser.jar
        let toApp = try await walk.step("Broker: callback, code exchange, ID token, hand-off") { browser, see in
            try handedOff(try await browser.open(toCallback), see)
        }
        let toResult = try await comeHome(&walk, toApp)
        try await walk.step("App: result page") { browser, see in
            let result = try await browser.open(toResult)
            try expectAllPassed(result, see)
            try see.that(result.body.contains(">\(user.email)<"), "the user's email is missing")
        }
        walk.report(
            "Signed in as \(user.email) in \(begin.duration(to: .now).milliseconds) ms. Now the attacks, which must fail:"
        )
        try await walk.step("Broker: the same return again is refused") { browser, see in
            // The deleted cookie is restored, since a thief would have kept it.
            await browser.restore(cookiesBeforeCallback)
            try see.refusal(try await browser.open(toCallback))
        }
        try await walk.step("Broker: the callback without its cookie is refused") { browser, see in
            await browser.forget()
            try see.refusal(try await browser.open(toCallback))
        }
        try await walk.step("App: the same response again is refused") { browser, see in
            await browser.restore(cookiesBeforeCallback)
            try see.refusal(try await browser.open(toApp))
        }
        walk.report("All of it held.")
    }
}
