// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// Callbacks of any kind.
@Suite(.onSockets)
struct CallbackFuzzTests {
    private static let rounds = 4000

    /// Runs the driver: the corpus, the inputs that were found before, then new ones made of both.
    /// - Parameter validate: gets a round's response, and says which rule was broken.
    private func run(
        _ corpus: [String], seed: UInt64, _ installation: Installation, before: () -> Void = {},
        _ validate: (BrokerResponse) -> String?
    ) throws {
        let known = corpus.map { Array($0.utf8) } + (try FoundInputs.bytes(for: "return"))
        var mutator = Mutator(
            corpus: known, dictionary: FixedLogins.dictionary.map { Array($0.utf8) }, separators: [UInt8(ascii: "&")],
            longest: 4096, seed: seed)
        for round in 0..<(known.count + Self.rounds) {
            let input = round < known.count ? known[round] : mutator.next()
            before()
            let response = try installation.respond(CallbackInput(input).request)
            if let rule = violation(in: response) ?? validate(response) {
                Issue.record("round \(round), \(rule): \(Base64.encode(input))")
            }
        }
    }

    /// The properties that no response may have.
    private func violation(in response: BrokerResponse) -> String? {
        guard response.status < 500 else { return "status \(response.status)" }
        for field in response.head.headerFields where !field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return "\(field.name) is not one line"
        }
        if let location = response.head.headerFields[.location] {
            guard response.status == 303, location.hasPrefix("https://shop.example/callback?") else {
                return "a redirect elsewhere"
            }
        }
        return nil
    }

    @Test func `without a login's cookie: never a 5xx, never a redirect, never a token request`() throws {
        let logins = try FixedLogins()
        let installation = logins.installation
        try run(logins.requests(hasCookie: false), seed: 0x7265_7475, installation) { response in
            if response.head.headerFields[.location] != nil { return "a redirect" }
            return response.setCookies.isEmpty ? nil : "a cookie"
        }
        #expect(installation.providers.allSatisfy { $0.requests.isEmpty })
        // The driver gets to every place where a callback without a cookie can end.
        let expected: Set = [
            "unreadable", "unknown_state", "misdirected", "other_browser", "reposting", "reading_fragment",
            "reserved_for_firebase",
        ]
        #expect(expected.isSubset(of: installation.log.outcomes))
        #expect(!installation.log.outcomes.contains("signed_in"))
    }

    @Test
    func `in the login's own browser: at most one token request, and no sign-in without this login's verifier`() throws
    {
        let logins = try FixedLogins()
        let installation = logins.installation
        var requests = 0
        var signedIn = 0
        let before = {
            logins.store.forget()
            for login in logins.logins { login.provider.register(code: login.code, login.grant) }
        }
        try run(logins.requests(hasCookie: true), seed: 0x6F77_6E62, installation, before: before) { response in
            let isSignedIn = response.head.headerFields[.location]?.contains("callback?code=") == true
            if isSignedIn { signedIn += 1 }
            let count = logins.logins.reduce(0) { $0 + $1.provider.count("/token") }
            defer { requests = count }
            guard count - requests <= 1 else { return "two token requests" }
            return isSignedIn && count == requests ? "a sign-in without a token request" : nil
        }
        // A changed cookie of the right shape forms another verifier, which the provider refuses.
        var provable = 0
        for login in logins.logins {
            for form in login.provider.tokenForms {
                #expect(form["redirect_uri"] == login.grant.redirectURI)
                #expect(form["code"]?.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
                if ProofKey.challenge(of: form["code_verifier"] ?? "") == login.grant.challenge { provable += 1 }
            }
        }
        #expect(signedIn <= provable)
        // Its ID token does not verify: its code goes nowhere.
        #expect(logins.logins[3].provider.count("/token") == 0)
        // Both sides are reached, and so is every way a response comes back.
        #expect(signedIn > 20)
        #expect(signedIn < Self.rounds)
        #expect(logins.logins.prefix(3).allSatisfy { $0.provider.count("/token") > 5 })
    }
}
