// SPDX-License-Identifier: Apache-2.0

import Admission
import JOSE
import OIDCBroker
package import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDConnect

/// The keys under `server.`, but those of its sections.
extension ServerConfiguration: SettingSection {
    package static let settings: [Setting<ServerConfiguration>] = [
        Setting("host", \.host, .text, "the address to listen on").check(takes: "an address or a host name") {
            $0.hostError
        }.fixedWhileRunning(),
        Setting(
            "port", \.port, .integer, "the port to listen on; 0 for any free port", bounds: .range(0...65535)
        ).fixedWhileRunning(),
        Setting(
            "unix-socket", \.unixSocket, .text,
            "the path of a Unix domain socket to listen on instead of `host` and `port`, behind a proxy on this machine"
        ).check(takes: socketPath) { server in
            guard let path = server.unixSocket else { return nil }
            guard server.tls == nil else { return "no TLS files beside it: the proxy on this machine terminates TLS" }
            return path.hasPrefix("/") && path.utf8.count <= longestSocketPath && !path.utf8.contains(0)
                ? nil : socketPath
        }.fixedWhileRunning(),
        Setting(
            "provider-transport", \.providerTransport,
            .named(
                ProviderTransportKind.allCases.map(\.rawValue).joined(separator: " or "),
                { ProviderTransportKind(rawValue: $0) }, show: { $0.rawValue }),
            "the HTTP client for providers: `nio`, the broker's own, which costs less per sign-in, or "
                + "`async-http-client`; both enforce the same rules"
        ).fixedWhileRunning(),
        Setting(
            "trusted-proxies", \.trustedProxies, .networks,
            "the addresses of reverse proxies, whose `forwarded` field the server trusts; no client may have one of them",
            default: "none",
            bounds: SettingBounds(
                "addresses and networks such as 10.0.0.0/8, at most \(maximumTrustedProxies), each once"
            ) {
                $0.count <= maximumTrustedProxies && Set($0).count == $0.count
            }),
        Setting(
            "forwarded", \.forwarded,
            .named(
                "one of " + ForwardedField.allCases.map(\.rawValue).joined(separator: ", "),
                { ForwardedField(rawValue: $0) }, show: { $0.rawValue }),
            "the field in which `trusted-proxies` name the client's address; without it, per-address limits are off behind a proxy"
        ).check { server in
            server.forwarded == .none || !server.trustedProxies.isEmpty || server.unixSocket != nil
                ? nil
                : "server.trusted-proxies beside it: otherwise clients could choose their own address"
        },
        Setting(
            "redirect.port", \.redirectPort, .integer,
            "the port, on `host`, of a plain HTTP listener that redirects to the public URL; 0 for any free port",
            bounds: .range(0...65535)
        ).fixedWhileRunning(),
        Setting(
            "hsts-max-age-seconds", \.strictTransportSecurity, .seconds,
            "the `max-age` of `Strict-Transport-Security` (RFC 6797); 0 revokes it",
            bounds: .range(.zero ... .seconds(63_072_000))),
        Setting(
            "reload", \.reload,
            .named(
                ReloadTrigger.allCases.map(\.rawValue).joined(separator: " or "), { ReloadTrigger(rawValue: $0) },
                show: { $0.rawValue }),
            "when a changed configuration is read: `watch` checks the files every 2 seconds, `signal` waits for SIGHUP; an invalid file is ignored, the old configuration stays active"
        ).fixedWhileRunning(),
        Setting(
            "drain-delay-seconds", \.drainDelay, .seconds,
            "how long connections are still accepted after SIGTERM, while `/readyz` responds with 503",
            bounds: .range(.zero ... .seconds(60))),
    ]

    /// The prefix of the keys.
    static let prefix = "server."
    /// The length of `sun_path` in `sockaddr_un` without its terminator, in bytes; the shortest of the systems.
    private static let longestSocketPath = 103
    private static let socketPath = "an absolute path of at most \(longestSocketPath) bytes"

    /// The bounds of an address to listen on.
    static let hostBounds = SettingBounds<String>("an address or a host name", reason: { hostReason($0) }) {
        hostReason($0) == nil
    }

    private static func hostReason(_ host: String) -> String? {
        if host.isEmpty { return "it is empty" }
        if host.contains("/") { return "remove the scheme and the path" }
        if host.hasPrefix("[") { return "remove the brackets" }
        if host.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 { return "the port has a key of its own" }
        return host.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? nil : "it has a character that is not visible ASCII"
    }

    private var hostError: String? {
        if let error = Self.hostBounds.error(host) { return error }
        return tls != nil || isLoopback || unixSocket != nil || !trustedProxies.isEmpty
            ? nil
            : "a loopback address, or server.tls.certificate-chain and server.tls.private-key, or "
                + "server.trusted-proxies: plain HTTP is for loopback and proxies only"
    }

    /// Whether only clients on this machine can connect.
    var isLoopback: Bool { AbsoluteURL.isLoopback(host: host.lowercased()) }
}

extension SettingType where Value == [IPNetwork] {
    /// A list of addresses and networks.
    static let networks = SettingType(
        takes: "a list of addresses and networks such as 10.0.0.0/8, but not all addresses"
    ) { key, expected, values in
        guard let texts = await values.list(key) else { return nil }
        if let index = texts.firstIndex(where: { IPNetwork($0) == nil }) {
            values.add(key, expected: "\(expected); entry \(index + 1) \(reason(texts[index]))")
        }
        let networks = texts.compactMap { IPNetwork($0) }
        // Proxies that are errors are proxies: `forwarded` beside them is no error of its own.
        return networks.isEmpty ? texts.prefix(1).compactMap { _ in IPNetwork("192.0.2.1") } : networks
    }

    /// Why a text is not a network.
    private static func reason(_ text: String) -> String {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts.first ?? "")) else {
            return "is not an address: host names are not accepted"
        }
        guard parts.count > 1, let length = Int(parts[1]) else { return "is not an address or a network" }
        if length == 0 { return "is every address" }
        return length > (address.isIPv4 ? 32 : 128)
            ? "has a prefix length that is too large"
            : "has bits after the prefix of \(length): write the first address of the network"
    }
}
