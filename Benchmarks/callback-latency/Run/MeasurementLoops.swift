// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// The event loops of a command: those of the virtual users, and those of the provider.
///
/// On one processor both should be on one event loop: what is read in one tick is answered in it, and no thread waits
/// for another.
struct MeasurementLoops: Sendable {
    /// The event loops of the virtual users.
    let users: [any EventLoop]
    /// The event loops of the provider.
    let provider: any EventLoopGroup
    private let groups: [MultiThreadedEventLoopGroup]

    /// - Parameters:
    ///   - threads: The number of threads of the virtual users.
    ///   - providerThreads: The number of threads of the provider; 0 to use those of the users.
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

    /// Shuts the event loops down.
    func stop() async {
        for group in groups { try? await group.shutdownGracefully() }
    }
}
