// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import OIDCBrokerTesting
import StoreTesting
import Testing

/// How an operator finds accounts.
struct SearchTests {
    private typealias Fixture = AccountFixture

    private func find(_ keys: [AccountSearchKey], _ fixture: AccountFixture) throws -> [AccountID] {
        try fixture.store.transact(.read) { transaction in
            try fixture.operations.accounts(by: keys, in: transaction).map { profile in
                #expect(profile.identities.allSatisfy { $0.account == profile.account.id })
                #expect(!profile.identities.isEmpty)
                return profile.account.id
            }
        }
    }

    private static func email(_ text: String) throws -> AccountSearchKey {
        .email(try #require(EmailAddress(text)))
    }

    @Test func `by identifier, address and identity, each account once, in the order of the keys`() throws {
        let fixture = Fixture()
        let ada = try fixture.signIn(Fixture.person("ada", at: "p", email: "ada@example.com")).account.id
        let eve = try fixture.signIn(Fixture.person("eve", at: "p", email: "eve@example.com"), session: 2).account.id
        let identity = AccountSearchKey.identity(IdentityKey(issuer: "https://p", subject: "ada"))
        #expect(try find([.id(ada)], fixture) == [ada])
        #expect(try find([Self.email("Eve@Example.com")], fixture) == [eve])
        #expect(try find([identity], fixture) == [ada])
        #expect(try find([Self.email("eve@example.com"), identity, .id(ada), .id(eve)], fixture) == [eve, ada])
    }

    @Test func `what no account has is left out`() throws {
        let fixture = Fixture()
        let ada = try fixture.signIn(Fixture.person("ada", at: "p", email: "ada@example.com")).account.id
        let keys: [AccountSearchKey] = [
            .id(AccountID()), try Self.email("eve@example.com"), .id(ada),
            .identity(IdentityKey(issuer: "https://q", subject: "ada")),
            .identity(IdentityKey(issuer: "https://p", subject: "ADA")),
        ]
        #expect(try find(keys, fixture) == [ada])
        #expect(try find([], fixture) == [])
    }

    @Test func `where addresses do not matter, none names an account`() throws {
        let fixture = Fixture(AccountPolicy(email: .separate))
        _ = try fixture.signIn(Fixture.person("ada", at: "p", email: "ada@example.com"))
        #expect(try find([Self.email("ada@example.com")], fixture) == [])
    }

    // MARK: Pages

    private func page(
        after id: AccountID? = nil, limit: Int, _ fixture: AccountFixture
    ) throws -> (ids: [AccountID], next: AccountID?) {
        try fixture.store.transact(.read) {
            let page = try fixture.operations.page(after: id, limit: limit, in: $0)
            return (page.profiles.map(\.account.id), page.next)
        }
    }

    @Test(arguments: [(1, 5), (2, 3), (4, 2), (5, 1), (6, 1), (0, 5), (-1, 5), (Int.max, 1)])
    func `the pages of five accounts`(limit: Int, pages: Int) throws {
        let fixture = Fixture()
        for number in 0..<5 { _ = try fixture.signIn(Fixture.person("s\(number)", at: "p"), session: number) }
        var ids: [AccountID] = []
        var count = 0
        var next: AccountID?
        repeat {
            let page = try page(after: next, limit: limit, fixture)
            #expect(page.ids.count <= max(1, limit))
            ids += page.ids
            next = page.next
            count += 1
        } while next != nil && count < 10
        #expect(count == pages)
        #expect(ids == fixture.store.contents.accounts.map(\.id).sorted())
    }

    @Test func `without accounts there is an empty page`() throws {
        let page = try page(limit: 10, Fixture())
        #expect(page.ids.isEmpty && page.next == nil)
    }

    @Test func `a page has at most 1,000 accounts, and ends with the account with which there are 2,000 identities`()
        throws
    {
        let fixture = Fixture()
        try fixture.store.transact(.write) { transaction in
            for number in 0..<1001 {
                let id = try #require(AccountID("u" + String(10_000 + number)))
                try transaction.insert(Account(id: id, createdAt: Fixture.now))
                for provider in 0..<(number < 100 ? AccountLimits.identities : 1) {
                    let identity = Fixture.person("s\(number)", at: "p\(provider)")
                    try transaction.insert(AccountIdentity(identity, of: id, at: Fixture.now))
                }
            }
        }
        let first = try page(limit: 5000, fixture)
        #expect(first.ids.count == AccountLimits.pageIdentities / AccountLimits.identities)
        #expect(first.next == first.ids.last)
        let second = try page(after: first.next, limit: 5000, fixture)
        #expect(second.ids.count == 901 && second.next == nil)
        let last = try #require(AccountID("u10099"))
        #expect(try page(after: last, limit: 900, fixture).ids.count == 900)
        let all = try fixture.store.transact(.write) { transaction in
            for number in 1001..<1200 {
                let id = try #require(AccountID("u" + String(10_000 + number)))
                try transaction.insert(Account(id: id, createdAt: Fixture.now))
                try transaction.insert(
                    AccountIdentity(Fixture.person("s\(number)", at: "p"), of: id, at: Fixture.now))
            }
            return try fixture.operations.page(after: last, limit: 5000, in: transaction)
        }
        #expect(all.profiles.count == AccountLimits.page && all.next != nil)
    }
}
