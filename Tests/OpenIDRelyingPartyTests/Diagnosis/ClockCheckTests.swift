// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The clock of a provider against ours.
@Suite struct ClockCheckTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let seconds: Int64 = 784_111_777

    @Test(
        arguments: [
            (nil, nil, nil), (nil, "3", nil), (date, nil, seconds), (date, "0", seconds), (date, "30", seconds + 30),
            ("yesterday", nil, nil), ("", nil, nil), (date, "-1", nil), (date, "soon", nil), (date, "9999999999", nil),
            (String(repeating: "é", count: 20), nil, nil),
        ] as [(String?, String?, Int64?)])
    func `the time of a response is that of its origin`(date: String?, age: String?, seconds: Int64?) {
        var response = ProviderResponse(status: 200, contentType: nil, body: ByteBuffer())
        response.date = date
        response.age = age
        #expect(response.serverTime == seconds)
    }

    @Test(
        arguments: [
            (nil, 1000, 60, .unknown), (1000, 1000, 60, .ok), (1060, 1000, 60, .ok), (940, 1000, 60, .ok),
            (1061, 1000, 60, .wrong), (939, 1000, 60, .wrong), (1005, 1000, 0, .ok), (1006, 1000, 0, .wrong),
            (.max, -1, 60, .wrong), (0, .max, 60, .wrong),
        ] as [(Int64?, Int64, Int64, LiveCheck.Verdict)])
    func `a clock is off beyond the tolerance`(
        time: Int64?, now: Int64, skew: Int64, verdict: LiveCheck.Verdict
    ) {
        #expect(LiveCheck.clock(of: "acme", serverTime: time, now: now, clockSkew: skew).verdict == verdict)
    }

    @Test(.onSockets, .timeLimit(.minutes(10)), arguments: TransportKind.allCases)
    func `every transport keeps the time of a document`(kind: TransportKind) async throws {
        let fields = ["Date: \(Self.date)", "Age: 3"]
        try await ScriptedServer.run({ _ in .send([TestRequest.response("{}", fields: fields)]) }) { server in
            let response = try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            #expect(response.serverTime == Self.seconds + 3)
        }
    }
}
