// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Free ports.
enum FreePort {
    /// Binds a free port and releases it, for a target that must be told its port before it listens.
    static func find(at host: String = "127.0.0.1", on group: any EventLoopGroup) async throws -> Int {
        let channel = try await ServerBootstrap(group: group).bind(host: host, port: 0).get()
        let port = channel.localAddress?.port
        try await channel.close().get()
        guard let port else { throw LatencyToolError("no free port was found") }
        return port
    }

    /// Whether a process listens at an address of this machine.
    static func isTaken(_ address: SocketAddress, on group: any EventLoopGroup) async -> Bool {
        do {
            let channel = try await ClientBootstrap(group: group)
                .connectTimeout(.milliseconds(500))
                .connect(to: address).get()
            try? await channel.close().get()
            return true
        } catch {
            return false
        }
    }
}
