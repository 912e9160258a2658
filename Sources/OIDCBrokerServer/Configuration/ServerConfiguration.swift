// SPDX-License-Identifier: Apache-2.0

public import Logging
public import OIDCBroker

/// Where a server listens, and how it reaches providers: the keys under `server.`.
public struct ServerConfiguration: Sendable, Hashable {
    /// `server.host`: the address or name to listen on.
    public var host: String
    /// `server.port`: 0...65535; 0 takes any free port.
    public var port: Int
    /// `server.tls.…`; nil for plain HTTP, which only a loopback host may have.
    public var tls: TLSFiles?
    /// `server.provider-transport`: what the broker's requests to providers go by. The transport is made by whoever
    /// makes the broker: ``ProviderTransportKind/withTransport(on:_:)``.
    public var providerTransport: ProviderTransportKind
    /// `server.behind-proxy`: whether who connects is a proxy or a content delivery network and not the client, also
    /// where its address is a public one. Then no address is held to what one client may take.
    public var behindProxy: Bool
    /// `server.log-level`: the least severe lines that `oidc-broker serve` writes. Means nothing to an embedding server,
    /// which brings its own logger.
    public var logLevel: Logger.Level
    /// The file of the private key, if others than its owner and his group can read or write it. Logged at start, and
    /// wrong for `check-config --strict`.
    public internal(set) var exposedSecretFiles: [ConfigurationError] = []

    /// Whether who connects is no client: without TLS of our own it is a proxy that has it.
    package var peersAreProxies: Bool { tls == nil || behindProxy }

    /// The default of ``host``.
    public static let defaultHost = "127.0.0.1"
    /// The default of ``port``.
    public static let defaultPort = 8443
    /// The default of ``providerTransport``.
    public static let defaultProviderTransport = ProviderTransportKind.nio
    /// The default of ``logLevel``.
    public static let defaultLogLevel = Logger.Level.info

    /// Where to listen and how to reach providers; what is left out has the key's default.
    public init(
        host: String = ServerConfiguration.defaultHost,
        port: Int = ServerConfiguration.defaultPort,
        tls: TLSFiles? = nil,
        providerTransport: ProviderTransportKind = ServerConfiguration.defaultProviderTransport,
        behindProxy: Bool = false,
        logLevel: Logger.Level = ServerConfiguration.defaultLogLevel
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.providerTransport = providerTransport
        self.behindProxy = behindProxy
        self.logLevel = logLevel
    }

    /// What an operator should know although nothing is wrong.
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
