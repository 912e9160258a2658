// SPDX-License-Identifier: Apache-2.0

import InMemoryTracing
import JOSE
import Synchronization
import Tracing

/// A tracer that keeps every span in memory, tells of it by W3C Trace Context and by baggage, and counts how often each
/// span is ended.
struct TestTracer: Tracer {
    typealias Span = CountedSpan

    /// How often each span was ended.
    final class Ends: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        var all: [String: Int] { counts.withLock { $0 } }

        func begin(_ id: String) { counts.withLock { $0[id] = 0 } }
        func end(_ id: String) { counts.withLock { $0[id, default: 0] += 1 } }
    }

    let ends = Ends()
    private let memory = InMemoryTracer(
        idGenerator: .init(
            nextTraceID: { TestTracer.hexadecimal(16) }, nextSpanID: { TestTracer.hexadecimal(8) }))
    private let isSampled: Bool

    init(isSampled: Bool = true) { self.isSampled = isSampled }

    /// The spans that were ended, in their order.
    var finished: [FinishedInMemorySpan] { memory.finishedSpans }

    /// Each request whose span was ended, in their order, with the requests to providers under it.
    var tree: [String] {
        let spans = finished
        return spans.filter { $0.kind == .server }.map { parent in
            let children = spans.filter { $0.kind == .client && $0.parentSpanID == parent.spanID }.map(\.operationName)
            return children.isEmpty
                ? parent.operationName : "\(parent.operationName)(\(children.joined(separator: " ")))"
        }
    }

    private static func hexadecimal(_ count: Int) -> String {
        SecureRandom.bytes(count).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> CountedSpan {
        let span = memory.startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
            line: line)
        ends.begin(span.spanID)
        return CountedSpan(span: span, ends: ends, isSampled: isSampled)
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject(
            "00-\(span.traceID)-\(span.spanID)-\(isSampled ? "01" : "00")", forKey: "traceparent", into: &carrier)
        injector.inject("test=\(span.spanID)", forKey: "tracestate", into: &carrier)
        injector.inject("person=ada", forKey: "baggage", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-").map(String.init) ?? []
        guard parts.count == 4 else { return }
        context.inMemorySpanContext = InMemorySpanContext(traceID: parts[1], spanID: parts[2], parentSpanID: nil)
    }
}

/// A span in memory whose ends are counted.
struct CountedSpan: Tracing.Span {
    let span: InMemorySpan
    let ends: TestTracer.Ends
    let isSampled: Bool

    var context: ServiceContext { span.context }
    var isRecording: Bool { isSampled && span.isRecording }

    var operationName: String {
        get { span.operationName }
        nonmutating set { span.operationName = newValue }
    }

    var attributes: SpanAttributes {
        get { span.attributes }
        nonmutating set { span.attributes = newValue }
    }

    func setStatus(_ status: SpanStatus) { span.setStatus(status) }
    func addEvent(_ event: SpanEvent) { span.addEvent(event) }
    func addLink(_ link: SpanLink) { span.addLink(link) }

    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        span.recordError(error, attributes: attributes, at: instant())
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        ends.end(span.spanID)
        span.end(at: instant())
    }
}

extension FinishedInMemorySpan {
    /// The text of an attribute; `nil` if there is none.
    func text(_ name: String) -> String? {
        if case .string(let text)? = attributes.get(name) { text } else { nil }
    }

    /// The status of the response; `nil` if there was none.
    var responseStatus: Int64? {
        if case .int64(let status)? = attributes.get("http.response.status_code") { status } else { nil }
    }

    var isFailure: Bool { status?.code == .error }

    /// The span that the first link leads to.
    var linked: InMemorySpanContext? { links.first?.context.inMemorySpanContext }
}
