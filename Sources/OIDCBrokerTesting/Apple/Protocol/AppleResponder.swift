// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of a mock Apple behind a lock, which responds to requests.
///
/// Only validation happens under the lock; tokens are signed outside of it.
final class AppleResponder: RequestResponder {
    private let state: Mutex<AppleState>

    init(_ state: AppleState) {
        self.state = Mutex(state)
    }

    /// Validates a request and returns its response, on the calling thread.
    func respond(to request: ReceivedRequest) -> SentResponse {
        switch update({ $0.plan(for: request) }) {
        case .response(let response): response
        case .sign(let sign): sign()
        }
    }

    /// Reads or changes the state.
    func update<Value: Sendable, Failure: Error>(
        _ body: (inout AppleState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state) }
    }
}
