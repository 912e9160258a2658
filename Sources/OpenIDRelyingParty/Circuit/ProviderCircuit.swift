// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One provider's circuit breaker: while a provider is down nothing is sent to it but now and then one request, so that
/// its trouble costs nobody else connections, memory or time.
///
/// It is opened by the way to the provider and by what says "not now" (429 and 5xx), never by a refusal: nobody can
/// lock others out with codes that the provider answers 400 to.
package final class ProviderCircuit: Sendable {
    private let state = Mutex(StateMachine())
    private let clock: any UnixClock

    package init(clock: any UnixClock) {
        self.clock = clock
    }

    /// A request wants to go out; nil where it must not. Each admission must be given back to
    /// ``ended(_:_:)``.
    package func admit() -> StateMachine.Admission? {
        state.withLock { state in state.isClosed ? .ordinary : state.admit(now: clock.now()) }
    }

    /// A request that was let through ended.
    package func ended(
        _ admission: StateMachine.Admission, _ result: Result<ProviderResponse, any Error>
    ) {
        switch verdict(on: result) {
        case .answered:
            // No clock: an answer closes or changes nothing.
            state.withLock { $0.ended(admission, .answered, now: 0) }
        case let verdict:
            let now = clock.now()
            state.withLock { $0.ended(admission, verdict, now: now) }
        }
    }

    private func verdict(on result: Result<ProviderResponse, any Error>) -> StateMachine.Verdict {
        switch result {
        case .success(let response) where response.status == 429 || response.status == 503:
            .failed(retryAfter: RetryAfter(response.retryAfter, now: clock.now())?.seconds)
        case .success(let response):
            response.status >= 500 ? .failed(retryAfter: nil) : .answered
        case .failure(let error):
            Self.verdict(on: error as? ProviderTransportError ?? .unreachable)
        }
    }

    private static func verdict(on error: ProviderTransportError) -> StateMachine.Verdict {
        switch error {
        case .tooLarge, .encoded: .answered
        case .addressRefused, .unusableTrust, .circuitOpen: .unknown
        default: .failed(retryAfter: nil)
        }
    }
}
