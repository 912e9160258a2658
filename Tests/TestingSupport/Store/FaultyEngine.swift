// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import SingleUse
import Synchronization

/// A ``FaultyStore`` whose calls end by themselves, and those who know whether it is the primary.
package final class FaultyEngine: SingleUseEngine {
    package static let kind = "faulty"
    package let serverTime = ServerTime()
    package let asksAboutPrimary: Bool
    /// The store.
    package let store: FaultyStore
    /// What those who know answer, by when the silence of the standbys began.
    private let word = Mutex<@Sendable (NIODeadline, any EventLoop) -> EventLoopFuture<Bool>>({ _, eventLoop in
        eventLoop.makeSucceededFuture(false)
    })
    private let asked = Mutex<[NIODeadline]>([])

    /// - Parameter asksAboutPrimary: Whether the engine knows.
    package init(_ store: FaultyStore, asksAboutPrimary: Bool = true) {
        self.store = store
        self.asksAboutPrimary = asksAboutPrimary
    }

    /// When the silence began, of each question.
    package var silences: [NIODeadline] { asked.withLock { $0 } }

    /// Lets those who know answer so from now on.
    package func say(_ word: @escaping @Sendable (NIODeadline, any EventLoop) -> EventLoopFuture<Bool>) {
        self.word.withLock { $0 = word }
    }

    package func isStillPrimary(
        silentSince silence: NIODeadline, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        asked.withLock { $0.append(silence) }
        return word.withLock { $0 }(silence, eventLoop)
    }

    package func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        store.claim(key, attempt: attempt, owner: owner, lifetime: lifetime, on: eventLoop)
    }

    package func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        store.put(key, value: value, owner: owner, lifetime: lifetime, on: eventLoop)
    }

    package func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        store.take(key, attempt: attempt, claimLifetime: claimLifetime, on: eventLoop)
    }

    package func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        store.read(key, on: eventLoop)
    }

    package func remove(
        _ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        store.remove(key, ifEqual: value, on: eventLoop)
    }

    package func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        store.isClaimed(key, on: eventLoop)
    }
}
