// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    package import Accounts
    import NIOCore
    import Testing

    /// Many at once, on a store of whatever engine.
    package struct AccountRaces: Sendable {
        package static let now: Int64 = 1_790_000_000
        /// How many are at once.
        package static let count = 50

        private let caller: any AccountStoreCaller
        private let rounds: Int
        package let operations = AccountOperations(policy: AccountPolicy(operationsAfterRecentSignIn: [.delete]))

        /// - Parameter rounds: How often each race is run.
        package init(_ caller: any AccountStoreCaller, rounds: Int) {
            self.caller = caller
            self.rounds = rounds
        }

        package static func person(_ name: String, at provider: String, email: String? = nil) -> VerifiedIdentity {
            VerifiedIdentity(
                IdentityKey(issuer: "https://\(provider)", subject: name), providerID: provider,
                email: email.flatMap { EmailAddress($0) }, isEmailProved: email != nil)
        }

        private static func newSession() -> NewSession { NewSession(RefreshToken(session: AccountSession.ID())) }

        /// What each of the bodies answered: a value, or the code of its refusal.
        package func all<Value: Sendable>(
            _ count: Int = AccountRaces.count,
            _ body: @escaping @Sendable (Int, any AccountTransaction) throws -> Value
        ) async throws -> (values: [Value], refusals: [AccountRefusal.Code]) {
            let futures = (0..<count).map { number in
                caller.store.transact(.write, on: caller.eventLoop) { transaction -> Result<Value, AccountRefusal> in
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
            _ identity: VerifiedIdentity, uses: [TokenUse] = [], in transaction: any AccountTransaction
        ) throws -> SignedInAccount {
            try operations.signIn(
                SignInRequest(identity, authTime: Self.now, uses: uses), session: Self.newSession(),
                in: transaction, now: Self.now)
        }

        private func link(
            _ identity: VerifiedIdentity, to person: SignedInAccount, in transaction: any AccountTransaction
        ) throws -> SignedInAccount {
            try operations.link(
                LinkRequest(identity, asking: AuthenticatedSession(person.session)), session: Self.newSession(),
                in: transaction, now: Self.now)
        }
    }

    extension AccountRaces {
        /// One new identity makes one account, and all callers get its identifier.
        package func makeOneAccount() async throws {
            for round in 0..<rounds {
                let ada = Self.person("ada-\(round)", at: "p")
                let (people, refusals) = try await all { _, transaction in try signIn(ada, in: transaction) }
                #expect(refusals.isEmpty && people.count == Self.count)
                #expect(Set(people.map(\.account.id)).count == 1)
                #expect(people.count(where: \.isNew) == 1)
            }
        }

        /// One identity linked by many accounts belongs to one of them.
        package func linkOnce() async throws {
            let (people, _) = try await all { number, transaction in
                try signIn(Self.person("person-\(number)", at: "p"), in: transaction)
            }
            // The order of the answers is that of the questions.
            try #require(people.count == Self.count)
            for round in 0..<rounds {
                let wanted = Self.person("wanted-\(round)", at: "q\(round % 19)")
                let (linked, refusals) = try await all { number, transaction in
                    try link(wanted, to: people[number], in: transaction)
                }
                #expect(linked.count <= 1)
                #expect(linked.count + refusals.count == Self.count)
                let owner = try await caller.read { try $0.identity(wanted.key)?.account }
                #expect(owner == linked.first?.account.id)
            }
        }

        /// Of the two identities of an account that are unlinked at once one remains.
        package func keepOneIdentity() async throws {
            for round in 0..<rounds {
                let person = try await caller.write { transaction in
                    let person = try signIn(Self.person("ada-\(round)", at: "p"), in: transaction)
                    return try link(Self.person("ada-\(round)", at: "q"), to: person, in: transaction)
                }
                let (_, refusals) = try await all(2) { number, transaction in
                    try operations.unlink(
                        providerID: number == 0 ? "p" : "q", asking: AuthenticatedSession(person.session),
                        in: transaction, now: Self.now)
                }
                #expect(refusals == [.lastIdentity])
                #expect(try await caller.read { try $0.identities(of: person.account.id) }.count == 1)
            }
        }

        /// Of two users with the same proved address one gets an account.
        package func giveAddressOnce() async throws {
            for round in 0..<rounds {
                let (people, refusals) = try await all(2) { number, transaction in
                    try signIn(
                        Self.person("ada", at: "p\(number)-\(round)", email: "ada-\(round)@example.com"),
                        in: transaction)
                }
                #expect(people.count == 1 && refusals == [.needConfirmation])
            }
        }

        /// What may be used once works for one of many.
        package func useOnce() async throws {
            let ada = Self.person("ada", at: "p")
            for round in 0..<rounds {
                let use = TokenUse(hash: AccountStep.secretHash(round) + [1], expiry: Self.now + 300)
                let (people, refusals) = try await all { _, transaction in
                    try signIn(ada, uses: [use], in: transaction)
                }
                #expect(people.count == 1)
                #expect(refusals == [AccountRefusal.Code](repeating: .used, count: Self.count - 1))
            }
        }

        /// No refresh succeeds that is asked for after the answer to disabling.
        package func refuseRefreshesOfDisabledAccount() async throws {
            for round in 0..<rounds {
                let token = RefreshToken(session: AccountSession.ID())
                let person = try await caller.write { transaction in
                    try operations.signIn(
                        SignInRequest(Self.person("ada-\(round)", at: "p"), authTime: Self.now),
                        session: NewSession(token),
                        in: transaction, now: Self.now)
                }
                @Sendable func refresh() async throws -> (values: [Account], refusals: [AccountRefusal.Code]) {
                    try await all(Self.count / 2) { _, transaction in
                        try operations.refresh(
                            token.sessionID, secretHash: token.secretHash, in: transaction, now: Self.now
                        ).account
                    }
                }
                async let before = refresh()
                try await caller.write { try operations.setDisabled(true, person.account.id, in: $0) }
                #expect(
                    try await refresh().refusals == [AccountRefusal.Code](repeating: .disabled, count: Self.count / 2))
                let (refreshed, refusals) = try await before
                #expect(refreshed.count + refusals.count(where: { $0 == .disabled }) == Self.count / 2)
            }
        }

        /// Linking against deleting never leaves an identity without an account.
        package func linkOrDelete() async throws {
            for round in 0..<rounds {
                let person = try await caller.write { transaction in
                    try signIn(Self.person("ada-\(round)", at: "p"), in: transaction)
                }
                let linked = Self.person("ada-\(round)", at: "q")
                _ = try await all(2) { number, transaction in
                    if number == round % 2 {
                        _ = try link(linked, to: person, in: transaction)
                    } else {
                        try operations.delete(
                            asking: AuthenticatedSession(person.session), in: transaction, now: Self.now)
                    }
                }
                let (identity, account) = try await caller.read {
                    (try $0.identity(linked.key), try $0.account(person.account.id))
                }
                #expect(identity == nil && account == nil)
            }
        }
    }
#endif
