// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOSSL

/// What all virtual users of a measurement have in common.
struct LoadPlan: Sendable {
    /// The target.
    let target: TargetDescription
    /// Where it listens.
    let address: SocketAddress
    /// How connections are made secure; nil for plain HTTP.
    let tls: NIOSSLContext?
    /// The same for connections that speak HTTP/1.1 whatever users speak.
    let http1TLS: NIOSSLContext?
    /// Whether users speak HTTP/2.
    let isHTTP2: Bool
    /// The people at the provider.
    let signIns: PreparedSignIns
    /// How many providers there are; sign-ins go to them in turn.
    let providerCount: Int

    /// How long a user waits for a response, nanoseconds.
    static let patience: Int64 = 30_000_000_000

    /// What browsers send with every navigation.
    static let browserFields = [
        HTTP1Message.Field(name: "accept", value: "text/html,application/xhtml+xml,*/*;q=0.8"),
        HTTP1Message.Field(name: "user-agent", value: "Mozilla/5.0 (callback-latency)"),
    ]

    /// - Throws: ``LatencyToolError`` where the base is no origin of this machine.
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

    /// The port that a base names.
    static func port(of base: String) -> Int? {
        guard let colon = base.lastIndex(of: ":") else { return nil }
        return Int(base[base.index(after: colon)...].prefix { $0 != "/" })
    }

    /// Only this machine may be loaded.
    private static func address(of base: String) throws -> SocketAddress {
        let host = base.drop { $0 != ":" }.dropFirst(3).prefix { $0 != ":" && $0 != "/" }
        guard base.hasPrefix("http://") || base.hasPrefix("https://"), host == "127.0.0.1" || host == "localhost",
            let number = port(of: base)
        else { throw LatencyToolError("'\(base)' is not http(s)://127.0.0.1:port: a target is on this machine") }
        return try SocketAddress(ipAddress: "127.0.0.1", port: number)
    }

    /// The certificate is one that was made for this run, or the target's own: it is not what is measured.
    private static func context(isHTTP2: Bool) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = [isHTTP2 ? "h2" : "http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }
}
