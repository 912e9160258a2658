// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// Requests that go on only when all have come. Whatever they ask later is not held up.
final class Gathering: Sendable {
    private let size: Int
    /// Those who wait; `nil` once all have come.
    private let waiting = Mutex<[EventLoopPromise<Void>]?>([])

    /// - Parameter size: The number of requests.
    init(of size: Int) { self.size = size }

    deinit { release(waiting.withLock { $0 ?? [] }) }

    /// Waits for the others.
    func join(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let complete = waiting.withLock { waiting -> [EventLoopPromise<Void>] in
            guard let others = waiting else { return [promise] }
            let all = others + [promise]
            waiting = all.count == size ? nil : all
            return all.count == size ? all : []
        }
        release(complete)
        return promise.futureResult
    }

    private func release(_ promises: [EventLoopPromise<Void>]) {
        for promise in promises { promise.succeed(()) }
    }
}
