// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct StatisticsTests {
    @Test func `the median is the middle, or between the two`() {
        #expect(Statistics.median([]) == nil)
        #expect(Statistics.median([3]) == 3)
        #expect(Statistics.median([9, 1, 5]) == 5)
        #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
        #expect(Statistics.median([1, .nan, 3]) == 2)
    }

    @Test func `the spread is half of the range to the median`() throws {
        #expect(Statistics.relativeSpread([5]) == nil)
        let spread = try #require(Statistics.relativeSpread([90, 100, 120]))
        #expect((spread - 0.15).magnitude < 1e-12)
        #expect(Statistics.relativeSpread([0, 0]) == nil)
    }

    @Test func `the error of a mean shrinks with the number of figures`() throws {
        #expect(Statistics.relativeError([1, 2]) == nil)
        let few = try #require(Statistics.relativeError([9, 10, 11]))
        // Standard deviation 1, error 1/sqrt(3), twice that to 10.
        #expect((few - 0.11547).magnitude < 1e-4)
        let many = try #require(Statistics.relativeError(Array(repeating: [9.0, 10, 11], count: 100).flatMap { $0 }))
        #expect(many < few / 5)
        #expect(Statistics.relativeError([7, 7, 7]) == 0)
    }
}
