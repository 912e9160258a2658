// SPDX-License-Identifier: Apache-2.0

extension ProviderCircuit {
    /// The state machine of the circuit: decides when requests are sent. It does no I/O and has no clock; `now` is a
    /// parameter, in seconds of an ``ElapsedClock``.
    package struct StateMachine: Sendable {
        /// The number of consecutive failures that open the circuit.
        package static let failuresToOpen = 5
        /// The time for which the circuit first opens, in seconds. It doubles with each probe that fails.
        package static let firstPause: Int64 = 1
        /// The longest time for which failures open the circuit, in seconds. A provider may ask for longer, see
        /// ``RetryAfter/longest``.
        package static let longestPause: Int64 = 30
        /// The time after which a probe that has not ended is abandoned, in seconds. Another one may then be sent.
        package static let probeTimeout: Int64 = 60

        /// The kind of a request that is let through.
        package enum Permit: Sendable, Hashable {
            case ordinary
            /// The one request that finds out whether the provider is back. The number distinguishes it from earlier
            /// ones.
            case probe(UInt64)
        }

        /// The outcome of a request.
        package enum Verdict: Sendable, Hashable {
            /// The provider sent a response of any kind, or could at least be reached if only that counts.
            case answered
            /// The provider sent no response, or one which says that it is unavailable, possibly for a number of
            /// seconds.
            case failed(retryAfter: Int64?)
            /// The outcome says nothing about the provider, because the request was not sent.
            case unknown
        }

        private enum State: Sendable {
            case closed(failures: Int)
            /// No request is sent. `lastPause` is the pause that is multiplied by two if the next probe fails.
            case open(since: Int64, pause: Int64, lastPause: Int64)
            case halfOpen(probe: UInt64?, since: Int64, lastPause: Int64)
        }

        private var state = State.closed(failures: 0)
        private var probes: UInt64 = 0
        /// The time at which the circuit opened; `nil` while it is closed. Probes that fail do not change it.
        package private(set) var openSince: Int64?

        package init() {}

        /// Whether the circuit is closed, so that every request is let through and the clock need not be read.
        package var isClosed: Bool {
            if case .closed = state { true } else { false }
        }

        /// Admits a request; `nil` if it must not be sent.
        package mutating func admit(now: Int64) -> Permit? {
            switch state {
            case .closed:
                return .ordinary
            case .open(_, _, let lastPause), .halfOpen(_, _, let lastPause):
                guard wait(now: now) == nil else { return nil }
                return probe(now: now, lastPause: lastPause)
            }
        }

        /// The time until a request would be let through, in seconds and at least 1; `nil` if one would be let through
        /// now. This changes no state and admits no probe.
        package func wait(now: Int64) -> Int64? {
            switch state {
            case .closed:
                return nil
            case .open(let since, let pause, _):
                // A clock that went back, as in a machine that was restored, ends the pause.
                guard (0..<pause).contains(now - since) else { return nil }
                return pause - (now - since)
            case .halfOpen(let probe, let since, _):
                guard probe != nil, (0..<Self.probeTimeout).contains(now - since) else { return nil }
                return Self.firstPause
            }
        }

        /// Records the outcome of a request that was let through.
        package mutating func ended(_ permit: Permit, _ verdict: Verdict, now: Int64) {
            switch (state, verdict) {
            case (.closed(let failures), .answered):
                if failures > 0 { state = .closed(failures: 0) }
            case (.closed(let failures), .failed(let retryAfter)):
                if let retryAfter, retryAfter > 0 {
                    state = .open(since: now, pause: min(retryAfter, RetryAfter.longest), lastPause: 0)
                    openSince = now
                } else if failures + 1 >= Self.failuresToOpen {
                    state = .open(since: now, pause: Self.firstPause, lastPause: Self.firstPause)
                    openSince = now
                } else {
                    state = .closed(failures: failures + 1)
                }
            case (.halfOpen(let probe?, _, let lastPause), _) where permit == .probe(probe):
                endProbe(verdict, now: now, lastPause: lastPause)
            default:
                // The request was sent before the circuit opened: only the probe decides when it closes.
                break
            }
        }

        private mutating func endProbe(_ verdict: Verdict, now: Int64, lastPause: Int64) {
            switch verdict {
            case .answered:
                state = .closed(failures: 0)
                openSince = nil
            case .failed(let retryAfter):
                let pause = min(max(lastPause * 2, Self.firstPause), Self.longestPause)
                let asked = min(retryAfter ?? 0, RetryAfter.longest)
                state = .open(since: now, pause: max(pause, asked), lastPause: pause)
            case .unknown:
                state = .halfOpen(probe: nil, since: now, lastPause: lastPause)
            }
        }

        private mutating func probe(now: Int64, lastPause: Int64) -> Permit {
            probes &+= 1
            state = .halfOpen(probe: probes, since: now, lastPause: lastPause)
            return .probe(probes)
        }
    }
}
