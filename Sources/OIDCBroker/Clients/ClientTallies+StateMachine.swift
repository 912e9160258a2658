// SPDX-License-Identifier: Apache-2.0

extension ClientTallies {
    /// What addresses have taken lately. No lock, no clock: `now` is handed in, seconds of elapsed time.
    struct StateMachine: Sendable {
        /// Failures are counted at each provider for itself: the trouble of one keeps nobody from another.
        private struct Exchange: Sendable, Hashable {
            let address: ClientAddress
            let provider: UInt64
        }

        private let limits: ClientLimits
        private var exchanges: Tally<ClientAddress>
        private var marks: RecentTally<ClientAddress>
        private var failures: RecentTally<Exchange>

        init(_ limits: ClientLimits) {
            self.limits = limits
            exchanges = Tally(limit: limits.addresses)
            marks = RecentTally(turn: limits.markTurn, limit: limits.addresses)
            failures = RecentTally(turn: limits.failureTurn, limit: limits.addresses)
        }

        /// How many addresses are counted, in all tables together.
        var addressCount: Int { exchanges.keyCount + marks.keyCount + failures.keyCount }

        /// A request to a provider is to begin. Nothing is counted where it may not.
        /// - Parameter provider: at which it may fail.
        /// - Returns: why it may not; nil: it began, and ``ended(_:)`` must follow.
        mutating func begin(
            _ work: Work, from address: ClientAddress, provider: UInt64, now: Int64
        ) -> ClientExcess? {
            if work.mayFail {
                failures.advance(to: now)
                let exchange = Exchange(address: address, provider: provider)
                if failures.count(of: exchange) >= limits.failures {
                    let wait = failures.wait(of: exchange, below: limits.failures, now: now)
                    return ClientExcess(.failedExchanges, retryAfter: wait)
                }
            }
            if work.leavesMark {
                marks.advance(to: now)
                if marks.count(of: address) >= limits.marks {
                    return ClientExcess(.marks, retryAfter: marks.wait(of: address, below: limits.marks, now: now))
                }
            }
            guard exchanges.count(of: address) < limits.exchanges else {
                return ClientExcess(.exchangesAtOnce, retryAfter: 5)
            }
            exchanges.add(address)
            return nil
        }

        /// What began is over, however.
        mutating func ended(_ address: ClientAddress) {
            exchanges.remove(address)
        }

        /// A mark was left.
        mutating func marked(_ address: ClientAddress, now: Int64) {
            marks.advance(to: now)
            marks.add(address)
        }

        /// An exchange failed.
        mutating func failed(_ address: ClientAddress, provider: UInt64, now: Int64) {
            failures.advance(to: now)
            failures.add(Exchange(address: address, provider: provider))
        }
    }
}
