// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import oidc_broker_demo

/// The demo's certificate.
struct CertificateStoreTests {
    private let now = SystemUnixClock().now()

    @Test func `Made once, kept, readable by this user only`() throws {
        try withStore { store in
            let first = try store.certificate(now: now)
            #expect(try store.certificate(now: now).certificatePEM == first.certificatePEM)
            #expect(try String(contentsOfFile: store.certificatePath, encoding: .utf8) == first.certificatePEM)
            let attributes = try FileManager.default.attributesOfItem(atPath: store.keyPath)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `Made anew when less than a day is left, not before`() throws {
        try withStore { store in
            let first = try store.certificate(now: now)
            let end = now + 365 * 86400
            #expect(try store.certificate(now: end - 86400 - 60).certificatePEM == first.certificatePEM)
            #expect(try store.certificate(now: end - 86400 + 60).certificatePEM != first.certificatePEM)
        }
    }

    @Test func `Made anew when key and certificate do not belong together, or cannot be read`() throws {
        try withStore { store in
            let first = try store.certificate(now: now)
            let other = try DevelopmentCertificate.make(hosts: CertificateStore.hosts)
            try other.privateKeyPEM.write(toFile: store.keyPath, atomically: true, encoding: .utf8)
            let second = try store.certificate(now: now)
            #expect(second.certificatePEM != first.certificatePEM)
            try "nonsense".write(toFile: store.certificatePath, atomically: true, encoding: .utf8)
            #expect(try store.certificate(now: now).certificatePEM != second.certificatePEM)
        }
    }

    @Test func `Made anew when it is for other hosts`() throws {
        try withStore { store in
            let other = try DevelopmentCertificate.make(hosts: ["app.example"])
            try other.privateKeyPEM.write(toFile: store.keyPath, atomically: true, encoding: .utf8)
            try other.certificatePEM.write(toFile: store.certificatePath, atomically: true, encoding: .utf8)
            #expect(try store.certificate(now: now).certificatePEM != other.certificatePEM)
        }
    }

    private func withStore(_ body: (CertificateStore) throws -> Void) throws {
        let store = try CertificateStore.temporary()
        defer { store.removeIfTemporary() }
        try body(store)
    }
}
