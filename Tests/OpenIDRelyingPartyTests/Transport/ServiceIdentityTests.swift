// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import OIDCBrokerTesting
import Testing
import X509

@testable import OpenIDRelyingParty

@Suite struct ServiceIdentityTests {
    private func matches(_ names: [String], _ host: String) -> Bool {
        ServiceIdentity(names: names, addresses: []).matches(host)
    }

    @Test(arguments: [
        ("idp.example", "idp.example"), ("IDP.Example", "idp.eXample"), ("idp.example.", "idp.example"),
        ("idp.example", "idp.example."), ("*.example", "idp.example"), ("*.EXAMPLE.", "idp.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ])
    func `a name is that of its host`(name: String, host: String) {
        #expect(matches([name], host))
        #expect(matches(["other.example", name], host))
    }

    @Test(arguments: [
        ("idp.example", "example"), ("example", "idp.example"), ("idp.example", "idp.example.org"),
        ("idp.example", "evil-idp.example"), ("*.example", "example"), ("*.example", ".example"),
        ("*.example", "a.b.example"), ("*", "idp"), ("*.", "idp."), ("*.*", "idp.example"),
        ("i*.example", "idp.example"), ("*p.example", "idp.example"), ("idp.*", "idp.example"), ("", ""),
        ("idp.example\u{0}.evil.example", "idp.example"), ("127.0.0.1", "127.0.0.1"), ("*.0.0.1", "127.0.0.1"),
        ("::1", "::1"), ("\u{212A}ey.example", "key.example"), ("key.example", "\u{212A}ey.example"),
    ])
    func `a name is not that of another host, nor of an address`(name: String, host: String) {
        #expect(!matches([name], host))
    }

    @Test func `an address is that of its host alone`() throws {
        let identity = ServiceIdentity(
            names: [], addresses: [[10, 0, 0, 1], [0x20, 1, 0xD, 0xB8] + Array(repeating: 0, count: 11) + [1]])
        #expect(identity.matches("10.0.0.1"))
        #expect(identity.matches("2001:db8::1"))
        #expect(identity.matches("2001:0DB8:0::1"))
        #expect(!identity.matches("10.0.0.2"))
        #expect(!identity.matches("::ffff:10.0.0.1"))
        #expect(!identity.matches("idp.example"))
        #expect(identity.mayRest(on: try SocketAddress(ipAddress: "10.0.0.1", port: 443)))
        #expect(!identity.mayRest(on: try SocketAddress(ipAddress: "10.0.0.2", port: 443)))
        #expect(!identity.mayRest(on: try SocketAddress(unixDomainSocketPath: "/tmp/socket")))
        #expect(!identity.mayRest(on: nil))
    }

    /// swift-certificates does not parse a certificate with RSASSA-PSS.
    @Test(arguments: StrengthCertificates.strong.indices)
    func `the names of a certificate are read whatever its signature algorithm`(index: Int) throws {
        let pem = StrengthCertificates.strong[index].certificatePEM
        let certificate = try #require(NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).first)
        let identity = try #require(ServiceIdentity(certificate))
        #expect(identity.matches("127.0.0.1"))
        #expect(!identity.matches("127.0.0.2"))
    }

    @Test func `a certificate that is cut anywhere has no names`() throws {
        let pem = StrengthCertificates.strong[0].certificatePEM
        let der = try #require(NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).first).toDERBytes()
        for count in 0..<der.count {
            #expect(throws: (any Error).self) { try SubjectAlternativeNames(certificate: Array(der.prefix(count))) }
        }
    }
}
