// SPDX-License-Identifier: Apache-2.0

public import Logging
public import OIDCBroker

/// The configuration of a server, its listener and its transport to providers: the keys under `server.`.
public struct ServerConfiguration: Sendable, Hashable {
    /// The address or host name to listen on: `server.host`.
    public var host: String
    /// The port to listen on, 0 to 65535: `server.port`. 0 selects any free port.
    public var port: Int
    /// The TLS files: `server.tls.…`. It is `nil` for plain HTTP, which is accepted on a loopback host only.
    public var tls: TLSFiles?
    /// The transport of the broker's requests to providers: `server.provider-transport`. The code that creates the
    /// broker also creates the transport, by ``ProviderTransportKind/withTransport(on:_:)``.
    public var providerTransport = ServerConfiguration.defaultProviderTransport
    /// Whether connections come from a proxy or a content delivery network rather than the client, even from a public
    /// address: `server.behind-proxy`. If they do, the limits for each client address do not apply.
    public var behindProxy = false
    /// The minimum level of the lines that `oidc-broker serve` logs: `server.log-level`. It has no effect on an
    /// embedding server, which has a logger of its own.
    public var logLevel = ServerConfiguration.defaultLogLevel
    /// The file of the private key, if users other than its owner and its group can read or write it. It is logged at
    /// the start, and is an error for `check-config --strict`.
    public internal(set) var exposedSecretFiles: [ConfigurationError] = []

    /// Whether peers are proxies and not clients: without TLS of its own, the server is behind a proxy that terminates
    /// it.
    package var peersAreProxies: Bool { tls == nil || behindProxy }

    /// The default of ``host``.
    public static let defaultHost = "127.0.0.1"
    /// The default of ``port``.
    public static let defaultPort = 8443
    /// The default of ``providerTransport``.
    public static let defaultProviderTransport = ProviderTransportKind.nio
    /// The default of ``logLevel``.
    public static let defaultLogLevel = Logger.Level.info

    /// Creates a configuration. An omitted argument has the default of its key.
    public init(
        host: String = ServerConfiguration.defaultHost,
        port: Int = ServerConfiguration.defaultPort,
        tls: TLSFiles? = nil
    ) {
        self.host = host
        self.port = port
        self.tls = tls
    }

    /// The warnings for the operator about a valid configuration.
    var warnings: [String] {
        guard !isLoopback else { return [] }
        let bound =
            peersAreProxies
            ? "Behind a proxy nothing is bounded for one address either."
            : "What one public address may make providers do, and leave behind, is bounded."
        return [
            "Neither connections nor requests are limited in number: limit them in front, and give the process enough "
                + "open files (ulimit -n). " + bound
        ]
    }
}
