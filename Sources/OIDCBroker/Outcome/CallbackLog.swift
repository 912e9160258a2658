// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBrokerPages
import OIDCBrokerRecords
import OpenIDConnect

/// The log line, the count and the audit event of a callback.
enum CallbackLog {
    /// Logs, counts and audits an outcome. Lines that a client can cause at will are logged once a second, those of logins
    /// ten times; the counter has each, and the audit each of a login.
    /// - Parameters:
    ///   - number: The number of the provider; `nil` if it is not one of the configuration.
    ///   - login: The reference of the login; `nil` if there is none.
    ///   - line: The kind of line, for an outcome that a client can cause only at this point; otherwise `nil`.
    ///   - subject: The `sub` of the person, which is asked for only if there is an audit.
    ///   - account: The identifier of the account; `nil` if there is none.
    /// - Returns: The reference for the page about the outcome; `nil` if there was no error and no login.
    @discardableResult
    static func write(
        _ outcome: Outcome, provider: String?, number: UInt64? = nil, app: String?, login: PageReference?,
        as line: RepeatableEvent? = nil, subject: @autoclosure () -> String? = nil, account: String? = nil,
        in context: RequestContext
    ) -> PageReference? {
        let services = context.services
        context.span?.note(provider: provider, app: app, isFailure: outcome.isForOperator)
        services.metrics.callbacks.increment(provider ?? BrokerMetrics.none, outcome.label)
        let line = (line ?? outcome.repeatableLine).map { services.line($0, provider: number, login: login) }
        let reference = login ?? line?.reference
        services.audit.record(
            AuditEvent(
                .callback, outcome: outcome.label, provider: provider, app: app, subject: subject(),
                client: context.client, reference: reference, account: account),
            with: login == nil ? line : nil)
        if let line, line.metadata == nil { return reference }
        // The metadata is created only if the level is logged.
        context.logger.log(
            level: outcome.logLevel, "a sign-in returned",
            metadata: metadata(outcome, provider: provider, app: app).merging(
                line?.metadata ?? login.metadata
            ) { own, _ in own })
        return reference
    }

    private static func metadata(_ outcome: Outcome, provider: String?, app: String?) -> Logger.Metadata {
        [
            "auth.outcome": "\(outcome.label)",
            "auth.detail": "\(LogText.detail(outcome.detail))",
            "auth.provider": "\(provider ?? "unknown")",
            "auth.app": "\(app ?? "unknown")",
        ]
    }
}

extension PageReference? {
    /// What a line says of a login.
    var metadata: Logger.Metadata { map { ["auth.reference": "\($0)"] } ?? [:] }
}

extension Outcome {
    /// Whether an operator should look into it.
    var isForOperator: Bool { logLevel == .warning }

    /// The log level. A success is only counted and logged at `debug`, since under load a line for each would cost as
    /// much as the sign-in. What a user encountered is `info`; what an operator should look into is a warning.
    var logLevel: Logger.Level {
        switch self {
        case .handlerFailed, .providerUnavailable, .failed, .sharedCallbackPath, .storeUnavailable, .tooManyOfProvider,
            .tooManyCallbacks, .accountsUnavailable:
            .warning
        case .refused where isRefusedRequest: .warning
        case .signedIn, .continuing, .readingFragment: .debug
        default: .info
        }
    }
}
