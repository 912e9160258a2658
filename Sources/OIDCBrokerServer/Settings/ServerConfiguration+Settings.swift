// SPDX-License-Identifier: Apache-2.0

import Logging
package import OIDCBroker
import OpenIDConnect

/// The keys under `server.`.
extension ServerConfiguration: SettingSection {
    package static let settings: [Setting<ServerConfiguration>] = [
        Setting("host", \.host, .text, "the address to listen on").check(takes: "an address or a host name") {
            $0.hostError
        },
        Setting(
            "port", \.port, .integer, "the port to listen on; 0 takes any free port", bounds: .range(0...65535)),
        Setting(
            "provider-transport", \.providerTransport,
            .named(
                ProviderTransportKind.allCases.map(\.rawValue).joined(separator: " or "),
                { ProviderTransportKind(rawValue: $0) }, show: { $0.rawValue }),
            "the transport of requests to providers: `async-http-client`, which is AsyncHTTPClient, or `nio`, the "
                + "broker's own HTTP/1.1 connections at a lower cost per sign-in; both enforce the same rules"),
        Setting(
            "behind-proxy", \.behindProxy, .bool,
            "whether connections come from a proxy or a content delivery network with public addresses: the limits "
                + "for each client address then do not apply. Over plain HTTP, and to peers that are not on the "
                + "public internet, they never apply"),
        Setting(
            "log-level", \.logLevel,
            .named(
                "one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "),
                { Logger.Level(rawValue: $0) }, show: { $0.rawValue }),
            "the minimum level of the lines that `oidc-broker serve` logs"),
    ]

    /// The prefix of the keys.
    static let prefix = "server."

    private var hostError: String? {
        if host.isEmpty || !host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return "an address or a host name" }
        return tls != nil || isLoopback
            ? nil
            : "a loopback address, or server.tls.certificate-chain and server.tls.private-key: plain HTTP is for "
                + "loopback only"
    }

    /// Whether only clients on this machine can connect.
    var isLoopback: Bool { AbsoluteURL.isLoopback(host: host.lowercased()) }
}
