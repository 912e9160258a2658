// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import OpenIDConnect

/// The log line and the count of a callback.
enum CallbackLog {
    /// Logs and counts an outcome. Lines that a client can cause at will are logged once a second; the counter counts
    /// each.
    /// - Parameters:
    ///   - number: The number of the provider; `nil` if it is not one of the configuration.
    ///   - line: The kind of line, for an outcome that a client can cause only at this point; otherwise `nil`.
    ///   - counter: The counter of the outcome, if it is available.
    /// - Returns: The reference for the page about the outcome; `nil` if there was no error.
    @discardableResult
    static func write(
        _ outcome: Outcome, provider: String?, number: UInt64? = nil, app: String?, as line: RepeatableLine? = nil,
        counter: Counter? = nil, in context: RequestContext
    ) -> PageReference? {
        (counter ?? Self.counter(of: outcome, provider: provider)).increment()
        let line = (line ?? outcome.repeatableLine).map { context.services.line($0, provider: number) }
        guard let repetition = line == nil ? [:] : line?.metadata else { return line?.reference }
        // The metadata is created only if the level is logged.
        context.logger.log(
            level: outcome.logLevel, "a sign-in returned",
            metadata: metadata(outcome, provider: provider, app: app).merging(repetition) { own, _ in own })
        return line?.reference
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
    /// The log level. A success is only counted and logged at `debug`, since under load a line for each would cost as
    /// much as the sign-in. What a user encountered is `info`; what an operator should look into is a warning.
    var logLevel: Logger.Level {
        switch self {
        case .handlerFailed, .providerUnavailable, .failed, .sharedCallbackPath, .storeUnavailable, .tooManyOfProvider,
            .accountsUnavailable:
            .warning
        case .signedIn, .continuing, .readingFragment: .debug
        default: .info
        }
    }
}
