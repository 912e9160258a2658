// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerHTTP
import OIDCBrokerPages
import OpenIDRelyingParty
import SingleUse
import Tracing

/// The span of one request, from when it was taken until its response.
///
/// The values of its attributes are from closed lists: names of the configuration, endpoints, outcomes and the status. The
/// reference identifies a login and is no secret.
final class RequestSpan: StoreTrace {
    private let span: any Tracing.Span
    private let tracer: any Tracer
    /// Whether the tracer keeps what it is told. Otherwise the span is only there for providers that are told of it.
    private let isRecording: Bool

    /// - Parameters:
    ///   - span: The span, which has begun.
    ///   - endpoint: The endpoint of the request.
    ///   - tracer: The tracer of the span.
    init(_ span: any Tracing.Span, _ endpoint: TracedEndpoint, _ tracer: any Tracer) {
        self.span = span
        self.tracer = tracer
        isRecording = span.isRecording
        set("auth.endpoint", endpoint.rawValue)
    }

    /// Adds what became known of the request.
    /// - Parameters:
    ///   - provider: The ID of the provider that clients know; `nil` if there is none.
    ///   - app: The name of the app in the configuration; `nil` if there is none.
    ///   - isFailure: Whether it ends with what an operator should look into.
    func note(provider: String? = nil, app: String? = nil, isFailure: Bool = false) {
        if let provider { set("auth.provider", provider) }
        if let app { set("auth.app", app) }
        if isFailure { fail() }
    }

    /// What the requests to a provider are traced with; `nil` if their spans would not be recorded.
    func trace(of provider: ProviderEntry) -> RequestTrace? {
        guard isRecording || provider.relyingParty.configuration.traceContext else { return nil }
        return RequestTrace(tracer, under: span.context, isRecording: isRecording, provider: provider.id)
    }

    /// Begins the span of an operation of a store outside of this process; `nil` if it would not be recorded.
    /// - Parameter kind: The engine.
    func begin(_ operation: SharedStore.Operation, kind: String) -> StoreSpan? {
        guard isRecording else { return nil }
        let span = tracer.startAnySpan(StoreSpan.name, context: span.context, ofKind: .client)
        return StoreSpan(span, operation, kind: kind)
    }

    // MARK: From the start of a login to its callback

    /// The span as the start of a login, for its state; `nil` if it is not sampled, or the tracer does not use W3C Trace
    /// Context.
    var sampledStart: TraceParent? {
        guard isRecording, let parent = TraceFields(of: span.context, by: tracer)?.parent, parent.isSampled else {
            return nil
        }
        return parent
    }

    /// Links to the start of the login that came back.
    func link(to start: TraceParent) {
        guard isRecording else { return }
        span.addLink(SpanLink(context: TraceFields(parent: start).context(of: tracer), attributes: [:]))
    }

    // MARK: The end

    /// Ends the span when there is a response, before it is sent. One that is not kept has no time and ends now. This
    /// must be called once.
    func ending(with response: Eventual<BrokerResponse>) -> Eventual<BrokerResponse> {
        guard isRecording else {
            span.end()
            return response
        }
        response.whenComplete { self.end($0) }
        return response
    }

    private func end(_ result: Result<BrokerResponse, any Error>) {
        switch result {
        case .success(let response):
            let status = response.head.status
            if isRecording {
                span.updateAttributes { $0.set("http.response.status_code", value: .int64(Int64(status.code))) }
            }
            if let outcome = response.outcome { set("auth.outcome", outcome) }
            if let reference = response.reference { set("auth.reference", reference.description) }
            // That a request is refused is no failure of the server's.
            if status.kind == .serverError { fail() }
        case .failure:
            fail()
        }
        span.end()
    }

    private func set(_ name: String, _ value: String) {
        guard isRecording else { return }
        span.updateAttributes { $0.set(name, value: .string(value)) }
    }

    /// Without a message, which could contain anything.
    private func fail() {
        guard isRecording else { return }
        span.setStatus(SpanStatus(code: .error))
    }
}

extension RequestHandling {
    /// What the requests to a provider are traced with; `nil` if it would not be recorded.
    func trace(of provider: ProviderEntry) -> RequestTrace? { context.span?.trace(of: provider) }
}
