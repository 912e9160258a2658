// SPDX-License-Identifier: Apache-2.0

/// The operations on accounts: each reads the facts in a transaction, lets the rules decide, and writes what they decided.
///
/// An operation is called with the primitives of one transaction of an ``AccountStore``. It draws nothing at random and
/// reads no clock, since a store may run it again. It writes nothing before it can no longer refuse.
package struct AccountOperations: Sendable {
    /// What the operator decided.
    package let policy: AccountPolicy

    /// Creates the operations under a policy.
    package init(policy: AccountPolicy) {
        self.policy = policy
    }
}

/// Why an operation was refused. Nothing was written.
public struct AccountRefusal: Error, Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The code of a refusal. A later version may have more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The codes, for a `switch` that must know every one of them.
        package enum Value: String, Sendable, CaseIterable {
            case unknown, noNewAccounts, needConfirmation, disabled, used, sessionEnded, signInTooOld,
                belongsToAnother, alreadyLinked, emailBelongsToAnother, tooManyIdentities, lastIdentity, invalidValue,
                verificationOutdated, blocked
        }

        /// Which of the codes it is.
        package let value: Value

        /// Creates a code.
        package init(_ value: Value) { self.value = value }

        /// There is no account, and none may be made now.
        public static let unknown = Self(.unknown)
        /// The operator allows no new accounts.
        public static let noNewAccounts = Self(.noNewAccounts)
        /// The email is another account's, and both have proved it: the user signs in as before, and links.
        public static let needConfirmation = Self(.needConfirmation)
        /// The account is disabled.
        public static let disabled = Self(.disabled)
        /// What may be used once was used before.
        public static let used = Self(.used)
        /// The session has ended, or its account is gone.
        public static let sessionEnded = Self(.sessionEnded)
        /// The last sign-in of the session is too old for the operation.
        public static let signInTooOld = Self(.signInTooOld)
        /// The identity belongs to another account.
        public static let belongsToAnother = Self(.belongsToAnother)
        /// The account has the identity, or another one of the provider.
        public static let alreadyLinked = Self(.alreadyLinked)
        /// Another account has proved the email.
        public static let emailBelongsToAnother = Self(.emailBelongsToAnother)
        /// The account has as many identities as an account may have.
        public static let tooManyIdentities = Self(.tooManyIdentities)
        /// It is the last identity of the account.
        public static let lastIdentity = Self(.lastIdentity)
        /// A value is too long or has characters that it may not have.
        public static let invalidValue = Self(.invalidValue)
        /// The identity was verified before the sessions of the account were ended, and must be verified again.
        public static let verificationOutdated = Self(.verificationOutdated)
        /// The server that decides about new accounts refused this one.
        public static let blocked = Self(.blocked)

        /// The name of the code, which does not change.
        public var description: String { value.rawValue }
    }

    /// The code.
    public let code: Code
    /// The account that has the email, for ``Code/needConfirmation``; otherwise `nil`.
    public let holder: AccountID?

    /// Why no account may be made, for ``Code/blocked``; otherwise `nil`.
    public let blockingReason: String?

    init(_ code: Code, holder: AccountID? = nil) {
        self.code = code
        self.holder = holder
        blockingReason = nil
    }

    init(blocking reason: String) {
        code = .blocked
        holder = nil
        blockingReason = reason
    }

    /// The code, and what it means.
    public var description: String { "\(code): \(reason)" }

    private var reason: String {
        switch code.value {
        case .unknown: "the account does not exist"
        case .noNewAccounts: "new accounts are not allowed"
        case .needConfirmation: "another account has this email; sign in to it, and link the identity"
        case .disabled: "the account is disabled"
        case .used: "the token was used before"
        case .sessionEnded: "the session has ended, or its account was deleted"
        case .signInTooOld: "the last sign-in of the session is too old; sign in again"
        case .belongsToAnother: "the identity belongs to another account"
        case .alreadyLinked: "the account already has this identity, or another one of the provider"
        case .emailBelongsToAnother: "the email belongs to another account"
        case .tooManyIdentities: "the account has the maximum number of identities"
        case .lastIdentity: "the last identity of an account cannot be removed"
        case .invalidValue: "a value is too long, or has characters that are not allowed"
        case .verificationOutdated: "the sessions of the account were ended since the verification; sign in again"
        case .blocked: "the server that decides about new accounts refused this one"
        }
    }

    /// Without ``holder``, since it is another user's account.
    public var customMirror: Mirror { Mirror(self, children: ["code": code]) }
}

/// What may be used once, as an ID token that an app presents.
public struct TokenUse: Sendable, Hashable {
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
package struct NewSession: Sendable, Hashable {
    /// The identifier.
    package let id: AccountSession.ID
    /// The SHA-256 hash of the secret of its refresh token.
    package let secretHash: [UInt8]

    /// Creates the session of a new refresh token, which the client gets once the transaction was committed.
    package init(_ token: RefreshToken) {
        self.init(id: token.sessionID, secretHash: token.secretHash)
    }

    package init(id: AccountSession.ID, secretHash: [UInt8]) {
        self.id = id
        self.secretHash = secretHash
    }
}

/// A user who is signed in to an account.
public struct SignedInAccount: Sendable, Hashable {
    /// The account.
    public let account: Account
    /// The identity with which the user signed in.
    public let identity: AccountIdentity
    /// The session that began.
    public let session: AccountSession
    /// Whether the account was made by this sign-in.
    public let isNew: Bool
    /// What an imported account without an identity, which has the user's email, has to do with the sign-in; `nil` if
    /// there is none.
    package var importedHolder: ImportedHolder?
}

/// What a sign-in has to do with an imported account that has the user's email and no identity with which anyone can
/// sign in.
package enum ImportedHolder: Sendable, Hashable {
    /// The user signed in to it by the email.
    case entered
    /// The user got another account, without the email. An operator may move the identity.
    case kept(AccountID)
}

/// An account that a user signed in to without a session.
public struct EnteredAccount: Sendable, Hashable {
    /// The account.
    public let account: Account
    /// The identity with which the user signed in.
    public let identity: AccountIdentity
    /// Whether the account was made by this.
    public let isNew: Bool
    /// Like ``SignedInAccount/importedHolder``.
    package var importedHolder: ImportedHolder?
}
