// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Callbacks that were tampered with. Nothing is sent for any of them.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct CallbackTests {
    private static let asked = ["/.well-known/openid-configuration", "/authorize"]

    /// Begins a sign-in, changes its callback, and returns the resulting error.
    private func rejection(
        _ session: SignInSession,
        _ change: (String, PendingSignIn) throws -> String
    ) async throws -> RelyingPartyError {
        let (url, pending) = try await session.begin()
        let query = try change(try await session.visit(url), pending)
        let error = await #expect(throws: RelyingPartyError.self) { try await session.complete(query, pending) }
        try await session.transport.shutdown()
        return try #require(error)
    }

    private static func replacing(_ name: String, in query: String, by value: String?) throws -> String {
        let pairs = try FormURLEncoding.parse(query.utf8).texts
        return FormURLEncoding.encode(
            pairs.compactMap { pair -> (String, String)? in
                guard pair.name == name else { return (pair.name, pair.value) }
                return value.map { (pair.name, $0) }
            })
    }

    @Test(.attack(.missingOrDuplicateState, .loginCSRF), arguments: ["other", "", nil] as [String?])
    func `a state that is not this browser's ends it before anything is sent`(state: String?) async throws {
        try await SignInSession.run { session in
            let error = try await rejection(session) { query, _ in
                try Self.replacing("state", in: query, by: state)
            }
            #expect(error.step == .authorization)
            #expect(session.paths == Self.asked)
        }
    }

    @Test(.attack(.loginCSRF)) func `the callback of another browser is refused with its state and code`() async throws
    {
        try await SignInSession.run { session in
            let (attackersURL, _) = try await session.begin()
            let attackers = try await session.visit(attackersURL)
            let error = try await rejection(session) { _, _ in attackers }
            #expect(error.step == .authorization)
            #expect(session.requests(to: "/token").isEmpty)
        }
    }

    @Test(.attack(.missingOrDuplicateState, .duplicateResponseParameter))
    func `a duplicate parameter ends it before anything is sent`() async throws {
        for name in ["state", "code", "iss"] {
            try await SignInSession.run { session in
                let error = try await rejection(session) { query, _ in
                    let value = try FormURLEncoding.parse(query.utf8).text(name) ?? ""
                    return query + "&" + FormURLEncoding.encode([(name, value)])
                }
                #expect(error.step == .authorization)
                #expect(session.paths == Self.asked)
            }
        }
    }

    @Test(.attack(.impossibleCode), arguments: ["", "a\0b", "\u{E4}"])
    func `a code that can be none is not sent`(code: String) async throws {
        try await SignInSession.run { session in
            let error = try await rejection(session) { query, _ in
                try Self.replacing("code", in: query, by: code)
            }
            #expect(error.step == .authorization)
            #expect(session.paths == Self.asked)
        }
    }

    @Test(.attack(.hostileProviderError, .codeBesideError))
    func `an error of the provider is handed on, and a code beside it is not sent`() async throws {
        try await SignInSession.run { session in
            let error = try await rejection(session) { query, _ in query + "&error=access_denied" }
            #expect(error.step == .authorization)
            #expect(error.providerError?.code == "access_denied")
            #expect(!error.isTemporary)
            #expect(session.paths == Self.asked)
        }
    }

    @Test(arguments: ["https://evil.example", nil] as [String?])
    func `RFC 9207 an error response is held to it too`(issuer: String?) async throws {
        try await SignInSession.run { session in
            let error = try await rejection(session) { query, _ in
                try Self.replacing("iss", in: query, by: issuer) + "&error=access_denied"
            }
            #expect(error.step == .authorization)
            #expect(error.providerError == nil)
        }
    }

    @Test(arguments: ["https://evil.example", "", "/", nil] as [String?])
    func `RFC 9207 another issuer, or none where it is announced, ends it before the code is sent`(
        issuer: String?
    ) async throws {
        try await SignInSession.run { session in
            let error = try await rejection(session) { query, _ in
                try Self.replacing("iss", in: query, by: issuer)
            }
            // One without a value counts as omitted.
            #expect(error == ((issuer ?? "").isEmpty ? RelyingPartyError.issuerMissing : .issuerMismatch))
            #expect(session.paths == Self.asked)
        }
    }

    @Test func `RFC 9207 another issuer is refused where none was announced too`() async throws {
        try await SignInSession.run(SignInSetting(announcesIssuer: false)) { session in
            let error = try await rejection(session) { query, _ in query + "&iss=https%3A%2F%2Fevil.example" }
            #expect(error == .issuerMismatch)
            #expect(session.paths == Self.asked)
        }
    }

    @Test func `RFC 9700 section 4.5 an injected code is sent with this browser's verifier, and refused`() async throws
    {
        try await SignInSession.run { session in
            let (victimsURL, _) = try await session.begin()
            let stolen = try FormURLEncoding.parse(try await session.visit(victimsURL).utf8).text("code")
            let error = try await rejection(session) { query, _ in
                try Self.replacing("code", in: query, by: stolen)
            }
            #expect(error.step == .token)
            #expect(error.providerError?.code == "invalid_grant")
            #expect(session.requests(to: "/token").count == 1)
            #expect(session.requests(to: "/jwks").isEmpty)
        }
    }

    @Test(.attack(.replayedCallback)) func `a repeated callback does not sign in twice`() async throws {
        try await SignInSession.run { session in
            let (url, pending) = try await session.begin()
            let query = try await session.visit(url)
            _ = try await session.complete(query, pending)
            let error = await #expect(throws: RelyingPartyError.self) { try await session.complete(query, pending) }
            #expect(error?.step == .token)
            #expect(error?.providerError?.code == "invalid_grant")
        }
    }

    @Test func `a pending sign-in whose verifier is none does not send the code`() async throws {
        try await SignInSession.run { session in
            let (url, pending) = try await session.begin()
            let query = try await session.visit(url)
            let broken = PendingSignIn(
                state: pending.state, nonce: pending.nonce, codeVerifier: Secret("short"), maximumAge: nil)
            let error = await #expect(throws: RelyingPartyError.self) { try await session.complete(query, broken) }
            #expect(error?.step == .authorization)
            #expect(session.paths == Self.asked)
        }
    }
}
