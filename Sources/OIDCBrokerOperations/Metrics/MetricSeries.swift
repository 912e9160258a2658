// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// What a series is a part of, by which it is removed.
struct SeriesIdentity: Sendable, Hashable {
    let family: String
    let kind: MetricFamily.Kind
    let labels: LabelSet
}

/// The value of one series, which is the handler of swift-metrics as well.
enum MetricSeries: Sendable {
    case counter(CounterSeries)
    case gauge(GaugeSeries)
    case histogram(HistogramSeries)

    /// Makes the series of an identity.
    init(_ identity: SeriesIdentity) {
        switch identity.kind {
        case .counter: self = .counter(CounterSeries(identity))
        case .gauge: self = .gauge(GaugeSeries(identity))
        case .histogram: self = .histogram(HistogramSeries(identity))
        }
    }

    /// Whether this is the given handler.
    func isSame(as handler: AnyObject) -> Bool {
        switch self {
        case .counter(let series): series === handler
        case .gauge(let series): series === handler
        case .histogram(let series): series === handler
        }
    }
}

/// A counter. Whole numbers and fractions are counted apart, so that the usual increment of 1 is exact and one atomic
/// addition. What would make it smaller is not counted: a scraper would take that for a restart.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler {
    let identity: SeriesIdentity
    private let whole = Atomic<Int64>(0)
    private let fractions = AtomicDouble()

    init(_ identity: SeriesIdentity) {
        self.identity = identity
    }

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        // Not a plain addition: it would wrap to a negative number after an increment by the largest one.
        var old = whole.load(ordering: .relaxed)
        while true {
            let (sum, overflow) = old.addingReportingOverflow(amount)
            let (exchanged, original) = whole.weakCompareExchange(
                expected: old, desired: overflow ? .max : sum, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }

    func increment(by amount: Double) {
        guard amount.isFinite, amount > 0 else { return }
        fractions.add(amount)
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fractions.set(0)
    }

    /// The count as it is written.
    var text: String {
        let fraction = fractions.value
        let count = whole.load(ordering: .relaxed)
        return fraction == 0 ? "\(count)" : MetricText.number(Double(count) + fraction)
    }
}

/// A gauge.
final class GaugeSeries: MeterHandler, RecorderHandler {
    let identity: SeriesIdentity
    private let current = AtomicDouble()

    init(_ identity: SeriesIdentity) {
        self.identity = identity
    }

    func set(_ value: Int64) { current.set(Double(value)) }
    func set(_ value: Double) { current.set(value) }
    func record(_ value: Int64) { current.set(Double(value)) }
    func record(_ value: Double) { current.set(value) }

    func increment(by amount: Double) {
        if amount.isFinite { current.add(amount) }
    }

    func decrement(by amount: Double) {
        if amount.isFinite { current.add(-amount) }
    }

    /// The value.
    var value: Double { current.value }
}

/// A floating-point number that several threads change.
final class AtomicDouble: Sendable {
    private let bits = Atomic<UInt64>(0)

    /// The number.
    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    /// Replaces the number.
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    /// Adds to the number.
    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: old) + amount
            let (exchanged, original) = bits.weakCompareExchange(
                expected: old, desired: sum.bitPattern, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}
