// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import OpenIDRelyingPartyNIO
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// A server whose name is not found, since name servers are silent.
@Suite(.onSockets, .timeLimit(.minutes(10)))
struct ValkeyLookupTests {
    /// Name servers that are silent until they are told otherwise.
    private final class NameServers: Sendable {
        private let answered = DispatchSemaphore(value: 0)
        private let questions = Mutex(0)

        var asked: Int { questions.withLock { $0 } }

        func ask() {
            questions.withLock { $0 += 1 }
            answered.wait()
            answered.signal()
        }

        func answer() { answered.signal() }
    }

    @Test func `many who try again and again are one lookup, and each is told in time`() async throws {
        let servers = NameServers()
        let lookups = HostLookups(elapsed: TestClock().elapsed) {
            (_: String) throws(HostLookupError) -> [SocketAddress] in
            servers.ask()
            throw .unavailable
        }
        let address = ValkeyAddress.host("silent.test", port: 6379)
        let dialer = ValkeyDialer(ValkeyConfiguration(address: address), lookups: lookups)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        for _ in 0..<4 {
            let tries = (0..<25).map { _ in
                eventLoop.flatSubmit { dialer.dial(address, on: eventLoop) { _ in } }
            }
            for dialed in tries {
                // None waits until the name servers answer.
                await #expect(throws: (any Error).self) { _ = try await dialed.get() }
            }
        }
        #expect(servers.asked == 1)
        servers.answer()
        lookups.shutdown()
    }
}
