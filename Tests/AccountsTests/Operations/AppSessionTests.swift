// SPDX-License-Identifier: Apache-2.0

import AccountsTestSupport
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import StoreTesting
import Testing

@testable import Accounts

/// What begins, keeps and ends the session of an OpenID app.
struct AppSessionTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now
    private static let keys = SuccessorKeys(sealingKeys: [[UInt8](repeating: 7, count: 32)])
    private static let policy = policy()

    private static func policy(
        idle: Int64 = 1_000, lifetime: Int64 = 2_500, rotates: Bool = true, requiresClaims: Bool = false
    ) -> RefreshTokenPolicy {
        RefreshTokenPolicy(
            idleLifetime: idle, lifetime: lifetime, rotates: rotates, repetition: 10, requiresClaims: requiresClaims)
    }

    private struct Refused: Error {}

    private func begin(
        _ fixture: Fixture, _ person: SignedInAccount, number: UInt8 = 1, app: String = "shop", at time: Int64 = now,
        authTime: Int64 = now, claims: String? = nil, policy: RefreshTokenPolicy = policy
    ) throws -> AppRefreshToken {
        let key = person.identity.key
        let own: JSONObject = ["upstream_iss": .string(key.issuer), "upstream_sub": .string(key.subject)]
        let request = AppSessionRequest(
            id: try #require(AccountSession.ID(bytes: [UInt8](repeating: number, count: 16))),
            seed: [UInt8](repeating: number, count: 32), account: person.account.id, identity: key, app: app,
            authTime: authTime, scope: "openid offline_access",
            claims: claims ?? String(decoding: own.serialized(), as: UTF8.self), policy: policy)
        return try fixture.store.transact(.write) {
            try fixture.operations.begin(request, keys: Self.keys, in: $0, now: time)
        }
    }

    private func presented(
        _ token: AppRefreshToken, _ app: String, _ policy: RefreshTokenPolicy
    ) -> PresentedAppToken {
        PresentedAppToken(token, of: app, policy: policy, absence: .none)
    }

    private func refresh(
        _ fixture: Fixture, _ token: AppRefreshToken, app: String = "shop", at time: Int64 = now,
        policy: RefreshTokenPolicy = policy, mayGoOn: Bool = true
    ) throws -> AppRefreshToken? {
        let refresh = try fixture.store.transact(.write) {
            try fixture.operations.refresh(presented(token, app, policy), keys: Self.keys, in: $0, now: time) {
                session in
                #expect(session.scope == "openid offline_access")
                if !mayGoOn { throw Refused() }
            }
        }
        guard case .refreshed(_, let next) = refresh else { return nil }
        return next
    }

    private func code(_ body: () throws -> AppRefreshToken?) throws -> AccountRefusal.Code? {
        try Fixture().code(body)
    }

    private func live(_ fixture: Fixture, at time: Int64 = now) -> [AccountSession] {
        fixture.store.contents.sessions.filter { $0.wire == .app && $0.expiry > time }
    }

    @Test func `a session says its wire and its app, and the same request begins it once`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let token = try begin(fixture, person)
        #expect(try begin(fixture, person).text == token.text)
        let session = try #require(live(fixture).first)
        #expect(live(fixture).count == 1)
        #expect(session.wire == .app)
        #expect(session.app == "shop")
        #expect(session.providerID == "p")
        #expect(session.expiry == Self.now + 1_000)
        #expect(person.session.wire == .sdk)
        // Once it was used, the grant cannot begin it again.
        _ = try refresh(fixture, token)
        #expect(try code { try begin(fixture, person) } == .used)
    }

    /// Whatever proves a session of the SDKs proves nothing with the identifier of an app's.
    @Test func `no operation of an account takes the session of an app`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        _ = try begin(fixture, person)
        let session = try #require(live(fixture).first)
        let asking = AuthenticatedSession(session)
        let identity = Fixture.person(at: "q")
        let operations = fixture.operations
        let new = NewSession(RefreshToken(session: AccountSession.ID()))
        let attempts: [(String, (any AccountTransaction) throws -> Void)] = [
            (
                "refresh",
                { _ = try operations.refresh(session.id, secretHash: session.secretHash, in: $0, now: Self.now) }
            ),
            (
                "link",
                { _ = try operations.link(LinkRequest(identity, asking: asking), session: new, in: $0, now: Self.now) }
            ),
            ("unlink", { _ = try operations.unlink(providerID: "p", asking: asking, in: $0, now: Self.now) }),
            ("update", { _ = try operations.update(displayName: .set("Eve"), asking: asking, in: $0, now: Self.now) }),
            ("delete", { try operations.delete(asking: asking, in: $0, now: Self.now) }),
            ("prove", { try operations.prove(asking, in: $0, now: Self.now) }),
            ("lookup", { _ = try operations.live(asking, in: $0, now: Self.now) }),
            (
                "revocation",
                {
                    _ = try operations.identity(
                        at: "p", issuer: "https://p", asking: asking, in: $0, now: Self.now)
                }
            ),
        ]
        for (name, attempt) in attempts {
            #expect(try fixture.code { try fixture.store.transact(.write, attempt) } == .sessionEnded, "\(name)")
        }
        // Nor is a token of the SDKs one of an app's session, also with the hash of its secret.
        #expect(try fixture.code { try fixture.refresh(session) } == .sessionEnded)
        let ofSDK = AppRefreshToken(
            session: person.session.id, seed: [UInt8](repeating: 1, count: 32), under: try #require(Self.keys.current))
        #expect(try code { try refresh(fixture, ofSDK) } == .sessionEnded)
    }

    @Test func `a token is its own app's alone, and a refused refresh uses nothing up`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let token = try begin(fixture, person)
        #expect(try code { try refresh(fixture, token, app: "desk") } == .sessionEnded)
        #expect(throws: Refused.self) { try refresh(fixture, token, mayGoOn: false) }
        #expect(try refresh(fixture, token)?.generation == 1)
    }

    @Test func `a token that comes again ends the session, once, and an invented one does not`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let first = try begin(fixture, person)
        let second = try #require(try refresh(fixture, first))
        #expect(try refresh(fixture, first, at: Self.now + 10)?.text == second.text)
        let third = try #require(try refresh(fixture, second, at: Self.now + 10))
        #expect(try code { try refresh(fixture, first, at: Self.now + 10) } == .used)
        let invented = AppRefreshToken(
            session: first.sessionID, seed: [UInt8](repeating: 9, count: 32), under: try #require(Self.keys.current))
        #expect(try code { try refresh(fixture, invented, at: Self.now + 99) } == .sessionEnded)
        #expect(live(fixture).count == 1)
        #expect(try refresh(fixture, first, at: Self.now + 11) == nil)
        #expect(live(fixture).isEmpty)
        for token in [first, second, third] {
            #expect(try code { try refresh(fixture, token, at: Self.now + 11) } == .sessionEnded)
        }
    }

    @Test func `a refresh reads each record once and writes one, and kept claims only for an app that requires some`()
        throws
    {
        for (requiresClaims, claims) in [(false, nil), (true, ["groups": ["a"]])] as [(Bool, JSONObject?)] {
            let fixture = Fixture()
            let person = try fixture.signIn(Fixture.person(at: "p"))
            try fixture.store.transact(.write) {
                try $0.setClaims(#"{"groups":["a"]}"#, of: person.identity.key)
            }
            let asked = presented(try begin(fixture, person), "shop", Self.policy(requiresClaims: requiresClaims))
            let calls = try fixture.store.transact(.write) { transaction in
                let counting = CountingTransaction(transaction)
                _ = try fixture.operations.refresh(asked, keys: Self.keys, in: counting, now: Self.now) { session in
                    #expect(session.decidingClaims == claims)
                }
                return counting.calls
            }
            var expected = ["session": 1, "account": 1, "identity": 1, "update session": 1]
            if requiresClaims { expected["claims"] = 1 }
            #expect(calls == expected)
        }
    }

    @Test func `without rotation the token stays, and counts as used`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let policy = Self.policy(rotates: false)
        let token = try begin(fixture, person, policy: policy)
        for time in [900, 1_800] {
            #expect(try refresh(fixture, token, at: Self.now + Int64(time), policy: policy)?.text == token.text)
        }
    }

    @Test func `a session ends unused, and in all, and sooner where the setting was lowered`() throws {
        let times: [(used: [Int64], at: Int64, policy: RefreshTokenPolicy, isLive: Bool)] = [
            ([], 999, Self.policy, true), ([], 1_000, Self.policy, false), ([999], 1_998, Self.policy, true),
            ([999], 1_999, Self.policy, false), ([900, 1_800], 2_499, Self.policy, true),
            ([900, 1_800], 2_500, Self.policy, false), ([], 500, Self.policy(idle: 500), false),
            ([], 499, Self.policy(idle: 500), true), ([], 500, Self.policy(lifetime: 500), false),
            ([], 1_000, Self.policy(idle: 9_000), false),
        ]
        for (used, time, policy, isLive) in times {
            let fixture = Fixture()
            var token = try begin(fixture, try fixture.signIn(Fixture.person(at: "p")))
            for time in used { token = try #require(try refresh(fixture, token, at: Self.now + time)) }
            let asked = presented(token, "shop", policy)
            let found = try fixture.store.transact(.read) {
                try fixture.operations.session(of: asked, keys: Self.keys, in: $0, now: Self.now + time)
            }
            #expect((found != nil) == isLive, "\(used) \(time)")
            let code = try code { try refresh(fixture, token, at: Self.now + time, policy: policy) }
            #expect(code == (isLive ? nil : .sessionEnded), "\(used) \(time)")
        }
    }

    @Test func `whatever ends the sessions of an account ends those of its apps`() throws {
        let ends: [(name: String, end: (Fixture, SignedInAccount) throws -> Void, code: AccountRefusal.Code)] = [
            (
                "disabled",
                { fixture, person in
                    try fixture.store.transact(.write) {
                        try fixture.operations.setDisabled(true, person.account.id, in: $0)
                    }
                }, .disabled
            ),
            (
                "deleted",
                { fixture, person in
                    try fixture.store.transact(.write) { try fixture.operations.delete(person.account.id, in: $0) }
                }, .sessionEnded
            ),
            ("sessions ended", { try $0.endSessions(of: $1, at: Self.now + 1) }, .sessionEnded),
            (
                "the consent was withdrawn",
                { fixture, person in
                    _ = try fixture.store.transact(.write) {
                        try fixture.operations.endSessions(
                            of: person.identity.key, isRevocation: true, eventTime: Self.now + 1, in: $0,
                            now: Self.now + 1)
                    }
                }, .sessionEnded
            ),
            (
                "the identity was removed",
                { fixture, person in
                    _ = try fixture.link(Fixture.person(at: "q"), to: person)
                    let asking = try fixture.signIn(Fixture.person(at: "q"), session: 3)
                    try fixture.unlink("p", asking: asking)
                }, .sessionEnded
            ),
            (
                "the session was ended",
                { fixture, person in
                    for session in fixture.store.contents.sessions { try fixture.end(session, of: person) }
                }, .sessionEnded
            ),
        ]
        for (name, end, expected) in ends {
            let fixture = Fixture()
            let person = try fixture.signIn(Fixture.person(at: "p"))
            let token = try begin(fixture, person)
            try end(fixture, person)
            #expect(try code { try refresh(fixture, token, at: Self.now + 2) } == expected, "\(name)")
            #expect(
                try code { try begin(fixture, person, number: 2, authTime: Self.now) } != nil
                    || name == "the session was ended", "\(name)")
        }
    }

    @Test func `an account has twenty sessions at an app, and the one longest unused ends`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        _ = try begin(fixture, person, number: 99, app: "desk")
        var tokens: [AppRefreshToken] = []
        for number in 1...UInt8(AccountLimits.appSessions) {
            tokens.append(try begin(fixture, person, number: number, at: Self.now + Int64(number)))
        }
        #expect(live(fixture).count == AccountLimits.appSessions + 1)
        _ = try refresh(fixture, tokens[0], at: Self.now + 50)
        _ = try begin(fixture, person, number: 50, at: Self.now + 51)
        #expect(live(fixture).count == AccountLimits.appSessions + 1)
        #expect(try code { try refresh(fixture, tokens[1], at: Self.now + 52) } == .sessionEnded)
        #expect(try refresh(fixture, tokens[2], at: Self.now + 52) != nil)
        #expect(fixture.store.contents.sessions.contains { $0.app == "desk" && $0.expiry > Self.now })
        #expect(fixture.store.contents.sessions.contains { $0.wire == .sdk })
    }

    @Test func `any token of the family ends it, and so does the grant that was used twice`() throws {
        for which in 0...2 {
            let fixture = Fixture()
            let person = try fixture.signIn(Fixture.person(at: "p"))
            let first = try begin(fixture, person)
            let second = try #require(try refresh(fixture, first))
            func end(_ token: AppRefreshToken, of app: String = "shop") throws -> AccountSession? {
                try fixture.store.transact(.write) {
                    try fixture.operations.end(token, of: app, keys: Self.keys, in: $0, now: Self.now + 90)
                }
            }
            #expect(try end(second, of: "desk") == nil)
            #expect(live(fixture).count == 1)
            switch which {
            case 0: #expect(try end(first)?.id == first.sessionID)
            case 1: #expect(try end(second)?.id == first.sessionID)
            default:
                try fixture.store.transact(.write) {
                    try fixture.operations.endAppSession(first.sessionID, of: "desk", in: $0, now: Self.now)
                }
                #expect(live(fixture).count == 1)
                try fixture.store.transact(.write) {
                    try fixture.operations.endAppSession(first.sessionID, of: "shop", in: $0, now: Self.now)
                }
            }
            #expect(live(fixture).isEmpty)
            #expect(try end(second) == nil)
            #expect(try code { try refresh(fixture, second) } == .sessionEnded)
        }
    }

    @Test func `claims that are too long begin no session`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let members = ",\"a\":\"" + String(repeating: "a", count: AccountLimits.grantBytes) + "\"}"
        let claims = "{\"upstream_iss\":\"https://p\",\"upstream_sub\":\"ada\"" + members
        #expect(try code { try begin(fixture, person, claims: claims) } == .invalidValue)
    }
}
