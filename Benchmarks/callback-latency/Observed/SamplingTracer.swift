// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Synchronization
import Tracing

/// A tracer of W3C Trace Context that records a share of the requests, whatever those who send them recorded.
///
/// The broker has none of its own. This one costs what any must: an ID for each span, a context where one is asked for, and
/// a record of the sampled ones, kept until there is a batch. What it costs to send a batch is a matter of the exporter.
final class SamplingTracer: Tracer {
    typealias Span = SampledSpan

    /// The number of records that an exporter would send at a time.
    private static let batch = 512

    /// One of so many requests is recorded.
    private let interval: UInt64
    private let requests = Atomic<UInt64>(0)
    private let identifiers = Atomic<UInt64>(UInt64.random(in: 0 ... .max))
    private let recorded = Atomic<UInt64>(0)
    private let records = Mutex<[SampledSpan.Record]>([])

    /// - Parameter share: The share of requests to record, above 0, up to 1.
    init(share: Double) {
        interval = UInt64(max(1, min((1 / share).rounded(), 1_000_000)))
    }

    /// The number of spans that were recorded.
    var count: UInt64 { recorded.load(ordering: .relaxed) }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> SampledSpan {
        let parent = context()
        let isSampled = kind == .server ? isNextSampled() : parent[SpanIdentity.Key.self]?.isSampled ?? false
        return SampledSpan(
            operationName, under: parent, identifier: makeIdentifier(),
            begin: isSampled ? instant().nanosecondsSinceEpoch : 0, recorder: isSampled ? self : nil)
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let parent = context[SpanIdentity.Key.self]?.parent else { return }
        injector.inject(parent.text, forKey: TraceFields.parentName, into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: TraceFields.parentName, from: carrier), let parent = TraceParent(text)
        else { return }
        context[SpanIdentity.Key.self] = SpanIdentity(parent)
    }

    /// Keeps what was recorded of a span.
    func keep(_ record: SampledSpan.Record) {
        recorded.wrappingAdd(1, ordering: .relaxed)
        records.withLock { records in
            if records.count >= Self.batch { records.removeAll(keepingCapacity: true) }
            records.append(record)
        }
    }

    private func isNextSampled() -> Bool {
        requests.wrappingAdd(1, ordering: .relaxed).oldValue % interval == 0
    }

    /// Returns a number that differs from all others. It need not be a secret (SplitMix64).
    private func makeIdentifier() -> UInt64 {
        Self.mixed(identifiers.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
    }

    /// Returns a number that looks unlike all others and is not 0.
    static func mixed(_ number: UInt64) -> UInt64 {
        var number = number
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return max(1, number ^ (number >> 31))
    }
}
