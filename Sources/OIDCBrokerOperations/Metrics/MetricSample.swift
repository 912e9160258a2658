// SPDX-License-Identifier: Apache-2.0

/// A value that is read when metrics are asked for, in the place of one that is kept up to date all the time.
public struct MetricSample: Sendable {
    /// The name, for a counter with or without `_total`.
    public var name: String
    /// The labels. Their values must come from closed sets.
    public var labels: [(name: String, value: String)]
    /// The value.
    public var value: Double
    /// Whether the value only grows while the process lives.
    public var isCounter: Bool

    /// Creates a sample.
    public init(
        _ name: String, _ labels: [(name: String, value: String)] = [], _ value: Double, isCounter: Bool = false
    ) {
        self.name = name
        self.labels = labels
        self.value = value
        self.isCounter = isCounter
    }
}

/// A source of values that are read when metrics are asked for.
public struct OperationsSource: Sendable {
    /// A closure that returns the values of this moment. It is called on the thread that answers operators, and must not
    /// block.
    public let samples: @Sendable () -> [MetricSample]

    /// Creates a source.
    public init(_ samples: @escaping @Sendable () -> [MetricSample]) {
        self.samples = samples
    }
}

/// What writes metrics as text for a scrape.
///
/// ``PrometheusMetrics`` is one. A server that installs another backend, such as swift-prometheus, conforms with a type
/// that writes the text of that backend.
public protocol MetricsExposition: Sendable {
    /// Returns the text of a scrape.
    /// - Parameters:
    ///   - format: The format that the client accepts.
    ///   - scraped: The values that were read for this scrape, in addition to those that the backend keeps.
    func exposition(_ format: ExpositionFormat, scraped: [MetricSample]) -> [UInt8]
}
