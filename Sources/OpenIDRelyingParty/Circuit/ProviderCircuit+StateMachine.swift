// SPDX-License-Identifier: Apache-2.0

extension ProviderCircuit {
    /// When a provider is asked and when it is left alone. No I/O, no clock: `now` is handed in, seconds of an
    /// ``ElapsedClock``.
    package struct StateMachine: Sendable {
        /// So many failures one after the other open the circuit.
        package static let failuresToOpen = 5
        /// For how long it opens first, seconds; it doubles with each probe that fails.
        package static let firstPause: Int64 = 1
        /// The longest it opens by itself, seconds. A provider may ask for longer, see ``RetryAfter/longest``.
        package static let longestPause: Int64 = 30
        /// A probe that has not ended after so many seconds is given up, and another one is let through.
        package static let probeTimeout: Int64 = 60

        /// What a request was let through for.
        package enum Admission: Sendable, Hashable {
            case ordinary
            /// The one request that finds out whether the provider is back; its number tells it from earlier ones.
            case probe(UInt64)
        }

        /// How a request ended.
        package enum Verdict: Sendable, Hashable {
            /// The provider answered, whatever it said, or at least could be reached where no more is asked.
            case answered
            /// It did not, or said that it cannot now, and, where it did, for how long: seconds.
            case failed(retryAfter: Int64?)
            /// Nothing was learned of the provider: the request was not sent.
            case unknown
        }

        private enum State: Sendable {
            case closed(failures: Int)
            /// Nothing is sent. `lastPause` is what the next one doubles.
            case open(since: Int64, pause: Int64, lastPause: Int64)
            case halfOpen(probe: UInt64?, since: Int64, lastPause: Int64)
        }

        private var state = State.closed(failures: 0)
        private var probes: UInt64 = 0

        package init() {}

        /// Whether the circuit is closed: every request goes through, and no clock is needed to say so.
        package var isClosed: Bool {
            if case .closed = state { true } else { false }
        }

        /// A request wants to go out; `nil` if it must not.
        package mutating func admit(now: Int64) -> Admission? {
            switch state {
            case .closed:
                return .ordinary
            case .open(_, _, let lastPause), .halfOpen(_, _, let lastPause):
                guard wait(now: now) == nil else { return nil }
                return probe(now: now, lastPause: lastPause)
            }
        }

        /// How long until it is worth asking again, seconds, at least 1; `nil` if a request would be let through now.
        /// Changes nothing: whoever only asks takes no probe.
        package func wait(now: Int64) -> Int64? {
            switch state {
            case .closed:
                return nil
            case .open(let since, let pause, _):
                // A clock that went back, as in a machine that was restored, keeps nothing open.
                guard (0..<pause).contains(now - since) else { return nil }
                return pause - (now - since)
            case .halfOpen(let probe, let since, _):
                guard probe != nil, (0..<Self.probeTimeout).contains(now - since) else { return nil }
                return Self.firstPause
            }
        }

        /// A request that was let through ended.
        package mutating func ended(_ admission: Admission, _ verdict: Verdict, now: Int64) {
            switch (state, verdict) {
            case (.closed(let failures), .answered):
                if failures > 0 { state = .closed(failures: 0) }
            case (.closed(let failures), .failed(let retryAfter)):
                if let retryAfter, retryAfter > 0 {
                    state = .open(since: now, pause: min(retryAfter, RetryAfter.longest), lastPause: 0)
                } else if failures + 1 >= Self.failuresToOpen {
                    state = .open(since: now, pause: Self.firstPause, lastPause: Self.firstPause)
                } else {
                    state = .closed(failures: failures + 1)
                }
            case (.halfOpen(let probe?, _, let lastPause), _) where admission == .probe(probe):
                endProbe(verdict, now: now, lastPause: lastPause)
            default:
                // One of those that went out before the circuit opened: the probe decides, not they.
                break
            }
        }

        private mutating func endProbe(_ verdict: Verdict, now: Int64, lastPause: Int64) {
            switch verdict {
            case .answered:
                state = .closed(failures: 0)
            case .failed(let retryAfter):
                let pause = min(max(lastPause * 2, Self.firstPause), Self.longestPause)
                let asked = min(retryAfter ?? 0, RetryAfter.longest)
                state = .open(since: now, pause: max(pause, asked), lastPause: pause)
            case .unknown:
                state = .halfOpen(probe: nil, since: now, lastPause: lastPause)
            }
        }

        private mutating func probe(now: Int64, lastPause: Int64) -> Admission {
            probes &+= 1
            state = .halfOpen(probe: probes, since: now, lastPause: lastPause)
            return .probe(probes)
        }
    }
}
