// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A mapping of figures to positions on an axis, with the marks of the axis.
package struct PlotScale: Sendable, Hashable {
    /// The kind of mapping.
    package enum Kind: Sendable, Hashable {
        /// Equal steps.
        case linear
        /// Equal factors. Figures that are not positive are at the low end.
        case logarithmic
        /// Percentiles: each step covers nine tenths of the remainder to 100 %.
        case percentile
    }

    /// A mark on an axis.
    package struct Mark: Sendable, Hashable {
        /// The position: 0 at the low end, 1 at the high end.
        package let place: Double
        /// The text of the mark.
        package let label: String
    }

    private let kind: Kind
    private let low: Double
    private let high: Double

    /// Creates a scale that contains all the figures.
    package init(_ kind: Kind, holding values: [Double]) {
        self.kind = kind
        let finite = values.filter(\.isFinite)
        switch kind {
        case .linear:
            low = 0
            high = Self.rounded(up: max(finite.max() ?? 1, 1e-9))
        case .logarithmic:
            let positive = finite.filter { $0 > 0 }
            let least = positive.min() ?? 1
            let most = max(positive.max() ?? 10, least)
            low = log10(least).rounded(.down)
            high = max(log10(most).rounded(.up), log10(least).rounded(.down) + 1)
        case .percentile:
            let below = finite.filter { $0 < 100 }.max() ?? 99
            low = 0
            high = min(max(Self.nines(below).rounded(.up), 2), 6)
        }
    }

    /// The position of a figure: 0 at the low end, 1 at the high end; clamped.
    package func place(_ value: Double) -> Double {
        let position: Double
        switch kind {
        case .linear: position = (value - low) / (high - low)
        case .logarithmic: position = value > 0 ? (log10(value) - low) / (high - low) : 0
        case .percentile: position = value >= 100 ? 1 : Self.nines(value) / high
        }
        return position.isFinite ? min(max(position, 0), 1) : 0
    }

    /// The marks, low end first.
    package var marks: [Mark] {
        switch kind {
        case .linear:
            let step = high / 5
            return (0...5).map { Mark(place: Double($0) / 5, label: Figure.short(step * Double($0))) }
        case .logarithmic:
            return (Int(low)...Int(high)).map { exponent in
                let value = pow(10, Double(exponent))
                return Mark(place: place(value), label: Figure.short(value))
            }
        case .percentile:
            let labels = ["0", "90", "99", "99.9", "99.99", "99.999", "99.9999"]
            return (0...Int(high)).map { Mark(place: Double($0) / high, label: labels[min($0, 6)] + " %") }
        }
    }

    /// The number of nines: one for 90 %, two for 99 %.
    private static func nines(_ percentile: Double) -> Double {
        -log10(max(1 - max(percentile, 0) / 100, 1e-9))
    }

    /// The next of 1, 2, 2.5 and 5 times a power of ten, which has a short label after division by five.
    private static func rounded(up value: Double) -> Double {
        let power = pow(10, log10(value).rounded(.down))
        for factor in [1, 2, 2.5, 5, 10] where factor * power >= value * 0.999_999 { return factor * power }
        return 10 * power
    }
}

extension Figure {
    /// The shortest text of a value, for the marks of an axis.
    fileprivate static func short(_ value: Double) -> String {
        for digits in 0...4 {
            let text = fixed(value, digits)
            if let read = Double(text), (read - value).magnitude <= value.magnitude * 1e-9 { return text }
        }
        return significant(value)
    }
}
