// SPDX-License-Identifier: Apache-2.0

extension CallbackPlaces {
    /// The places that are taken, without a lock.
    package struct StateMachine: Sendable {
        /// The number of places.
        package var maximum: Int
        /// The number of places that are taken.
        package private(set) var count = 0
        /// The number that each provider has. Providers without places are left out, so this never has more entries
        /// than there are places.
        private var counts: [UInt64: Int] = [:]

        /// Creates free places.
        package init(maximum: Int) { self.maximum = maximum }

        /// The number of providers that have places.
        package var providerCount: Int { counts.count }

        /// Returns the number of places of a provider.
        package func count(of provider: UInt64) -> Int { counts[provider] ?? 0 }

        /// Takes a place.
        /// - Parameter provider: The number of a provider that may have half of the places; `nil` for the only one.
        /// - Returns: Whether there was one.
        package mutating func begin(of provider: UInt64?) -> Bool {
            let maximum = max(1, maximum)
            guard count < maximum else { return false }
            if let provider {
                let taken = counts[provider] ?? 0
                guard taken < maximum / 2 + maximum % 2 else { return false }
                counts[provider] = taken + 1
            }
            count += 1
            return true
        }

        /// Gives back a place.
        package mutating func end(of provider: UInt64?) {
            count = max(0, count - 1)
            guard let provider, let taken = counts[provider] else { return }
            counts[provider] = taken > 1 ? taken - 1 : nil
        }
    }
}
