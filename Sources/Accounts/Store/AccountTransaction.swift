// SPDX-License-Identifier: Apache-2.0

/// The primitives of a transaction. They decide nothing; the rules do.
///
/// A store holds the invariants itself: an identity belongs to one account and keeps it, an account has one identity of a
/// provider, an email key belongs to one account, ``Account/validSince`` does not fall, and what is constant in a session
/// stays. A write that breaks one of them fails with an ``AccountStoreError`` of the code `conflict`, and the transaction
/// with it, also where the body catches the error. An account may be without an identity, as an imported one may.
public protocol AccountTransaction {
    /// Returns an identity; `nil` if it is unknown.
    func identity(_ key: IdentityKey) throws -> AccountIdentity?
    /// Returns the identities of an account, the first linked first.
    func identities(of account: AccountID) throws -> [AccountIdentity]
    /// Returns an account; `nil` if there is none.
    func account(_ id: AccountID) throws -> Account?
    /// Returns the account that has an email, by its key; see ``Account/emailKey``.
    func account(owning email: EmailAddress) throws -> Account?
    /// Returns at most `limit` accounts after an identifier, in the order of their identifiers.
    func accounts(after id: AccountID?, limit: Int) throws -> [Account]
    /// Returns a session; `nil` if there is none.
    func session(_ id: AccountSession.ID) throws -> AccountSession?
    /// Returns the sessions of an account, the longest unused first.
    func sessions(of account: AccountID) throws -> [AccountSession]
    /// Returns the sessions that began in a session of a provider, whosever they are, in any order.
    /// - Parameter providerSession: Its hash; see ``AccountSession/providerSession``.
    func sessions(begunIn providerSession: [UInt8]) throws -> [AccountSession]

    /// Inserts an account.
    func insert(_ account: Account) throws
    /// Inserts accounts with their identities, but none for which another record is in the way.
    ///
    /// An import has many users of whom nothing is there yet: it asks only about those for whom this fails.
    /// - Returns: For each whether it was inserted. It may be `false` without a reason.
    func insertFree(_ accounts: [(account: Account, identities: [AccountIdentity])]) throws -> [Bool]
    /// Replaces an account, which must exist.
    func update(_ account: Account) throws
    /// Removes an account with its identities and its sessions.
    func remove(_ account: AccountID) throws
    /// Inserts an identity of an account that exists.
    func insert(_ identity: AccountIdentity) throws
    /// Replaces an identity, which must exist.
    func update(_ identity: AccountIdentity) throws
    /// Returns the claims that are kept with an identity, as the text of a JSON object; `nil` if there are none. They are no
    /// part of the identity, so that a list of identities is not as long as they are.
    func claims(of identity: IdentityKey) throws -> String?
    /// Replaces the claims that are kept with an identity, which must exist; `nil` for none. They go with the identity.
    func setClaims(_ claims: String?, of identity: IdentityKey) throws
    /// Removes an identity.
    func remove(_ identity: IdentityKey) throws
    /// Inserts a session of an account that exists.
    func insert(_ session: AccountSession) throws
    /// Replaces a session, which must exist.
    func update(_ session: AccountSession) throws
    /// Removes the sessions of an account.
    /// - Parameters:
    ///   - account: The account.
    ///   - providerID: The provider with which they began; `nil` for all.
    ///   - kept: A session that stays; `nil` if none does.
    func removeSessions(of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?) throws
    /// Removes those sessions of an account that were not used for the longest time, so that at most `count` remain.
    func trimSessions(of account: AccountID, to count: Int) throws
    /// Gives the sessions of an account that began with a provider its new ID.
    func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws

    /// Uses something up that may be used once.
    /// - Parameters:
    ///   - hash: Its SHA-256 hash.
    ///   - expiry: The time from which it is not accepted anyway, so that the store may forget it, in seconds since 1970.
    /// - Returns: Whether it was not used before.
    func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool

    /// The events that wait to be delivered; `nil` in a store without an outbox.
    var outbox: (any AccountOutbox)? { get }
}

extension AccountTransaction {
    /// Inserts none.
    public func insertFree(_ accounts: [(account: Account, identities: [AccountIdentity])]) throws -> [Bool] {
        accounts.map { _ in false }
    }
}

/// An error of a store, with a stable code.
public struct AccountStoreError: Error, Hashable, CustomStringConvertible {
    /// The code of an error. A later version may have more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The codes, for a `switch` that must know every one of them.
        package enum Value: String, Sendable, CaseIterable {
            case conflict, unavailable
        }

        /// Which of the codes it is.
        package let value: Value

        /// Creates a code.
        package init(_ value: Value) { self.value = value }

        /// A write would break an invariant.
        public static let conflict = Self(.conflict)
        /// The store cannot be reached, or too many writes wait for it.
        public static let unavailable = Self(.unavailable)

        /// The name of the code, which does not change.
        public var description: String { value.rawValue }
    }

    /// The code.
    public let code: Code
    /// What happened, without any content of a record.
    public let description: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The code.
    ///   - description: What happened, without any content of a record.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
