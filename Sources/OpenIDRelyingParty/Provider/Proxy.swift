// SPDX-License-Identifier: Apache-2.0

/// An HTTP proxy through which a provider is reached (RFC 9110 section 9.3.6). Each connection is a CONNECT tunnel,
/// inside which TLS is spoken with the provider.
public struct Proxy: Sendable, Hashable, CustomStringConvertible {
    /// The host name or address of the proxy.
    public var host: String
    /// The port of the proxy.
    public var port: Int

    /// Creates a proxy.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    public var description: String { "\(host):\(port)" }
}
