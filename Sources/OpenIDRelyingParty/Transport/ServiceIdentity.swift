// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOSSL

/// Whom a server's certificate names (RFC 9525).
///
/// NIOSSL takes a certificate that names the host, and also one that names the address at which the connection ended up,
/// whatever host was asked for. Public authorities certify addresses too: whoever makes a provider's name lead to a
/// machine of theirs would need a certificate for that machine's address and no more. By RFC 9525 section 6.1 a name that
/// was asked for is found among names alone; that is validated here, for certificates that NIOSSL has verified.
package struct ServiceIdentity: Sendable, Hashable {
    /// The DNS names, as they stand there.
    private let names: [String]
    /// The addresses, 4 or 16 bytes each.
    private let addresses: [[UInt8]]

    /// An identity of DNS names and of addresses of 4 or 16 bytes.
    package init(names: [String], addresses: [[UInt8]]) {
        self.names = names
        self.addresses = addresses
    }

    /// The identity that a certificate states in its alternative names.
    init(_ certificate: NIOSSLCertificate) {
        var names: [String] = []
        var addresses: [[UInt8]] = []
        for name in certificate._subjectAlternativeNames() {
            switch name.nameType {
            case .dnsName: names.append(String(decoding: name.contents, as: UTF8.self))
            case .ipAddress: addresses.append(Array(name.contents))
            default: continue
            }
        }
        self.init(names: names, addresses: addresses)
    }

    /// Whether NIOSSL may have taken the certificate for the address of the connection and for nothing else.
    package func mayRest(on address: SocketAddress?) -> Bool {
        guard let bytes = ConnectedAddress.bytes(of: address) else { return false }
        return addresses.contains(bytes)
    }

    /// Whether this is the identity of a host.
    ///
    /// - Parameter host: a DNS name or an address, without brackets and port.
    package func matches(_ host: String) -> Bool {
        if let address = try? SocketAddress(ipAddress: host, port: 1) { return mayRest(on: address) }
        guard Self.isASCII(host) else { return false }
        let comparable = Self.comparable(host)
        return names.contains { Self.isASCII($0) && Self.matches(Self.comparable($0), comparable) }
    }

    /// RFC 9525 section 6.3: a wildcard stands for one whole label, the first.
    private static func matches(_ name: Substring, _ host: Substring) -> Bool {
        guard name.hasPrefix("*.") else { return !name.isEmpty && name == host }
        guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
        let ending = name.dropFirst(2)
        return !ending.isEmpty && ending == host[host.index(after: dot)...]
    }

    /// Unicode knows other characters that are equal to letters of ASCII, or are put into lower case as them.
    private static func isASCII(_ name: String) -> Bool {
        name.utf8.allSatisfy { $0 < 0x80 }
    }

    /// In lower case and without the dot at the end, which says that a name is whole.
    private static func comparable(_ name: String) -> Substring {
        let name = name.lowercased()
        return name.hasSuffix(".") ? name.dropLast() : name[...]
    }
}
