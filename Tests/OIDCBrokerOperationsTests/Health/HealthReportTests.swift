// SPDX-License-Identifier: Apache-2.0

import JOSE
@testable import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerOperations

@Suite struct HealthReportTests {
    private func json(
        _ change: (inout HealthReport) -> Void = { _ in }, loops: (total: Int, stuck: Int)? = nil
    ) -> String {
        var report = HealthReport(version: "1.2.3", uptimeSeconds: 42, configuration: nil, now: 1_800_000_000)
        change(&report)
        return String(decoding: report.json(status: "ok", loops: loops), as: UTF8.self)
    }

    @Test func `without anything to report`() {
        #expect(
            json() == #"{"status":"ok","version":"1.2.3","uptime_seconds":42,"#
                + #""certificates":[],"client_secrets":[],"providers":[]}"#)
    }

    @Test func `everything`() {
        let fingerprint = ConfigurationFingerprint(parts: [:], sealingKey: [UInt8](repeating: 7, count: 32))
        let text = json(
            { report in
                report.configuration = fingerprint
                report.expiries = [
                    ExpiryDates.Entry(kind: .certificate, name: "server", end: 1_800_000_000 + 62 * 86_400 + 5),
                    ExpiryDates.Entry(kind: .clientSecret, name: "acme", end: 1_800_000_000 - 1),
                ]
                report.providers = [
                    ("one", .ok), ("two", .stale(ProviderCondition.Failure(error: "unreachable", seconds: 10))),
                    ("three", .failing(ProviderCondition.Failure(error: "unexpected_status", seconds: 3_600))),
                ]
            }, loops: (4, 1))
        #expect(
            text == #"{"status":"ok","version":"1.2.3","uptime_seconds":42,"#
                + #""configuration":"\#(fingerprint)","event_loops":{"total":4,"stuck":1},"#
                + #""certificates":[{"name":"server","days_left":62}],"#
                + #""client_secrets":[{"name":"acme","days_left":-1}],"#
                + #""providers":[{"name":"one","status":"ok"},"#
                + #"{"name":"two","status":"stale","since":1799999990,"error":"unreachable"},"#
                + #"{"name":"three","status":"failing","since":1799996400,"error":"unexpected_status"}]}"#)
    }

    @Test(
        arguments: [
            (0, 0), (1, 0), (86_399, 0), (86_400, 1), (-1, -1), (-86_400, -1), (-86_401, -2),
        ] as [(Int64, Int)])
    func `days are whole, and rounded down`(seconds: Int64, days: Int) {
        let text = json { report in
            report.expiries = [.init(kind: .certificate, name: "server", end: report.now + seconds)]
        }
        #expect(text.contains(#""days_left":\#(days)}"#))
    }

    @Test func `no time is too far away`() {
        for end in [Int64.min, Int64.max] {
            _ = json { $0.expiries = [.init(kind: .certificate, name: "a", end: end)] }
            _ = json { report in
                report.now = .min
                report.expiries = [.init(kind: .clientSecret, name: "a", end: end)]
                report.providers = [("b", .failing(.init(error: "unreachable", seconds: .max)))]
            }
        }
    }
}

@Suite struct ProviderConditionTests {
    private static let down = RelyingPartyError.transport(.discovery, .unreachable)
    private static let strange = RelyingPartyError.unusable(.keySet, "strange")

    private static func document(
        _ phase: DocumentStatus.Phase, _ error: RelyingPartyError? = nil, _ seconds: Int64 = 0
    ) -> DocumentStatus {
        var status = DocumentStatus()
        status.phase = phase
        status.failure = error.map { DocumentStatus.Failure(error: $0, seconds: seconds) }
        return status
    }

    @Test func `nothing is wrong`() {
        // Where documents have expired, there was no request since: they are fetched with the next sign-in.
        for (metadata, keys) in [
            (DocumentStatus.Phase.missing, DocumentStatus.Phase.missing), (.current, .missing), (.current, .current),
            (.expired, .expired),
        ] {
            let status = RelyingPartyStatus(metadata: Self.document(metadata), keys: Self.document(keys))
            #expect(ProviderCondition(status) == .ok)
        }
    }

    @Test func `documents that could not be fetched again`() {
        let status = RelyingPartyStatus(
            metadata: Self.document(.current, Self.down, 5), keys: Self.document(.expired, Self.strange, 50))
        #expect(ProviderCondition(status) == .stale(.init(error: "unusable_response", seconds: 50)))
        #expect(ProviderCondition(status).failure == nil)
    }

    @Test func `a document that is missing, and a circuit that is open`() {
        var status = RelyingPartyStatus(
            metadata: Self.document(.current, Self.down, 500), keys: Self.document(.missing, Self.strange, 50))
        #expect(ProviderCondition(status) == .failing(.init(error: "unusable_response", seconds: 50)))
        status.openCircuits = [.init(name: "tokens", seconds: 60), .init(name: "documents", seconds: 51)]
        #expect(ProviderCondition(status) == .failing(.init(error: "circuit_open", seconds: 60)))
        #expect(ProviderCondition(status).failure?.seconds == 60)
    }
}
