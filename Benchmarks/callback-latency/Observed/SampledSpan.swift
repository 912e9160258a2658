// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Tracing

/// A span of ``SamplingTracer``. One that is not sampled has only its ID, and its context is made on request.
final class SampledSpan: Tracing.Span {
    /// What is recorded of a span.
    struct Record: Sendable {
        var name: String
        var begin: UInt64
        var end: UInt64 = 0
        var attributes: SpanAttributes = [:]
        var links: [SpanLink] = []
        var events: [SpanEvent] = []
        var status: SpanStatus?
    }

    /// What a sampled span has besides.
    private final class Recording: Sendable {
        let recorder: SamplingTracer
        let record: Mutex<Record>

        init(_ recorder: SamplingTracer, _ record: Record) {
            self.recorder = recorder
            self.record = Mutex(record)
        }
    }

    private let parent: ServiceContext
    private let identifier: UInt64
    private let name: String
    private let recording: Recording?

    /// - Parameters:
    ///   - name: The name of the operation.
    ///   - parent: The context under which it begins.
    ///   - identifier: The ID of the span.
    ///   - begin: When it began, in nanoseconds since 1970.
    ///   - recorder: What keeps the record; `nil` if the span is not sampled.
    init(_ name: String, under parent: ServiceContext, identifier: UInt64, begin: UInt64, recorder: SamplingTracer?) {
        self.parent = parent
        self.identifier = identifier
        self.name = name
        recording = recorder.map { Recording($0, Record(name: name, begin: begin)) }
    }

    var isRecording: Bool { recording != nil }

    /// The context with the IDs of the span, whose trace is that of its parent or a new one.
    var context: ServiceContext {
        let outer = parent[SpanIdentity.Key.self]
        let high = SamplingTracer.mixed(identifier)
        var context = parent
        context[SpanIdentity.Key.self] = SpanIdentity(
            traceHigh: outer?.traceHigh ?? high, traceLow: outer?.traceLow ?? SamplingTracer.mixed(high),
            span: identifier, isSampled: isRecording)
        return context
    }

    var operationName: String {
        get { recording?.record.withLock { $0.name } ?? name }
        set { recording?.record.withLock { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
        get { recording?.record.withLock { $0.attributes } ?? [:] }
        set { recording?.record.withLock { $0.attributes = newValue } }
    }

    func setStatus(_ status: SpanStatus) { recording?.record.withLock { $0.status = status } }

    func addEvent(_ event: SpanEvent) { recording?.record.withLock { $0.events.append(event) } }

    func addLink(_ link: SpanLink) { recording?.record.withLock { $0.links.append(link) } }

    /// Nothing of an error is recorded, since the broker records none.
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let recording else { return }
        let end = instant().nanosecondsSinceEpoch
        recording.recorder.keep(
            recording.record.withLock { record in
                record.end = end
                return record
            })
    }
}
