// SPDX-License-Identifier: Apache-2.0

/// What an operator decides about accounts.
public struct AccountPolicy: Sendable, Hashable {
    /// What an e-mail address means for accounts.
    public var email: EmailPolicy
    /// Whether the first sign-in of an identity makes an account.
    public var makesAccounts: Bool
    /// The IDs of the providers whose proved addresses may link an identity to an account that has the address. Both
    /// providers must be among them.
    public var providersThatLinkByEmail: Set<String>
    /// How long a sign-in counts as recent, in seconds, 60 to 3,600.
    public var recentSignIn: Int64
    /// The operations that require a recent sign-in. Deletion always does.
    public var operationsAfterRecentSignIn: Set<SensitiveOperation>
    /// The time after which an unused session ends, in days, 1 to 3,650.
    public var sessionIdleDays: Int64

    /// An operation that may require a recent sign-in.
    public enum SensitiveOperation: String, Sendable, Hashable, CaseIterable {
        case delete, link, unlink
    }

    /// Creates a policy with the defaults of the standalone server. Values outside their bounds become the nearest bound.
    public init(
        email: EmailPolicy = .unique, makesAccounts: Bool = true, providersThatLinkByEmail: Set<String> = [],
        recentSignIn: Int64 = 300, operationsAfterRecentSignIn: Set<SensitiveOperation> = [.delete],
        sessionIdleDays: Int64 = 400
    ) {
        self.email = email
        self.makesAccounts = makesAccounts
        self.providersThatLinkByEmail = providersThatLinkByEmail
        self.recentSignIn = min(max(60, recentSignIn), 3600)
        self.operationsAfterRecentSignIn = operationsAfterRecentSignIn.union([.delete])
        self.sessionIdleDays = min(max(1, sessionIdleDays), 3650)
    }
}

/// What an e-mail address means for accounts.
public enum EmailPolicy: String, Sendable, Hashable, CaseIterable {
    /// An address belongs to at most one account.
    case unique
    /// Addresses do not matter. An account shows that of its first identity.
    case separate
}
