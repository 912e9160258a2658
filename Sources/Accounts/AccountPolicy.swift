// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What an operator decides about accounts.
public struct AccountPolicy: Sendable, Hashable {
    /// What an email means for accounts.
    public let email: EmailPolicy
    /// Whether the first sign-in of an identity makes an account.
    public let makesAccounts: Bool
    /// The providers whose proved emails may link an identity to an account that has the email. Both providers must
    /// be among them.
    public let providersThatLinkByEmail: Set<LinkingProvider>
    /// How long a sign-in counts as recent, in seconds, 60 to 3,600.
    public let recentSignIn: Int64
    /// The operations that require a recent sign-in. Deletion always does.
    public let operationsAfterRecentSignIn: Set<SensitiveOperation>
    /// The time after which an unused session ends, in days, 1 to 3,650.
    public let sessionIdleDays: Int64
    /// The time until which a user can sign in by email to an imported account that has no identity to sign in with,
    /// once, with a provider of ``providersThatLinkByEmail``, in seconds since 1970; `nil` for never.
    public let importedUsersEnterByEmailUntil: Int64?

    /// An operation that may require a recent sign-in.
    public enum SensitiveOperation: String, Sendable, Hashable, CaseIterable {
        case delete, link, unlink
    }

    /// Creates a policy with the defaults of the standalone server. Values outside their bounds become the nearest bound.
    public init(
        email: EmailPolicy = .unique, makesAccounts: Bool = true, providersThatLinkByEmail: Set<LinkingProvider> = [],
        recentSignIn: Int64 = 300, operationsAfterRecentSignIn: Set<SensitiveOperation> = [.delete, .link, .unlink],
        sessionIdleDays: Int64 = 400, importedUsersEnterByEmailUntil: Int64? = nil
    ) {
        self.email = email
        self.makesAccounts = makesAccounts
        self.providersThatLinkByEmail = providersThatLinkByEmail
        self.recentSignIn = min(max(60, recentSignIn), 3600)
        self.operationsAfterRecentSignIn = operationsAfterRecentSignIn.union([.delete])
        self.importedUsersEnterByEmailUntil = importedUsersEnterByEmailUntil
        self.sessionIdleDays = min(max(1, sessionIdleDays), 3650)
    }
}

/// A provider whose proved emails may link identities. The issuer belongs to it: what an identity says that was kept
/// under the ID of a provider before the ID was given to another issuer does not count.
public struct LinkingProvider: Sendable, Hashable {
    /// The ID of the provider as clients see it.
    public let id: String
    /// The issuer of its ID tokens.
    public let issuer: String

    /// Creates a provider from its ID as clients see it and the issuer of its ID tokens.
    public init(id: String, issuer: String) {
        self.id = id
        self.issuer = issuer
    }

    /// Whether both are the same code points.
    public static func == (left: LinkingProvider, right: LinkingProvider) -> Bool {
        left.id.hasSameBytes(as: right.id) && left.issuer.hasSameBytes(as: right.issuer)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(WireText(id))
        hasher.combine(WireText(issuer))
    }
}

extension AccountPolicy {
    /// Whether a sign-in or a proof counts as recent.
    /// - Parameters:
    ///   - provedAt: Its time, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    package func isRecent(_ provedAt: Int64, now: Int64) -> Bool {
        DeletionRules.decide(provedAt: provedAt, now: now, limit: recentSignIn) == .proceed
    }

    /// Whether an identity has proved an email that may link it to an account, or an account's identity to it.
    func linksByEmail(_ identity: VerifiedIdentity) -> Bool {
        identity.provedEmail != nil && !identity.isPrivateRelay
            && providersThatLinkByEmail.contains(
                LinkingProvider(id: identity.providerID, issuer: identity.key.issuer))
    }
}

/// What an email means for accounts.
public enum EmailPolicy: String, Sendable, Hashable, CaseIterable {
    /// An email belongs to at most one account.
    case unique
    /// Emails do not matter. An account shows that of its first identity.
    case separate
}
