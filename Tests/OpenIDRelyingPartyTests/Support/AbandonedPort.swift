// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Testing

/// A port on this machine where nobody listens: it was free a moment ago.
/// - Parameter host: an address that no other test uses, so that nobody takes the port meanwhile.
func abandonedPort(on host: String) async throws -> Int {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: host, port: 0).get()
    let port = try #require(listener.localAddress?.port)
    try await listener.close().get()
    return port
}
