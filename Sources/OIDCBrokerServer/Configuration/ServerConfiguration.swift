// SPDX-License-Identifier: Apache-2.0

public import Admission
import OIDCBroker
public import OIDCBrokerConfiguration
public import OIDCBrokerHTTP

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
    /// The path of a Unix domain socket to listen on instead of ``host`` and ``port``: `server.unix-socket`. Only a
    /// proxy on this machine connects to it.
    public var unixSocket: String?
    /// The proxies in front, whose field ``forwarded`` is trusted, at most ``maximumTrustedProxies``:
    /// `server.trusted-proxies`. No client may be in one of these networks. Over plain HTTP beyond loopback, a connection
    /// from anywhere else is closed before a byte is read.
    public var trustedProxies: [IPNetwork] = []
    /// The one header field in which the trusted proxies name the client: `server.forwarded`.
    public var forwarded = ForwardedField.none
    /// The port, on ``host``, of a plain HTTP listener that redirects browsers to the public URL; `nil` for none:
    /// `server.redirect.port`.
    public var redirectPort: Int?
    /// The `max-age` of `Strict-Transport-Security` in responses over https (RFC 6797): `server.hsts-max-age-seconds`. 0
    /// makes browsers forget it.
    public var strictTransportSecurity = Duration.seconds(31_536_000)
    /// How a changed configuration is noticed: `server.reload`.
    public var reload = ReloadTrigger.watch
    /// The time for which connections are still accepted after the signal to end, 0 to 60 seconds:
    /// `server.drain-delay-seconds`. `/readyz` responds with 503 meanwhile: a load balancer sends no new requests.
    public var drainDelay = Duration.zero
    /// The limits on connections and on requests of one client.
    public var limits = Limits()
    /// The listener for SDKs that speak plain HTTP only, and for the admin operations: `server.loopback.…`.
    public var loopback = LoopbackConfiguration()
    /// The listener for operators: `server.operations.…`.
    public var operations = OperationsConfiguration()
    /// What `oidc-broker serve` writes to its log: `server.log.…`. It has no effect on an embedding server, which has a
    /// logger of its own.
    public var log = LogConfiguration()
    /// The files with secrets that users other than their owner and its group can read or write. They are logged at the
    /// start, and are an error for `check-config --strict`.
    public internal(set) var exposedSecretFiles: [ConfigurationError] = []

    /// The default of ``host``.
    public static let defaultHost = "127.0.0.1"
    /// The default of ``port``.
    public static let defaultPort = 8443
    /// The default of ``providerTransport``.
    public static let defaultProviderTransport = ProviderTransportKind.nio
    /// The maximum number of networks in ``trustedProxies``.
    public static let maximumTrustedProxies = 256

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
    var warnings: [String] { forwardedWarnings + loopback.warnings }

    private var forwardedWarnings: [String] {
        guard tls == nil, forwarded == .none, !isLoopback || unixSocket != nil else { return [] }
        return [
            "server.forwarded is none: per-address limits are off, since all clients behind the proxy have one address."
        ]
    }
}

/// How a changed configuration is noticed.
public enum ReloadTrigger: String, Sendable, Hashable, CaseIterable {
    /// The files are read every 2 seconds; SIGHUP reads them at once.
    case watch
    /// Only SIGHUP reads them.
    case signal
}
