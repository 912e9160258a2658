// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The sockets of the loopback listener: one on 127.0.0.1, and one on ::1 with the same port where the machine has that.
struct LoopbackListener {
    /// The addresses, that of IPv4 first.
    private static let hosts = (ipv4: "127.0.0.1", ipv6: "::1")

    /// The sockets. The first is that of IPv4.
    let sockets: [ListeningSocket]

    /// Listens.
    /// - Parameters:
    ///   - port: The port; 0 for any.
    ///   - group: The event loops.
    ///   - logger: The logger.
    ///   - metricsFactory: What makes the counter of connections that cannot be accepted.
    ///   - initialize: A closure that configures an accepted connection, which is closed if the future fails.
    /// - Throws: ``ListenerError``. Where another process has the port on ::1, a client of `localhost` would send its
    ///   token there, so that nothing is served.
    static func open(
        port: Int, on group: any EventLoopGroup, logger: Logger, metricsFactory: any MetricsFactory,
        initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(ListenerError) -> LoopbackListener {
        let first = try await ListeningSocket.open(
            .host(hosts.ipv4, port: port), on: group, logger: logger, metricsFactory: metricsFactory,
            initialize: initialize)
        do throws(ListenerError) {
            let second = try await ListeningSocket.open(
                .host(hosts.ipv6, port: first.address.port ?? port), on: group, logger: logger,
                metricsFactory: metricsFactory, initialize: initialize)
            return LoopbackListener(sockets: [first, second])
        } catch {
            // A free port is not known in advance.
            guard port == 0 || isWithoutIPv6(error.reason) else {
                _ = try? await first.drain().get()
                throw error
            }
            return LoopbackListener(sockets: [first])
        }
    }

    /// Whether the reason for an error is that the machine has no ::1.
    private static func isWithoutIPv6(_ reason: (any Error)?) -> Bool {
        switch reason {
        case let error as IOError: [EADDRNOTAVAIL, EAFNOSUPPORT, EPROTONOSUPPORT].contains(error.errnoCode)
        // The name of an address is known without a resolver, but not to one that has no IPv6.
        case is SocketAddressError: true
        default: false
        }
    }

    /// Accepts no more connections, and lets those that are open end.
    /// - Returns: A future of each socket.
    func drain() -> [EventLoopFuture<Void>] { sockets.map { $0.drain() } }
}
