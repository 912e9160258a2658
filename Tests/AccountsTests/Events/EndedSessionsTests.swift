// SPDX-License-Identifier: Apache-2.0

import AccountsTestSupport
import JOSE
import OpenIDConnect
import StoreTesting
import Testing

@testable import Accounts

/// Which ends of sessions an OpenID app hears of (OpenID Connect Back-Channel Logout 1.0), in the transaction of the end.
struct EndedSessionsTests {
    private static let now = AccountFixture.now
    private static let keys = SuccessorKeys(sealingKeys: [[UInt8](repeating: 7, count: 32)])
    private static let apps = listeners(["shop", "desk"])
    private static let identity = AccountFixture.person(at: "p")
    private static let providerSession = AccountSession.hash(ofProviderSession: "s", issuer: "https://p")

    private let fixture = AccountFixture()
    private let account: AccountID

    private static func listeners(_ apps: [String]) -> [WireText: AccountListener] {
        Dictionary(uniqueKeysWithValues: apps.map { (WireText($0), AccountListener(logoutsOf: $0)) })
    }

    /// An account with a session of an SDK, session 1 at `shop`, 2 at `desk`, and 3 at an app that hears nothing.
    init() throws {
        account = try fixture.signIn(Self.identity).account.id
        for (number, app) in ["shop", "desk", "deaf"].enumerated() { try begin(number + 1, at: app) }
    }

    private static func id(_ number: Int) throws -> AccountSession.ID {
        try #require(AccountSession.ID(bytes: [UInt8](repeating: UInt8(number), count: 16)))
    }

    @discardableResult
    private func begin(
        _ number: Int, at app: String, lifetime: Int64 = 1_000, at time: Int64 = now
    ) throws -> AppRefreshToken {
        let key = Self.identity.key
        let claims: JSONObject = [
            "sub": "sub-of-ada", "upstream_iss": .string(key.issuer), "upstream_sub": .string(key.subject),
        ]
        let request = AppSessionRequest(
            id: try Self.id(number), seed: [UInt8](repeating: UInt8(number), count: 32), account: account,
            identity: key, app: app, authTime: time, scope: "openid",
            claims: String(decoding: claims.serialized(), as: UTF8.self),
            policy: RefreshTokenPolicy(idleLifetime: lifetime, lifetime: lifetime, rotates: true, repetition: 10))
        return try write(at: time) { try $0.begin(request, keys: Self.keys, in: $1, now: time) }
    }

    @discardableResult
    private func write<Result>(
        _ apps: [WireText: AccountListener] = Self.apps, at time: Int64 = now,
        _ body: (AccountOperations, any AccountTransaction) throws -> Result
    ) throws -> Result {
        try fixture.store.transact(.write) { transaction in
            try EventRecorder.run(for: nil, apps, in: transaction, at: time) { try body(fixture.operations, $0) }
        }
    }

