// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

private let second: Int64 = 1_000_000_000

@Suite struct LoadRecorderTests {
    private let window = MeasurementWindow(begin: 10 * second, end: 13 * second)

    private func sample(_ intended: Int64, _ end: Int64) -> LoadRecorder.Sample {
        LoadRecorder.Sample(
            intendedStart: intended, end: end, start: 1_000_000, callback: 2_000_000, redeem: 500_000)
    }

    @Test func `a closed loop counts what ended inside the window`() {
        var recorder = LoadRecorder(window: window, basis: .end)
        recorder.record(sample(9 * second, 10 * second - 1))
        recorder.record(sample(9 * second, 10 * second))
        recorder.record(sample(12 * second, 13 * second - 1))
        recorder.record(sample(12 * second, 13 * second))
        #expect(recorder.verified == 2)
        #expect(recorder.endedInWindow == 2)
        #expect(recorder.redeemed == 2)
    }

    /// What was meant to begin in the window counts although it ends long after: leaving it out would leave out the
    /// slowest.
    @Test func `an open loop counts what was meant to begin inside the window`() {
        var recorder = LoadRecorder(window: window, basis: .intendedStart)
        recorder.record(sample(9 * second, 11 * second))
        recorder.record(sample(12 * second, 20 * second))
        #expect(recorder.verified == 1)
        // The processor time of the window was spent on the other one.
        #expect(recorder.endedInWindow == 1)
    }

    @Test func `whole is start and callback, without redemption`() throws {
        var recorder = LoadRecorder(window: window, basis: .end)
        recorder.record(sample(11 * second, 11 * second))
        let whole = try #require(recorder.histograms[.whole])
        let redeem = try #require(recorder.histograms[.redeem])
        #expect(whole.maximum == 3_000_000)
        #expect(redeem.maximum == 500_000)
    }

    @Test func `a start alone has no other part`() {
        var recorder = LoadRecorder(window: window, basis: .end)
        recorder.record(LoadRecorder.Sample(intendedStart: 11 * second, end: 11 * second, start: 1_000_000))
        #expect(recorder.verified == 1)
        #expect(recorder.redeemed == 0)
        #expect(Set(recorder.histograms.keys) == [.start])
    }

    @Test func `a redemption alone is all there is`() {
        var recorder = LoadRecorder(window: window, basis: .end)
        recorder.record(LoadRecorder.Sample(intendedStart: 11 * second, end: 11 * second, redeem: 1_000_000))
        #expect(recorder.verified == 1)
        #expect(recorder.redeemed == 1)
        #expect(recorder.endedInWindow == 1)
        #expect(Set(recorder.histograms.keys) == [.redeem])
        #expect(recorder.takeInterval().verified == 1)
    }

    @Test func `handshakes are those of the sign-ins that count, of all loops`() {
        func sample(_ end: Int64) -> LoadRecorder.Sample {
            LoadRecorder.Sample(
                intendedStart: end, end: end, start: 1_000_000, callback: 1_000_000, handshakes: ["new", "resumed"])
        }
        var left = LoadRecorder(window: window, basis: .end)
        var right = LoadRecorder(window: window, basis: .end)
        left.record(sample(9 * second))
        left.record(sample(11 * second))
        right.record(sample(12 * second))
        left.merge(right)
        #expect(left.handshakes == ["new": 2, "resumed": 2])
    }

    @Test func `errors and refusals outside the window do not count, and are progress all the same`() {
        var recorder = LoadRecorder(window: window, basis: .end)
        recorder.recordError("callback: status 500", intendedStart: 9 * second, end: 9 * second)
        recorder.recordError("callback: status 500", intendedStart: 11 * second, end: 11 * second)
        recorder.recordError("callback: status 502", intendedStart: 11 * second, end: 11 * second)
        recorder.recordRefusal(intendedStart: 9 * second, end: 9 * second)
        recorder.recordRefusal(intendedStart: 11 * second, end: 11 * second)
        #expect(recorder.errors == ["callback: status 500": 1, "callback: status 502": 1])
        #expect(recorder.refusedSpoiled == 1)
        #expect(recorder.verified == 0)
        let interval = recorder.takeInterval()
        #expect(interval.errors == 3)
        let next = recorder.takeInterval()
        #expect(next.errors == 0)
    }

    @Test func `seconds are those of the window`() {
        var recorder = LoadRecorder(window: window, basis: .end)
        recorder.record(sample(10 * second, 10 * second))
        recorder.record(sample(12 * second, 12 * second + 999_999_999))
        #expect(recorder.series.seconds.map(\.count) == [1, 0, 1])
    }

    @Test func `recorders of two loops merge into one`() throws {
        var left = LoadRecorder(window: window, basis: .end)
        var right = LoadRecorder(window: window, basis: .end)
        left.record(sample(11 * second, 11 * second))
        right.record(sample(12 * second, 12 * second))
        right.recordError("x", intendedStart: 11 * second, end: 11 * second)
        left.recordError("x", intendedStart: 11 * second, end: 11 * second)
        left.merge(right)
        #expect(left.verified == 2)
        #expect(left.errors == ["x": 2])
        let callback = try #require(left.histograms[.callback])
        #expect(callback.count == 2)
        #expect(left.series.seconds.map(\.count) == [0, 1, 1])
        let interval = left.takeInterval()
        #expect(interval.verified == 2)
        #expect(interval.errors == 2)
    }
}
