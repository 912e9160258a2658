// SPDX-License-Identifier: Apache-2.0

/// What linking an identity to an account does. A pure function of what the store knows.
public enum LinkRules {
    /// What is known when a user links an identity.
    public struct Facts: Sendable, Hashable {
        /// To whom the identity belongs.
        public var owner: Owner
        /// Whether the account has another identity of the provider.
        public var hasSameProvider: Bool
        /// Whether the account has as many identities as an account may have.
        public var isFull: Bool
        /// What an email means.
        public var policy: EmailPolicy
        /// What stands behind the email of the identity.
        public var email: EmailClaim
        /// Whether the account has an email.
        public var hasEmail: Bool
        /// What stands behind the email at another account that has it; ``EmailClaim/absent`` if none has it.
        public var holder: EmailClaim
        /// Whether that account has an identity with which a user can sign in.
        public var canHolderBeEntered: Bool

        /// To whom an identity belongs.
        public enum Owner: Sendable, Hashable, CaseIterable {
            case none, sameAccount, anotherAccount
        }

        /// Creates the facts. The defaults are those of an identity that no account has, without an email, and of an
        /// account without other identities.
        public init(
            owner: Owner = .none, hasSameProvider: Bool = false, isFull: Bool = false, policy: EmailPolicy = .unique,
            email: EmailClaim = .absent, hasEmail: Bool = false, holder: EmailClaim = .absent,
            canHolderBeEntered: Bool = true
        ) {
            self.owner = owner
            self.hasSameProvider = hasSameProvider
            self.isFull = isFull
            self.policy = policy
            self.email = email
            self.hasEmail = hasEmail
            self.holder = holder
            self.canHolderBeEntered = canHolderBeEntered
        }
    }

    /// What happens.
    public enum Decision: Sendable, Hashable {
        /// The identity is linked.
        case link(AccountEmail)
        /// The identity belongs to another account.
        case belongsToAnother
        /// The account has this identity, or another one of the provider.
        case alreadyLinked
        /// Another account has proved the email too.
        case emailBelongsToAnother
        /// The account has as many identities as an account may have.
        case tooMany
    }

    /// Decides what linking does.
    public static func decide(_ facts: Facts) -> Decision {
        switch facts.owner {
        case .anotherAccount: return .belongsToAnother
        case .sameAccount: return .alreadyLinked
        case .none: break
        }
        guard !facts.hasSameProvider else { return .alreadyLinked }
        if facts.policy == .unique, facts.email == .proved, facts.holder == .proved, facts.canHolderBeEntered {
            return .emailBelongsToAnother
        }
        guard !facts.isFull else { return .tooMany }
        guard !facts.hasEmail, facts.email != .absent else { return .link(.unchanged) }
        guard facts.policy == .unique else { return .link(.shared) }
        switch (facts.email, facts.holder) {
        case (.proved, .absent): return .link(.owned)
        case (.proved, .unproved): return .link(.takenFromHolder)
        // As with a sign-in, an email without proof tells nothing about who else has it.
        default: return .link(.unchanged)
        }
    }
}
