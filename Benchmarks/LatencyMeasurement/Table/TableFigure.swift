// SPDX-License-Identifier: Apache-2.0

/// The figure of a row in the table: one number for a target in one round.
package indirect enum TableFigure: Sendable, Hashable {
    /// A figure of one measurement.
    case measured(Metric, TableStep, algorithm: String)
    /// The median of all launches of a target in its plain form (one provider, no TLS), whatever was measured after
    /// each.
    case launched(Metric)
    /// The ratio of the first to the second.
    case ratio(TableFigure, to: TableFigure)
    /// The ratio of the largest to the smallest; over several rounds, that of their medians.
    case spread([TableFigure])

    /// Returns the number; `nil` if a part of it was not measured.
    ///
    /// - Parameter runs: The measurements of one target in one round.
    package func value(in runs: [MeasuredRun]) -> Double? {
        switch self {
        case .measured(let metric, let step, let algorithm):
            let run = runs.last { $0.step == step && $0.shape.algorithm == algorithm }
            return run.flatMap { metric.value(in: $0) }
        case .launched(let metric):
            return Statistics.median(
                runs.filter { !$0.shape.isTLS && !$0.shape.isProviderTLS && $0.shape.providers == 1 }
                    .compactMap { metric.value(in: $0) })
        case .ratio(let figure, let reference):
            guard let mine = figure.value(in: runs), let theirs = reference.value(in: runs), theirs > 0 else {
                return nil
            }
            return mine / theirs
        case .spread(let figures):
            return Self.spread(of: figures.map { $0.value(in: runs) })
        }
    }

    /// The ratio of the largest to the smallest number; `nil` if one is missing, or the smallest is not above zero.
    static func spread(of numbers: [Double?]) -> Double? {
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count, let least = known.min(), let most = known.max(), least > 0 else {
            return nil
        }
        return most / least
    }

    /// Whether a higher figure is better.
    package var isBetterHigher: Bool {
        switch self {
        case .measured(let metric, _, _), .launched(let metric): metric.isBetterHigher
        case .ratio, .spread: false
        }
    }

    /// Whether the number can be divided by that of another target, which is not the case for a ratio.
    package var isComparable: Bool {
        switch self {
        case .measured(let metric, _, _): metric != .residentGrowth && metric != .providerConnections
        case .launched: true
        case .ratio, .spread: false
        }
    }
}
