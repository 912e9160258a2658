// SPDX-License-Identifier: Apache-2.0

public import Metrics
public import Logging
import Synchronization

/// A backend of swift-metrics whose values are scraped by Prometheus, or by anything that reads its text formats.
///
/// Install it with `MetricsSystem.bootstrap`, once in a process. Timers, and recorders that aggregate, are histograms with
/// fixed buckets from 0.5 ms to 15 s; the names of timers end in `_seconds`. The samples of counters end in `_total`.
///
/// Labels with the same name and dimensions share a series. There are at most ``maximumSeries``, as Prometheus counts
/// them: a histogram is 18, for its buckets, its sum and its count. What exceeds them, or has the name of a family of
/// another type, is not kept. It is counted in `auth_metrics_series_dropped_total`, and logged once.
public final class PrometheusMetrics: MetricsFactory, MetricsExposition {
    /// The maximum number of series, which is that of the lines with values that are kept.
    public static let maximumSeries = 20_000

    private let registry: Mutex<MetricRegistry>
    private let dropped = Atomic<Int64>(0)
    private let isLimitLogged = Atomic(false)
    private let logger: Mutex<Logger?>

    /// Creates a backend without series.
    /// - Parameter logger: The logger for the warning about series that are not kept; `nil` for none until
    ///   ``log(to:)``. A log may count with this backend.
    public convenience init(logger: Logger? = nil) {
        self.init(logger: logger, capacity: Self.maximumSeries)
    }

    /// Creates a backend with another limit, for tests.
    init(logger: Logger?, capacity: Int) {
        self.logger = Mutex(logger)
        registry = Mutex(MetricRegistry(capacity: capacity))
    }

    /// Sets the logger for the warning about series that are not kept.
    public func log(to logger: Logger) { self.logger.withLock { $0 = logger } }

    /// The number of series that were not made.
    var droppedSeries: Int64 { dropped.load(ordering: .relaxed) }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        guard case .counter(let series)? = series(.counter, label, dimensions) else {
            return NOOPMetricsHandler.instance
        }
        return series
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        guard case .counter(let series)? = series(.counter, label, dimensions) else {
            return NOOPMetricsHandler.instance
        }
        return series
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        guard case .gauge(let series)? = series(.gauge, label, dimensions) else { return NOOPMetricsHandler.instance }
        return series
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        switch series(aggregate ? .histogram : .gauge, label, dimensions) {
        case .gauge(let series): return series
        case .histogram(let series): return series
        case .counter, nil: return NOOPMetricsHandler.instance
        }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        guard case .histogram(let series)? = series(.histogram, label, dimensions, isTimer: true) else {
            return NOOPMetricsHandler.instance
        }
        return series
    }

    public func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler) }
    public func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }
    public func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
    public func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }

    public func exposition(_ format: ExpositionFormat, scraped: [MetricSample]) -> [UInt8] {
        // The lock is held for a copy of references; the text is made without it.
        let registry = registry.withLock { $0 }
        let own = MetricSample("auth_metrics_series_dropped", [], Double(droppedSeries), isCounter: true)
        return Exposition(registry, scraped: scraped + [own]).text(format)
    }

    private func series(
        _ kind: MetricFamily.Kind, _ label: String, _ dimensions: [(String, String)], isTimer: Bool = false
    ) -> MetricSeries? {
        let made = LabelSet(dimensions).flatMap { labels in
            let family = MetricFamily.name(ofLabel: label, kind, isTimer: isTimer)
            return registry.withLock { $0.series(SeriesIdentity(family: family, kind: kind, labels: labels)) }
        }
        // Outside the lock, because a logger may count its lines here.
        if made == nil { drop() }
        return made
    }

    private func drop() {
        dropped.add(1, ordering: .relaxed)
        guard !isLimitLogged.exchange(true, ordering: .relaxed) else { return }
        logger.withLock { $0 }?.warning(
            "metric series dropped: too many, or a name in use by another type; this is logged once",
            metadata: ["auth.limit": "\(Self.maximumSeries)"])
    }

    private func destroy(_ handler: AnyObject) {
        let identity: SeriesIdentity
        switch handler {
        case let series as CounterSeries: identity = series.identity
        case let series as GaugeSeries: identity = series.identity
        case let series as HistogramSeries: identity = series.identity
        default: return
        }
        registry.withLock { $0.remove(identity, handler) }
    }
}
