// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The address a server listens on, once it does: written once, awaited by many.
final class BoundAddress: Sendable {
    private enum State {
        case waiting([CheckedContinuation<SocketAddress, any Error>])
        case known(Result<SocketAddress, any Error>)
    }

    private let state = Mutex(State.waiting([]))

    /// The address; waits until it is known.
    func value() async throws -> SocketAddress {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<SocketAddress, any Error>? = state.withLock { state in
                switch state {
                case .waiting(let others):
                    state = .waiting(others + [continuation])
                    return nil
                case .known(let result):
                    return result
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Tells everybody who waits; only the first result counts.
    func settle(_ result: Result<SocketAddress, any Error>) {
        let waiting: [CheckedContinuation<SocketAddress, any Error>] = state.withLock { state in
            guard case .waiting(let continuations) = state else { return [] }
            state = .known(result)
            return continuations
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
