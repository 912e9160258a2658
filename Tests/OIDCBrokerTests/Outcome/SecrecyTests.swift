// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// No secrets are logged.
struct SecrecyTests {
    /// The secrets of a sign-in, which must appear nowhere else.
    private struct Collected {
        var values: Set<String> = []

        mutating func add(_ value: String?) {
            if let value, value.utf8.count >= 8 { values.insert(value) }
        }

        mutating func add(_ location: Location) {
            for name in ["state", "nonce", "code_challenge", "code"] { add(location[name]) }
        }
    }

    private func collectSecrets(
        of installation: Installation, _ browser: Browser, into collected: inout Collected
    ) {
        for cookie in browser.jar.cookies { collected.add(cookie.value) }
        for provider in installation.providers {
            for secret in provider.issuedSecrets { collected.add(secret) }
            for form in provider.tokenForms {
                collected.add(form["code"])
                collected.add(form["code_verifier"])
            }
            for request in provider.requests { collected.add(request.authorization) }
            collected.add(provider.client.secret)
        }
        collected.add(Installation.backSecret)
        collected.add(Installation.sealingKey)
        for line in Installation.signingKey.split(separator: "\n") where !line.hasPrefix("-----") {
            collected.add(String(line))
        }
    }

    /// A start and a callback, whatever the outcome.
    private func run(
        _ installation: Installation, _ app: AppClient, into collected: inout Collected,
        spoil: (inout [(String, String)], inout Browser) -> Void = { _, _ in }
    ) throws {
        var browser = Browser(installation)
        let request = try browser.start(app)
        collected.add(request)
        collected.add(app.verifier)
        collected.add(app.state)
        collected.add(app.nonce)
        collectSecrets(of: installation, browser, into: &collected)
        var callback = try installation.provider.signIn(request)
        spoil(&callback, &browser)
        for (name, value) in callback where name == "code" || name == "state" { collected.add(value) }
        var response = try browser.bring(callback)
        if response.status == 200 { response = try browser.submit(response) }
        if response.status == 303 {
            let location = try Location(response)
            collected.add(location["code"])
            if let code = location["code"] {
                _ = try installation.token(app.tokenForm(code).map { $0.0 == "redirect_uri" ? ($0.0, "x") : $0 })
            }
        }
        collectSecrets(of: installation, browser, into: &collected)
    }

    private func expectSecrecy(_ collected: Collected, _ installation: Installation) {
        #expect(collected.values.count > 10)
        let log = installation.log.text
        for value in collected.values where log.contains(value) { Issue.record("in the log: \(value)") }
        for counter in CapturedMetrics.shared.counters {
            for value in collected.values where counter.contains(value) { Issue.record("in a label: \(value)") }
        }
    }

    @Test func `a whole sign-in, with the provider's tokens handed on`() throws {
        _ = CapturedMetrics.shared
        let installation = try Installation()
        var collected = Collected()
        for app in [AppClient.shop, .desk] { try run(installation, app, into: &collected) }
        var browser = Browser(installation)
        let app = AppClient.back
        let location = try browser.signIn(app)
        collected.add(location["code"])
        let tokens = try installation.redeem(try #require(location["code"]), app)
        let json = try tokens.json()
        for member in [json, json["upstream"]?.objectValue ?? [:]] {
            for name in ["id_token", "access_token", "refresh_token", "raw_nonce"] {
                collected.add(member[name]?.text?.makeString())
            }
        }
        _ = try installation.token(app.tokenForm("x").map { $0.0 == "client_secret" ? ($0.0, "wrong-secret-1") : $0 })
        collected.add("wrong-secret-1")
        collectSecrets(of: installation, browser, into: &collected)
        expectSecrecy(collected, installation)
        #expect(installation.log.text.contains("signed_in"))
        #expect(installation.log.text.contains("hand-off code redeemed"))
        #expect(CapturedMetrics.shared.counters.contains { $0.contains("outcome=signed_in") })
    }

    @Test func `sign-ins that fail in every way they can`() throws {
        _ = CapturedMetrics.shared
        let installation = try Installation()
        var collected = Collected()
        let app = AppClient.shop
        // The state is another's, changed, gone; the cookie is gone, another's, duplicate; the code is long.
        try run(installation, app, into: &collected) { callback, _ in callback[1].1 = "B" + callback[1].1.dropFirst() }
        try run(installation, app, into: &collected) { callback, _ in callback.append(callback[1]) }
        try run(installation, app, into: &collected) { callback, _ in callback.append(callback[0]) }
        try run(installation, app, into: &collected) { _, browser in browser.jar = CookieJar() }
        try run(installation, app, into: &collected) { _, browser in
            if let cookie = browser.jar.cookies.first { browser.jar.toss(name: cookie.name, value: cookie.value) }
        }
        try run(installation, app, into: &collected) { _, browser in
            if let cookie = browser.jar.cookies.first {
                browser.jar.replace(cookie.name, with: String(repeating: "A", count: 43))
            }
        }
        try run(installation, app, into: &collected) { callback, _ in callback[2].1 = "https://evil.example/secret-path"
        }
        try run(installation, app, into: &collected) { callback, _ in
            callback[0].1 = String(repeating: "c", count: 5000)
        }
        for behavior: (inout TestProvider.Behavior) -> Void in [
            {
                $0.responses["/token"] = .json(
                    ["error": "invalid_grant", "error_description": "what-you-sent-is-wrong"], status: 400)
            },
            {
                $0.responses["/token"] = .json(
                    ["id_token": "not-a-token-at-all", "access_token": "upstream-access-junk"])
            },
            { $0.responses["/token"] = .json([:], status: 500) },
            { $0.claims = ["nonce": "a-nonce-of-somebody-else"] },
            { $0.claims = ["at_hash": "a-hash-of-something-else"] },
            { $0.signingKey = installation.provider.strangeKey },
            { $0.deadPaths = ["/token"] },
        ] {
            installation.provider.behave {
                $0 = TestProvider.Behavior()
                behavior(&$0)
            }
            try run(installation, app, into: &collected)
        }
        for value in ["not-a-token-at-all", "upstream-access-junk", "a-nonce-of-somebody-else"] { collected.add(value) }
        collected.add("what-you-sent-is-wrong")
        collected.add("a-hash-of-something-else")
        expectSecrecy(collected, installation)
        let expected: Set<String> = ["unknown_state", "unreadable", "other_browser", "duplicate_cookie"]
        #expect(expected.isSubset(of: installation.log.outcomes))
    }

    @Test func `a configuration's error names keys, not values`() throws {
        let secret = "not-a-key-but-a-secret"
        do {
            _ = try Installation {
                $0.sealingKeys = [.init(secret)]
                $0.signingKeys = [.init(secret)]
                $0.providers[0].configuration.clientSecret = .init(secret + "\u{7}")
            }
            Issue.record("a broker was made")
        } catch let error as BrokerConfigurationError {
            #expect(error.errors.count == 3)
            #expect(!"\(error)".contains(secret))
            #expect(!String(reflecting: error).contains(secret))
        }
        let described = String(reflecting: try Installation().configuration)
        #expect(!described.contains(Installation.backSecret))
    }
}
