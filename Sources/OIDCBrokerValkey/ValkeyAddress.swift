// SPDX-License-Identifier: Apache-2.0

/// Where a Valkey or Redis server listens.
public struct ValkeyAddress: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case host(String, port: Int)
        case socket(path: String)
    }

    let kind: Kind

    /// A host, by its name or its IP address, and a port.
    public static func host(_ host: String, port: Int = 6379) -> Self {
        Self(kind: .host(host, port: port))
    }

    /// A Unix domain socket.
    public static func socket(path: String) -> Self {
        Self(kind: .socket(path: path))
    }

    /// The host and the port, or the path of the socket.
    public var description: String {
        switch kind {
        case .host(let host, let port): "\(host):\(port)"
        case .socket(let path): path
        }
    }
}
