// SPDX-License-Identifier: Apache-2.0

/// An HTTP proxy through which a provider is reached (RFC 9110 section 9.3.6): each connection is a CONNECT tunnel, and
/// TLS is spoken with the provider inside it.
public struct Proxy: Sendable, Hashable, CustomStringConvertible {
    /// The proxy's name or address.
    public var host: String
    /// The proxy's port.
    public var port: Int

    /// A proxy.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    public var description: String { "\(host):\(port)" }
}
