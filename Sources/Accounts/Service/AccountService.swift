// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Accounts for a server: each call is one transaction on the store, and the tokens are made after it was committed.
///
/// Everything that waits returns a future on the given event loop, which fails with ``AccountRefusal``, with
/// ``AccountTokenError`` about the ID token that the client sent, with ``AccountSigningError`` where a new one was not
/// made, or with an error of the store. Nothing blocks the event loop.
public struct AccountService: Sendable {
    /// How long after its expiry an ID token is taken by the operations here, in seconds: a device may have slept.
    public static let graceAfterExpiry: Int64 = AccountTokens.graceAfterExpiry

    /// The store.
    public let store: any AccountStore
    /// The operations, with the operator's policy.
    public let operations: AccountOperations
    /// What makes and verifies ID tokens.
    public let tokens: AccountTokens
    private let clock: @Sendable () -> Int64
    private let signing: AccountSigning

    /// Creates a service.
    /// - Parameters:
    ///   - store: The store.
    ///   - policy: What the operator decided.
    ///   - tokens: What makes and verifies ID tokens.
    ///   - clock: Returns the current time, in seconds since 1970.
    ///   - executor: The threads that make RSA signatures.
    public init(
        store: any AccountStore, policy: AccountPolicy, tokens: AccountTokens, clock: @escaping @Sendable () -> Int64,
        executor: any AccountSigningExecutor = ConcurrentAccountSigningExecutor()
    ) {
        self.store = store
        operations = AccountOperations(policy: policy)
        self.tokens = tokens
        self.clock = clock
        signing = AccountSigning(tokens: tokens, executor: executor)
    }

    /// A person who was signed in, with the tokens for the client.
    public struct SignedIn: Sendable {
        /// The account, the identity and the session.
        public let person: SignedInAccount
        /// All identities of the account, the first linked first.
        public let identities: [AccountIdentity]
        /// The ID token, valid for ``AccountTokens/lifetime``.
        public let idToken: String
        /// The refresh token of the session.
        public let refreshToken: RefreshToken
    }

    /// What a refresh gives.
    public struct Refreshed: Sendable {
        /// The account.
        public let account: Account
        /// The session.
        public let session: AccountSession
        /// The new ID token.
        public let idToken: String
    }

    /// An account with its identities.
    public struct Profile: Sendable, Hashable {
        /// The account.
        public let account: Account
        /// Its identities, the first linked first.
        public let identities: [AccountIdentity]

        /// Creates the profile of an account. The identities are all that it has, the first linked first.
        package init(account: Account, identities: [AccountIdentity]) {
            self.account = account
            self.identities = identities
        }
    }

    /// The current time, in seconds since 1970.
    var now: Int64 { clock() }

    // MARK: Sessions

