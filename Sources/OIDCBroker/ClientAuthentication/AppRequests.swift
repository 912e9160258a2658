// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords

/// The endpoint of an app's form, by which requests are counted that the endpoint did not record itself: those without a
/// valid form or authentication, and those over a limit.
enum AppRequests: Sendable {
    case redemptions
    case credentials
    case revocations
    case introspections

    /// Counts and audits a response, unless the endpoint has done so. Of the refusals that any client can cause, as a
    /// public app or unauthenticated, one a second is audited.
    /// - Returns: The response with its outcome.
    func record(_ response: BrokerResponse, _ app: AppEntry?, in context: RequestContext) -> BrokerResponse {
        let name = app?.configuration.name
        context.span?.note(app: name)
        guard response.outcome == nil else { return response }
        let outcome = Self.outcome(of: response.head.status)
        let metrics = context.services.metrics
        switch self {
        case .redemptions: metrics.redemptions.increment(name ?? BrokerMetrics.none, outcome)
        case .credentials: metrics.credentials.increment(BrokerMetrics.none, outcome)
        case .revocations: metrics.revocations.increment(BrokerMetrics.none, outcome)
        case .introspections: break
        }
        // A request over a limit was written where the limit was noticed.
        let status = response.head.status
        if status != .tooManyRequests {
            let isAnybody = status.kind == .clientError && (status == .unauthorized || app?.isPublic ?? true)
            context.services.audit.record(
                AuditEvent(.refused, outcome: outcome, app: name, client: context.client),
                with: isAnybody ? context.services.line(.unauthenticatedApp, at: place) : nil)
        }
        return response.noting(outcome)
    }

    private var place: RepeatableEvent.Place {
        switch self {
        case .redemptions: .token
        case .credentials: .credential
        case .revocations: .revocation
        case .introspections: .introspection
        }
    }

    private static func outcome(of status: HTTPResponse.Status) -> String {
        switch status {
        case .unauthorized: "unauthenticated"
        case .tooManyRequests: "limited"
        default: status.kind == .clientError ? "refused" : "unavailable"
        }
    }
}
