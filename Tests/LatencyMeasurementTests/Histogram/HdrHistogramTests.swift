// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct HdrHistogramTests {
    @Test func `nothing recorded is zero everywhere`() {
        let histogram = HdrHistogram()
        #expect(histogram.count == 0)
        #expect(histogram.minimum == 0)
        #expect(histogram.maximum == 0)
        #expect(histogram.mean == 0)
        #expect(histogram.value(atPercentile: 50) == 0)
        #expect(histogram.value(atPercentile: 100) == 0)
        #expect(histogram.percentileCurve().isEmpty)
    }

    /// Gil Tene's own example: 10,000 values of 1,000 us and one of 100,000,000 us.
    @Test func `one slow value among ten thousand shows where it belongs`() {
        var histogram = HdrHistogram()
        histogram.record(1000, times: 10_000)
        histogram.record(100_000_000)
        #expect(histogram.count == 10_001)
        #expect(histogram.value(atPercentile: 30) == 1000)
        #expect(histogram.value(atPercentile: 99) == 1000)
        #expect(histogram.value(atPercentile: 99.99) == 1000)
        #expect(histogram.areEquivalent(histogram.value(atPercentile: 99.999), 100_000_000))
        #expect(histogram.value(atPercentile: 100) == 100_000_000)
        #expect(histogram.maximum == 100_000_000)
        #expect(histogram.minimum == 1000)
        #expect((histogram.mean - 10_998.9).magnitude < 1)
    }

    /// Uniform: the p-th percentile of 1...n is p % of n.
    @Test(arguments: [1.0, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99])
    func `a uniform distribution has its percentiles within three digits`(percentile: Double) {
        var histogram = HdrHistogram()
        let count: Int64 = 100_000
        for value in 1...count { histogram.record(value) }
        let expected = percentile / 100 * Double(count)
        let found = Double(histogram.value(atPercentile: percentile))
        #expect(found >= expected - 1)
        #expect(found <= expected * 1.001 + 1)
        #expect((histogram.mean - Double(count + 1) / 2).magnitude < 1e-6)
    }

    /// Exponential, by its inverse distribution function at evenly spaced places: known percentiles -ln(1 - p) * mean.
    @Test(arguments: [(50.0, 693_147.0), (90.0, 2_302_585.0), (99.0, 4_605_170.0), (99.9, 6_907_755.0)])
    func `an exponential distribution has its percentiles`(percentile: Double, expected: Double) {
        var histogram = HdrHistogram()
        // Halving intervals: the quantiles of -ln(1 - p) without a logarithm, from its values at powers of two.
        let count = 200_000
        for place in 0..<count {
            histogram.record(Int64(Self.exponentialQuantile((Double(place) + 0.5) / Double(count)) * 1_000_000))
        }
        let found = Double(histogram.value(atPercentile: percentile))
        #expect((found / expected - 1).magnitude < 0.002)
    }

    /// -ln(1 - p) by its series around the nearest power of two: no library function, so that the test stands alone.
    private static func exponentialQuantile(_ share: Double) -> Double {
        var rest = 1 - share
        var halvings = 0.0
        while rest < 0.5 {
            rest *= 2
            halvings += 1
        }
        // -ln(rest) = sum of (1 - rest)^n / n
        let step = 1 - rest
        var term = step
        var sum = 0.0
        var number = 1.0
        while term > 1e-15 {
            sum += term / number
            term *= step
            number += 1
        }
        return sum + halvings * 0.693_147_180_559_945_3
    }

    @Test func `two values far apart are told apart at the half`() {
        var histogram = HdrHistogram()
        histogram.record(1_000_000, times: 50)
        histogram.record(9_000_000, times: 50)
        #expect(histogram.areEquivalent(histogram.value(atPercentile: 50), 1_000_000))
        #expect(histogram.areEquivalent(histogram.value(atPercentile: 50.1), 9_000_000))
        #expect(histogram.value(atPercentile: 0) >= 1_000_000)
    }

    /// 99.9 has no exact binary form: a naive product is a hair above 999 and would give the thousandth value.
    @Test func `the 99.9th percentile of a thousand values is the 999th`() {
        var histogram = HdrHistogram()
        for value in 1...1000 { histogram.record(Int64(value)) }
        #expect(histogram.value(atPercentile: 99.9) == 999)
        #expect(histogram.value(atPercentile: 99) == 990)
        #expect(histogram.value(atPercentile: 100) == 1000)
    }

    @Test(arguments: 1...5)
    func `every value keeps the digits that were asked for`(digits: Int) {
        var histogram = HdrHistogram(significantDigits: digits)
        var allowed = 1.0
        for _ in 0..<digits { allowed /= 10 }
        var value: Int64 = 1
        while value < 3_000_000_000_000 {
            histogram = HdrHistogram(significantDigits: digits)
            histogram.record(value)
            histogram.record(value * 1000)
            let found = Double(histogram.value(atPercentile: 50))
            #expect(found >= Double(value))
            #expect(found <= Double(value) * (1 + allowed))
            value = value * 7 + 3
        }
    }

    @Test func `values outside the range are kept at its end and counted`() {
        var histogram = HdrHistogram(highestTrackableValue: 1000)
        histogram.record(-5)
        histogram.record(5000)
        histogram.record(10)
        #expect(histogram.clampedCount == 2)
        #expect(histogram.count == 3)
        #expect(histogram.minimum == 0)
        #expect(histogram.maximum == 1000)
    }

    @Test func `values below the smallest that matters share a bucket`() {
        var histogram = HdrHistogram(lowestDiscernibleValue: 1024)
        histogram.record(1)
        #expect(histogram.areEquivalent(0, 1023))
        #expect(!histogram.areEquivalent(1023, 1024))
    }

    @Test func `histograms added are the histogram of all values`() {
        var left = HdrHistogram()
        var right = HdrHistogram()
        var both = HdrHistogram()
        for number in 0..<5000 {
            let value = Int64(number) * 7919 % 1_000_003
            if number % 3 == 0 { left.record(value) } else { right.record(value) }
            both.record(value)
        }
        left.add(right)
        #expect(left == both)
    }

    @Test func `a histogram of other precision is added to this one's`() {
        var coarse = HdrHistogram(significantDigits: 2)
        for value in 1...10_000 { coarse.record(Int64(value) * 1000) }
        var fine = HdrHistogram()
        fine.add(coarse)
        #expect(fine.count == 10_000)
        #expect(fine.maximum == 10_000_000)
        #expect(fine.minimum == 1000)
        let median = Double(fine.value(atPercentile: 50))
        #expect((median / 5_000_000 - 1).magnitude < 0.02)
    }

    @Test func `how many values are not above one`() {
        var histogram = HdrHistogram()
        for value in 1...100 { histogram.record(Int64(value)) }
        #expect(histogram.count(upTo: 0) == 0)
        #expect(histogram.count(upTo: 50) == 50)
        #expect(histogram.count(upTo: 1_000_000) == 100)
        #expect(histogram.count(upTo: -1) == 0)
    }

    @Test func `the curve rises to the maximum at 100 percent, and is denser towards it`() throws {
        var histogram = HdrHistogram()
        for value in 1...10_000 { histogram.record(Int64(value) * 100) }
        let curve = histogram.percentileCurve()
        let first = try #require(curve.first)
        let last = try #require(curve.last)
        #expect(first.percentile == 0)
        #expect(last.percentile == 100)
        #expect(last.value == histogram.maximum)
        for (earlier, later) in zip(curve, curve.dropFirst()) {
            #expect(earlier.percentile < later.percentile)
            #expect(earlier.value <= later.value)
        }
        #expect(curve.count { $0.percentile > 90 } > curve.count { $0.percentile < 50 })
        #expect(curve.contains { $0.percentile > 99.9 && $0.percentile < 100 })
    }

    @Test func `memory follows the largest value, not how many there are`() {
        var histogram = HdrHistogram()
        for _ in 0..<1000 { histogram.record(1_000_000, times: 1_000_000) }
        #expect(histogram.count == 1_000_000_000)
        #expect(histogram.value(atPercentile: 99.999) == 1_000_000)
    }
}
