// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Testing

/// A port on this machine on which no process listens. It was free a moment ago.
/// - Parameter host: An address that no other test uses, so that no other test takes the port.
func abandonedPort(on host: String) async throws -> Int {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: host, port: 0).get()
    let port = try #require(listener.localAddress?.port)
    try await listener.close().get()
    return port
}
