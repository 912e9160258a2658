// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension EventLoopFuture where Value: Sendable {
    /// Returns a future with the same result, or with the given error if there is none by the deadline. It is for a
    /// caller that waits for a fetch shared with others, which has a time limit of its own.
    func bounded(by deadline: NIODeadline, else error: RelyingPartyError) -> EventLoopFuture<Value> {
        let promise = eventLoop.makePromise(of: Value.self)
        // A promise that is already completed ignores further results.
        let timer = eventLoop.scheduleTask(deadline: deadline) { promise.fail(error) }
        whenComplete { result in
            timer.cancel()
            promise.completeWith(result)
        }
        return promise.futureResult
    }
}

extension Eventual {
    /// Returns the same result, or the error if there is none by the deadline. An available result needs no timer.
    func bounded(by deadline: NIODeadline, else error: @autoclosure () -> RelyingPartyError) -> Eventual<Value> {
        guard case .future(let future) = self else { return self }
        return .future(future.bounded(by: deadline, else: error()))
    }
}
