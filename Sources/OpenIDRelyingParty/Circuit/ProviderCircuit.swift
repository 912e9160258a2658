// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A circuit breaker for some of the requests to a provider. While the provider is down, only an occasional probe is
/// sent, so that its failure does not use up connections, memory or time.
///
/// Failures that a client can provoke while the provider is up do not open the circuit, see ``Failures``.
package final class ProviderCircuit: Sendable {
    /// The failures that count.
    package enum Failures: Sendable, Hashable {
        /// Every failure to obtain a document: a transport error, or a response with status 429 or 5xx. These requests
        /// are this server's own, are rare, and do not depend on any client.
        case documents
        /// Only a failure to connect. A client determines what is sent, such as an invalid code, so an error response,
        /// a missing response or a broken connection says nothing about other requests.
        case connections
    }

    private let state = Mutex(StateMachine())
    private let failures: Failures
    private let elapsed: any ElapsedClock
    private let clock: any UnixClock

    /// Creates a closed circuit.
    /// - Parameters:
    ///   - elapsed: The clock for pauses.
    ///   - clock: The wall clock, for a Retry-After that is a date.
    package init(_ failures: Failures, elapsed: any ElapsedClock, clock: any UnixClock) {
        self.failures = failures
        self.elapsed = elapsed
        self.clock = clock
    }

    /// Admits a request; `nil` if it must not be sent. Each permit must be passed to ``ended(_:_:)``.
    package func admit() -> StateMachine.Permit? {
        state.withLock { state in state.isClosed ? .ordinary : state.admit(now: elapsed.now()) }
    }

    /// The time until a request would be let through, in seconds and at least 1; `nil` if one would be let through now.
    /// This changes no state.
    package func wait() -> Int64? {
        state.withLock { state in state.isClosed ? nil : state.wait(now: elapsed.now()) }
    }

    /// The time since the circuit opened, in seconds; `nil` while it is closed. This changes no state.
    package func openTime() -> Int64? {
        state.withLock { $0.openSince }.map { max(0, elapsed.now() - $0) }
    }

    /// Records the end of a request that was let through.
    package func ended(
        _ permit: StateMachine.Permit, _ result: Result<ProviderResponse, any Error>
    ) {
        switch verdict(on: result) {
        case .answered:
            // The clock is not read: this outcome does not depend on the time.
            state.withLock { $0.ended(permit, .answered, now: 0) }
        case let verdict:
            let now = elapsed.now()
            state.withLock { $0.ended(permit, verdict, now: now) }
        }
    }

    private func verdict(on result: Result<ProviderResponse, any Error>) -> StateMachine.Verdict {
        switch result {
        case .success(let response):
            failures == .documents ? verdict(on: response) : .answered
        case .failure(let error):
            verdict(on: error as? ProviderTransportError ?? .unreachable)
        }
    }

    private func verdict(on document: ProviderResponse) -> StateMachine.Verdict {
        if document.status == 429 || document.status == 503 {
            return .failed(retryAfter: RetryAfter(document.retryAfter, now: clock.now())?.seconds)
        }
        return document.status >= 500 ? .failed(retryAfter: nil) : .answered
    }

    private func verdict(on error: ProviderTransportError) -> StateMachine.Verdict {
        if error.isConnectionFailure { return .failed(retryAfter: nil) }
        return switch error {
        // Nothing was sent.
        case .addressRefused, .unusableTrust, .circuitOpen, .tooManyWaiting: .unknown
        case .tooLarge, .encoded: .answered
        // `timedOut` and `interrupted`: the provider usually sent no response. If a client determines what is sent,
        // they count as a response rather than as unknown: otherwise that client could use up the probe that finds out
        // whether the provider is back.
        default: failures == .connections ? .answered : .failed(retryAfter: nil)
        }
    }
}
