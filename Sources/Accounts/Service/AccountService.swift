// SPDX-License-Identifier: Apache-2.0

package import JOSE
public import NIOCore
public import Signing

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
    package let operations: AccountOperations
    /// What makes and verifies ID tokens.
    public let tokens: AccountTokens
    private let clock: @Sendable () -> Int64
    let executor: any SigningExecutor
    let queues: AccountQueues
    /// The listener for events; `nil` if there is none, and then no event is written.
    package let listener: AccountListener?
    /// The apps that hear of the end of their sessions, by client ID.
    package let logouts: [WireText: AccountListener]
    /// Who decides about new accounts; `nil` if the policy alone does.
    package let newAccounts: NewAccountDecider?
    /// The networks of the client whose requests these are; empty if they are not known.
    private(set) var networks: [AccountQueues.Holder] = []

    /// Creates a service.
    /// - Parameters:
    ///   - store: The store.
    ///   - policy: What the operator decided.
    ///   - tokens: What makes and verifies ID tokens.
    ///   - clock: Returns the current time, in seconds since 1970.
    ///   - executor: The threads that make RSA signatures.
    public init(
        store: any AccountStore, policy: AccountPolicy, tokens: AccountTokens, clock: @escaping @Sendable () -> Int64,
        executor: any SigningExecutor = ConcurrentSigningExecutor()
    ) {
        self.init(
            store: store, policy: policy, tokens: tokens, clock: clock, executor: executor, queues: AccountQueues())
    }

    /// Creates a service in the place of another one, with the queues of that.
    package init(
        store: any AccountStore, policy: AccountPolicy, tokens: AccountTokens, clock: @escaping @Sendable () -> Int64,
        executor: any SigningExecutor = ConcurrentSigningExecutor(), queues: AccountQueues,
        listener: AccountListener? = nil, logouts: [WireText: AccountListener] = [:],
        newAccounts: NewAccountDecider? = nil
    ) {
        self.store = store
        operations = AccountOperations(policy: policy)
        self.tokens = tokens
        self.clock = clock
        self.executor = executor
        self.queues = queues
        self.listener = listener
        self.logouts = logouts
        self.newAccounts = newAccounts
    }

    /// Returns the service for the requests of a client, each of whose networks gets a share of the places of requests
    /// that wait.
    /// - Parameter networks: What identifies each network, always in the same way.
    package func serving(_ networks: [[UInt8]]) -> AccountService {
        var service = self
        service.networks = networks.map { .network($0) }
        return service
    }

    /// A user who was signed in, with the tokens for the client.
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

    /// What the operator decided.
    public var policy: AccountPolicy { operations.policy }

    /// The current time, in seconds since 1970.
    var now: Int64 { clock() }

    /// Verifies the ID token of a session that asks for an operation here, also a while after its expiry
    /// (``graceAfterExpiry``). The operation itself verifies that the session has not ended. To authenticate a request of
    /// another kind, use ``AccountTokens/verify(_:now:)`` of ``tokens``, which accepts no token after its expiry.
    /// - Throws: ``AccountTokenError``.
    public func verify(asking idToken: String) throws(AccountTokenError) -> VerifiedAccountToken {
        try tokens.verify(idToken, now: now, afterExpiry: Self.graceAfterExpiry)
    }

    // MARK: Sessions

    /// Signs a user in, and makes an account or links the identity where the rules say so.
    public func signIn(_ request: SignInRequest, on eventLoop: any EventLoop) -> EventLoopFuture<SignedIn> {
        asking(about: request, on: eventLoop) { request in
            begin(for: .identity(request.identity.key), on: eventLoop) { [operations] session, transaction, now in
                try operations.signIn(request, session: session, in: transaction, now: now)
            }
        }
    }

    /// Links an identity to the account of a session.
    public func link(_ request: LinkRequest, on eventLoop: any EventLoop) -> EventLoopFuture<SignedIn> {
        begin(for: .account(request.asking.account), on: eventLoop) { [operations] session, transaction, now in
            try operations.link(request, session: session, in: transaction, now: now)
        }
    }

    /// Enters an account as a sign-in does, by the same rules, and begins no session: for a server that keeps sessions
    /// of its own and wants to know whose account it is. There are no tokens.
    ///
    /// Nothing but the uses of the request is used up, so the caller sees to it that what was verified is not presented
    /// twice. Neither a disabled account nor ended sessions reach the sessions of that server: they are seen at the next
    /// entry.
    public func enter(_ request: SignInRequest, on eventLoop: any EventLoop) -> EventLoopFuture<EnteredAccount> {
        asking(about: request, on: eventLoop) { [operations] request in
            let now = now
            return transact(.write, for: .identity(request.identity.key), on: eventLoop) { transaction in
                try operations.enter(request, in: transaction, now: now)
            }
        }
    }

    /// Makes a new ID token for a session.
    /// - Parameters:
    ///   - refreshToken: The refresh token that the client sent.
    ///   - eventLoop: The event loop of the future.
    public func refresh(_ refreshToken: RefreshToken, on eventLoop: any EventLoop) -> EventLoopFuture<Refreshed> {
        let (now, operations, id, secretHash) = (now, operations, refreshToken.sessionID, refreshToken.secretHash)
        // Nearly every refresh only reads, since one a day is written. Whose session it is, the read says.
        return transact(.read, for: nil, on: eventLoop) { transaction in
            let (account, session, isNoted) = try operations.refreshable(
                id, secretHash: secretHash, in: transaction, now: now)
            let identities: [AccountIdentity]? = try isNoted ? transaction.identities(of: account.id) : nil
            return (account, session, identities)
        }.flatMap { account, session, identities in
            let holder = AccountQueues.Holder.account(account.id)
            return signed(in: queues.refreshes, for: holder, isSlow: tokens.isSlow, on: eventLoop) {
                let noted: EventLoopFuture<(Account, AccountSession, [AccountIdentity])> =
                    if let identities {
                        eventLoop.makeSucceededFuture((account, session, identities))
                    } else {
                        transact(.write, for: holder, on: eventLoop) { transaction in
                            let (account, session) = try operations.refresh(
                                id, secretHash: secretHash, in: transaction, now: now)
                            return (account, session, try transaction.identities(of: account.id))
                        }
                    }
                return noted.flatMap { account, session, identities in
                    sign(account, identities, session, now: now, on: eventLoop).map {
                        Refreshed(account: account, session: session, idToken: $0)
                    }
                }
            }
        }
    }

    // MARK: Parts

    private func begin(
        for holder: AccountQueues.Holder, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (NewSession, any AccountTransaction, _ now: Int64) throws -> SignedInAccount
    ) -> EventLoopFuture<SignedIn> {
        let (now, refreshToken) = (now, RefreshToken(session: AccountSession.ID()))
        let session = NewSession(refreshToken)
        return signed(in: queues.signIns, for: holder, isSlow: tokens.isSlow, on: eventLoop) {
            transact(.write, for: holder, on: eventLoop) { transaction in
                let person = try body(session, transaction, now)
                return (person, try transaction.identities(of: person.account.id))
            }.flatMap { person, identities in
                sign(person.account, identities, person.session, now: now, on: eventLoop).map { idToken in
                    SignedIn(person: person, identities: identities, idToken: idToken, refreshToken: refreshToken)
                }
            }
        }
    }
}
