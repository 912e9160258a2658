// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
public import ServiceLifecycle

/// Tells the service manager that a server is alive, as long as its event loops turn. If one is stuck, nothing is sent,
/// and the service manager restarts the server after its time limit.
///
/// It is a service: list it before the server in a `ServiceGroup`, so that it goes on while the server drains. It does
/// nothing if the service manager expects nothing.
public final class ServiceWatchdog: Service {
    private let notification: ServiceNotification
    private let loops: EventLoopWatch

    /// Creates a watchdog.
    /// - Parameters:
    ///   - notification: What is told.
    ///   - loops: The event loops of the server.
    public init(_ notification: ServiceNotification, loops: EventLoopWatch) {
        self.notification = notification
        self.loops = loops
    }

    /// Runs until graceful shutdown or cancellation.
    public func run() async throws {
        guard let interval = notification.watchdogInterval else {
            // A service that returns ends its group.
            try? await gracefulShutdown()
            return
        }
        // A loop of its own: one of the server's may be stuck.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let task = loop.scheduleRepeatedAsyncTask(initialDelay: .zero, delay: interval) { [notification, loops] _ in
            loops.stuckLoops(on: loop).map { stuck in
                if stuck == 0 { notification.watchdog() }
            }
        }
        try? await gracefulShutdown()
        task.cancel()
        try await group.shutdownGracefully()
    }
}