    /// Signs a person in, and makes an account or links the identity where the rules say so.
    /// - Parameters:
    ///   - identity: What was verified.
    ///   - authTime: The time at which the person was authenticated, as that at which the provider issued the ID token,
    ///     in seconds since 1970; `nil` for now. It is refused if the sessions of the account were ended after it.
    ///   - mayCreate: Whether an account may be made.
    ///   - expected: The account that the person must be signed in to; `nil` for any.
    ///   - app: The app of the SDK; `nil` if there is none.
    ///   - uses: What the sign-in uses up.
    ///   - accessToken: The access token of the provider that is handed out; `nil` if there is none.
    ///   - eventLoop: The event loop of the future.
    public func signIn(
        _ identity: VerifiedIdentity, authTime: Int64? = nil, mayCreate: Bool = true, expected: AccountID? = nil,
        app: String? = nil, uses: [SingleUse] = [], accessToken: AccountIdentity.HandedOutToken? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SignedIn> {
        let (now, refreshToken) = (now, RefreshToken(session: AccountSession.ID()))
        let request = AccountOperations.SignIn(
            identity, authTime: authTime ?? now, mayCreate: mayCreate, expected: expected,
            session: NewSession(refreshToken, app: app), uses: uses, accessToken: accessToken)
        return begin(refreshToken, now: now, on: eventLoop) { [operations] transaction in
            try operations.signIn(request, in: transaction, now: now)
        }
    }

    /// Links an identity to the account of a session.
    /// - Parameters:
    ///   - identity: What was verified.
    ///   - idToken: The ID token of the session that asks.
    ///   - app: The app of the SDK; `nil` if there is none.
    ///   - uses: What linking uses up.
    ///   - accessToken: The access token of the provider that is handed out; `nil` if there is none.
    ///   - eventLoop: The event loop of the future.
    public func link(
        _ identity: VerifiedIdentity, idToken: String, app: String? = nil, uses: [SingleUse] = [],
        accessToken: AccountIdentity.HandedOutToken? = nil, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SignedIn> {
        asking(idToken, now: now, on: eventLoop) { asking in
            link(identity, asking: asking, app: app, uses: uses, accessToken: accessToken, on: eventLoop)
        }
    }

    /// Links an identity like its overload, for a session whose ID token was verified.
    package func link(
        _ identity: VerifiedIdentity, asking: AuthenticatedSession, app: String? = nil, uses: [SingleUse] = [],
        accessToken: AccountIdentity.HandedOutToken? = nil, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SignedIn> {
        let (now, refreshToken) = (now, RefreshToken(session: AccountSession.ID()))
        let request = AccountOperations.Link(
            identity, asking: asking, session: NewSession(refreshToken, app: app), uses: uses,
            accessToken: accessToken)
        return begin(refreshToken, now: now, on: eventLoop) { [operations] transaction in
            try operations.link(request, in: transaction, now: now)
        }
    }

    /// Makes a new ID token for a session.
    /// - Parameters:
    ///   - refreshToken: The refresh token that the client sent.
    ///   - eventLoop: The event loop of the future.
    public func refresh(_ refreshToken: RefreshToken, on eventLoop: any EventLoop) -> EventLoopFuture<Refreshed> {
        let now = now
        return signing.reserve(for: .refresh, on: eventLoop) {
            use(refreshToken, now: now, on: eventLoop).flatMap { [signing] account, session, identities in
                signing.sign(account, identities, session, now: now, on: eventLoop).map {
                    Refreshed(account: account, session: session, idToken: $0)
                }
            }
        }
    }

    // MARK: Parts

    private func begin(
        _ refreshToken: RefreshToken, now: Int64, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> SignedInAccount
    ) -> EventLoopFuture<SignedIn> {
        signing.reserve(for: .signIn, on: eventLoop) {
            store.transact(.write, on: eventLoop) { transaction in
                let person = try body(transaction)
                return (person, try transaction.identities(of: person.account.id))
            }.flatMap { [signing] person, identities in
                signing.sign(person.account, identities, person.session, now: now, on: eventLoop).map { idToken in
                    SignedIn(person: person, identities: identities, idToken: idToken, refreshToken: refreshToken)
                }
            }
        }
    }

    /// Finds the session of a refresh token, and writes the first use of a day.
    private func use(
        _ refreshToken: RefreshToken, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<(Account, AccountSession, [AccountIdentity])> {
        let (store, operations) = (store, operations)
        // Nearly every refresh only reads, since one a day is written.
        return store.transact(.read, on: eventLoop) { transaction in
            try operations.refreshWithoutWriting(refreshToken, in: transaction, now: now)
                .map { ($0.account, $0.session, try transaction.identities(of: $0.account.id)) }
        }.flatMap { known in
            if let known { return eventLoop.makeSucceededFuture(known) }
            return store.transact(.write, on: eventLoop) { transaction in
                let (account, session) = try operations.refresh(refreshToken, in: transaction, now: now)
                return (account, session, try transaction.identities(of: account.id))
            }
        }
    }

    /// Verifies the ID token of the session that asks, as each operation does that takes one, for a caller that needs the
    /// session before the operation.
    /// - Throws: ``AccountTokenError``.
    package func verify(asking idToken: String) throws(AccountTokenError) -> VerifiedAccountToken {
        try tokens.verify(idToken, now: now, afterExpiry: Self.graceAfterExpiry)
    }

    /// Verifies the ID token of the session that asks.
    func asking<Value: Sendable>(
        _ idToken: String, now: Int64, on eventLoop: any EventLoop,
        _ next: (AuthenticatedSession) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        do {
            return next(try tokens.verify(idToken, now: now, afterExpiry: Self.graceAfterExpiry).session)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }
}
