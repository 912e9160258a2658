// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerRecords

/// How an operation on accounts ended: the label of its counter, and the outcome of its audit event.
package enum AccountOperationOutcome: String, Sendable, CaseIterable {
    /// It was done.
    case succeeded
    /// Nothing was changed: the user has to sign in in another way, or the identity or address is another account's.
    case conflict
    /// It was refused.
    case refused
    /// It was one too many.
    case limited
    /// It could not be decided or done now.
    case unavailable
}

extension BrokerAccess {
    /// Counts an operation on accounts.
    /// - Parameter operation: A name from a closed list of the extension.
    package func count(_ operation: String, _ outcome: AccountOperationOutcome) {
        context.services.metrics.accountOperations.increment(operation, outcome.rawValue)
    }

    /// Writes an operation on accounts into the audit, if there is one, with the address of the client. Of those of an
    /// app that were refused one a second is written: its API key is public, and their clients are not known.
    /// - Parameter app: The name of the app in the configuration; `nil` for an operator.
    package func audit(
        _ kind: AuditEvent.Kind, _ outcome: AccountOperationOutcome, provider: String? = nil, app: String?,
        subject: @autoclosure () -> String? = nil, account: @autoclosure () -> String? = nil
    ) {
        let isAnybody = app != nil && (outcome == .refused || outcome == .limited)
        context.services.audit.record(
            AuditEvent(
                kind, outcome: outcome.rawValue, provider: provider, app: app, subject: subject(),
                client: context.client, account: account()),
            with: isAnybody ? context.services.line(.refusedOperation, at: .accounts) : nil)
    }

    /// Writes into the audit that a request for an admin operation did not have the token, once a second.
    package func auditUnauthenticatedAdmin() {
        context.services.audit.record(
            AuditEvent(.refused, outcome: "admin_unauthenticated", client: context.client),
            with: context.services.line(.unauthenticatedAdmin, at: .accounts))
    }
}
