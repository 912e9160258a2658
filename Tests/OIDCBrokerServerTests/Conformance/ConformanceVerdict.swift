// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting

/// How a run ended.
struct ConformanceVerdict: Sendable, Hashable {
    /// What the relying party made of it.
    enum End: Sendable, Hashable {
        /// The sign-in or refresh succeeded. If there is a token of the broker, it was verified by another
        /// implementation.
        case accepted
        /// The reason, as it stands in the log or in the error; without values that change from run to run.
        case rejected(String)
    }

    let end: End
    /// What the provider was asked for until the end was known.
    let steps: [ProviderStep]
    /// The same when nothing was under way any more.
    var finalSteps: [ProviderStep] = []
    /// What the provider found wrong with the relying party.
    var violations: [String] = []

    /// How it ended, in the module's own words.
    var expectation: ConformanceModule.Expectation {
        switch end {
        case .accepted: .accepted
        case .rejected: .rejected
        }
    }

    /// For the table.
    var text: String {
        switch end {
        case .accepted: "accepted"
        case .rejected(let reason): "rejected: \(reason)"
        }
    }

    /// A reason without what was found this time: the check's name is enough, and the issuer has a port in it.
    static func reason(_ detail: String, issuer: String) -> String {
        let end = detail.firstRange(of: ": wanted")?.lowerBound ?? detail.endIndex
        return String(detail[..<end]).replacing(issuer, with: "the issuer")
    }
}
