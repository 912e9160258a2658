// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// By which hosts the listener may be asked: what a foreign page in a browser cannot have.
@Suite struct OperationsHostsTests {
    /// A `Host` field, and whether it is accepted on a connection to a loopback address and on any other.
    struct Row: Sendable, CustomTestStringConvertible {
        let field: String
        let onLoopback: Bool
        let beyond: Bool

        init(_ field: String, onLoopback: Bool, beyond: Bool) {
            (self.field, self.onLoopback, self.beyond) = (field, onLoopback, beyond)
        }

        var testDescription: String { "'\(field)'" }
    }

    /// A name of the maximum length.
    private static let longest = String(repeating: "a", count: 253)

    private static let always = [
        "127.0.0.1", "127.0.0.1:9464", "127.0.0.2:1", "10.1.2.3:9464", "198.51.100.7", "[::1]", "[::1]:9464",
        "[2001:DB8::7]:9464", "[::ffff:10.0.0.1]", "localhost", "localhost:9464", "LocalHost:", "ops.example.com",
        "Ops.Example.COM:9464", "localhost.", "LocalHost.:9464", "ops.example.com.", "ops.example.com.:9464",
    ]
    private static let beyondLoopback = [
        "broker", "broker:9464", "broker.auth.svc.cluster.local:9464", "broker.local", "broker.eu.internal",
        "a.localhost", "broker.auth.svc", "broker.auth.svc:9464", "broker.", "broker.:9464",
        "broker.auth.svc.cluster.local.:9464", "broker.eu.internal.", "Broker.Auth.SVC.",
        "\(longest).",
    ]
    private static let never = [
        "attacker.example", "attacker.example:9464", "127.0.0.1.attacker.example", "localhost.attacker.example",
        "ops.example.com.attacker.example", "attacker.example.", "notinternal.example", "xlocal.xlocal",
        "broker.auth", "broker.auth.", "svc.attacker.example", "broker.xsvc", "localhost..", "ops.example.com..",
        "broker..", ".", "..", "127.0.0.1.", "[::1].", "\(longest)a.",
        "", ":9464", "[]", "[::1", "::1", "[localhost]", "[127.0.0.1]", "[::1]x", "[::1]:x", "localhost:x",
        "localhost:123456", "localhost:1:2", "a@localhost", "user@127.0.0.1", "localhost/", "local host",
        "localhost,attacker.example", "localh\u{F6}st", "l\u{301}ocalhost", "\(longest)a",
    ]

    static let rows: [Row] =
        always.map { Row($0, onLoopback: true, beyond: true) }
        + beyondLoopback.map { Row($0, onLoopback: false, beyond: true) }
        + never.map { Row($0, onLoopback: false, beyond: false) }

    @Test(arguments: rows) func `an address, localhost, the configured name, and private names`(row: Row) {
        let hosts = OperationsHosts(configured: "Ops.example.com")
        #expect(hosts.accepts(row.field, isLoopback: true) == row.onLoopback)
        #expect(hosts.accepts(row.field, isLoopback: false) == row.beyond)
    }

    @Test func `without the field it is no browser`() {
        #expect(OperationsHosts(configured: "127.0.0.1").accepts(nil, isLoopback: true))
    }

    @Test func `the name of another listener is not one of this one`() {
        let hosts = OperationsHosts(configured: "127.0.0.1")
        #expect(!hosts.accepts("ops.example.com", isLoopback: false))
        #expect(!hosts.accepts("", isLoopback: false))
    }

    @Test func `a configured name is the same with and without a dot at its end`() {
        let hosts = OperationsHosts(configured: "ops.example.com.")
        for field in ["ops.example.com", "ops.example.com."] {
            #expect(hosts.accepts(field, isLoopback: true), "\(field)")
        }
        #expect(!hosts.accepts("ops.example.org", isLoopback: true))
    }
}
