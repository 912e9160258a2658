// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// A check of what a target refuses, made before the load, since omitting validation makes a target fast.
struct TargetChecks: Sendable {
    /// The results.
    struct Findings: Sendable {
        /// The invalid input that was refused, as it must be.
        var refused: [String] = []
        /// The invalid input that was accepted.
        var accepted: [String] = []
    }

    let plan: LoadPlan
    let eventLoop: any EventLoop

    /// Tries each kind of invalid input once.
    func run() async throws -> Findings {
        var findings = Findings()
        guard plan.target.isValidating else { return findings }
        for tampering in SignInOptions.Tampering.allCases {
            var options = SignInOptions()
            options.tampering = tampering
            try await run("\(tampering.rawValue)", options, &findings)
        }
        for spoiling in Spoiling.allCases {
            var options = SignInOptions()
            options.spoiling = spoiling
            try await run(spoiling.rawValue, options, &findings)
        }
        return findings
    }

    private func run(_ name: String, _ options: SignInOptions, _ findings: inout Findings) async throws {
        switch try await SingleSignIn(plan: plan, eventLoop: eventLoop).run(options) {
        case .verified: findings.accepted.append(name)
        case .refused, .failed: findings.refused.append(name)
        }
    }
}
