// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// The event loops of a command: those of the virtual users, and those that the provider answers on.
///
/// On one processor both are best on one loop: what is read in one turn is answered in it, and no thread waits for another.
struct MeasurementLoops: Sendable {
    /// The virtual users'.
    let users: [any EventLoop]
    /// The provider's.
    let provider: any EventLoopGroup
    private let groups: [MultiThreadedEventLoopGroup]

    /// - Parameters:
    ///   - threads: Threads of the virtual users.
    ///   - providerThreads: Threads of the provider; 0: those of the users.
    init(threads: Int, providerThreads: Int) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(threads, 1))
        users = Array(group.makeIterator())
        if providerThreads > 0 {
            let others = MultiThreadedEventLoopGroup(numberOfThreads: providerThreads)
            provider = others
            groups = [group, others]
        } else {
            provider = group
            groups = [group]
        }
    }

    /// Ends them.
    func stop() async {
        for group in groups { try? await group.shutdownGracefully() }
    }
}
