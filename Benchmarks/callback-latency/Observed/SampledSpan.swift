// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Tracing

/// A span of ``SamplingTracer``. One that is not sampled has only its context.
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

    let context: ServiceContext
    private let recorder: SamplingTracer?
    private let record: Mutex<Record>

    /// - Parameters:
    ///   - name: The name of the operation.
    ///   - context: The context, with the IDs of the span.
    ///   - begin: When it began, in nanoseconds since 1970.
    ///   - recorder: What keeps the record; `nil` if the span is not sampled.
    init(_ name: String, context: ServiceContext, begin: UInt64, recorder: SamplingTracer?) {
        self.context = context
        self.recorder = recorder
        record = Mutex(Record(name: name, begin: begin))
    }

    var isRecording: Bool { recorder != nil }

    var operationName: String {
        get { record.withLock { $0.name } }
        set {
            guard isRecording else { return }
            record.withLock { $0.name = newValue }
        }
    }

    var attributes: SpanAttributes {
        get { record.withLock { $0.attributes } }
        set {
            guard isRecording else { return }
            record.withLock { $0.attributes = newValue }
        }
    }

    func setStatus(_ status: SpanStatus) {
        guard isRecording else { return }
        record.withLock { $0.status = status }
    }

    func addEvent(_ event: SpanEvent) {
        guard isRecording else { return }
        record.withLock { $0.events.append(event) }
    }

    func addLink(_ link: SpanLink) {
        guard isRecording else { return }
        record.withLock { $0.links.append(link) }
    }

    /// Nothing of an error is recorded, since the broker records none.
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let recorder else { return }
        let end = instant().nanosecondsSinceEpoch
        record.withLock { $0.end = end }
        recorder.keep(record.withLock { $0 })
    }
}
