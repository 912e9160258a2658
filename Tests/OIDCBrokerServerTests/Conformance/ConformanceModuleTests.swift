// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing

/// The modules of the OpenID conformance suite for relying parties, through the whole broker on real sockets.
@Suite(.timeLimit(.minutes(20))) struct ConformanceModuleTests {
    @Test(arguments: ConformanceRun.all)
    func `each module ends as it must, and nothing is asked for afterwards`(run: ConformanceRun) async throws {
        let verdict = try await ConformanceVerdicts.shared.verdict(.module(run))
        #expect(verdict.expectation == run.module.expectation, "\(verdict.text)")
        #expect(verdict.violations == [])
        #expect(run.allows(verdict.steps), "\(verdict.steps.map(\.rawValue))")
        #expect(verdict.finalSteps == verdict.steps)
    }

    @Test(arguments: VariantRun.all)
    func `each variant is accepted`(run: VariantRun) async throws {
        let verdict = try await ConformanceVerdicts.shared.verdict(.variant(run))
        #expect(verdict.end == .accepted)
        #expect(verdict.violations == [])
        #expect(verdict.finalSteps == ProviderStep.way(run.options))
    }

    /// `UPDATE_CONFORMANCE=1` writes what this run found instead.
    @Test func `the document says what this run found`() async throws {
        var verdicts: [ConformanceRow: ConformanceVerdict] = [:]
        for row in ConformanceRow.all {
            verdicts[row] = try await ConformanceVerdicts.shared.verdict(row)
        }
        let tables = ConformanceDocument.tables(verdicts)
        #expect(
            try ConformanceDocument.changes { try $0.with(tables: tables) } == [],
            "UPDATE_CONFORMANCE=1 writes Documentation/Reports/Conformance.md anew; look at what changed")
    }

    @Test func `every module of the suite is run or has a reason why not`() {
        let run = ConformanceModule.all.map(\.name)
        let others = ConformanceModule.notApplicable.map { $0.name }
        #expect(Set(run + others) == SuiteModules.names)
        #expect(run.count + others.count == SuiteModules.names.count, "none stands in both lists, or twice")
        #expect(ConformanceModule.all.allSatisfy { !$0.plans.isEmpty })
        #expect(ConformanceModule.notApplicable.allSatisfy { !$0.reason.isEmpty })
    }
}
