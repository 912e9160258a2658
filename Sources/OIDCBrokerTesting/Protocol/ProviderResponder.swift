// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A response that has not been signed yet.
protocol ProviderMint: Sendable {
    /// Signs and returns the response.
    func response() -> SentResponse
}

/// The state of a provider behind a lock, which responds to requests.
///
/// Only validation happens under the lock. Signing a token takes far longer and needs no state.
final class ProviderResponder: RequestResponder {
    private let state: Mutex<ProviderState>

    init(_ state: ProviderState) {
        self.state = Mutex(state)
    }

    /// Validates a request and returns its response, on the calling thread.
    func respond(to request: ReceivedRequest) -> SentResponse {
        switch update({ $0.plan(for: request) }) {
        case .response(let response): response
        case .mint(let mint): mint.response()
        }
    }

    /// Reads or changes the state.
    func update<Value: Sendable, Failure: Error>(
        _ body: (inout ProviderState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state) }
    }
}
