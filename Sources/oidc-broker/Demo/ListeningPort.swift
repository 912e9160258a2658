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

/// Finds out whether a port can be listened on, before anything depends on it.
///
/// The broker's public URL is configuration and has the port in it, so that a port chosen by the system must be known
/// before the broker exists.
enum ListeningPort {
    /// Listens on 127.0.0.1 for a moment.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - group: event loops.
    /// - Returns: the port that is free now.
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
