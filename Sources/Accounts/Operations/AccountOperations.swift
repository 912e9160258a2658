// SPDX-License-Identifier: Apache-2.0

/// The operations on accounts: each reads the facts in a transaction, lets the rules decide, and writes what they decided.
///
/// An operation is called with the primitives of one transaction of an ``AccountStore``. It draws nothing at random and
/// reads no clock, since a store may run it again. It writes nothing before it can no longer refuse.
public struct AccountOperations: Sendable {
    /// What the operator decided.
    public let policy: AccountPolicy

    /// Creates the operations under a policy.
    public init(policy: AccountPolicy) {
        self.policy = policy
    }
}

/// Why an operation was refused. Nothing was written.
public struct AccountRefusal: Error, Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The code of a refusal.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no account, and none may be made now.
        case unknown
        /// The operator allows no new accounts.
        case noNewAccounts
        /// The address is another account's: the person signs in as before, and links.
        case needConfirmation
        /// The account is disabled.
        case disabled
        /// What may be used once was used before.
        case used
        /// The session has ended, or its account is gone.
        case sessionEnded
        /// The last sign-in of the session is too old for the operation.
        case signInTooOld
        /// The identity belongs to another account.
        case belongsToAnother
        /// The account has the identity, or another one of the provider.
        case alreadyLinked
        /// Another account has proved the address.
        case emailBelongsToAnother
        /// The account has as many identities as an account may have.
        case tooManyIdentities
        /// It is the last identity of the account.
        case lastIdentity
        /// A value is too long or has characters that it may not have.
        case invalidValue
        /// The identity was verified before the sessions of the account were ended, and must be verified again.
        case verificationOutdated
    }

    /// The code.
    public let code: Code
    /// The account that has the address, for ``Code/needConfirmation``; otherwise `nil`.
    public let holder: AccountID?

    init(_ code: Code, holder: AccountID? = nil) {
        self.code = code
        self.holder = holder
    }

    public var description: String { code.rawValue }
    /// Without ``holder``, since it is another person's account.
    public var customMirror: Mirror { Mirror(self, children: ["code": code]) }
}

/// What may be used once, as an ID token that an app presents.
public struct SingleUse: Sendable, Hashable {
    /// The SHA-256 hash of it.
    public let hash: [UInt8]
    /// The time from which it is not accepted anyway, in seconds since 1970: the end of its lifetime and of the tolerance
    /// for clocks. An operation refuses what is presented after it.
    public let expiry: Int64

    /// Creates a use from the SHA-256 hash of what is used and the time from which that is not accepted anyway, in seconds
    /// since 1970.
    public init(hash: [UInt8], expiry: Int64) {
        self.hash = hash
        self.expiry = expiry
    }
}

/// What a new session is made of. It is drawn before the transaction.
public struct NewSession: Sendable, Hashable {
    /// The identifier.
    public let id: AccountSession.ID
    /// The SHA-256 hash of the secret of its refresh token.
    public let secretHash: [UInt8]
    /// The app of the SDK; `nil` if there is none.
    public let app: String?

    /// Creates the session of a new refresh token.
    /// - Parameters:
    ///   - token: The refresh token, which the client gets once the transaction was committed.
    ///   - app: The app of the SDK; `nil` if there is none.
    public init(_ token: RefreshToken, app: String? = nil) {
        self.init(id: token.sessionID, secretHash: token.secretHash, app: app)
    }

    package init(id: AccountSession.ID, secretHash: [UInt8], app: String? = nil) {
        self.id = id
        self.secretHash = secretHash
        self.app = app
    }
}

/// A person who is signed in to an account.
public struct SignedInAccount: Sendable, Hashable {
    /// The account.
    public let account: Account
    /// The identity with which the person signed in.
    public let identity: AccountIdentity
    /// The session that began.
    public let session: AccountSession
    /// Whether the account was made by this sign-in.
    public let isNew: Bool
}
