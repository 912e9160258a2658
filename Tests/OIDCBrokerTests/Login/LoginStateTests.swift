// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState

/// The state of a login.
struct LoginStateTests {
    static func make(
        appState: String? = "s", appNonce: String? = "n", maximumAge: Int64? = 3600, scopes: [String] = ["email"]
    ) -> LoginState {
        LoginState(
            loginID: Array(0..<16), issuedAt: 1_800_000_000, provider: "acme", fingerprint: Array(1...8), app: "shop",
            redirectURIHash: Array(repeating: 9, count: 32), loopbackPort: 51_004, isChosen: true, appState: appState,
            appNonce: appNonce, codeChallenge: Array(repeating: 5, count: 32), maximumAge: maximumAge,
            scopes: GrantedScopes(scopes))
    }

    @Test(
        arguments: [
            LoginStateTests.make(), LoginStateTests.make(appState: nil), LoginStateTests.make(appNonce: nil),
            LoginStateTests.make(scopes: []),
            LoginStateTests.make(scopes: ["profile", "https://api.example/calendar"]),
            LoginStateTests.make(maximumAge: nil), LoginStateTests.make(maximumAge: 0),
            LoginStateTests.make(appState: "", appNonce: "", maximumAge: nil),
            LoginStateTests.make(
                appState: String(repeating: "s", count: 512), appNonce: String(repeating: "n", count: 128)),
        ])
    func `comes back as it was`(state: LoginState) throws {
        #expect(LoginState(encoded: state.encoded) == state)
    }

    @Test func `a missing challenge differs from one of zeros`() throws {
        var state = Self.make()
        state.codeChallenge = nil
        #expect(try #require(LoginState(encoded: state.encoded)).codeChallenge == nil)
        state.codeChallenge = Array(repeating: 0, count: 32)
        #expect(LoginState(encoded: state.encoded) == state)
    }

    private static let start = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")

    @Test func `is refused where a byte is missing or too many`() {
        for start in [nil, Self.start] {
            var state = Self.make()
            state.start = start
            let encoded = state.encoded
            for count in 0..<encoded.count { #expect(LoginState(encoded: Array(encoded[..<count])) == nil) }
            #expect(LoginState(encoded: encoded + [0]) == nil)
        }
    }

    @Test func `the span of a start takes 25 bytes, and without one nothing is as it was not before`() throws {
        var state = Self.make()
        let without = state.encoded
        let start = try #require(Self.start)
        state.start = start
        #expect(state.encoded.count == without.count + 25)
        #expect(LoginState(encoded: state.encoded) == state)
        #expect(try #require(LoginState(encoded: without)).start == nil)
        // The flag alone, and a span that is not sampled or none.
        var encoded = state.encoded
        encoded[encoded.count - 1] = 0
        #expect(LoginState(encoded: encoded) == nil)
        #expect(LoginState(encoded: Array(state.encoded.dropLast(25)) + [UInt8](repeating: 0, count: 24) + [1]) == nil)
    }

    @Test func `a longer lifetime takes two bytes at the end, and no other value is one`() throws {
        var state = Self.make()
        let usual = state.encoded
        for seconds in [601, 1800, 3600] as [Int64] {
            state.maximumDuration = seconds
            #expect(state.encoded.count == usual.count + 2)
            #expect(LoginState(encoded: state.encoded) == state)
            #expect(!state.isStale(at: state.issuedAt + seconds - 1))
            #expect(state.isStale(at: state.issuedAt + seconds))
            #expect(LoginState(encoded: state.encoded + [0]) == nil)
            #expect(LoginState(encoded: Array(state.encoded.dropLast())) == nil)
        }
        for seconds in [0, 599, 600, 3601, 65_535] as [UInt16] {
            #expect(LoginState(encoded: usual + [UInt8(seconds >> 8), UInt8(seconds & 0xFF)]) == nil)
        }
    }

    @Test func `is stale from the six hundredth second on, and where it lies more than a minute ahead`() {
        let state = Self.make()
        #expect(!state.isStale(at: state.issuedAt))
        #expect(!state.isStale(at: state.issuedAt + 599))
        #expect(state.isStale(at: state.issuedAt + 600))
        #expect(!state.isStale(at: state.issuedAt - 60))
        #expect(state.isStale(at: state.issuedAt - 61))
    }

    @Test func `a waiting choice comes back as it was, and is stale at the same times`() throws {
        let choice = PendingChoice(
            loginID: Array(0..<16), issuedAt: 1000, bindingHash: Array(repeating: 3, count: 32),
            start: .request("a=b&c=%20"))
        let read = try #require(PendingChoice(encoded: choice.encoded))
        #expect(read.loginID == choice.loginID)
        #expect(read.issuedAt == 1000)
        #expect(read.bindingHash == choice.bindingHash)
        #expect(read.start == .request("a=b&c=%20"))
        #expect(PendingChoice(encoded: choice.encoded + [0]) == nil)
        #expect(PendingChoice(encoded: Array(choice.encoded.dropLast())) == nil)
        #expect(!choice.isStale(at: 1599))
        #expect(choice.isStale(at: 1600))
        #expect(!choice.isStale(at: 940))
        #expect(choice.isStale(at: 939))
    }
}
