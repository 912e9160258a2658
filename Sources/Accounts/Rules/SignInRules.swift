// SPDX-License-Identifier: Apache-2.0

/// What a sign-in does. A pure function of what the store knows.
public enum SignInRules {
    /// What is known when a user signs in.
    public struct Facts: Sendable, Hashable {
        /// The account of the identity; `nil` if the identity is unknown.
        public var known: Known?
        /// Whether the client allows a new account. It does not where it only re-authenticates.
        public var mayCreate: Bool
        /// Whether the operator allows new accounts.
        public var makesAccounts: Bool
        /// What an email means.
        public var policy: EmailPolicy
        /// What stands behind the email of the newcomer.
        public var email: EmailClaim
        /// Whether the newcomer's provider may link by email, and the email is not a relay address.
        public var maySeekHolder: Bool
        /// The account that has the email; `nil` if none has it.
        public var holder: Holder?

        /// The account of a known identity.
        public struct Known: Sendable, Hashable {
            /// Whether the account is disabled.
            public var isDisabled: Bool
            /// Whether the identity was verified before the sessions of the account were ended.
            public var isOutdated: Bool

            /// Creates the account of a known identity.
            public init(isDisabled: Bool, isOutdated: Bool = false) {
                self.isDisabled = isDisabled
                self.isOutdated = isOutdated
            }
        }

        /// The account that has the newcomer's email.
        public struct Holder: Sendable, Hashable {
            /// Whether the account is disabled.
            public var isDisabled: Bool
            /// Whether one of its identities has proved the email, or another system had before it was imported.
            public var hasProved: Bool
            /// Whether one of the identities that proved it has a provider that may link by email, the email is not a
            /// relay address there, and no identity was ever removed from the account.
            public var mayBeFound: Bool
            /// Whether it has an identity of the newcomer's provider, or of its issuer.
            public var hasSameProvider: Bool
            /// Whether it has as many identities as an account may have.
            public var isFull: Bool
            /// Whether the newcomer was verified before the sessions of the account were ended.
            public var isOutdated: Bool
            /// Whether it has an identity with which a user can sign in. An imported account may have none.
            public var canBeEntered: Bool
            /// Whether it is an imported account that a proved email alone enters, once.
            public var mayBeEnteredByEmail: Bool

            /// Creates the account that has the newcomer's email.
            public init(
                isDisabled: Bool, hasProved: Bool, mayBeFound: Bool, hasSameProvider: Bool, isFull: Bool = false,
                isOutdated: Bool = false, canBeEntered: Bool = true, mayBeEnteredByEmail: Bool = false
            ) {
                self.isDisabled = isDisabled
                self.hasProved = hasProved
                self.mayBeFound = mayBeFound
                self.hasSameProvider = hasSameProvider
                self.isFull = isFull
                self.isOutdated = isOutdated
                self.canBeEntered = canBeEntered
                self.mayBeEnteredByEmail = mayBeEnteredByEmail
            }
        }

        /// Creates the facts. The defaults are those of an unknown identity without an email, where new accounts are
        /// allowed.
        public init(
            known: Known? = nil, mayCreate: Bool = true, makesAccounts: Bool = true, policy: EmailPolicy = .unique,
            email: EmailClaim = .absent, maySeekHolder: Bool = false, holder: Holder? = nil
        ) {
            self.known = known
            self.mayCreate = mayCreate
            self.makesAccounts = makesAccounts
            self.policy = policy
            self.email = email
            self.maySeekHolder = maySeekHolder
            self.holder = holder
        }
    }

    /// What happens.
    public enum Decision: Sendable, Hashable {
        /// The user is signed in to the account of the identity.
        case signIn
        /// An account is made.
        case create(AccountEmail)
        /// The identity is linked to the account that has the email, and the user is signed in to that.
        case linkToHolder
        /// Nothing is made: another account has proved the email, as the newcomer has. The user signs in as before,
        /// and links.
        case needConfirmation
        /// The account is disabled.
        case disabled
        /// There is no account, and the client did not ask for one.
        case unknown
        /// The operator allows no new accounts.
        case noNewAccounts
        /// The identity was verified before the sessions of the account were ended, and must be verified again.
        case outdated
    }

    /// Decides what a sign-in does.
    public static func decide(_ facts: Facts) -> Decision {
        if let known = facts.known {
            guard !known.isDisabled else { return .disabled }
            return known.isOutdated ? .outdated : .signIn
        }
        guard facts.mayCreate else { return .unknown }
        guard facts.policy == .unique else { return create(facts.email == .absent ? .unchanged : .shared, facts) }
        // A user who has not proved the email must not learn from the result whether another account has it.
        guard facts.email == .proved else { return create(.unchanged, facts) }
        guard let holder = facts.holder else { return create(.owned, facts) }
        if holder.mayBeEnteredByEmail, !holder.canBeEntered, !holder.isDisabled, facts.maySeekHolder {
            return holder.isOutdated ? .outdated : .linkToHolder
        }
        guard holder.hasProved else { return create(.takenFromHolder, facts) }
        // No user could confirm anything: an operator may move the identity later.
        guard holder.canBeEntered else { return create(.unchanged, facts) }
        guard facts.maySeekHolder, holder.mayBeFound else { return .needConfirmation }
        guard !holder.isDisabled else { return .disabled }
        guard !holder.hasSameProvider, !holder.isFull else { return .needConfirmation }
        return holder.isOutdated ? .outdated : .linkToHolder
    }

    private static func create(_ email: AccountEmail, _ facts: Facts) -> Decision {
        facts.makesAccounts ? .create(email) : .noNewAccounts
    }
}
