// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct FigureTests {
    @Test(arguments: [
        (0.0, 3, "0.000"), (1.5, 0, "2"), (0.0664, 3, "0.066"), (-1.25, 1, "-1.3"), (-0.001, 1, "0.0"),
        (1234.5678, 2, "1234.57"), (Double.nan, 2, "-"), (Double.infinity, 2, "-"), (0.999_9, 2, "1.00"),
    ])
    func `figures have the digits that were asked for`(value: Double, digits: Int, text: String) {
        #expect(Figure.fixed(value, digits) == text)
    }

    @Test func `shares, counts and rates`() {
        #expect(Figure.percent(0.05) == "5 %")
        #expect(Figure.percent(0.0123) == "1.2 %")
        #expect(Figure.grouped(0) == "0")
        #expect(Figure.grouped(999) == "999")
        #expect(Figure.grouped(1_234_567) == "1,234,567")
        #expect(Figure.rounded(5) == "5")
        #expect(Figure.rounded(2.5) == "2.5")
    }

    @Test(arguments: [
        (0.45, "0.45"), (1.6, "1.6"), (32.0, "32"), (100.0, "100"), (0.075, "0.075"), (0.0, "0"), (Double.nan, "-"),
    ])
    func `a limit has no digits that say nothing`(value: Double, text: String) {
        #expect(Figure.shortest(value) == text)
    }

    @Test func `a moment as users write it`() {
        #expect(CivilTime.text(0) == "1970-01-01 00:00 UTC")
        #expect(CivilTime.text(951_782_399) == "2000-02-28 23:59 UTC")
        #expect(CivilTime.text(951_782_400) == "2000-02-29 00:00 UTC")
        #expect(CivilTime.text(1_795_212_840) == "2026-11-20 22:14 UTC")
        #expect(CivilTime.text(-1) == "")
    }
}
