// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// Lanes of one event loop, controlled from outside of it.
struct AccountLanes: Sendable {
    /// How far the lanes are.
    struct State: Sendable {
        /// The largest share of the operations of a lane that have begun, 0 to 1.
        var usedShare = 0.0
        /// Whether all lanes are done.
        var isDone = true
    }

    private let lanes: [NIOLoopBound<AccountLane>]

    /// Creates the users of each lane. None of them begins yet.
    init(_ loads: [AccountLane.Load], plan: LoadPlan, on eventLoop: any EventLoop) async throws {
        lanes = try await eventLoop.submit { () -> [NIOLoopBound<AccountLane>] in
            let now = MonotonicClock.now()
            return loads.map { load in
                NIOLoopBound(
                    AccountLane(load, plan: plan, eventLoop: eventLoop, begin: now), eventLoop: eventLoop)
            }
        }.get()
    }

    /// Takes other loads of as many users, after the first ones are done. Connections stay open.
    ///
    /// - Returns: The operations of the first ones.
    func reload(_ loads: [AccountLane.Load]) async throws -> [AccountOutcome] {
        var outcomes: [AccountOutcome] = []
        for (bound, load) in zip(lanes, loads) {
            outcomes += try await bound.eventLoop.submit {
                bound.value.reload(load, begin: MonotonicClock.now())
            }.get()
        }
        return outcomes
    }

    /// Lets all users begin.
    func begin() async throws {
        for bound in lanes { try await bound.eventLoop.submit { bound.value.begin() }.get() }
    }

    /// Lets no further operation begin.
    func stop() async throws {
        for bound in lanes { try await bound.eventLoop.submit { bound.value.stop() }.get() }
    }

    /// Returns how far the lanes are.
    func state() async throws -> State {
        var state = State()
        for bound in lanes {
            let one = try await bound.eventLoop.submit {
                State(usedShare: bound.value.usedShare, isDone: bound.value.isDone)
            }.get()
            state.usedShare = max(state.usedShare, one.usedShare)
            state.isDone = state.isDone && one.isDone
        }
        return state
    }

    /// Returns the number of connections that all users have opened.
    func connectionCount() async throws -> UInt64 {
        var sum: UInt64 = 0
        for bound in lanes { sum += try await bound.eventLoop.submit { bound.value.connectionCount }.get() }
        return sum
    }

    /// Returns the events since the last call.
    func takeInterval() async throws -> IntervalSummary {
        var sum = IntervalSummary()
        for bound in lanes { sum.merge(try await bound.eventLoop.submit { bound.value.takeInterval() }.get()) }
        return sum
    }

    /// Ends everything.
    ///
    /// - Returns: The operations of each lane, in the order of the loads.
    func end() async throws -> [[AccountOutcome]] {
        var outcomes: [[AccountOutcome]] = []
        for bound in lanes {
            outcomes.append(
                try await bound.eventLoop.submit { () -> [AccountOutcome] in
                    bound.value.leave()
                    return bound.value.outcomes
                }.get())
        }
        return outcomes
    }
}
