// SPDX-License-Identifier: Apache-2.0

import Accounts
import Logging
import NIOCore
import OpenIDRelyingParty
import ServiceLifecycle

/// A task that periodically removes sessions and used-up entries that have expired, a bounded number in a transaction,
/// so that no request waits long for it.
struct AccountSweeping: Sendable {
    /// The maximum number of records that are removed in one transaction, unless a store takes more.
    static let usualBatch = 500

    let store: any AccountStore
    let clock: any UnixClock
    /// The time between two sweeps.
    let interval: Duration
    let logger: Logger
    /// The maximum number of records that are removed in one transaction.
    var batch = usualBatch

    /// Sweeps until graceful shutdown or cancellation.
    func run(on eventLoop: any EventLoop) async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil { await sweep(on: eventLoop) }
        }
    }

    /// Removes everything that has expired. A failure of the store is logged, and the next sweep tries again.
    func sweep(on eventLoop: any EventLoop) async {
        let now = clock.now()
        do {
            while try await store.sweep(before: now, limit: batch, on: eventLoop).get() >= batch {
                guard !Task.isCancelled else { return }
            }
        } catch {
            // The description of another error than a store's may contain anything.
            let detail = (error as? AccountStoreError)?.description ?? "\(type(of: error))"
            logger.warning("cannot remove expired sessions", metadata: ["auth.error": "\(detail)"])
        }
    }
}
