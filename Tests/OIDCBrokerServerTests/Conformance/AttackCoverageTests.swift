// SPDX-License-Identifier: Apache-2.0

import Testing
import TestingSupport

/// `Documentation/Reports/Conformance.md` lists exactly the attacks that have tests.
@Suite struct AttackCoverageTests {
    @Test func `each attack has a test`() throws {
        let coverage = try AttackCoverage.ofAllTests()
        #expect(Attack.allCases.filter { coverage.suites[$0] == nil } == [])
    }

    @Test func `each attack stands in one part, and says what it is, what must come of it and where it is described`() {
        #expect(AttackPart.all.flatMap(\.rows).map(\.attack) == Attack.allCases)
        for attack in Attack.allCases {
            #expect(!attack.title.isEmpty && !attack.expected.isEmpty && !attack.reference.isEmpty, "\(attack)")
        }
        #expect(Set(Attack.allCases.map(\.title)).count == Attack.allCases.count)
    }

    /// `UPDATE_CONFORMANCE=1` writes what this run found instead.
    @Test func `the document names the suites with tests of each attack`() throws {
        let tables = ConformanceDocument.attacks(try AttackCoverage.ofAllTests())
        #expect(
            try ConformanceDocument.changes { try $0.with(attacks: tables) } == [],
            "UPDATE_CONFORMANCE=1 writes Documentation/Reports/Conformance.md anew; look at what changed")
    }

    @Test func `a trait is that of the type it stands in, or right before`() {
        var coverage = AttackCoverage()
        coverage.read(
            """
            @Suite(.attack(.mixUp)) struct First {
                @Test(.attack(
                    .loginCSRF,
                    .mixUp), arguments: [1])
                struct Inner {}
            }
            final class Second {
                @Test(.attack(.mixUp, .noSuchAttack)) func run() {}
            }
            """)
        #expect(coverage.suites == [.mixUp: ["First", "Second"], .loginCSRF: ["First"]])
    }
}
