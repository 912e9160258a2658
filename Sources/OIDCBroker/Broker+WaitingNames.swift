// SPDX-License-Identifier: Apache-2.0

public import NIOCore

extension Broker {
    /// The number of users' names that wait for a store outside of this process.
    package var waitingNames: Int { services.occasional.waitingNames?.count ?? 0 }

    /// Writes the users' names that wait for a store outside of this process, in two seconds at most. Names that are
    /// left then are lost when the process ends: a provider such as Apple sends a name only once.
    ///
    /// Call it before the process ends, when no request is left and before the store is closed. If no name waits, or
    /// the store is in memory, it returns at once. `BrokerServer` and `BrokerService` call it themselves.
    /// - Parameter group: The event loops on which the store is asked. They have to run until this returns.
    public func writeWaitingNames(using group: any EventLoopGroup) async {
        guard waitingNames > 0 else { return }
        // It fails only where the event loop has ended, on which nothing could be written.
        try? await services.occasional.waitingNames?.writeLast(on: group.any()).get()
    }
}
