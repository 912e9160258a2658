// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import OpenIDConnect

/// The one log line and the one count of a callback.
enum CallbackLog {
    /// What a stranger can cause at will is written once a second; the counter counts each.
    /// - Parameters:
    ///   - number: the provider's, where it is one of the configuration.
    ///   - line: which line it is, where a stranger can cause this outcome here though not everywhere.
    ///   - counter: the outcome's own, where it is at hand.
    static func write(
        _ outcome: Outcome, provider: String?, number: UInt64? = nil, app: String?, as line: RepeatableLine? = nil,
        counter: Counter? = nil, in context: RequestContext
    ) {
        (counter ?? Self.counter(of: outcome, provider: provider)).increment()
        let repetition: Logger.Metadata
        if let line = line ?? outcome.repeatableLine {
            guard let known = context.services.repetition(of: line, provider: number) else { return }
            repetition = known
        } else {
            repetition = [:]
        }
        // Made only where the level is written.
        context.logger.log(
            level: outcome.logLevel, "a sign-in returned",
            metadata: metadata(outcome, provider: provider, app: app).merging(repetition) { own, _ in own })
    }

    private static func metadata(_ outcome: Outcome, provider: String?, app: String?) -> Logger.Metadata {
        [
            "auth.outcome": "\(outcome.label)",
            "auth.detail": "\(LogText.detail(outcome.detail))",
            "auth.provider": "\(provider ?? "unknown")",
            "auth.app": "\(app ?? "unknown")",
        ]
    }

    static func counter(of outcome: Outcome, provider: String?) -> Counter {
        Counter(label: "auth_callbacks", dimensions: [("provider", provider ?? "none"), ("outcome", outcome.label)])
    }
}

extension Outcome {
    /// A success is counted, and logged at `debug`: under load a line each would cost as much as the work. What a person
    /// met is `info`; what an operator should look at is a warning.
    var logLevel: Logger.Level {
        switch self {
        case .providerUnavailable, .failed, .sharedCallbackPath, .storeUnavailable, .tooManyOfProvider: .warning
        case .signedIn, .continuing, .readingFragment: .debug
        default: .info
        }
    }
}
