// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OIDCBroker
import SingleUse

/// A store on event loops with threads for a broker whose event loop has none: each call waits for its end.
struct BlockingStore: SingleUseStore {
    private let base: any SingleUseStore
    private let threaded = MultiThreadedEventLoopGroup.singleton.any()

    init(_ base: any SingleUseStore) { self.base = base }

    private func wait<Value: Sendable>(
        on eventLoop: any EventLoop, _ body: (any EventLoop) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        do {
            return eventLoop.makeSucceededFuture(try body(threaded).wait())
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }

    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        wait(on: eventLoop) { base.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: $0) }
    }

    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        wait(on: eventLoop) { base.put(key, value: value, owner: owner, lifetime: lifetime, on: $0) }
    }

    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        wait(on: eventLoop) { threaded in
            base.take(key, attempt: attempt, claimLifetime: claimLifetime, on: threaded).flatMap { [base] take in
                // The store removes it behind its answer, which takes no time by the clock of such an event loop.
                guard let value = take.value else { return threaded.makeSucceededFuture(take) }
                return base.remove(key, ifEqual: value, on: threaded).map { take }
            }
        }
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        wait(on: eventLoop) { base.read(key, on: $0) }
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        wait(on: eventLoop) { base.remove(key, ifEqual: value, on: $0) }
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        wait(on: eventLoop) { base.isClaimed(key, on: $0) }
    }
}
