// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// The capacity that the records of each provider use, at most half of the total in number and in bytes, so that a
    /// provider that invents users does not displace the records of others. Nothing is searched. There is no lock and
    /// no clock.
    struct Shares: Sendable {
        private struct Share: Sendable {
            let provider: SingleUseKey
            var count = 0
            var bytes = 0
        }

        /// The number that stands for no share.
        static let none = UInt32.max

        private let mostRecords: Int
        private let mostBytes: Int
        /// The shares, by number. A free one keeps the key of a provider that no longer refers to it.
        private var shares: [Share] = []
        private var free: [UInt32] = []
        private var numbers: [SingleUseKey: UInt32] = [:]

        /// - Parameters:
        ///   - capacity: The maximum number of records of all providers.
        ///   - maximumBytes: The maximum memory of all records, in bytes.
        init(capacity: Int, maximumBytes: Int) {
            mostRecords = max(1, capacity / 2)
            mostBytes = maximumBytes / 2
        }

        /// The number of providers that have records.
        var count: Int { numbers.count }

        /// Whether a provider may have another record; always if it is `nil`.
        func hasRoom(for provider: SingleUseKey?, bytes: Int) -> Bool {
            guard let provider else { return true }
            guard let number = numbers[provider] else { return bytes <= mostBytes }
            let share = shares[Int(number)]
            return share.count < mostRecords && bytes <= mostBytes - share.bytes
        }

        /// Counts a record.
        /// - Returns: The number with which the record is removed.
        mutating func add(_ provider: SingleUseKey?, bytes: Int) -> UInt32 {
            guard let provider else { return Self.none }
            let number = numbers[provider] ?? begin(provider)
            shares[Int(number)].count += 1
            shares[Int(number)].bytes += bytes
            return number
        }

        /// Removes a record that was counted.
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
