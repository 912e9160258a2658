// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords

/// How a start ended without trouble of a provider: the label of its counter, and the outcome of its audit event.
enum StartOutcome: String, CaseIterable {
    /// The browser was sent to the provider.
    case redirected
    /// The page was shown on which the user chooses a provider, or goes on to the one that an extension's client named.
    case choosing
    /// The request was refused.
    case refused
}

extension AuthorizationEndpoint {
    /// Returns the response to an app whose request is refused.
    func refuse(
        _ error: AppError, _ recipient: LoginRecipient, _ redirect: any AppErrorResponding
    ) -> BrokerResponse {
        record(StartOutcome.refused.rawValue, recipient, nil, nil)
        return redirect.response(error).noting(StartOutcome.refused.rawValue)
    }

    /// Counts and audits a start.
    /// - Parameters:
    ///   - app: The app; `nil` if none is known.
    ///   - provider: The provider; `nil` if none was chosen yet.
    ///   - reference: The reference of the login, or of the page.
    func record(
        _ outcome: StartOutcome, _ app: AppEntry?, _ provider: ProviderEntry? = nil, _ reference: PageReference? = nil
    ) {
        record(
            outcome.rawValue, app?.configuration.name, isInProcess: app?.configuration.kind == .inProcess, provider?.id,
            reference)
    }

    /// Counts and audits a start whose recipient is known.
    /// - Parameter outcome: The label of an ``Outcome``, or of a ``StartOutcome``.
    func record(
        _ outcome: String, _ recipient: LoginRecipient, _ provider: ProviderEntry?, _ reference: PageReference?
    ) {
        record(outcome, recipient.name, isInProcess: recipient.isInProcess, provider?.id, reference)
    }

    /// Counts and audits a start.
    /// - Parameters:
    ///   - outcome: The label of an ``Outcome``, or of a ``StartOutcome``.
    ///   - name: The name of the app or the client in the configuration; `nil` if none is known.
    ///   - isInProcess: Whether it is an app of kind `in-process`.
    ///   - provider: The ID of the provider that clients know; `nil` if none is known.
    ///   - reference: The reference of the login, or of the page.
    ///   - line: The line in the log with which alone the event is written, if anybody can cause it.
    func record(
        _ outcome: String, _ name: String?, isInProcess: Bool, _ provider: String?, _ reference: PageReference?,
        with line: ReferencedLine? = nil
    ) {
        context.span?.note(provider: provider, app: name)
        if isInProcess {
            metrics.logins.increment(name ?? BrokerMetrics.none, outcome)
        } else {
            metrics.starts.increment(name ?? BrokerMetrics.none, provider ?? BrokerMetrics.none, outcome)
        }
        audit.record(
            AuditEvent(
                .start, outcome: outcome, provider: provider, app: name, client: context.client,
                reference: reference),
            with: line)
    }
}
