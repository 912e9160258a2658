// SPDX-License-Identifier: Apache-2.0

/// What stands behind an email: at a newcomer, or at the account that has it.
public enum EmailClaim: Sendable, Hashable, CaseIterable {
    /// There is none.
    case absent
    /// The provider did not say that it is verified.
    case unproved
    /// A verified token said that it is verified.
    case proved
}

/// What becomes of the email of an account that gets an identity.
public enum AccountEmail: Sendable, Hashable {
    /// The account keeps what it has, which is none if it is new; the email is on the identity only.
    case unchanged
    /// The account shows it. Others may show the same.
    case shared
    /// The account has it, and no other.
    case owned
    /// The account has it, and the one that had it before without proof loses it.
    case takenFromHolder
}
