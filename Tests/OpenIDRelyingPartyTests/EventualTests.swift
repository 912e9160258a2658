// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import OpenIDRelyingParty
import Synchronization
import Testing

/// The one type for what is there already or will be: each operation is the same for both.
@Suite struct EventualTests {
    private struct Failed: Error, Equatable {
        var number = 0
    }

    private let loop = EmbeddedEventLoop()

    /// How a result comes.
    enum Way: CaseIterable {
        case atOnce
        case later
    }

    /// A result that comes one way or the other; the promise must be completed with it.
    private func eventual(_ result: Result<Int, any Error>, _ way: Way) -> (Eventual<Int>, () -> Void) {
        switch (way, result) {
        case (.atOnce, .success(let value)): return (.value(value), {})
        case (.atOnce, .failure(let error)): return (.failure(error), {})
        case (.later, _):
            let promise = loop.makePromise(of: Int.self)
            return (.future(promise.futureResult), { promise.completeWith(result) })
        }
    }

    private func isFuture<Value>(_ eventual: Eventual<Value>) -> Bool {
        if case .future = eventual { true } else { false }
    }

    @Test func `a throwing function gives a value or a failure`() throws {
        #expect(try Eventual(catching: { 1 }).wait() == 1)
        #expect(throws: Failed()) { try Eventual<Int>(catching: { throw Failed() }).wait() }
    }

    @Test(arguments: Way.allCases) func `a value goes on`(way: Way) throws {
        let (first, complete) = eventual(.success(1), way)
        let mapped = first.flatMapThrowing { $0 + 1 }
        let followed = mapped.flatMap { .value("\($0)") }
        let either = followed.flatMap {
            .value($0 + "!")
        } failure: { _ in
            .value("none")
        }
        let result = either.flatMapResult { .value((try? $0.get()) ?? "none") }
        #expect(isFuture(result) == (way == .later))
        complete()
        #expect(try result.recover { _ in "recovered" }.wait() == "2!")
        #expect(try first.flatMapErrorThrowing { throw $0 }.wait() == 1)
    }

    @Test(arguments: Way.allCases) func `a failure skips what follows`(way: Way) throws {
        let calls = Mutex(0)
        let (first, complete) = eventual(.failure(Failed(number: 1)), way)
        let mapped = first.flatMapThrowing { value in
            calls.withLock { $0 += 1 }
            return value
        }
        let followed = mapped.flatMap { value -> Eventual<Int> in
            calls.withLock { $0 += 1 }
            return .value(value)
        }
        complete()
        #expect(throws: Failed(number: 1)) { try followed.wait() }
        #expect(calls.withLock { $0 } == 0)
        #expect(try followed.recover { ($0 as? Failed)?.number ?? 0 }.wait() == 1)
        #expect(
            try followed.flatMap {
                .value($0)
            } failure: { _ in
                .value(7)
            }.wait() == 7)
        #expect(try followed.flatMapErrorThrowing { _ in 8 }.wait() == 8)
        #expect(throws: Failed(number: 2)) {
            try followed.flatMapErrorThrowing { _ in throw Failed(number: 2) }.wait()
        }
    }

    @Test(arguments: Way.allCases) func `an error that a step throws is the failure`(way: Way) throws {
        let (first, complete) = eventual(.success(1), way)
        let mapped = first.flatMapThrowing { value -> Int in throw Failed(number: value) }
        let followed = first.flatMap { value -> Eventual<Int> in .failure(Failed(number: value + 1)) }
        complete()
        #expect(throws: Failed(number: 1)) { try mapped.wait() }
        #expect(throws: Failed(number: 2)) { try followed.wait() }
    }

    @Test func `a failure behind the first step is not that of the first`() throws {
        let failure = Eventual.value(1).flatMap { _ -> Eventual<Int> in
            .failure(Failed(number: 3))
        } failure: { _ in
            .value(0)
        }
        #expect(throws: Failed(number: 3)) { try failure.wait() }
    }

    @Test func `a step behind a future may be a future itself`() throws {
        let first = loop.makePromise(of: Int.self)
        let second = loop.makePromise(of: String.self)
        let result = Eventual.future(first.futureResult).flatMap { _ in .future(second.futureResult) }
        first.succeed(1)
        second.succeed("two")
        #expect(try result.wait() == "two")
    }

    @Test(arguments: Way.allCases) func `the result is told once, at once if it is there`(way: Way) {
        let told = Mutex<[Int]>([])
        let (first, complete) = eventual(.success(5), way)
        first.whenComplete { result in
            told.withLock { $0.append((try? result.get()) ?? 0) }
        }
        #expect(told.withLock { $0 } == (way == .atOnce ? [5] : []))
        complete()
        #expect(told.withLock { $0 } == [5])
    }

    @Test(arguments: Way.allCases) func `a promise and a future get the result`(way: Way) throws {
        for result in [Result<Int, any Error>.success(1), .failure(Failed())] {
            let (first, complete) = eventual(result, way)
            let promise = loop.makePromise(of: Int.self)
            first.cascade(to: promise)
            let future = first.future(on: loop)
            complete()
            #expect(Result { try promise.futureResult.wait() }.isSuccess == result.isSuccess)
            #expect(Result { try future.wait() }.isSuccess == result.isSuccess)
        }
    }

    @Test func `what is there needs no timer`() throws {
        let value = Eventual.value(1).bounded(by: loop.now - .seconds(1), else: Failed())
        loop.advanceTime(by: .seconds(1))
        #expect(try value.wait() == 1)
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
