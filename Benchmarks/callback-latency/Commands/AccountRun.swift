// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// The measurements of the part `accounts`. Each has its own server and database.
struct AccountRun {
    let options: MeasurementOptions
    let workplace: Workplace
    let loops: MeasurementLoops
    let file: TargetFile
    let algorithm: SignatureAlgorithm
    let concurrency: Int
    /// The sign-ins per second beside lookups.
    let rate: Double
    let operations: [AccountOperation]
    let rounds: Int

    /// The results.
    private(set) var runs: [MeasuredRun] = []
    /// The invalid input that the server refused, as it must.
    private(set) var refused: [String] = []

    init(
        options: MeasurementOptions, workplace: Workplace, loops: MeasurementLoops, file: TargetFile,
        algorithm: SignatureAlgorithm, concurrency: Int, rate: Double, operations: [AccountOperation], rounds: Int
    ) {
        self.options = options
        self.workplace = workplace
        self.loops = loops
        self.file = file
        self.algorithm = algorithm
        self.concurrency = concurrency
        self.rate = rate
        self.operations = operations
        self.rounds = rounds
    }

    /// Measures each operation in each round, and prints each result.
    mutating func measure() async throws {
        var setting = options.setting(algorithm)
        setting.accounts = try AccountsSetup(algorithm)
        let shape = options.shape(
            .closed, .accounts, concurrency: concurrency, rate: rate, redeemed: 0, algorithm: algorithm)
        for round in 1...rounds {
            for operation in operations {
                var settings = options.settings()
                // What a server refuses does not differ between launches.
                settings.checks = settings.checks && runs.isEmpty
                let session = try await TargetSession.open(
                    file, setting: setting, settings: settings, workplace: workplace, loops: loops)
                do {
                    let run = try await session.measure(operation, shape, round: round)
                    print((runs.isEmpty ? "" : "\n") + RunTable.text(run))
                    runs.append(run)
                } catch {
                    await session.close()
                    throw error
                }
                refused += session.findings.refused
                await session.close()
            }
        }
    }
}

extension AccountOperation: ExpressibleByArgument {}
