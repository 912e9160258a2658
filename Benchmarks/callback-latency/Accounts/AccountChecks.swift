// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// A check of what a server with accounts refuses, made before the load.
struct AccountChecks: Sendable {
    let jobs: AccountJobs
    let driver: AccountDriver

    /// The number of the user of the checks, for whom one account is made.
    private static let person = 0

    /// Tries each kind of invalid input once.
    func run() async throws -> TargetChecks.Findings {
        var findings = TargetChecks.Findings()
        for spoiling in Spoiling.allCases {
            try await run(
                "native \(spoiling.rawValue)", jobs.signIn(Self.person, uid: nil, spoiling: spoiling), &findings)
        }
        let signIn = try jobs.signIn(Self.person, uid: nil)
        guard let idToken = try await driver.complete([signIn], .new).first?.reply.idToken else {
            throw LatencyToolError("the sign-in before the checks returned no ID token")
        }
        let again = AccountJob(request: signIn.request, expectation: .refusal, person: Self.person)
        try await run("native token twice", again, &findings)
        let spoiled = Self.withOtherSignature(idToken)
        try await run("account signature", jobs.lookup(idToken: spoiled, .refusal, Self.person), &findings)
        return findings
    }

    private func run(_ name: String, _ job: AccountJob, _ findings: inout TargetChecks.Findings) async throws {
        switch try await driver.outcomes(of: [job], .known).first?.result {
        case .success:
            findings.refused.append(name)
        case .failure(let fault) where fault == .accepted:
            findings.accepted.append(name)
        case .failure(let fault):
            throw LatencyToolError("could not be checked: \(name): \(fault)")
        case nil:
            throw LatencyToolError("could not be checked: \(name)")
        }
    }

    /// Returns a token with a changed character in the middle of its signature.
    private static func withOtherSignature(_ token: String) -> String {
        var bytes = Array(token.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot + 1 < bytes.count else { return token }
        let middle = (dot + 1 + bytes.count) / 2
        bytes[middle] = bytes[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
