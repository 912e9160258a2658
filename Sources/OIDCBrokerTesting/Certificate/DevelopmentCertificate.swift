// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import NIOCore
public import OpenIDRelyingParty
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A self-signed certificate with its private key, generated for a local listener or for a client of one.
///
/// A client trusts it by using ``certificatePEM`` as its only trust root. The key is P-256. The certificate is valid
/// for a year, either for TLS servers or for TLS clients, and cannot sign other certificates.
public struct DevelopmentCertificate: Sendable {
    /// The certificate as PEM, which is the whole chain and the trust root.
    public let certificatePEM: String
    /// The private key as PEM (PKCS#8). It must not be committed or used on other machines.
    public let privateKeyPEM: String

    /// Creates a value from an existing certificate, such as one kept under `certs/`.
    public init(certificatePEM: String, privateKeyPEM: String) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
    }

    /// Generates a certificate.
    ///
    /// - Parameters:
    ///   - hosts: The names that the certificate is for: DNS names, IPv4 and IPv6 addresses.
    ///   - now: The actual time in seconds since 1970, since TLS libraries validate by the system's clock. The
    ///     certificate is valid from an hour before until 365 days after.
    /// - Throws: An error of the X.509 library if a name cannot be encoded.
    public static func make(
        hosts: [String],
        now: Int64 = SystemUnixClock().now()
    ) throws -> DevelopmentCertificate {
        try make(hosts: hosts, usage: .serverAuth, now: now)
    }

    /// Generates a certificate with which a client authenticates (RFC 8705).
    ///
    /// - Parameters:
    ///   - name: The DNS name that the certificate is for.
    ///   - now: As for ``make(hosts:now:)``.
    /// - Throws: As ``make(hosts:now:)``.
    public static func makeForClient(
        name: String,
        now: Int64 = SystemUnixClock().now()
    ) throws -> DevelopmentCertificate {
        try make(hosts: [name], usage: .clientAuth, now: now)
    }

    private static func make(
        hosts: [String],
        usage: ExtendedKeyUsage.Usage,
        now: Int64
    ) throws -> DevelopmentCertificate {
        let key = P256.Signing.PrivateKey()
        // Each certificate has a name of its own: if several are in one trust store, some verifiers look the issuer up
        // by name and would use the wrong one.
        let serialNumber = Certificate.SerialNumber()
        let mark = Hexadecimal.text(serialNumber.bytes.prefix(4))
        let name = try DistinguishedName { CommonName("Development certificate \(mark)") }
        // There is no key usage extension, because OpenSSL and BoringSSL refuse a self-signed certificate as its own
        // issuer if it has the extension without keyCertSign.
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            try ExtendedKeyUsage([usage])
            SubjectAlternativeNames(hosts.map(generalName))
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: serialNumber,
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: Double(now - 3600)),
            notValidAfter: Date(timeIntervalSince1970: Double(now + 365 * 86400)),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(key))
        return DevelopmentCertificate(
            certificatePEM: try certificate.serializeAsPEM().pemString,
            privateKeyPEM: key.pemRepresentation)
    }

    /// An address is represented by its bytes in network order, not as text (RFC 5280 section 4.2.1.6).
    private static func generalName(_ host: String) -> GeneralName {
        guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return .dnsName(host) }
        switch address {
        case .v4(let address):
            return .ipAddress(ASN1OctetString(contentBytes: networkBytes(address.address, at: 4, count: 4)[...]))
        case .v6(let address):
            return .ipAddress(ASN1OctetString(contentBytes: networkBytes(address.address, at: 8, count: 16)[...]))
        case .unixDomainSocket:
            return .dnsName(host)
        }
    }

    /// Returns the address in a `sockaddr_in` or `sockaddr_in6`, whose offsets are the same on every system.
    private static func networkBytes<Address>(_ address: Address, at offset: Int, count: Int) -> [UInt8] {
        withUnsafeBytes(of: address) { Array($0.dropFirst(offset).prefix(count)) }
    }
}
