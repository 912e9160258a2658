// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import Synchronization

/// A store that can be told to forget everything, so that the callback of a login can be repeated.
final class ForgetfulStore: SingleUseStore {
    private let entries = Mutex<[SingleUseKey: [UInt8]]>([:])

    /// Forgets every entry.
    func forget() { entries.withLock { $0 = [:] } }

    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        let isNew = entries.withLock { entries in
            guard entries[key] == nil else { return false }
            entries[key] = value
            return true
        }
        return eventLoop.makeSucceededFuture(isNew ? .inserted : .present)
    }

    func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeSucceededFuture(entries.withLock { $0.removeValue(forKey: key) })
    }

    func read(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeSucceededFuture(entries.withLock { $0[key] })
    }

    func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(entries.withLock { $0[key] != nil })
    }
}
