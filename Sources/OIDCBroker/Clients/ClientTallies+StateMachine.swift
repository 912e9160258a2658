// SPDX-License-Identifier: Apache-2.0

extension ClientTallies {
    /// What the networks of clients have taken lately. No lock, no clock: `now` is handed in, seconds of elapsed time.
    ///
    /// Everything is counted at each provider for itself, so that the trouble of one provider keeps no client from
    /// another, and once more for all providers together where they share something.
    struct StateMachine: Sendable {
        /// A network at one provider, or, with `nil`, at all of them.
        private struct Place: Sendable, Hashable {
            let network: ClientNetwork
            let provider: UInt64?
        }

        /// A network's requests of one kind at one provider.
        private struct Requests: Sendable, Hashable {
            let network: ClientNetwork
            let provider: UInt64
            let kind: FailureKind
        }

        private let limits: ClientLimits
        /// Under way.
        private var exchanges: Tally<Place>
        /// Under way, of those that may fail.
        private var fallible: Tally<Requests>
        private var marks: RecentTally<Place>
        private var failures: RecentTally<Requests>
        private var successes: RecentTally<Requests>

        init(_ limits: ClientLimits) {
            self.limits = limits
            exchanges = Tally(limit: limits.networks)
            fallible = Tally(limit: limits.networks)
            marks = RecentTally(turn: limits.markTurn, limit: limits.networks)
            failures = RecentTally(turn: limits.failureTurn, limit: limits.networks)
            successes = RecentTally(turn: limits.failureTurn, limit: limits.networks)
        }

        /// How many keys are counted, in all tables together.
        var keyCount: Int {
            exchanges.keyCount + fallible.keyCount + marks.keyCount + failures.keyCount + successes.keyCount
        }

        /// A request to a provider is to begin. Nothing is counted if it may not.
        /// - Parameter provider: The provider that is asked.
        /// - Returns: Why it may not; `nil` if it began, and ``ended(_:from:provider:)`` must follow.
        mutating func begin(
            _ work: Work, from address: ClientAddress, provider: UInt64, now: Int64
        ) -> ClientExcess? {
            failures.advance(to: now)
            successes.advance(to: now)
            marks.advance(to: now)
            for (network, scale) in address.networks {
                if let excess = excess(work, of: network, scale, provider: provider, now: now) { return excess }
            }
            for (network, _) in address.networks {
                exchanges.add(Place(network: network, provider: provider))
                exchanges.add(Place(network: network, provider: nil))
                if let kind = work.failureKind {
                    fallible.add(Requests(network: network, provider: provider, kind: kind))
                }
            }
            return nil
        }

        /// What began is over, whatever its end.
        mutating func ended(_ work: Work, from address: ClientAddress, provider: UInt64) {
            for (network, _) in address.networks {
                exchanges.remove(Place(network: network, provider: provider))
                exchanges.remove(Place(network: network, provider: nil))
                if let kind = work.failureKind {
                    fallible.remove(Requests(network: network, provider: provider, kind: kind))
                }
            }
        }

        /// A mark was left.
        mutating func marked(_ address: ClientAddress, provider: UInt64, now: Int64) {
            marks.advance(to: now)
            for (network, _) in address.networks {
                marks.add(Place(network: network, provider: provider))
                marks.add(Place(network: network, provider: nil))
            }
        }

        /// A request to a provider failed.
        mutating func failed(_ kind: FailureKind, _ address: ClientAddress, provider: UInt64, now: Int64) {
            failures.advance(to: now)
            for (network, _) in address.networks {
                failures.add(Requests(network: network, provider: provider, kind: kind))
            }
        }

        /// A request to a provider succeeded.
        mutating func succeeded(_ kind: FailureKind, _ address: ClientAddress, provider: UInt64, now: Int64) {
            successes.advance(to: now)
            for (network, _) in address.networks {
                successes.add(Requests(network: network, provider: provider, kind: kind))
            }
        }

        private func excess(
            _ work: Work, of network: ClientNetwork, _ scale: Int, provider: UInt64, now: Int64
        ) -> ClientExcess? {
            let place = Place(network: network, provider: provider)
            let everywhere = Place(network: network, provider: nil)
            if let kind = work.failureKind {
                let requests = Requests(network: network, provider: provider, kind: kind)
                let limit = limits.failures * scale
                let failed = failures.count(of: requests)
                guard failed < limit else {
                    return ClientExcess(
                        .failedExchanges, retryAfter: failures.wait(of: requests, below: limit, now: now))
                }
                // What is under way may fail too. A network that signs in has as many under way as it had successes.
                guard failed + fallible.count(of: requests) < max(limit, successes.count(of: requests)) else {
                    return ClientExcess(.exchangesAtOnce, retryAfter: 5)
                }
            }
            if work.leavesMark {
                for (place, limit) in [(place, limits.marks), (everywhere, limits.marks * limits.providers)] {
                    guard marks.count(of: place) < limit * scale else {
                        return ClientExcess(
                            .marks, retryAfter: marks.wait(of: place, below: limit * scale, now: now))
                    }
                }
            }
            let isWithin =
                exchanges.count(of: place) < limits.exchanges * scale
                && exchanges.count(of: everywhere) < limits.exchanges * limits.providers * scale
            return isWithin ? nil : ClientExcess(.exchangesAtOnce, retryAfter: 5)
        }
    }
}
