// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import AccountsTestSupport
    import NIOCore
    import OIDCBrokerTesting
    import Testing

    /// Fifty at once, on SQLite.
    struct ConcurrencyTests {
        private static let now: Int64 = 1_790_000_000
        private static let count = 50
        private static let rounds = 100
        private let operations = AccountOperations(
            policy: AccountPolicy(operationsAfterRecentSignIn: [.delete]))

        private static func person(_ name: String, at provider: String, email: String? = nil) -> VerifiedIdentity {
            VerifiedIdentity(
                IdentityKey(issuer: "https://\(provider)", subject: name), providerID: provider,
                email: email.flatMap { EmailAddress($0) }, isEmailProved: email != nil)
        }

        private static func newSession() -> NewSession { NewSession(RefreshToken(session: AccountSession.ID())) }

        /// What each of the bodies answered: a value, or the code of its refusal.
        private func all<Value: Sendable>(
            _ temporary: TemporaryStore, count: Int = ConcurrencyTests.count,
            _ body: @escaping @Sendable (Int, any AccountTransaction) throws -> Value
        ) async throws -> (values: [Value], refusals: [AccountRefusal.Code]) {
            let futures = (0..<count).map { number in
                temporary.store.transact(.write, on: temporary.eventLoop) {
                    transaction -> Result<Value, AccountRefusal> in
                    .success(try body(number, transaction))
                }.flatMapErrorThrowing { error in
                    guard let refusal = error as? AccountRefusal else { throw error }
                    return .failure(refusal)
                }
            }
            var (values, refusals): ([Value], [AccountRefusal.Code]) = ([], [])
            for future in futures {
                switch try await future.get() {
                case .success(let value): values.append(value)
                case .failure(let refusal): refusals.append(refusal.code)
                }
            }
            return (values, refusals)
        }

        private func signIn(
            _ identity: VerifiedIdentity, uses: [SingleUse] = [], in transaction: any AccountTransaction
        ) throws -> SignedInAccount {
            try operations.signIn(
                AccountOperations.SignIn(identity, authTime: Self.now, session: Self.newSession(), uses: uses),
                in: transaction, now: Self.now)
        }

        private func link(
            _ identity: VerifiedIdentity, to person: SignedInAccount, in transaction: any AccountTransaction
        ) throws -> SignedInAccount {
            try operations.link(
                AccountOperations.Link(
                    identity, asking: AuthenticatedSession(person.session), session: Self.newSession()),
                in: transaction, now: Self.now)
        }

        @Test func `one new identity makes one account, and everybody gets its identifier`() async throws {
            let temporary = try TemporaryStore()
            for round in 0..<Self.rounds {
                let ada = Self.person("ada-\(round)", at: "p")
                let (people, refusals) = try await all(temporary) { _, transaction in try signIn(ada, in: transaction) }
                #expect(refusals.isEmpty && people.count == Self.count)
                #expect(Set(people.map(\.account.id)).count == 1)
                #expect(people.count(where: \.isNew) == 1)
            }
        }

        @Test func `one identity linked by fifty accounts belongs to one of them`() async throws {
            let temporary = try TemporaryStore()
            let (people, _) = try await all(temporary) { number, transaction in
                try signIn(Self.person("person-\(number)", at: "p"), in: transaction)
            }
            for round in 0..<Self.rounds {
                let wanted = Self.person("wanted-\(round)", at: "q\(round % 19)")
                let (linked, refusals) = try await all(temporary) { number, transaction in
                    try link(wanted, to: people[number], in: transaction)
                }
                #expect(linked.count <= 1)
                #expect(linked.count + refusals.count == Self.count)
                let owner = try await temporary.read { try $0.identity(wanted.key)?.account }
                #expect(owner == linked.first?.account.id)
            }
        }

        @Test func `of the two identities of an account that are unlinked at once one remains`() async throws {
            let temporary = try TemporaryStore()
            for round in 0..<Self.rounds {
                let person = try await temporary.write { transaction in
                    let person = try signIn(Self.person("ada-\(round)", at: "p"), in: transaction)
                    return try link(Self.person("ada-\(round)", at: "q"), to: person, in: transaction)
                }
                let (_, refusals) = try await all(temporary, count: 2) { number, transaction in
                    try operations.unlink(
                        providerID: number == 0 ? "p" : "q", asking: AuthenticatedSession(person.session),
                        in: transaction, now: Self.now)
                }
                #expect(refusals == [.lastIdentity])
                #expect(try await temporary.read { try $0.identities(of: person.account.id) }.count == 1)
            }
        }

        @Test func `of two people with the same proved address one gets an account`() async throws {
            let temporary = try TemporaryStore()
            for round in 0..<Self.rounds {
                let (people, refusals) = try await all(temporary, count: 2) { number, transaction in
                    try signIn(
                        Self.person("ada", at: "p\(number)-\(round)", email: "ada-\(round)@example.com"),
                        in: transaction)
                }
                #expect(people.count == 1 && refusals == [.needConfirmation])
            }
        }

        @Test func `what may be used once works for one of fifty`() async throws {
            let temporary = try TemporaryStore()
            let ada = Self.person("ada", at: "p")
            for round in 0..<Self.rounds {
                let use = SingleUse(hash: AccountStep.secretHash(round) + [1], expiry: Self.now + 300)
                let (people, refusals) = try await all(temporary) { _, transaction in
                    try signIn(ada, uses: [use], in: transaction)
                }
                #expect(people.count == 1)
                #expect(refusals == [AccountRefusal.Code](repeating: .used, count: Self.count - 1))
            }
        }

        @Test func `no refresh succeeds after the account was disabled`() async throws {
            let temporary = try TemporaryStore()
            for round in 0..<Self.rounds {
                let token = RefreshToken(session: AccountSession.ID())
                let person = try await temporary.write { transaction in
                    try operations.signIn(
                        AccountOperations.SignIn(
                            Self.person("ada-\(round)", at: "p"), authTime: Self.now, session: NewSession(token)),
                        in: transaction, now: Self.now)
                }
                // The order in which they wait is the order in which they happen.
                let (happened, refusals): ([Bool], [AccountRefusal.Code]) = try await all(temporary) {
                    number, transaction in
                    if number == Self.count / 2 {
                        try operations.setDisabled(true, person.account.id, in: transaction)
                    } else {
                        _ = try operations.refresh(token, in: transaction, now: Self.now)
                    }
                    return true
                }
                #expect(happened.count == Self.count / 2 + 1)
                #expect(refusals == [AccountRefusal.Code](repeating: .disabled, count: Self.count / 2 - 1))
            }
        }

        @Test func `linking against deleting never leaves an identity without an account`() async throws {
            let temporary = try TemporaryStore()
            for round in 0..<Self.rounds {
                let person = try await temporary.write { transaction in
                    try signIn(Self.person("ada-\(round)", at: "p"), in: transaction)
                }
                let linked = Self.person("ada-\(round)", at: "q")
                _ = try await all(temporary, count: 2) { number, transaction in
                    if number == round % 2 {
                        _ = try link(linked, to: person, in: transaction)
                    } else {
                        try operations.delete(
                            asking: AuthenticatedSession(person.session), in: transaction, now: Self.now)
                    }
                }
                let (identity, account) = try await temporary.read {
                    (try $0.identity(linked.key), try $0.account(person.account.id))
                }
                #expect(identity == nil && account == nil)
            }
        }

        @Test func `of more writes than may wait the rest is refused, and the others are written`() async throws {
            let temporary = try TemporaryStore()
            let gate = Gate()
            let first = temporary.store.transact(.write, on: temporary.eventLoop) { _ in gate.wait() }
            gate.waitUntilEntered()
            let futures = (0...SQLiteAccountStore.waitingLimit).map { number in
                temporary.store.transact(.write, on: temporary.eventLoop) { transaction in
                    try transaction.consume(AccountStep.secretHash(number) + [UInt8(number >> 8)], expiry: Self.now)
                }
            }
            let error = await #expect(throws: AccountStoreError.self) {
                _ = try await futures[SQLiteAccountStore.waitingLimit].get()
            }
            #expect(error?.code == .unavailable)
            gate.open()
            try await first.get()
            for future in futures.dropLast() { #expect(try await future.get()) }
        }
    }
#endif
