// SPDX-License-Identifier: Apache-2.0

/// How much of one part of an ``InMemorySingleUseStore`` is used, for operators.
package struct SingleUseStoreUsage: Sendable, Hashable {
    /// A part of the store, which has a capacity of its own.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Claims of logins and redemptions.
        case claims
        /// Claims that a provider can cause in any number.
        case ownedClaims = "owned_claims"
        /// Records that are redeemed within a minute: those of hand-off codes.
        case records
        /// Records that wait for minutes: for a user's "Continue", for a page that claims a result, for a ticket.
        case waitingRecords = "waiting_records"
        /// Records that a sign-in does not need: those of ID tokens that pages were handed. They are kept while there
        /// is room; a full part is not an error.
        case spareRecords = "spare_records"
    }

    /// The part.
    package var kind: Kind
    /// The number of entries. Claims that have ended may be among them for a while.
    package var entries: Int
    /// The memory that they are counted with, in bytes.
    package var bytes: Int
    /// The part of the capacity that is used, 0 to 1. At 1, new entries are refused.
    package var fullness: Double
}
