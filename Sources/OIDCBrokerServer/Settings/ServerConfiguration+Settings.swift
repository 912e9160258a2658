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
            "what requests to providers go by: `async-http-client`, which is what most servers trust already, or "
                + "`nio`, HTTP/1.1 connections of the broker's own, at a lower cost per sign-in; both keep the same "
                + "rules"),
        Setting(
            "behind-proxy", \.behindProxy, .bool,
            "`true` where what connects is a proxy or a content delivery network with public addresses: no address is "
                + "held to what one client may take then. Over plain HTTP, and of peers that are not on the public "
                + "internet, that is so anyway"),
        Setting(
            "log-level", \.logLevel,
            .named(
                "one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "),
                { Logger.Level(rawValue: $0) }, show: { $0.rawValue }),
            "the least severe lines that `oidc-broker serve` writes"),
    ]

    /// What its keys begin with.
    static let prefix = "server."

    private var hostError: String? {
        if host.isEmpty || !host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return "an address or a host name" }
        return tls != nil || isLoopback
            ? nil
            : "a loopback address, or server.tls.certificate-chain and server.tls.private-key: plain HTTP is for "
                + "loopback only"
    }

    /// Whether only this machine can connect.
    var isLoopback: Bool { AbsoluteURL.isLoopback(host: host.lowercased()) }
}
