// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct HostileVerdictTests {
    /// One that will do: two sign-ins, 100 of 256 MB.
    private static func good() -> HostileVerdict {
        var verdict = HostileVerdict(expected: 2, residentBound: 256)
        verdict.add(.ready(port: 1, processID: 2))
        verdict.add(.signedIn(callback: 5_000_000, whole: 9_000_000))
        verdict.add(.signedIn(callback: 4_000_000, whole: 12_000_000))
        verdict.add(resident: 100)
        verdict.add(resident: 90)
        return verdict
    }

    @Test func `sign-ins that are verified and memory below its bound will do, however long they took`() {
        var verdict = Self.good()
        verdict.add(.signedIn(callback: 20_000_000_000, whole: 25_000_000_000))
        #expect(verdict.faults.isEmpty)
        #expect(verdict.verified == 3)
        #expect(verdict.slowestCallback == 20_000_000_000)
        #expect(verdict.slowestSignIn == 25_000_000_000)
        #expect(verdict.residentPeak == 100)
        #expect(HostileReport.text([.tokenMarks], [:], verdict).hasSuffix("It held."))
    }

    @Test func `one sign-in that failed is a fault`() {
        var verdict = Self.good()
        verdict.add(.failed("start: status 503"))
        #expect(verdict.faults == ["1 of 3 sign-ins failed"])
        #expect(HostileReport.text([], [:], verdict).contains("  1 x start: status 503\n"))
    }

    @Test func `memory above its bound is a fault, at it none`() {
        var verdict = Self.good()
        verdict.add(resident: 256)
        #expect(verdict.faults.isEmpty)
        verdict.add(resident: 256.5)
        #expect(verdict.faults == ["256.5 MB resident, above 256"])
    }

    @Test func `memory of the control group is a fault above its bound, and where there is a bound and no figure`() {
        var verdict = Self.good()
        verdict.add(group: 500)
        #expect(verdict.faults.isEmpty)
        #expect(HostileReport.text([], [:], verdict).contains("\nin the control group at most: 500 MB\n"))

        verdict = HostileVerdict(expected: 1, residentBound: 256, groupBound: 400)
        verdict.add(.signedIn(callback: 1, whole: 2))
        verdict.add(resident: 100)
        #expect(verdict.faults == ["the control group's memory is not known"])
        verdict.add(group: 400)
        #expect(verdict.faults.isEmpty)
        verdict.add(group: 400.5)
        verdict.add(group: 300)
        #expect(verdict.faults == ["400.5 MB in the control group, above 400"])
    }

    @Test func `missing sign-ins, missing memory samples and unsent inputs are faults`() {
        var verdict = HostileVerdict(expected: 2, residentBound: 256)
        #expect(
            verdict.faults
                == ["no sign-in was verified", "0 of 2 sign-ins ended", "the target's memory is not known"])
        verdict = Self.good()
        verdict.unsent = [.rapidResets]
        #expect(verdict.faults == ["never sent: h2: streams begun and reset"])
    }

    private static func counts(_ responses: [HostileCounts.Response: Int]) -> HostileCounts {
        var counts = HostileCounts()
        for (response, number) in responses {
            for _ in 0..<number { counts.add(response) }
        }
        return counts
    }

    @Test func `as many accounts as networks may have will do, and one more is a fault`() {
        let fault = "new accounts of one network: 309 accepted, at most 308 may be"
        let cases: [(Int, [String])] = [(308, []), (309, [fault])]
        for (accepted, faults) in cases {
            var verdict = Self.good()
            verdict.check(
                [.newAccounts: Self.counts([.accepted: accepted])], of: [.newAccounts], seconds: 30, networks: 2,
                connections: 8)
            #expect(verdict.faults == faults)
        }
    }

    @Test func `codes are counted by the minute, and results by what the store holds`() {
        #expect(HostileInput.unredeemedCodes.mostAccepted(seconds: 59, networks: 1, connections: 1) == 256)
        #expect(HostileInput.unredeemedCodes.mostAccepted(seconds: 60, networks: 1, connections: 1) == 512)
        #expect(HostileInput.unconfirmedResults.mostAccepted(seconds: 599, networks: 1, connections: 1) == 4096)
        for input in HostileInput.allCases where !input.signsIn {
            #expect(input.mostAccepted(seconds: 60, networks: 1, connections: 1) == nil)
        }
    }

    @Test func `what a limit granted too often, a client shut out, and a limit that was not reached are faults`() {
        var verdict = Self.good()
        verdict.check(
            [
                .sessionLookups: Self.counts([.accepted: 160, .acceptedTooOften: 2]),
                .unclaimedResults: Self.counts([.accepted: 1, .shutOut: 3]),
                .tokenMarks: Self.counts([.status(400): 1]),
            ], of: [.sessionLookups, .unclaimedResults, .sessionRefreshes, .tokenMarks], seconds: 30, networks: 1,
            connections: 1)
        #expect(
            verdict.faults
                == [
                    "lookups of sessions: 2 accepted beyond the limit",
                    "results of redirects that are not claimed: 3 shut out",
                    "refreshes of sessions: nothing was accepted",
                ])
    }

    @Test(arguments: [
        PersonReport.ready(port: 8080, processID: 17), .signedIn(callback: 1, whole: 22), .failed("a b  c"),
        .failed(""),
    ])
    func `a report is read as it was written`(report: PersonReport) {
        #expect(PersonReport(line: report.line) == report)
    }

    @Test(arguments: ["", "ready", "ready 1", "ready x 2", "ok 1", "ok 1 x", "okay 1 2"])
    func `a text that is not a report is none`(line: String) {
        #expect(PersonReport(line: line) == nil)
    }

    @Test func `resident memory is read from a process's status`() throws {
        let text = "Name:\tx\nVmPeak:\t  999 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\nThreads:\t3\n"
        let memory = try #require(ResidentMemory(text))
        #expect(memory.nowKilobytes == 1024)
        #expect(memory.peakKilobytes == 2048)
        // A process that has ended and was not waited for.
        #expect(ResidentMemory("Name:\tx\nState:\tZ (zombie)\n") == nil)
    }
}
