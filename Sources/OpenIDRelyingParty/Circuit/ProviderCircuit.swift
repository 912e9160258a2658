// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A circuit breaker for some of what a provider is asked: while it is down nothing is sent but now and then one request,
/// so that its trouble costs nobody else connections, memory or time.
///
/// What a stranger can provoke at a provider that lives opens none: see ``Trouble``.
package final class ProviderCircuit: Sendable {
    /// What counts as a failure.
    package enum Trouble: Sendable, Hashable {
        /// Whatever keeps a document from coming: the way to the provider, and what says "not now" (429 and 5xx). These
        /// requests are our own, seldom, and the same for everybody.
        case documents
        /// Only that no connection can be made. A stranger chooses what is sent, as with a code that he made up: what the
        /// provider then answers, or that it does not, or breaks off, concerns that request alone.
        case connections
    }

    private let state = Mutex(StateMachine())
    private let trouble: Trouble
    private let elapsed: any ElapsedClock
    private let clock: any UnixClock

    /// A closed circuit.
    /// - Parameters:
    ///   - elapsed: what pauses are counted by.
    ///   - clock: the wall clock, for a Retry-After that is a date.
    package init(_ trouble: Trouble, elapsed: any ElapsedClock, clock: any UnixClock) {
        self.trouble = trouble
        self.elapsed = elapsed
        self.clock = clock
    }

    /// A request wants to go out; `nil` if it must not. Each admission must be given back to
    /// ``ended(_:_:)``.
    package func admit() -> StateMachine.Admission? {
        state.withLock { state in state.isClosed ? .ordinary : state.admit(now: elapsed.now()) }
    }

    /// How long until it is worth asking again, seconds, at least 1; `nil` if a request would be let through now. Changes
    /// nothing.
    package func wait() -> Int64? {
        state.withLock { state in state.isClosed ? nil : state.wait(now: elapsed.now()) }
    }

    /// A request that was let through ended.
    package func ended(
        _ admission: StateMachine.Admission, _ result: Result<ProviderResponse, any Error>
    ) {
        switch verdict(on: result) {
        case .answered:
            // No clock: a response closes or changes nothing.
            state.withLock { $0.ended(admission, .answered, now: 0) }
        case let verdict:
            let now = elapsed.now()
            state.withLock { $0.ended(admission, verdict, now: now) }
        }
    }

    private func verdict(on result: Result<ProviderResponse, any Error>) -> StateMachine.Verdict {
        switch result {
        case .success(let response):
            trouble == .documents ? verdict(on: response) : .answered
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
        // `timedOut` and `interrupted`: for the most part answers that did not come. Where a stranger chose what was sent
        // they are taken for answers, not for nothing: else whoever provokes them would keep the one request that finds
        // out whether the provider is back for himself.
        default: trouble == .connections ? .answered : .failed(retryAfter: nil)
        }
    }
}
