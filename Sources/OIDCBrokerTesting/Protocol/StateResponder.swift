// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of a provider or mock as a value, which validates requests without I/O, clock or lock.
package protocol RespondingState: Sendable {
    /// Validates a request.
    mutating func plan(for request: ReceivedRequest) -> ResponsePlan
}

/// The plan for a request.
package enum ResponsePlan: Sendable {
    /// Send this response.
    case response(SentResponse)
    /// Sign tokens outside of the lock, and send the response with them.
    case sign(@Sendable () -> SentResponse)
}

/// The state of a provider or mock behind a lock, which responds to requests.
///
/// Only validation happens under the lock. Signing a token takes far longer and needs no state.
package final class StateResponder<State: RespondingState>: RequestResponder {
    private let state: Mutex<State>

    package init(_ state: State) {
        self.state = Mutex(state)
    }

    /// Validates a request and returns its response, on the calling thread.
    package func respond(to request: ReceivedRequest) -> SentResponse {
        switch update({ $0.plan(for: request) }) {
        case .response(let response): response
        case .sign(let sign): sign()
        }
    }

    /// Reads or changes the state.
    package func update<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state) }
    }
}
