// SPDX-License-Identifier: Apache-2.0

/// What stands behind an address: at a newcomer, or at the account that has it.
public enum EmailClaim: Sendable, Hashable, CaseIterable {
    /// There is none.
    case absent
    /// The provider did not say that it is verified.
    case unproved
    /// A verified token said that it is verified.
    case proved
}
