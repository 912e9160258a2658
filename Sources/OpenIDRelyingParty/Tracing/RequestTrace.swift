// SPDX-License-Identifier: Apache-2.0

package import Tracing

/// What the requests to a provider are traced with: a tracer, and the span of the request that they belong to.
///
/// Metadata and keys are fetched once for all who wait for them. Such a fetch belongs to the request that caused it, and
/// may end after it.
package final class RequestTrace: Sendable {
    private let tracer: any Tracer
    private let context: ServiceContext
    private let isRecording: Bool
    private let provider: String

    /// - Parameters:
    ///   - tracer: The tracer.
    ///   - context: The span under which the requests stand.
    ///   - isRecording: Whether the tracer keeps that span. Spans below one that is not kept are not visible.
    ///   - provider: The provider's ID, as it appears in logs and metrics.
    package init(_ tracer: any Tracer, under context: ServiceContext, isRecording: Bool, provider: String) {
        self.tracer = tracer
        self.context = context
        self.isRecording = isRecording
        self.provider = provider
    }

    /// Begins the span of a request to the provider; `nil` if it would not be recorded.
    /// - Parameter isTold: Whether the provider is told of the span.
    func begin(_ step: RelyingPartyError.Step, isTold: Bool) -> ProviderRequestSpan? {
        guard isRecording || isTold else { return nil }
        let span = tracer.startAnySpan(step.spanName, context: context, ofKind: .client)
        if span.isRecording { span.updateAttributes { $0.set("auth.provider", value: .string(provider)) } }
        return ProviderRequestSpan(span, tracer)
    }
}

/// The span of one request to a provider, which ends with the response. It says nothing of what was sent, and of the
/// response only its status.
final class ProviderRequestSpan: Sendable {
    private let span: any Tracing.Span
    private let tracer: any Tracer

    init(_ span: any Tracing.Span, _ tracer: any Tracer) {
        self.span = span
        self.tracer = tracer
    }

    /// The header fields that tell the provider of the span; empty if the tracer does not use W3C Trace Context.
    var fields: [(name: String, value: String)] { TraceFields(of: span.context, by: tracer)?.fields ?? [] }

    /// Ends the span. This must be called once.
    func end(_ result: Result<ProviderResponse, any Error>) {
        switch result {
        case .success(let response):
            if span.isRecording {
                span.updateAttributes { $0.set("http.response.status_code", value: .int64(Int64(response.status))) }
            }
            if response.status >= 400 { span.setStatus(SpanStatus(code: .error)) }
        case .failure:
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }
}

extension RelyingPartyError.Step {
    /// The name of the span of a request of this step.
    var spanName: String {
        switch self {
        case .keySet: "jwks"
        case .userInfo: "userinfo"
        case .pushedAuthorization: "par"
        case .revocation: "revoke"
        default: description
        }
    }
}
