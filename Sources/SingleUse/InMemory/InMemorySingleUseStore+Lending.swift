// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// The rooms of claims and of records, in bytes. Each lends the other what it does not use, up to a quarter of itself.
    /// The other three quarters are its own, whatever happens to the other.
    ///
    /// What was lent comes back when the entries there end, and until then the lender has less. Together they never use
    /// more than both rooms.
    struct Lending: Sendable {
        private let claims: Int
        private let records: Int
        private let isOn: Bool

        /// - Parameter isOn: Whether the rooms lend each other anything.
        init(claims: Int, records: Int, isOn: Bool) {
            (self.claims, self.records, self.isOn) = (claims, records, isOn)
        }

        /// The maximum memory of claims while the records use some.
        func claimLimit(recordBytes: Int) -> Int { claims + lent(by: records, using: recordBytes) }

        /// The maximum memory of records while the claims use some.
        func recordLimit(claimBytes: Int) -> Int { records + lent(by: claims, using: claimBytes) }

        /// What a room lends; less than 0 where it uses more than itself.
        private func lent(by room: Int, using used: Int) -> Int { min(isOn ? room / 4 : 0, room - used) }
    }
}
