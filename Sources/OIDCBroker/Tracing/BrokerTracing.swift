// SPDX-License-Identifier: Apache-2.0

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

    /// Begins the span of a request; `nil` if its endpoint has none.
    func begin(_ request: BrokerRequest, _ target: RoutedTarget, in snapshot: BrokerSnapshot) -> RequestSpan? {
        guard let endpoint = TracedEndpoint(target, in: snapshot) else { return nil }
        // The context is made where the tracer asks for it: nobody else has it then, and the tracer changes no copy.
        return switch request.traceOrigin {
        case .context(let context): begin(endpoint, under: context)
        case .fields(let fields): RequestSpan(endpoint, tracer, under: fields.context(of: tracer))
        case nil: begin(endpoint, under: nil)
        }
    }

    /// Begins a span.
    /// - Parameter parent: The span under which it stands; `nil` for a root. The context of the task is not used: it is
    ///   that of whatever runs on the event loop.
    func begin(_ endpoint: TracedEndpoint, under parent: ServiceContext?) -> RequestSpan {
        RequestSpan(endpoint, tracer, under: parent ?? .topLevel)
    }
}

extension Broker {
    /// Whether requests are traced, so that a channel handler reads the fields of W3C Trace Context.
    package var tracesRequests: Bool { services.tracing != nil }
}
