// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerHTTP
import OpenIDRelyingParty
import Tracing

/// The tracer of a broker. There is none unless the embedder gives one, or the process has one.
final class BrokerTracing: Sendable {
    private let tracer: any Tracer

    /// - Parameter tracer: The tracer; `nil` for the one of the process, if there is any yet.
    init?(_ tracer: (any Tracer)?) {
        let tracer = tracer ?? InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return nil }
        self.tracer = tracer
    }

    /// Begins the span of a request; `nil` if its endpoint has none, or if nothing would become of what is told of it.
    func begin(_ request: BrokerRequest, _ target: RoutedTarget, in snapshot: BrokerSnapshot) -> RequestSpan? {
        guard let endpoint = TracedEndpoint(target, in: snapshot) else { return nil }
        // The context is made where the tracer asks for it: nothing else holds it then, and the tracer changes no copy.
        return switch request.traceOrigin {
        case .context(let context): begin(endpoint, in: snapshot, under: context)
        case .fields(let fields): begin(endpoint, in: snapshot, under: fields.context(of: tracer))
        case nil: begin(endpoint, in: snapshot, under: .topLevel)
        }
    }

    /// Begins a span; `nil` if nothing would become of what is told of it. Then it has ended: most requests are not
    /// sampled, and cost nothing from here on.
    /// - Parameter parent: The span under which it stands. The context of the task is not used: it is that of whatever
    ///   runs on the event loop.
    func begin(
        _ endpoint: TracedEndpoint, in snapshot: BrokerSnapshot, under parent: @autoclosure () -> ServiceContext
    ) -> RequestSpan? {
        let span = Self.start(endpoint.spanName, tracer, under: parent())
        guard span.isRecording || snapshot.tellsProvidersOfSpans else {
            span.end()
            return nil
        }
        return RequestSpan(span, endpoint, tracer)
    }

    /// `startAnySpan` does the same through three more generic functions, which a request that is not sampled would call
    /// for nothing.
    private static func start<T: Tracer>(
        _ name: String, _ tracer: T, under parent: @autoclosure () -> ServiceContext
    ) -> any Tracing.Span {
        tracer.startSpan(name, context: parent(), ofKind: .server)
    }
}

extension Broker {
    /// Whether requests are traced, so that a channel handler reads the fields of W3C Trace Context.
    package var tracesRequests: Bool { services.tracing != nil }
}
