// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// Virtual users on several event loops, controlled from outside of these.
struct LoadGenerator: Sendable {
    private let loops: [NIOLoopBound<LoadLoop>]

    /// Creates the users of each event loop, with a share for each. None of them begins yet.
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

    /// Lets all users begin.
    func begin() async throws {
        for bound in loops { try await bound.eventLoop.submit { bound.value.begin() }.get() }
    }

    /// Returns the events on all event loops since the last call.
    func takeInterval() async throws -> IntervalSummary {
        var sum = IntervalSummary()
        for bound in loops { sum.merge(try await bound.eventLoop.submit { bound.value.takeInterval() }.get()) }
        return sum
    }

    /// Returns the number of connections that all users have opened.
    func connectionCount() async throws -> UInt64 {
        var sum: UInt64 = 0
        for bound in loops { sum += try await bound.eventLoop.submit { bound.value.connectionCount }.get() }
        return sum
    }

    /// Returns whether nothing is under way.
    func isDrained() async throws -> Bool {
        for bound in loops {
            guard try await bound.eventLoop.submit({ bound.value.isDrained }).get() else { return false }
        }
        return true
    }

    /// Ends everything.
    ///
    /// - Returns: The results; `nil` if there was no event loop.
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
