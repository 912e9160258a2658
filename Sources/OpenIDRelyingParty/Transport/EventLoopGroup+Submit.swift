// SPDX-License-Identifier: Apache-2.0

package import NIOCore

extension EventLoopGroup {
    /// Runs work on any event loop of the group, since what it calls expects to be on the one that it is given.
    package func submit<Value: Sendable>(
        _ work: @escaping @Sendable (any EventLoop) -> EventLoopFuture<Value>
    ) async throws -> Value {
        let eventLoop = any()
        return try await eventLoop.flatSubmit { work(eventLoop) }.get()
    }
}
