// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Synchronization

/// The address on which a server listens, which is set once and may be awaited by several tasks.
package final class BoundAddress: Sendable {
    private enum State {
        case waiting([CheckedContinuation<SocketAddress, any Error>])
        case known(Result<SocketAddress, any Error>)
    }

    private let state = Mutex(State.waiting([]))

    /// Creates an address that is not known yet.
    package init() {}

    /// Returns the address, and waits until it is known.
    package func value() async throws -> SocketAddress {
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

    /// Completes all waiting tasks. Only the first result counts.
    package func settle(_ result: Result<SocketAddress, any Error>) {
        let waiting: [CheckedContinuation<SocketAddress, any Error>] = state.withLock { state in
            guard case .waiting(let continuations) = state else { return [] }
            state = .known(result)
            return continuations
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
