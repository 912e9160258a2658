// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct PlotScaleTests {
    @Test func `a linear scale begins at zero and ends at a round figure`() throws {
        let scale = PlotScale(.linear, holding: [3, 17])
        #expect(scale.place(0) == 0)
        #expect(scale.place(20) == 1)
        #expect(scale.marks.map(\.label) == ["0", "4", "8", "12", "16", "20"])
    }

    @Test func `a logarithmic scale has a mark for each power of ten`() {
        let scale = PlotScale(.logarithmic, holding: [0.02, 450])
        #expect(scale.marks.map(\.label) == ["0.01", "0.1", "1", "10", "100", "1000"])
        #expect((scale.place(1) - 0.4).magnitude < 1e-9)
        #expect(scale.place(0) == 0)
        #expect(scale.place(-5) == 0)
    }

    @Test func `percentiles: each step is a tenth of what is left`() {
        let scale = PlotScale(.percentile, holding: [0, 50, 99.95, 100])
        #expect(scale.marks.map(\.label) == ["0 %", "90 %", "99 %", "99.9 %", "99.99 %"])
        #expect((scale.place(90) - 0.25).magnitude < 1e-9)
        #expect((scale.place(99) - 0.5).magnitude < 1e-9)
        #expect(scale.place(100) == 1)
    }

    @Test func `nothing to show makes no nonsense`() {
        for kind in [PlotScale.Kind.linear, .logarithmic, .percentile] {
            let scale = PlotScale(kind, holding: [])
            #expect((0...1).contains(scale.place(.nan)))
            #expect((0...1).contains(scale.place(.infinity)))
            #expect(!scale.marks.isEmpty)
        }
    }
}
