// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOCore
import NIOPosix
import Testing
import TestingSupport

@testable import OIDCBrokerOperations

/// Which loops are stuck, without loops.
@Suite struct EventLoopWatchStateMachineTests {
    private typealias Machine = EventLoopWatch.StateMachine<Int>
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func time(_ milliseconds: Int64) -> NIODeadline { Self.start + .milliseconds(milliseconds) }

    /// Asks, and returns the loops to ping and the number.
    private func wait(_ machine: inout Machine, at milliseconds: Int64, _ waiter: Int) throws -> ([Int], UInt64) {
        guard case .wait(let ping, let number) = machine.begin(now: time(milliseconds), waiter: waiter) else {
            throw Unexpected()
        }
        return (ping, number)
    }

    private struct Unexpected: Error {}

    @Test func `every loop answers`() throws {
        var machine = Machine(loops: 2, limit: .seconds(1))
        let (ping, number) = try wait(&machine, at: 0, 7)
        #expect(ping == [0, 1])
        #expect(machine.answered(1) == [])
        #expect(machine.answered(0) == [7])
        // A second answer, or the timer, finds no waiter.
        #expect(machine.answered(0) == [])
        #expect(machine.expired(number, now: time(1000))?.waiter == nil)
        #expect(machine.waiterCount == 0)
    }

    @Test func `one does not, and is not pinged again however often it is asked for`() throws {
        var machine = Machine(loops: 2, limit: .seconds(1))
        let (_, first) = try wait(&machine, at: 0, 1)
        #expect(machine.answered(0) == [])
        let (ping, second) = try wait(&machine, at: 500, 2)
        #expect(ping == [0])
        #expect(machine.answered(0) == [])
        let expired = machine.expired(first, now: time(1000))
        #expect(expired?.waiter == 1)
        #expect(expired?.stuck == 1)
        for number in 0..<100 {
            let (ping, _) = try wait(&machine, at: 1000 + Int64(number), 3)
            #expect(ping == (number == 0 ? [0] : []))
        }
        #expect(machine.expired(second, now: time(2000))?.stuck == 2)
        // It turns again: all waiters learn it at once, except for the other one, which has not answered.
        #expect(machine.answered(1) == [])
        #expect(machine.answered(0).count == 100)
        #expect(machine.waiterCount == 0)
    }

    @Test func `all are known to be stuck, or there are none`() throws {
        var machine = Machine(loops: 1, limit: .seconds(1))
        _ = try wait(&machine, at: 0, 1)
        _ = try wait(&machine, at: 999, 2)
        guard case .known(let stuck) = machine.begin(now: time(1000), waiter: 3) else { throw Unexpected() }
        #expect(stuck == 1)
        #expect(machine.waiterCount == 2)
        var none = Machine(loops: 0, limit: .seconds(1))
        guard case .known(let nobody) = none.begin(now: time(0), waiter: 1) else { throw Unexpected() }
        #expect(nobody == 0)
    }

    @Test func `an answer from no loop of ours changes nothing`() throws {
        var machine = Machine(loops: 1, limit: .seconds(1))
        _ = try wait(&machine, at: 0, 1)
        #expect(machine.answered(1) == [])
        #expect(machine.answered(-1) == [])
        #expect(machine.waiterCount == 1)
    }
}

/// With loops. A test holds one of them.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct EventLoopWatchTests {
    /// Runs a body with two loops to watch and one that keeps the time.
    static func withLoops(
        _ body: (_ watched: MultiThreadedEventLoopGroup, _ clock: any EventLoop) async throws -> Void
    ) async throws {
        let watched = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let clock = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        try await attempt {
            try await body(watched, clock.next())
        } finally: {
            try await watched.shutdownGracefully()
            try await clock.shutdownGracefully()
        }
    }

    /// Holds a loop until the semaphore is signaled. Returns when it is held.
    static func hold(_ loop: any EventLoop, until released: DispatchSemaphore) async throws {
        let (entered, continuation) = AsyncStream.makeStream(of: Void.self)
        loop.execute {
            continuation.finish()
            released.wait()
        }
        for await _ in entered {}
    }

    @Test func `loops that turn answer at once`() async throws {
        try await Self.withLoops { (watched, clock) async throws in
            // The limit of an hour would show in the test's time.
            let watch = EventLoopWatch(watched, limit: .hours(1))
            for _ in 0..<10 {
                let stuck = try await watch.stuckLoops(on: clock).get()
                #expect(stuck == 0)
            }
            #expect(watch.count == 2)
        }
    }

    @Test func `one that is held is stuck, and not any more when it is released`() async throws {
        try await Self.withLoops { (watched, clock) async throws in
            let watch = EventLoopWatch(watched, limit: .milliseconds(50))
            let released = DispatchSemaphore(value: 0)
            let loop = watched.next()
            do {
                defer { released.signal() }
                try await Self.hold(loop, until: released)
                // The other one may be late as well on a machine that is busy.
                for _ in 0..<3 { #expect(try await watch.stuckLoops(on: clock).get() >= 1) }
            }
            // What was queued on the loop runs before this, so it has answered.
            try await loop.submit {}.get()
            let patient = EventLoopWatch(watched, limit: .hours(1))
            #expect(try await patient.stuckLoops(on: clock).get() == 0)
        }
    }
}
