// SPDX-License-Identifier: Apache-2.0

/// How a start ended without trouble of a provider: the label of its counter, and the outcome of its audit event.
enum StartOutcome: String, CaseIterable {
    /// The browser was sent to the provider.
    case redirected
    /// The page was shown on which the person chooses a provider.
    case choosing
    /// The request was refused.
    case refused
}

extension AuthorizationEndpoint {
    /// Returns the response to an app whose request is refused.
    func refuse(_ error: AppError, _ app: AppEntry, _ redirect: any AppErrorResponding) -> BrokerResponse {
        record(.refused, app)
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
        record(outcome.rawValue, app, provider, reference)
    }

    /// Counts and audits a start, as its overload does.
    /// - Parameter outcome: The label of an ``Outcome``, or of a ``StartOutcome``.
    func record(_ outcome: String, _ app: AppEntry?, _ provider: ProviderEntry?, _ reference: PageReference?) {
        let name = app?.configuration.name
        context.span?.note(provider: provider?.id, app: name)
        if app?.configuration.kind == .inProcess {
            metrics.logins.increment(name ?? BrokerMetrics.none, outcome)
        } else {
            metrics.starts.increment(name ?? BrokerMetrics.none, provider?.id ?? BrokerMetrics.none, outcome)
        }
        audit.record(
            AuditEvent(
                .start, outcome: outcome, provider: provider?.id, app: name, client: context.client,
                reference: reference))
    }
}
