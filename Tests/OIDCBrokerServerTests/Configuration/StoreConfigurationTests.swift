// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// The keys of the store.
struct StoreConfigurationTests {
    private func errors(_ change: (inout StoreConfiguration) -> Void) -> [String] {
        var store = StoreConfiguration()
        change(&store)
        return store.boundsErrors(prefix: StoreConfiguration.prefix).map(\.key)
    }

    private func valkey(_ change: @escaping (inout StoreConfiguration.Valkey) -> Void) -> [String] {
        errors { store in
            store.kind = .valkey
            store.valkey.address = "127.0.0.1:6379"
            change(&store.valkey)
        }
    }

    @Test func `in memory nothing is required, and no server is named`() throws {
        #expect(errors { _ in }.isEmpty)
        #expect(errors { $0.valkey.address = "127.0.0.1:6379" } == ["auth.store.valkey.address"])
        let opened = try StoreConfiguration().open(logger: Logger(label: "test"))
        #expect(opened.map { _ in true } == nil)
    }

    @Test func `a server has an address, encrypted beyond private networks`() {
        #expect(valkey { _ in }.isEmpty)
        #expect(valkey { $0.address = "/run/valkey/socket" }.isEmpty)
        #expect(valkey { $0.address = "cache.internal:6379" }.isEmpty)
        for address in [nil, "", "127.0.0.1", "redis://127.0.0.1:6379", "203.0.113.5:6379", "[2001:db8::1]:6379"] {
            #expect(valkey { $0.address = address } == ["auth.store.valkey.address"], "\(address ?? "none")")
        }
        #expect(
            valkey {
                $0.address = "203.0.113.5:6379"
                $0.tls = true
            }.isEmpty)
    }

    @Test func `files of TLS can be read, belong together, and need TLS`() {
        let file = "/etc/hostname"
        #expect(valkey { $0.certificateAuthorities = file } == ["auth.store.valkey.certificate-authorities"])
        func encrypted(_ change: @escaping (inout StoreConfiguration.Valkey) -> Void) -> [String] {
            valkey {
                $0.tls = true
                change(&$0)
            }
        }
        #expect(encrypted { $0.certificateAuthorities = file }.isEmpty)
        #expect(
            encrypted { $0.certificateAuthorities = "/nowhere" } == ["auth.store.valkey.certificate-authorities"])
        #expect(encrypted { $0.clientCertificate = file } == ["auth.store.valkey.client-certificate-key"])
        #expect(encrypted { $0.clientCertificateKey = file } == ["auth.store.valkey.client-certificate"])
        #expect(
            encrypted {
                $0.clientCertificate = file
                $0.clientCertificateKey = file
            }.isEmpty)
    }

    @Test func `a file of TLS without a certificate is an error at the start, not a trap`() {
        var store = StoreConfiguration()
        store.kind = .valkey
        store.valkey.address = "127.0.0.1:6379"
        store.valkey.tls = true
        store.valkey.certificateAuthorities = "/etc/hostname"
        #expect(throws: BrokerConfigurationError.self) { try store.open(logger: Logger(label: "test")) }
    }

    @Test(arguments: ["", "a b", "a*", "\u{e9}", String(repeating: "x", count: 65)])
    func `a prefix is plain`(prefix: String) {
        #expect(errors { $0.prefix = prefix } == ["auth.store.prefix"])
        #expect(errors { $0.prefix = "broker:eu-1_a.B" }.isEmpty)
    }

    @Test func `a database has a number`() {
        #expect(valkey { $0.database = -1 } == ["auth.store.valkey.database"])
        #expect(valkey { $0.database = 65_536 } == ["auth.store.valkey.database"])
        #expect(valkey { $0.database = 15 }.isEmpty)
    }
}
