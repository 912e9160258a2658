// SPDX-License-Identifier: Apache-2.0

/// What is run for the table in `Documentation/Reports/Conformance.md`.
enum ConformanceRow: Sendable, Hashable {
    case module(ConformanceRun)
    case variant(VariantRun)

    /// Every row.
    static let all =
        ConformanceRun.all.map { ConformanceRow.module($0) } + VariantRun.all.map { ConformanceRow.variant($0) }

    fileprivate func perform() async throws -> ConformanceVerdict {
        switch self {
        case .module(let run): try await run.perform()
        case .variant(let run): try await run.perform()
        }
    }
}

/// The verdicts so far. Each row is run once, whichever test asks for it first.
actor ConformanceVerdicts {
    static let shared = ConformanceVerdicts()

    private var runs: [ConformanceRow: Task<ConformanceVerdict, any Error>] = [:]

    /// Returns the verdict of a row, which is run once.
    func verdict(_ row: ConformanceRow) async throws -> ConformanceVerdict {
        let run = runs[row] ?? Task { try await row.perform() }
        runs[row] = run
        return try await run.value
    }
}
