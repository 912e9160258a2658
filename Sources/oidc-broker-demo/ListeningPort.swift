// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A check of whether the broker can listen on a port.
///
/// The broker's public URL contains the port and is configured before the broker exists, so a port that the system
/// chooses must be known in advance.
enum ListeningPort {
    /// Listens on 127.0.0.1 for a moment.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - group: The event loops.
    /// - Returns: A port that is currently free.
    /// - Throws: ``DemoError``.
    static func free(_ port: Int, on group: any EventLoopGroup) async throws -> Int {
        do {
            let listener = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: port).get()
            let found = listener.localAddress?.port ?? port
            try await listener.close()
            return found
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw DemoError.portTaken(port)
        } catch {
            throw DemoError.portRefused(port, reason: String(describing: error))
        }
    }
}
