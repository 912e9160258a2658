// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBrokerPages
import OIDCBrokerRecords

/// The log line, the count and the audit event of a presented credential.
enum CredentialLog {
    /// Any client can act as a public app, so unsuccessful attempts are logged and audited once a second; the counter has
    /// each. Successes are logged ten times a second, and all are audited.
    /// - Parameters:
    ///   - subject: The `sub` of the user, which is asked for only if there is an audit.
    ///   - account: The identifier of the account; `nil` if there is none.
    /// - Returns: The reference of the line; `nil` for a success.
    static func write(
        _ outcome: Outcome, provider: ProviderEntry, app: String, subject: @autoclosure () -> String? = nil,
        account: String? = nil, in context: RequestContext
    ) -> PageReference? {
        let services = context.services
        context.span?.note(provider: provider.id, app: app, isFailure: outcome.isForOperator)
        services.metrics.credentials.increment(provider.id, outcome.label)
        let line = outcome.repeatableLine.map { services.line($0, at: .credential, provider: provider.number) }
        let isSuccess = outcome == .signedIn
        let reference = isSuccess ? nil : line?.reference
        services.audit.record(
            AuditEvent(
                .credential, outcome: outcome.label, provider: provider.id, app: app, subject: subject(),
                client: context.client, reference: reference, account: account),
            with: isSuccess ? nil : line)
        if let line, !line.isWritten { return reference }
        context.logger.log(
            level: outcome.logLevel, outcome.message(of: "native sign-in", leftOut: line?.leftOut ?? 0),
            metadata: outcome.metadata(provider: provider.id, app: app, in: context).merging(
                (isSuccess ? line?.repetition : line?.metadata) ?? [:]
            ) { own, _ in own })
        return reference
    }
}
