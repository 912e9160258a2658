// SPDX-License-Identifier: Apache-2.0

/// A figure of a measurement that `compare` shows.
package enum Metric: String, Sendable, Hashable, CaseIterable {
    /// The processor time of one sign-in in milliseconds.
    case processorTime = "CPU ms each"
    /// The sign-ins per second.
    case throughput = "sign-ins/s"
    /// The handshakes of browsers per second.
    case handshakes = "handshakes/s"
    /// The median of starts.
    case startP50 = "start p50 ms"
    /// The 99th percentile of starts.
    case startP99 = "start p99 ms"
    /// The median of callbacks.
    case callbackP50 = "callback p50 ms"
    /// The 99th percentile of callbacks.
    case callbackP99 = "callback p99 ms"
    /// The 99.9th percentile of callbacks.
    case callbackP999 = "callback p99.9 ms"
    /// The median of redemptions.
    case redeemP50 = "redeem p50 ms"
    /// The 99th percentile of whole sign-ins.
    case wholeP99 = "whole p99 ms"
    /// The median of the operation on accounts.
    case operationP50 = "operation p50 ms"
    /// The 99th percentile of the operation on accounts.
    case operationP99 = "operation p99 ms"
    /// Memory before the load.
    case residentIdle = "RSS idle MB"
    /// Memory under load.
    case residentLoaded = "RSS loaded MB"
    /// The growth of memory during the measurement.
    case residentGrowth = "RSS growth MB"
    /// The memory of an idle connection of a browser.
    case residentPerConnection = "RSS KB per idle connection"
    /// The time from launch to the first sign-in.
    case firstSignIn = "first sign-in ms"
    /// The new connections to the provider per 1,000 sign-ins.
    case providerConnections = "provider connections per 1,000"

    /// Whether a higher figure is better; for all others a lower one is.
    package var isBetterHigher: Bool { self == .throughput || self == .handshakes }

    /// The figure; `nil` if the measurement does not have it.
    package func value(in run: MeasuredRun) -> Double? {
        switch self {
        case .processorTime: run.usage?.secondsPerThousand
        case .throughput: run.throughput
        case .handshakes: run.handshakesPerSecond
        case .startP50: run.latency(.start)?.p50
        case .startP99: run.latency(.start)?.p99
        case .callbackP50: run.latency(.callback)?.p50
        case .callbackP99: run.latency(.callback)?.p99
        case .callbackP999: run.latency(.callback)?.p999
        case .redeemP50: run.latency(.redeem)?.p50
        case .wholeP99: run.latency(.whole)?.p99
        case .operationP50: run.operationLatency?.p50
        case .operationP99: run.operationLatency?.p99
        case .residentIdle: run.usage?.residentIdle
        case .residentLoaded: run.usage?.residentLoaded
        case .residentGrowth: run.usage?.residentGrowth
        case .residentPerConnection: run.usage?.kilobytesPerConnection
        case .firstSignIn: run.firstSignIn
        case .providerConnections: run.tokenRequestsPerThousand > 0 ? run.providerConnectionsPerThousand : nil
        }
    }

    /// The possible error of one measurement by its own seconds; `nil` if it is unknown.
    package func ownError(in run: MeasuredRun) -> Double? {
        switch self {
        case .throughput: Statistics.relativeError(run.series.map { Double($0.count) })
        case .startP50, .callbackP50, .redeemP50, .operationP50: Statistics.relativeError(run.series.map(\.p50))
        case .startP99, .callbackP99, .callbackP999, .wholeP99, .operationP99:
            Statistics.relativeError(run.series.map(\.p99))
        case .processorTime, .handshakes, .residentIdle, .residentLoaded, .residentGrowth, .residentPerConnection,
            .firstSignIn, .providerConnections:
            nil
        }
    }
}
