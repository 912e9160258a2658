// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics

/// The one log line and the one count of a return.
enum ReturnLog {
    static func write(_ outcome: Outcome, provider: String?, app: String?, to logger: Logger) {
        Counter(
            label: "auth_returns",
            dimensions: [("provider", provider ?? "none"), ("outcome", outcome.label)]
        ).increment()
        logger.log(
            level: outcome.logLevel, "a sign-in returned",
            metadata: [
                "auth.outcome": "\(outcome.label)",
                "auth.detail": "\(outcome.detail ?? "none")",
                "auth.provider": "\(provider ?? "unknown")",
                "auth.app": "\(app ?? "unknown")",
            ])
    }
}

extension Outcome {
    /// A success is counted, and logged at `debug`: under load a line each would cost as much as the work. What a person
    /// met is `info`; what an operator should look at is a warning.
    var logLevel: Logger.Level {
        switch self {
        case .providerUnavailable, .failed, .sharedReturnPath, .storeUnavailable: .warning
        case .signedIn, .continuing, .readingFragment: .debug
        default: .info
        }
    }
}
