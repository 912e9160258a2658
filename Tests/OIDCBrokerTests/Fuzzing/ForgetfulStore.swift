// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import SingleUse
import Synchronization

/// A store that can be told to forget everything, so that the callback of a login can be repeated.
final class ForgetfulStore: SingleUseStore {
    private struct Entries {
        var claims: Set<SingleUseKey> = []
        var values: [SingleUseKey: [UInt8]] = [:]
    }

    private let entries = Mutex(Entries())

    /// Forgets every entry.
    func forget() { entries.withLock { $0 = Entries() } }

    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        let isNew = entries.withLock { $0.claims.insert(key).inserted }
        return eventLoop.makeSucceededFuture(isNew ? .won : .lost)
    }

    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        entries.withLock { $0.values[key] = value }
        return eventLoop.makeSucceededFuture(.stored)
    }

    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        eventLoop.makeSucceededFuture(
            entries.withLock { entries in
                if entries.claims.contains(key) { return .taken }
                guard let value = entries.values.removeValue(forKey: key) else { return .absent }
                entries.claims.insert(key)
                return .value(value)
            })
    }

    func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeSucceededFuture(entries.withLock { $0.values[key] })
    }

    func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        entries.withLock { if $0.values[key] == value { $0.values[key] = nil } }
        return eventLoop.makeSucceededVoidFuture()
    }

    func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(entries.withLock { $0.claims.contains(key) })
    }
}
