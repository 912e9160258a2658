// SPDX-License-Identifier: Apache-2.0

package import NIOCore

extension Eventual {
    /// Returns the same result, or the error if there is none by the deadline. It is for a caller that waits for what has
    /// another time limit or none. An available result needs no timer.
    package func bounded<Late: Error>(
        by deadline: NIODeadline, else error: @autoclosure () -> Late
    ) -> Eventual<Value> {
        guard case .future(let future) = self else { return self }
        let promise = future.eventLoop.makePromise(of: Value.self)
        let late = error()
        // A promise that is already completed ignores further results.
        let timer = future.eventLoop.scheduleTask(deadline: deadline) { promise.fail(late) }
        future.whenComplete { result in
            timer.cancel()
            promise.completeWith(result)
        }
        return .future(promise.futureResult)
    }
}
