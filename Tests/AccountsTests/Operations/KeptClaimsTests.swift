// SPDX-License-Identifier: Apache-2.0

import AccountsTestSupport
import JOSE
import StoreTesting
import Testing

@testable import Accounts

/// The claims that a sign-in leaves with an identity.
struct KeptClaimsTests {
    private static let ada = AccountFixture.person(at: "p")

    private static func enter(_ fixture: AccountFixture, _ claims: JSONObject?) throws {
        var request = SignInRequest(ada, authTime: AccountFixture.now)
        request.keptClaims = claims
        _ = try fixture.store.transact(.write) {
            try fixture.operations.enter(request, in: $0, now: AccountFixture.now)
        }
    }

    private static func kept(_ fixture: AccountFixture) throws -> String? {
        try fixture.store.transact(.read) { try $0.claims(of: ada.key) }
    }

    @Test func `each sign-in that says something of them replaces them`() throws {
        let fixture = AccountFixture()
        for (claims, text) in [
            (["groups": ["a"]], #"{"groups":["a"]}"#), (nil, #"{"groups":["a"]}"#), (["hd": "b"], #"{"hd":"b"}"#),
        ] as [(JSONObject?, String?)] {
            try Self.enter(fixture, claims)
            #expect(try Self.kept(fixture) == text)
        }
        #expect(fixture.store.contents.accounts.count == 1)
    }

    @Test func `claims that are the same are not written again, and those that differ in any byte are`() throws {
        let fixture = AccountFixture()
        for (claims, writes) in [
            (["a": "\u{E9}"], 1), (["a": "\u{E9}"], 0), (["a": "e\u{301}"], 1), (["a": "\u{E9}"], 1),
        ] as [(JSONObject, Int)] {
            var request = SignInRequest(Self.ada, authTime: AccountFixture.now)
            request.keptClaims = claims
            let calls = try fixture.store.transact(.write) { transaction in
                let counting = CountingTransaction(transaction)
                _ = try fixture.operations.enter(request, in: counting, now: AccountFixture.now)
                return counting.calls
            }
            #expect(calls["set claims", default: 0] == writes)
        }
    }

    @Test func `32 KB are stored, and more is refused at the sign-in`() throws {
        let fixture = AccountFixture()
        func claims(_ bytes: Int) -> JSONObject { ["a": .string(String(repeating: "a", count: bytes - 8))] }
        try Self.enter(fixture, claims(AccountLimits.keptClaimsBytes))
        #expect(try Self.kept(fixture)?.utf8.count == AccountLimits.keptClaimsBytes)
        #expect(
            try fixture.code { try Self.enter(fixture, claims(AccountLimits.keptClaimsBytes + 1)) } == .invalidValue)
        #expect(try Self.kept(fixture)?.utf8.count == AccountLimits.keptClaimsBytes)
    }

    @Test func `they go with an identity that is removed from its account`() throws {
        let fixture = AccountFixture()
        let person = try fixture.signIn(AccountFixture.person(at: "q"))
        _ = try fixture.link(Self.ada, to: person)
        try Self.enter(fixture, ["groups": ["a"]])
        #expect(try Self.kept(fixture) != nil)
        try fixture.unlink("p", asking: person)
        #expect(try Self.kept(fixture) == nil)
        _ = try fixture.link(Self.ada, to: person, session: 3)
        #expect(try Self.kept(fixture) == nil)
    }
}
