// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// Virtual users on some event loops, from outside of those.
struct LoadGenerator: Sendable {
    private let loops: [NIOLoopBound<LoadLoop>]

    /// Users on each loop, a share for each; none of them has begun.
    init(plan: LoadPlan, shares: [LoadLoop.Share], on eventLoops: [any EventLoop]) async throws {
        var loops: [NIOLoopBound<LoadLoop>] = []
        for (share, eventLoop) in zip(shares, eventLoops) {
            let bound = try await eventLoop.submit {
                NIOLoopBound(LoadLoop(plan: plan, share: share, eventLoop: eventLoop), eventLoop: eventLoop)
            }.get()
            loops.append(bound)
        }
        self.loops = loops
    }

    /// Lets all users go.
    func begin() async throws {
        for bound in loops { try await bound.eventLoop.submit { bound.value.begin() }.get() }
    }

    /// What happened on all loops since this was last asked.
    func takeInterval() async throws -> IntervalSummary {
        var sum = IntervalSummary()
        for bound in loops { sum.merge(try await bound.eventLoop.submit { bound.value.takeInterval() }.get()) }
        return sum
    }

    /// How many connections all users have opened.
    func connectionCount() async throws -> UInt64 {
        var sum: UInt64 = 0
        for bound in loops { sum += try await bound.eventLoop.submit { bound.value.connectionCount }.get() }
        return sum
    }

    /// Whether nothing is going on any more.
    func isDrained() async throws -> Bool {
        for bound in loops {
            guard try await bound.eventLoop.submit({ bound.value.isDrained }).get() else { return false }
        }
        return true
    }

    /// Ends everything.
    ///
    /// - Returns: What was seen; `nil` if there was no loop.
    func stop() async throws -> LoadRecorder? {
        var sum: LoadRecorder?
        for bound in loops {
            let seen = try await bound.eventLoop.submit { () -> LoadRecorder in
                bound.value.stop()
                return bound.value.seen
            }.get()
            if var merged = sum {
                merged.merge(seen)
                sum = merged
            } else {
                sum = seen
            }
        }
        return sum
    }
}
