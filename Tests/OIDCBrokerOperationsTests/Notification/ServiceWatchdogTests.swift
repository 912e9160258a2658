// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing
import TestingSupport

@testable import OIDCBrokerOperations

/// When the service manager is told that the server is alive, over a real socket.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct ServiceWatchdogTests {
    /// A service that says when its group runs.
    private struct Beginning: Service {
        let begun: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (begun, continuation) = AsyncStream.makeStream(of: Void.self) }

        func run() async throws {
            continuation.finish()
            try await gracefulShutdown()
        }
    }

    /// Runs a body while a watchdog runs.
    private static func run(
        _ environment: [String: String], _ watch: EventLoopWatch, _ body: () async throws -> Void
    ) async throws {
        let logger = WarningRecorder().logger
        let watchdog = ServiceWatchdog(
            ServiceNotification(environment: environment, processID: 1, logger: logger), loops: watch)
        let beginning = Beginning()
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [watchdog, beginning], logger: logger))
        let running = Task { try await services.run() }
        for await _ in beginning.begun {}
        try await attempt {
            try await body()
        } finally: {
            await services.triggerGracefulShutdown()
            try await running.value
        }
    }

    /// Waits for a datagram on a thread that may block.
    private static func next(_ receiver: DatagramReceiver) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: receiver.wait()) }
        }
    }

    @Test func `it says so again and again while the loops turn, and not while one is stuck`() async throws {
        let receiver = try DatagramReceiver(
            path: "/tmp/oidc-broker-\(UUID().uuidString.prefix(8))", isAbstract: false)
        let environment = ["NOTIFY_SOCKET": receiver.name, "WATCHDOG_USEC": "40000"]
        try await EventLoopWatchTests.withLoops { watched, clock in
            let watch = EventLoopWatch(watched, limit: .milliseconds(100))
            try await Self.run(environment, watch) {
                for _ in 0..<3 { #expect(await Self.next(receiver) == "WATCHDOG=1") }
                let released = DispatchSemaphore(value: 0)
                do {
                    defer { released.signal() }
                    try await EventLoopWatchTests.hold(watched.next(), until: released)
                    // Once this is known, the ping that was under way is over.
                    #expect(try await watch.stuckLoops(on: clock).get() >= 1)
                    while receiver.next() != nil {}
                    for _ in 0..<3 { #expect(try await watch.stuckLoops(on: clock).get() >= 1) }
                    #expect(receiver.next() == nil)
                }
                #expect(await Self.next(receiver) == "WATCHDOG=1")
            }
        }
    }

    @Test func `it waits for the end where nothing is expected`() async throws {
        let watch = EventLoopWatch(MultiThreadedEventLoopGroup.singleton)
        try await Self.run([:], watch) {}
    }
}
