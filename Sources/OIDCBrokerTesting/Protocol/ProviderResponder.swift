// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A response that is still to be signed. A pure value: its owner chooses where and when.
protocol ProviderMint: Sendable {
    /// Signs and answers.
    func response() -> SentResponse
}

/// The provider's state behind its lock: request in, response out.
///
/// Only the validating happens under the lock. Signing a token takes a hundred times as long and needs no state.
final class ProviderResponder: RequestResponder {
    private let state: Mutex<ProviderState>

    init(_ state: ProviderState) {
        self.state = Mutex(state)
    }

    /// Validates a request and makes its response, on the calling thread.
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
