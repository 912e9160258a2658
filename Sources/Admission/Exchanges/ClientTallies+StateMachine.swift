// SPDX-License-Identifier: Apache-2.0

extension ClientTallies {
    /// The recent requests of client networks. It has no lock and no clock; `now` is given in seconds of elapsed time.
    ///
    /// Everything is counted separately for each provider, so that problems of one provider do not affect clients of
    /// another, and additionally for all providers together where they share a resource.
    struct StateMachine: Sendable {
        /// A network at one provider, or, if the provider is `nil`, at all of them.
        private struct Place: Sendable, Hashable {
            let network: IPNetwork
            let provider: UInt64?
        }

        /// The requests of one kind by a network at one provider.
        private struct Requests: Sendable, Hashable {
            let network: IPNetwork
            let provider: UInt64
            let kind: FailureKind
        }

        private let limits: ClientLimits
        /// The requests under way.
        private var exchanges: Tally<Place>
        /// The requests under way that may fail.
        private var fallible: Tally<Requests>
        private var claims: RecentTally<Place>
        private var failures: RecentTally<Requests>
        private var successes: RecentTally<Requests>

        init(_ limits: ClientLimits) {
            self.limits = limits
            exchanges = Tally(limit: limits.networks)
            fallible = Tally(limit: limits.networks)
            claims = RecentTally(turn: limits.claimTurn, limit: limits.networks)
            failures = RecentTally(turn: limits.failureTurn, limit: limits.networks)
            successes = RecentTally(turn: limits.failureTurn, limit: limits.networks)
        }

        /// The number of keys in all tables together.
        var keyCount: Int {
            exchanges.keyCount + fallible.keyCount + claims.keyCount + failures.keyCount + successes.keyCount
        }

        /// Begins a request to a provider. If it is not allowed, nothing is counted.
        /// - Parameter provider: The provider that receives the request.
        /// - Returns: The reason why it is not allowed; `nil` if it began, in which case ``ended(_:from:provider:)``
        ///   must follow.
        mutating func begin(
            _ work: Work, from client: IPAddress, provider: UInt64, now: Int64
        ) -> ClientExcess? {
            failures.advance(to: now)
            successes.advance(to: now)
            claims.advance(to: now)
            for (network, scale) in client.countedNetworks {
                if let excess = excess(work, of: network, scale, provider: provider, now: now) { return excess }
            }
            for (network, _) in client.countedNetworks {
                exchanges.add(Place(network: network, provider: provider))
                exchanges.add(Place(network: network, provider: nil))
                if let kind = work.failureKind {
                    fallible.add(Requests(network: network, provider: provider, kind: kind))
                }
            }
            return nil
        }

        /// Records the end of a request, whatever its result.
        mutating func ended(_ work: Work, from client: IPAddress, provider: UInt64) {
            for (network, _) in client.countedNetworks {
                exchanges.remove(Place(network: network, provider: provider))
                exchanges.remove(Place(network: network, provider: nil))
                if let kind = work.failureKind {
                    fallible.remove(Requests(network: network, provider: provider, kind: kind))
                }
            }
        }

        /// Records a claim.
        mutating func claimed(_ client: IPAddress, provider: UInt64, now: Int64) {
            claims.advance(to: now)
            for (network, _) in client.countedNetworks {
                claims.add(Place(network: network, provider: provider))
                claims.add(Place(network: network, provider: nil))
            }
        }

        /// Records a failed request to a provider.
        mutating func failed(_ kind: FailureKind, _ client: IPAddress, provider: UInt64, now: Int64) {
            failures.advance(to: now)
            for (network, _) in client.countedNetworks {
                failures.add(Requests(network: network, provider: provider, kind: kind))
            }
        }

        /// Records a successful request to a provider.
        mutating func succeeded(_ kind: FailureKind, _ client: IPAddress, provider: UInt64, now: Int64) {
            successes.advance(to: now)
            for (network, _) in client.countedNetworks {
                successes.add(Requests(network: network, provider: provider, kind: kind))
            }
        }

        private func excess(
            _ work: Work, of network: IPNetwork, _ scale: Int, provider: UInt64, now: Int64
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
                // Requests under way may fail too. A network with genuine sign-ins has about as many under way as it
                // had successes.
                guard failed + fallible.count(of: requests) < max(limit, successes.count(of: requests)) else {
                    return ClientExcess(.exchangesAtOnce, retryAfter: 5)
                }
            }
            if work.leavesClaim {
                for (place, limit) in [(place, limits.claims), (everywhere, limits.claims * limits.providers)] {
                    guard claims.count(of: place) < limit * scale else {
                        return ClientExcess(
                            .claims, retryAfter: claims.wait(of: place, below: limit * scale, now: now))
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
