// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The open connections of operators, in the order in which they came.
final class OperationsConnections: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var metricsResponses = 0
    }

    private let limits: OperationsLimits
    private let state = Mutex(State())

    init(limits: OperationsLimits) {
        self.limits = limits
    }

    /// The number of open connections.
    var count: Int { state.withLock { $0.channels.count } }

    /// Adds a connection until it closes. If there are too many, the oldest one is closed.
    func add(_ channel: any Channel) {
        let oldest: (any Channel)? = state.withLock { state in
            state.channels.append(channel)
            return state.channels.count > limits.connections ? state.channels.removeFirst() : nil
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in state.channels.removeAll { $0 === channel } }
        }
        oldest?.close(promise: nil)
    }

    /// Counts a response with metrics.
    /// - Returns: Whether there may be one more. Then ``endMetricsResponse()`` follows.
    func beginMetricsResponse() -> Bool {
        state.withLock { state in
            guard state.metricsResponses < limits.metricsResponses else { return false }
            state.metricsResponses += 1
            return true
        }
    }

    /// Records that a response with metrics was read, or its connection closed.
    func endMetricsResponse() {
        state.withLock { $0.metricsResponses -= 1 }
    }

    /// Closes every connection.
    func close() {
        for channel in state.withLock({ $0.channels }) { channel.close(promise: nil) }
    }
}
