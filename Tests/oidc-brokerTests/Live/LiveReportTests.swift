// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import JOSE
    import OpenIDRelyingParty
    import Testing

    @testable import oidc_broker

    /// What `check-config --live` prints and how it ends.
    struct LiveReportTests {
        private static func report(_ verdicts: [LiveCheck.Verdict]) -> LiveReport {
            LiveReport(checks: verdicts.map { LiveCheck(.client, of: "acme", $0, found: "this", wanted: "that") })
        }

        @Test(
            arguments: [
                ([], 0), ([.ok, .ok], 0), ([.ok, .unknown], 0), ([.ok, .unreachable], 69), ([.wrong], 78),
                ([.unreachable, .wrong], 78),
            ] as [([LiveCheck.Verdict], Int32)])
        func `the status is that of the worst verdict`(verdicts: [LiveCheck.Verdict], status: Int32) {
            #expect(Self.report(verdicts).status == status)
        }

        @Test func `a check is one line`() {
            let checks = [
                LiveCheck(.keys, of: "acme", .wrong, found: "a\nb", wanted: "that", advice: "Do this."),
                LiveCheck(.certificate, of: nil, .ok, found: "this", wanted: "that"),
            ]
            #expect(
                LiveReport(checks: checks).lines == [
                    "wrong: acme keys: found a?b; expected that. Do this.",
                    "ok: certificate: found this; expected that",
                    "Summary: 1 ok, 1 wrong. Sign-ins fail, or will soon, until each line with 'wrong' is fixed.",
                ])
        }

        @Test(
            arguments: [
                ([], "Summary: no checks."), ([.ok, .unknown, .ok], "Summary: 2 ok, 1 unknown."),
                (
                    [.ok, .unreachable],
                    "Summary: 1 ok, 1 unreachable. Try again when the unreachable servers are back."
                ),
            ] as [([LiveCheck.Verdict], String)])
        func `the last line is a summary`(verdicts: [LiveCheck.Verdict], summary: String) {
            #expect(Self.report(verdicts).lines.last == summary)
        }

        @Test func `the JSON has every check with the same members`() throws {
            let checks = [
                LiveCheck(.keys, of: "acme", .wrong, found: "this", wanted: "that", advice: "Do this."),
                LiveCheck(.certificate, of: nil, .ok, found: "this", wanted: "that"),
            ]
            let json = LiveReport(checks: checks).json
            let object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: 65_536))
            let expected: JSONObject = [
                "result": "wrong",
                "checks": [
                    [
                        "id": "keys", "provider": "acme", "result": "wrong", "found": "this", "wanted": "that",
                        "advice": "Do this.",
                    ],
                    [
                        "id": "certificate", "provider": .null, "result": "ok", "found": "this", "wanted": "that",
                        "advice": .null,
                    ],
                ],
            ]
            #expect(object == expected)
        }

        @Test func `--json alone is an error of usage`() {
            let error = #expect(throws: (any Error).self) { try CheckConfigCommand.parse(["--json"]) }
            #expect(error.map { CheckConfigCommand.exitCode(for: $0).rawValue } == 64)
        }
    }
#endif
