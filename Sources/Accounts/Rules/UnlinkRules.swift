// SPDX-License-Identifier: Apache-2.0

/// What removing an identity from an account does. A pure function of what the store knows.
public enum UnlinkRules {
    /// What happens.
    public enum Decision: Sendable, Hashable {
        /// The account has no identity of the provider. The client is told that it has none now, which is true.
        case nothing
        /// The identity is removed.
        case remove
        /// It is the last identity: without it, no user could sign in to the account again.
        case isLast
    }

    /// Decides what removing an identity does.
    /// - Parameters:
    ///   - isLinked: Whether the account has an identity of the provider.
    ///   - count: The number of identities of the account.
    public static func decide(isLinked: Bool, count: Int) -> Decision {
        guard isLinked else { return .nothing }
        return count > 1 ? .remove : .isLast
    }
}
