// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBrokerPages
import OIDCBrokerRecords
import OpenIDConnect

/// The log line, the count and the audit event of a callback.
enum CallbackLog {
    /// Logs, counts and audits an outcome. Failures are logged once a second of each kind, successes ten times; the counter
    /// has each, and the audit each of a login.
    /// - Parameters:
    ///   - number: The number of the provider; `nil` if it is not one of the configuration.
    ///   - login: The reference of the login; `nil` if there is none.
    ///   - line: The kind of line, for an outcome that a client can cause only at this point; otherwise `nil`.
    ///   - subject: The `sub` of the user, which is asked for only if there is an audit.
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
        if let line, !line.isWritten { return reference }
        // The message and the metadata are created only if the level is logged.
        context.logger.log(
            level: outcome.logLevel, outcome.message(of: "sign-in", leftOut: line?.leftOut ?? 0),
            metadata: outcome.metadata(provider: provider ?? "unknown", app: app ?? "unknown", in: context).merging(
                line?.metadata ?? login.metadata
            ) { own, _ in own })
        return reference
    }
}

extension PageReference? {
    /// What a line says of a login.
    var metadata: Logger.Metadata { map { ["auth.reference": "\($0)"] } ?? [:] }
}

extension Outcome {
    /// Whether an operator should look into it.
    var isForOperator: Bool { logLevel == .warning }

    /// What a line says of the outcome of a sign-in. A success has its time in place of a detail.
    func metadata(provider: String, app: String, in context: RequestContext) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "auth.outcome": "\(label)", "auth.provider": "\(provider)", "auth.app": "\(app)",
        ]
        if self == .signedIn {
            metadata["auth.milliseconds"] = "\(context.elapsedMilliseconds)"
        } else {
            metadata["auth.detail"] = "\(LogText.detail(detail))"
        }
        return metadata
    }

    /// The log level. A success and what a user encountered are `info`, a step of a sign-in is `debug`, and what an
    /// operator should look into is a warning.
    var logLevel: Logger.Level {
        switch self {
        case .handlerFailed, .providerUnavailable, .failed, .sharedCallbackPath, .storeUnavailable, .tooManyOfProvider,
            .tooManyCallbacks, .accountsUnavailable, .unusableClaims:
            .warning
        case .refused where isRefusedRequest: .warning
        case .continuing, .reposting, .readingFragment: .debug
        default: .info
        }
    }
}
