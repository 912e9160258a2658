// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOSSL

/// The common parameters of all virtual users of a measurement.
struct LoadPlan: Sendable {
    /// The target.
    let target: TargetDescription
    /// The address of the target.
    let address: SocketAddress
    /// The address that connections come from; `nil` for that of the operating system.
    var source: SocketAddress?
    /// The TLS context of connections; `nil` for plain HTTP.
    let tls: NIOSSLContext?
    /// The TLS context of connections that use HTTP/1.1 whatever users use.
    let http1TLS: NIOSSLContext?
    /// Whether users use HTTP/2.
    let isHTTP2: Bool
    /// The sign-ins at the provider.
    let signIns: PreparedSignIns
    /// The number of providers, which sign-ins use in turn.
    let providerCount: Int
    /// The browsers that make starts and callbacks; `nil` if users make them on their own connections.
    var browser: BrowserPlan?

    /// The time limit of a response, in nanoseconds.
    static let patience: Int64 = 30_000_000_000

    /// The fields that browsers send with every navigation.
    static let browserFields = [
        HTTP1Message.Field(name: "accept", value: "text/html,application/xhtml+xml,*/*;q=0.8"),
        HTTP1Message.Field(name: "user-agent", value: "Mozilla/5.0 (callback-latency)"),
    ]

    /// - Throws: ``LatencyToolError`` if the base is not an origin on this machine.
    init(
        target: TargetDescription, isTLS: Bool, isHTTP2: Bool, signIns: PreparedSignIns, providerCount: Int
    ) throws {
        self.target = target
        self.isHTTP2 = isHTTP2
        self.signIns = signIns
        self.providerCount = providerCount
        address = try Self.address(of: target.base)
        tls = try isTLS ? Self.context(isHTTP2: isHTTP2) : nil
        http1TLS = try isTLS ? Self.context(isHTTP2: false) : nil
    }

    /// Returns the port in a base URL.
    static func port(of base: String) -> Int? {
        guard let colon = base.lastIndex(of: ":") else { return nil }
        return Int(base[base.index(after: colon)...].prefix { $0 != "/" })
    }

    /// Returns the address of a base URL. Only this machine may be loaded.
    private static func address(of base: String) throws -> SocketAddress {
        let addresses = ["127.0.0.1": "127.0.0.1", "localhost": "127.0.0.1", "[::1]": "::1"]
        let authority = base.drop { $0 != ":" }.dropFirst(3)
        guard base.hasPrefix("http://") || base.hasPrefix("https://"), let number = port(of: base),
            let address = addresses.first(where: { authority.hasPrefix($0.key + ":") })?.value
        else {
            throw LatencyToolError(
                "'\(base)' is not http(s)://127.0.0.1:port or http(s)://[::1]:port: a target is on this machine")
        }
        return try SocketAddress(ipAddress: address, port: number)
    }

    /// Returns a context that trusts any certificate, because verifying the target's is not part of the measurement.
    private static func context(isHTTP2: Bool) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = [isHTTP2 ? "h2" : "http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }
}
