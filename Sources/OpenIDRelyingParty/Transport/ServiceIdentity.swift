// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOSSL
import SwiftASN1
import X509

/// The identities in a server's certificate (RFC 9525).
///
/// NIOSSL accepts a certificate that names the host, but also one that names the connected address, whatever the host
/// is. Public authorities issue certificates for addresses too, so an attacker who makes a provider's name resolve to
/// another machine would only need a certificate for that machine's address. By RFC 9525 section 6.1 a DNS name is
/// matched against DNS names only. This type checks that for certificates that NIOSSL has verified.
package struct ServiceIdentity: Sendable, Hashable {
    /// The DNS names as they appear in the certificate.
    private let names: [String]
    /// The addresses, of 4 or 16 bytes each.
    private let addresses: [[UInt8]]

    /// Creates an identity from DNS names and from addresses of 4 or 16 bytes.
    package init(names: [String], addresses: [[UInt8]]) {
        self.names = names
        self.addresses = addresses
    }

    /// Creates the identity from the subject alternative names of a certificate; `nil` if they cannot be read.
    package init?(_ certificate: NIOSSLCertificate) {
        guard let der = try? certificate.toDERBytes(),
            let alternatives = try? SubjectAlternativeNames(certificate: der)
        else { return nil }
        var names: [String] = []
        var addresses: [[UInt8]] = []
        for name in alternatives {
            switch name {
            case .dnsName(let name): names.append(name)
            case .ipAddress(let address): addresses.append(Array(address.bytes))
            default: continue
            }
        }
        self.init(names: names, addresses: addresses)
    }

    /// Whether NIOSSL may have accepted the certificate only because it names the connected address.
    package func mayRest(on address: SocketAddress?) -> Bool {
        guard let bytes = ConnectedAddress.bytes(of: address) else { return false }
        return addresses.contains(bytes)
    }

    /// Whether the certificate names a host.
    ///
    /// - Parameter host: A DNS name or an address, without brackets and port.
    package func matches(_ host: String) -> Bool {
        if let address = try? SocketAddress(ipAddress: host, port: 1) { return mayRest(on: address) }
        guard Self.isASCII(host) else { return false }
        let comparable = Self.comparable(host)
        return names.contains { Self.isASCII($0) && Self.matches(Self.comparable($0), comparable) }
    }

    /// Whether a DNS name of a certificate matches a host. A wildcard stands for exactly one label, the first (RFC 9525
    /// section 6.3).
    private static func matches(_ name: Substring, _ host: Substring) -> Bool {
        guard name.hasPrefix("*.") else { return !name.isEmpty && name == host }
        guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
        let ending = name.dropFirst(2)
        return !ending.isEmpty && ending == host[host.index(after: dot)...]
    }

    /// Whether a name is ASCII. Other Unicode characters can be equal to ASCII letters, or be lowercased to them.
    private static func isASCII(_ name: String) -> Bool {
        name.utf8.allSatisfy { $0 < 0x80 }
    }

    /// The name in lowercase and without a trailing dot, which marks an absolute name.
    private static func comparable(_ name: String) -> Substring {
        let name = name.lowercased()
        return name.hasSuffix(".") ? name.dropLast() : name[...]
    }
}
