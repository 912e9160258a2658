// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import OIDCBroker
import Testing

@testable import OIDCBrokerOperations
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// The line of an event of the audit.
struct AuditEventLineTests {
    private static let time = LogTime(seconds: 1_790_000_000, milliseconds: 7)

    private func expectAsInMetadata(_ event: AuditEvent) {
        var written = [UInt8(ascii: "x")]
        event.write(Self.time) { written += $0 }
        var expected = LogLine(event: event.kind.rawValue, time: Self.time)
        expected.append(event.metadata)
        #expect(written == [UInt8(ascii: "x")] + expected.end())
    }

    @Test(arguments: AuditEvent.Kind.allCases)
    func `an event is written as in metadata`(kind: AuditEvent.Kind) {
        expectAsInMetadata(AuditEvent(kind, outcome: "done"))
        var event = AuditEvent(
            kind, outcome: "done", provider: "oidc.acme", app: "shop", subject: "c3ViamVjdA",
            client: IPAddress("2001:db8::1"), reference: PageReference(loginID: [UInt8](repeating: 7, count: 16)),
            account: "28CharactersOfAnAccountsUID0")
        expectAsInMetadata(event)
        event.leftOut = 7
        expectAsInMetadata(event)
        #expect(event.metadata["auth.repeated"] == "7")
    }

    @Test(arguments: AuditEvent.Kind.allCases)
    func `the line of an event that names no user has at most the bytes that it counts for`(kind: AuditEvent.Kind) {
        var event = AuditEvent(
            kind, outcome: "missing_or_invalid_nonce", provider: "oidc.acme", app: "shop",
            client: IPAddress("2001:db80:ffff:ffff:ffff:ffff:ffff:ffff"), reference: PageReference())
        event.leftOut = .max
        event.write(Self.time) { #expect($0.count <= event.maximumLineBytes) }
    }

    @Test func `an event is one object`() {
        var written: [UInt8] = []
        AuditEvent(.callback, outcome: "signed_in", app: "shop").write(Self.time) { written += $0 }
        #expect(
            String(decoding: written, as: UTF8.self)
                == "{\"time\":\"2026-09-21T14:13:20.007Z\",\"event\":\"callback\",\"auth.app\":\"shop\","
                + "\"auth.outcome\":\"signed_in\"}\n")
    }

    @Test(arguments: ["", "a b", "a\"b", "\\", "a\nb", "\u{202E}", "\u{20AC}", "a=b", "{}"])
    func `a text that needs an escape is written as in metadata`(text: String) {
        expectAsInMetadata(AuditEvent(.refused, outcome: text, app: text))
    }

    @Test func `an event is written as in metadata, however long it is`() {
        for length in 400...520 {
            let text = String(repeating: "x", count: length)
            expectAsInMetadata(AuditEvent(.refused, outcome: text, app: text))
        }
    }
}
