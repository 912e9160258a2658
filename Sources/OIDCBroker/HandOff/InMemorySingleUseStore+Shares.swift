// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// What the records of each provider take: one half of the room at most, in number and in bytes, so that a provider
    /// that invents persons leaves the others theirs. Nothing is searched. No lock, no clock.
    struct Shares: Sendable {
        private struct Share: Sendable {
            let provider: SingleUseKey
            var count = 0
            var bytes = 0
        }

        /// The number of no share.
        static let none = UInt32.max

        private let mostRecords: Int
        private let mostBytes: Int
        /// The shares, by their numbers; those that are free keep a provider's key that nothing leads to any more.
        private var shares: [Share] = []
        private var free: [UInt32] = []
        private var numbers: [SingleUseKey: UInt32] = [:]

        /// - Parameters:
        ///   - capacity: how many records there may be of all providers.
        ///   - maximumBytes: how many bytes they may take.
        init(capacity: Int, maximumBytes: Int) {
            mostRecords = max(1, capacity / 2)
            mostBytes = maximumBytes / 2
        }

        /// How many providers have records.
        var count: Int { numbers.count }

        /// Whether there is room for one more of a provider; always where it is nil.
        func hasRoom(for provider: SingleUseKey?, bytes: Int) -> Bool {
            guard let provider else { return true }
            guard let number = numbers[provider] else { return bytes <= mostBytes }
            let share = shares[Int(number)]
            return share.count < mostRecords && bytes <= mostBytes - share.bytes
        }

        /// Counts a record.
        /// - Returns: the number to give it back by.
        mutating func add(_ provider: SingleUseKey?, bytes: Int) -> UInt32 {
            guard let provider else { return Self.none }
            let number = numbers[provider] ?? begin(provider)
            shares[Int(number)].count += 1
            shares[Int(number)].bytes += bytes
            return number
        }

        /// A record that was counted is gone.
        mutating func remove(_ number: UInt32, bytes: Int) {
            guard number != Self.none else { return }
            shares[Int(number)].count -= 1
            shares[Int(number)].bytes -= bytes
            guard shares[Int(number)].count == 0 else { return }
            numbers[shares[Int(number)].provider] = nil
            free.append(number)
        }

        private mutating func begin(_ provider: SingleUseKey) -> UInt32 {
            let share = Share(provider: provider)
            let number: UInt32
            if let known = free.popLast() {
                number = known
                shares[Int(number)] = share
            } else {
                number = UInt32(clamping: shares.count)
                shares.append(share)
            }
            numbers[provider] = number
            return number
        }
    }
}