    /// The numbers of the sessions of whose end an app was told, in order.
    private func told(_ app: String) throws -> [Int] {
        let queued = try fixture.store.transact(.list) { try $0.outbox?.events(after: 0, limit: 1000) ?? [] }
        return try queued.filter { $0.destination == "logout:" + app }.map { queued in
            #expect(queued.event.type == "session.ended" && queued.event.account == account)
            let json = try JSONParser.object(Array(queued.event.json.utf8), limits: JSONLimits(maximumBytes: 4096))
            #expect(json["sub"] == "sub-of-ada" && json.members.count == 2)
            let sid = try #require(json["sid"]?.text)
            return Int(try #require(Base64URL.decode(sid)?.first))
        }
    }

    struct Row: Sendable {
        let what: String
        let shop: [Int]
        let desk: [Int]
        let end: @Sendable (AccountOperations, AccountID, any AccountTransaction) throws -> Void
    }

    static let rows: [Row] = [
        Row(what: "one by an operator", shop: [1], desk: []) { try $0.endSession(id(1), of: $1, in: $2, now: now) },
        Row(what: "one by its code or a logout", shop: [], desk: [2]) {
            try $0.endAppSession(id(2), of: "desk", in: $2, now: now)
        },
        Row(what: "one that another app names", shop: [], desk: []) {
            try $0.endAppSession(id(2), of: "shop", in: $2, now: now)
        },
        Row(what: "all", shop: [1], desk: [2]) { try $0.endSessions(of: $1, in: $2, now: now) },
        Row(what: "all, twice", shop: [1], desk: [2]) {
            try $0.endSessions(of: $1, in: $2, now: now)
            try $0.endSessions(of: $1, in: $2, now: now)
        },
        Row(what: "those of a user at the provider", shop: [1], desk: [2]) {
            try $0.endSessions(begunIn: nil, orWith: identity.key, in: $2, now: now)
        },
        Row(what: "those of a session at the provider", shop: [], desk: [9]) {
            try $2.insert(
                AccountSession(
                    id: id(9), secretHash: [UInt8](repeating: 9, count: 32), account: $1, providerID: "p", app: "desk",
                    authTime: now, createdAt: now, expiry: now + 9,
                    grant: AccountSession.Grant(
                        scope: "openid", claims: #"{"sub":"sub-of-ada"}"#, lastUsedAt: now, generation: 0, keyID: [],
                        rotations: []), providerSession: providerSession))
            try $0.endSessions(begunIn: providerSession, orWith: nil, in: $2, now: now)
        },
        Row(what: "those of another provider", shop: [], desk: []) {
            try $2.removeSessions(of: $1, begunWith: "q", except: nil)
        },
        Row(what: "the account is disabled", shop: [1], desk: [2]) { try $0.setDisabled(true, $1, in: $2) },
        Row(what: "the account is deleted", shop: [1], desk: [2]) { try $0.delete($1, in: $2) },
        Row(what: "the identity gets another subject", shop: [1], desk: [2]) {
            try $0.replaceSubject(at: "p", of: $1, by: "new", in: $2)
        },
        Row(what: "those that began until a time before", shop: [], desk: []) {
            _ = try $0.endSessions(of: identity.key, eventTime: now - 1, in: $2, now: now)
        },
        Row(what: "the account is renamed", shop: [], desk: []) {
            var change = AccountChange()
            change.displayName = .set("Ada")
            _ = try $0.update($1, by: change, in: $2, now: now)
        },
    ]

    @Test(arguments: rows) func `an app hears of the end of its own sessions, whatever ended them`(row: Row) throws {
        try write { try row.end($0, account, $1) }
        #expect(try told("shop") == row.shop, "\(row.what)")
        #expect(try told("desk") == row.desk, "\(row.what)")
        #expect(try told("deaf").isEmpty)
    }

    @Test func `a token that comes again ends the session, and one that is revoked`() throws {
        let token = try begin(4, at: "shop")
        let policy = RefreshTokenPolicy(idleLifetime: 1_000, lifetime: 1_000, rotates: true, repetition: 0)
        let presented = PresentedAppToken(token, of: "shop", policy: policy, absence: .none)
        for _ in 0..<2 {
            _ = try write { try $0.refresh(presented, keys: Self.keys, in: $1, now: Self.now) { _ in } }
        }
        #expect(try told("shop") == [4])
        let other = try begin(5, at: "shop")
        _ = try write { try $0.end(other, of: "shop", keys: Self.keys, in: $1, now: Self.now) }
        _ = try write { try $0.end(other, of: "shop", keys: Self.keys, in: $1, now: Self.now) }
        #expect(try told("shop") == [4, 5])
    }

    @Test func `an end by time, or by the limit of sessions, is told to no app`() throws {
        for number in 0..<AccountLimits.appSessions { try begin(10 + number, at: "shop", at: Self.now + 1) }
        let live = fixture.store.contents.sessions.filter { $0.app == "shop" && $0.expiry > Self.now }
        #expect(live.count == AccountLimits.appSessions)
        #expect(!live.contains { $0.id.bytes[0] == 1 })
        _ = fixture.store.sweep(before: Self.now + 2_000, limit: 1000)
        #expect(fixture.store.contents.sessions.allSatisfy { $0.wire == .sdk })
        try begin(2, at: "desk", lifetime: 5, at: Self.now + 3_000)
        // It has expired, and was not swept yet.
        try write(at: Self.now + 3_005) { try $0.delete(account, in: $1) }
        #expect(try told("shop").isEmpty && told("desk").isEmpty)
    }

    @Test func `a session that is written again goes on, and a transaction that fails ends nothing`() throws {
        try begin(6, at: "shop", at: Self.now + 10)
        try begin(7, at: "shop", at: Self.now + 10)
        #expect(throws: AccountRefusal.self) {
            try write {
                try $0.endSessions(of: account, in: $1, now: Self.now + 20)
                throw AccountRefusal(.unknown)
            }
        }
        #expect(try told("shop").isEmpty)
        try write { _ = try $0.endSessions(of: Self.identity.key, eventTime: Self.now, in: $1, now: Self.now + 20) }
        #expect(try told("shop") == [1])
        #expect(try told("desk") == [2])
    }

    @Test func `a queue that is full loses its own events only`() throws {
        let apps = Self.listeners(["shop", "desk"])
        let shop = try #require(apps[WireText("shop")])
        shop.note(waiting: shop.room)
        try write(apps) { try $0.delete(account, in: $1) }
        #expect(try told("shop").isEmpty)
        #expect(try told("desk") == [2])
        #expect(shop.takeLost() == 1)
    }
}
