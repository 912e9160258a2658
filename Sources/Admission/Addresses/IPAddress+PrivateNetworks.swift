// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    private static let privateNetworks = [
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7",
    ].compactMap { IPNetwork($0) }

    /// Whether this is a loopback address or an address of a private network (RFC 1918, RFC 4193). A store at such an
    /// address may be reached without TLS.
    package var isOfPrivateNetwork: Bool { Self.privateNetworks.contains { $0.contains(self) } }
}
